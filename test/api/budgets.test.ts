// Every list has a budget in one of the other budget files, or an exception with a reason.

import { endpoints } from '@carrel/worker/dist/endpoints';
import { expect, test } from 'vitest';
import { budgeted, exempt } from '../support/budgeted';

const lists = endpoints
  .filter(({ method, options }) => method === 'GET' && (Array.isArray(options.returns) || 'wrapped' in options.returns))
  .map(({ method, path }) => `${method} ${path}`);
const known = new Set<string>([...Object.values(budgeted).flat(), ...Object.keys(exempt)]);
const routes = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));

test('a list without a budget has a reason', () => {
  expect(lists.filter((route) => !known.has(route))).toEqual([]);
});

test('every budget and every exception names an existing endpoint', () => {
  expect([...known].filter((route) => !routes.has(route))).toEqual([]);
});
