// Checks the budgets of lists: as many D1 trips at 10,000 rows as at 10, and rows read in proportion to the page, not to the table. The same
// tables are checked at 100,000 rows by `npm run bench -- --only budgets`.

import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import worker from '@carrel/worker/index';
import type { Platform } from '@carrel/worker/platform';
import { expect, test } from 'vitest';
import { as, base, ok } from './api';
import type { budgeted } from './budgeted';
import type { Answer } from './client';
import { aCourse, type Ground, type Person } from './ground';

export type Scene = Awaited<ReturnType<typeof aCourse>>;

/** Two courses with the same users by role: one with few items of each kind, one with many. */
export interface Twins<S = Scene> {
  readonly small: S;
  readonly large: S;
}

export const few = 10;
/** 10,000 in the suite. */
export const lots = Number((env as { BUDGET_ROWS?: string }).BUDGET_ROWS ?? 10_000);
/** The time limit for building the large scene. */
export const fillTime = lots * 12;

const result = lots.toLocaleString('en-US');

export const twins = async (ground: Ground): Promise<Twins> => ({ small: await aCourse(ground), large: await aCourse(ground) });

/** Few rows for the one and many for the other; `values` is SQL over `n`, which counts from 1. */
export async function fillRows<S>({ small, large }: Twins<S>, table: string, columns: string, values: (scene: S) => string): Promise<void> {
  for (const [count, scene] of [
    [few, small],
    [lots, large],
  ] as const)
    await env.DB.prepare(
      `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) insert into ${table} (${columns}) select ${values(scene)} from counted`,
    ).run();
}

const written = "'2026-09-01T08:00:00Z'";

/** Users with a login and an email address each. */
export async function fillPeople<S extends { /** The id before the first of them. */ readonly crowd: number }>(
  scenes: Twins<S>,
): Promise<void> {
  await fillRows(
    scenes,
    'users',
    'id, name, short_name, sortable_name, uuid, last_login, created_at, updated_at',
    ({ crowd }) =>
      `${crowd} + n, printf('Many %05d', n), 'Many', printf('Many %05d', n), 'c${crowd}-' || n, ${written}, ${written}, ${written}`,
  );
  await fillRows(
    scenes,
    'logins',
    'user_id, account_id, unique_id, sis_user_id, created_at, updated_at',
    ({ crowd }) => `${crowd} + n, 1, 'c${crowd}-' || n, 'c${crowd}-' || n, ${written}, ${written}`,
  );
  await fillRows(
    scenes,
    'communication_channels',
    'user_id, address, workflow_state, created_at, updated_at',
    ({ crowd }) => `${crowd} + n, 'c${crowd}-' || n || '@example.edu', 'active', ${written}, ${written}`,
  );
}

/**
 * Drops the triggers during bulk inserts: lists do not read what they write, such as the change log, and they take most of the time.
 * The indexes and sort keys that lists use are kept.
 */
export async function inBulk(work: () => Promise<void>): Promise<void> {
  const { results } = await env.DB.prepare(
    "select name, sql from sqlite_master where type = 'trigger' and name not like '%\\_\\_copy%' escape '\\' and name not like '%\\_\\_search%' escape '\\'",
  ).all<{
    name: string;
    sql: string;
  }>();
  await env.DB.batch(results.map(({ name }) => env.DB.prepare(`drop trigger "${name}"`)));
  await work();
  await env.DB.batch(results.map(({ sql }) => env.DB.prepare(sql)));
}

interface Asked {
  readonly by: Person;
  readonly path: string;
}

export interface Budget<S = Scene> {
  /** What distinguishes this request from others to the same address. */
  readonly with?: string;
  readonly asks: (scene: S) => Asked;
  readonly query?: (scene: S) => object;
  /** How many rows an item of the response consists of, if more than one. Three may be read for each of them. */
  readonly madeOf?: readonly string[];
  /** The rows that may be read per item when three for each row it consists of are not enough, and why. */
  readonly perItem?: readonly [rows: number, why: string];
  /** The rows that are read in addition, whatever the size of the table, and why. */
  readonly beside?: readonly [rows: number, why: string];
  /** How many items the large scene returns for `per_page=100`, if not 100. */
  readonly page?: number;
  /** Where the items are, when the body is not a list. */
  readonly items?: (body: never) => readonly unknown[];
  /** The API reference defines no pages for it. */
  readonly unpaged?: boolean;
  /** Both scenes are the same: rows of the whole institution. A page of ten gives the base cost. */
  readonly isShared?: boolean;
  /** The scan window: how many rows a page examines at most when no index decides; a page may then be short or empty, with a next page. */
  readonly looksThrough?: number;
}

/** Additional steps for a search in a larger index. */
const steps = 12;
/** The cost of loading the caller and the context of the path. */
const around = 150;

const itemsOf = <S>(budget: Budget<S>, answer: Answer): readonly unknown[] => {
  const body = ok(answer);
  if (budget.items) return budget.items(body as never);
  return Array.isArray(body) ? body : (Object.values(body as object).find(Array.isArray) ?? []);
};

const queryOf = (query: object): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (Array.isArray(value) ? value.map((one) => [`${name}[]`, one]) : [[name, value]]))
    .map(([name, value]) => `${encodeURIComponent(String(name))}=${encodeURIComponent(String(value))}`)
    .join('&');

function addressOf<S>({ asks, query }: Budget<S>, scene: S, per_page: number): Asked {
  const { by, path } = asks(scene);
  return { by, path: `${path}${path.includes('?') ? '&' : '?'}${queryOf({ ...query?.(scene), per_page })}` };
}

/** @returns the rows that a page of 100 reads */
async function hold<S>(budget: Budget<S>, { small, large }: Twins<S>): Promise<number> {
  const ask = ({ by, path }: Asked) => as(by).get(path);
  const [few, ten, hundred] = [addressOf(budget, small, 100), addressOf(budget, large, 10), addressOf(budget, large, 100)];
  // Values computed on first read, such as progress, exist after this request.
  for (const one of [few, hundred]) await ask(one);
  const [short, page] = [await ask(ten), await ask(hundred)];
  const least = budget.isShared ? short : await ask(few);
  const items = itemsOf(budget, page);
  expect(itemsOf(budget, least).length, 'items of the small scene').toBeGreaterThan(0);
  if (!budget.looksThrough || budget.page) expect(items, 'items of the large scene').toHaveLength(budget.page ?? 100);
  expect(least.cost.d1_trips, 'D1 trips').toBeLessThanOrEqual(2);

  const check = async (name: string, answer: Answer, most: number, again: Asked) => {
    expect(answer.cost.d1_trips, `D1 trips of ${name}`).toBe(least.cost.d1_trips);
    const read = answer.cost.rows_read;
    if (read > most) expect.fail(`${name} reads ${read} rows, more than ${most}\n${await explained(again)}`);
  };
  const each = budget.perItem?.[0] ?? 3 * (budget.madeOf?.length ?? 1);
  const looked = 4 * (budget.looksThrough ?? 0);
  const constant = looked + (budget.isShared ? around : least.cost.rows_read);
  const bound = (count: number) => each * count + constant + steps + (budget.beside?.[0] ?? 0);
  await check('a page of 100', page, bound(items.length), hundred);
  if (budget.unpaged) return page.cost.rows_read;
  await check('a page of 10', short, bound(itemsOf(budget, short).length), ten);
  const to = page.links.next;
  expect(to, 'the next page').toBeDefined();
  const further = { by: hundred.by, path: to as string };
  const next = await ask(further);
  if (!budget.looksThrough) expect(itemsOf(budget, next).length, 'items of the second page').toBeGreaterThan(0);
  // Rows at the exact start of a page are examined again, and a full-text index is entered at its position.
  await check('the second page', next, 1.2 * page.cost.rows_read + steps + (budget.beside?.[0] ?? 0), further);
  return page.cost.rows_read;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Of a page of 100, for the benchmark. */
    rows_read?: number;
  }
}

/** One test for each list: the requests that are most expensive for each endpoint. `scenes` are built before them. */
export function holdBudgets<S, File extends keyof typeof budgeted>(
  scenes: () => Twins<S>,
  table: Readonly<Record<(typeof budgeted)[File][number], readonly Budget<S>[]>>,
): void {
  for (const [route, budgets] of Object.entries<readonly Budget<S>[]>(table))
    for (const budget of budgets)
      test(`${route}${budget.with ? ` ${budget.with}` : ''} costs the same at ${result} rows as at ${few}`, async ({ task }) => {
        task.meta.rows_read = await hold(budget, scenes());
      });
}

class Recorded {
  constructor(
    readonly inner: D1PreparedStatement,
    readonly sql: string,
    readonly params: readonly unknown[] = [],
  ) {}
  bind(...params: unknown[]) {
    return new Recorded(this.inner.bind(...params), this.sql, params);
  }
}

/** The statements of a request that read much, with the rows and plans, to help with fixing them. */
async function explained({ by, path }: Asked): Promise<string> {
  const sent: { one: Recorded; rows: number }[] = [];
  const DB = {
    withSession(start: string) {
      const session = env.DB.withSession(start);
      return {
        getBookmark: () => session.getBookmark(),
        prepare: (sql: string) => new Recorded(session.prepare(sql), sql),
        async batch(statements: Recorded[]) {
          const results = await session.batch(statements.map(({ inner }) => inner));
          sent.push(...statements.map((one, at) => ({ one, rows: results[at]?.meta.rows_read ?? 0 })));
          return results;
        },
      };
    },
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  };
  const context = createExecutionContext();
  const url = path.startsWith('https:') ? path : `${base}${path.startsWith('/api') ? '' : '/api/v1'}${path}`;
  const request = new Request(url, { headers: { Authorization: `Bearer ${by.token}` } });
  await worker.fetch(request as never, { ...(env as Platform), DB: DB as unknown as D1Database }, context);
  await waitOnExecutionContext(context);
  const lines: string[] = [];
  for (const { one, rows } of sent.slice(1)) {
    if (rows < few * 3) continue;
    lines.push(`${rows} rows: ${one.sql.replace(/(?:"\w+"\."\w+", ){3,}/g, '…, ')}\n  ${JSON.stringify(one.params)}`);
    const plan = await env.DB.prepare(`explain query plan ${one.sql}`)
      .bind(...one.params)
      .all<{ detail: string }>();
    lines.push(...plan.results.map(({ detail }) => `      ${detail}`));
  }
  return lines.join('\n');
}
