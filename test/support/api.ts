// The API in the Workers runtime, with a migrated database per test file.

import { env, SELF } from 'cloudflare:test';
import { enrollments } from '@carrel/worker/domains/enrollments/table';
import { users } from '@carrel/worker/domains/users/table';
import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect } from 'vitest';
import { type Answer, type Client, clientOf } from './client';
import { groundOf, type Person } from './ground';

export const base = 'https://carrel.test';
export const ground = groundOf(env.DB as never);

/**
 * The routes that a test file has called successfully, for the ledger, those of them that returned lists, the rows that writes have cost, and the most
 * statements of a call.
 */
export const witnessed = {
  routes: new Set<string>(),
  lists: new Set<string>(),
  written: new Map<string, number[]>(),
  statements: new Map<string, number>(),
};

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
    (route, isList, { rows_written, d1_statements }) => {
      witnessed.routes.add(route);
      witnessed.statements.set(route, Math.max(d1_statements, witnessed.statements.get(route) ?? 0));
      if (!route.startsWith('GET ') && rows_written > 0)
        witnessed.written.set(route, [...(witnessed.written.get(route) ?? []), rows_written]);
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

/** The number of a row in `many`, from 1. */
export const n = sql.raw('n');
/** A text that ends with the number of the row. */
export const nth = (text: string) => sql<string>`${text} || n`;

type Insert<T extends SQLiteTable> = { readonly [K in keyof T['$inferInsert']]: T['$inferInsert'][K] | SQL };
type Times = 'created_at' | 'updated_at';

/** Inserts many rows at once. Values of a row are constants, or SQL over `n`. */
export async function many<T extends SQLiteTable>(
  count: number,
  table: T,
  row: Omit<Insert<T>, Times> & Partial<Pick<Insert<T>, Times & keyof Insert<T>>>,
): Promise<void> {
  const columns = getTableColumns(table);
  const at = '2026-09-01T08:00:00Z';
  const times = Object.fromEntries(['created_at', 'updated_at'].filter((name) => name in columns).map((name) => [name, at]));
  const entries = Object.entries<unknown>({ ...times, ...row });
  const names = entries.map(([name]) => sql.identifier(name));
  const values = entries.map(([name, value]) => (is(value, SQL) ? value : sql`${sql.param(value, columns[name])}`));
  await ground.db.run(
    sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)} from counted`,
  );
}

interface Enrolled {
  readonly id: number;
  readonly section_id: number;
}

/**
 * Inserts students of a course in bulk, with the ids `first + 1` to `first + count`.
 * @param name as SQL: a text for all of them, or `nth(…)`
 */
export async function manyStudents(count: number, course: Enrolled, first: number, name: string | SQL<string>): Promise<void> {
  const id = sql<number>`${first} + n`;
  const written = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  await many(count, users, { id, name, short_name: name, sortable_name: name, uuid: nth('u'), ...written });
  await many(count, enrollments, {
    user_id: id,
    course_id: course.id,
    course_section_id: course.section_id,
    type: 'StudentEnrollment',
    role_id: 3,
    enrollment_state: 'active',
    sortable_name: name,
    ...written,
  });
}
