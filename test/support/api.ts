// The API in the Workers runtime, with a migrated database per test file.

import { env, SELF } from 'cloudflare:test';
import { expect } from 'vitest';
import { type Answer, type Client, clientOf } from './client';
import { groundOf, type Person } from './ground';

export const base = 'https://carrel.test';
export const ground = groundOf(env.DB as never);

/** The routes that a test file has called successfully, for the ledger, and those of them that returned lists. */
export const witnessed = { routes: new Set<string>(), lists: new Set<string>() };

/** Records the route of a response that a test fetched directly. */
export function noteRoute(headers: { get(name: string): string | null }, status: number): void {
  const route = headers.get('x-carrel-route');
  if (route && status < 400) witnessed.routes.add(route);
}

/** A client with a user's token, or without one. */
export const as = (person?: Person): Client =>
  clientOf(
    (url, init) => SELF.fetch(url, init as never) as unknown as Promise<Response>,
    base,
    person?.token,
    (route, isList) => {
      witnessed.routes.add(route);
      if (isList && route.startsWith('GET ')) witnessed.lists.add(route);
    },
  );

/** The response body, after checking the status. */
export function ok(answer: Answer, status = 200): Answer['body'] {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

/** Checks the budget: at most two trips for a read, three for a write. */
export function within(answer: Answer, trips: number): Answer {
  expect(answer.cost.d1_trips, 'D1 round trips').toBeLessThanOrEqual(trips);
  return answer;
}

/** Inserts bulk rows for budgets at scale: `columns` and a select of them over `n`, which counts from 1. */
export async function many(count: number, table: string, columns: string, values: string): Promise<void> {
  await env.DB.prepare(
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) insert into ${table} (${columns}) select ${values} from counted`,
  ).run();
}
