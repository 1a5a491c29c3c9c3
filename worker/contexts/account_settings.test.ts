// Account settings: inheritance and locks.

import { expect, test } from 'vitest';
import { settingIn, settingOf } from './account_settings';

const chain = (...settings: ({ value?: boolean; locked?: boolean } | undefined)[]) =>
  settings.map((one) => ({ settings: one === undefined ? {} : { it: one } }));

test.each([
  ['no account sets it', chain(undefined, undefined), { locked: false }],
  ['inherited', chain({ value: true }, undefined), { value: true, locked: false }],
  ['the nearest account decides', chain({ value: true }, { value: false }), { value: false, locked: false }],
  ['a locked value above decides', chain({ value: true, locked: true }, { value: false }), { value: true, locked: true }],
  ['the highest lock decides', chain({ value: false, locked: true }, { value: true, locked: true }), { value: false, locked: true }],
  ['a lock keeps the inherited value', chain({ value: true }, { locked: true }, { value: false }), { value: true, locked: true }],
])('%s', (_, accounts, expected) => {
  expect(settingOf(accounts, 'it')).toEqual(expected);
});

test('a course sets what no account above it has locked', () => {
  const course = { settings: { it: false } };
  expect(settingIn(course, chain({ value: true }), 'it')).toBe(false);
  expect(settingIn(course, chain({ value: true, locked: true }), 'it')).toBe(true);
  expect(settingIn({ settings: {} }, chain({ value: true }), 'it')).toBe(true);
  expect(settingIn({ settings: {} }, chain(undefined), 'it')).toBe(false);
});
