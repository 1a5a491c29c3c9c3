// The text of a statement depends on its shape only. SQLite compiles a new text, and D1 keeps compiled statements by their text, so ids, times
// and facts about the caller are parameters.

import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { askAs, broadQuery, isRead } from '../support/access';
import { endpoints, fillPath, pathValuesIn, titleOf } from '../support/every_endpoint';
import { aFullScene, type FullScene } from '../support/full_scene';
import { growth } from '../support/growth';
import { sentDuring } from '../support/statements';

let scenes: readonly [FullScene, FullScene];
beforeAll(async () => {
  scenes = [await aFullScene(), await aFullScene()];
  // Creates the account on the first call.
  await askAs('GET', '/api/v1/manually_created_courses_account', scenes[0].root);
  // Makes the keys of the platform on the first call.
  await askAs('GET', '/api/lti/security/jwks', scenes[0].root);
}, 120_000);

const isWrite = (text: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(text);

/** A read that leaves work behind notifies live sockets of it, at any time. */
const isLookup = (text: string): boolean =>
  /^select seq, scope, kind, item_id from changes|\bas scope, \(select json_group_array/.test(text);

/** What a read reads. Writes after a response, such as counts of requests, are sent at any time. */
async function textsOf(
  endpoint: (typeof endpoints)[number],
  scene: FullScene,
  role: 'student' | 'teacher' | 'root',
): Promise<readonly string[]> {
  const address = `${fillPath(endpoint, pathValuesIn(endpoint, scene))}?${broadQuery(endpoint, scene)}`;
  const sent = await sentDuring(() => askAs('GET', address, scene[role]));
  // Pages of the feed read their kinds in the order of what has changed last, in which jobs take part.
  return sent
    .map(({ statement }) => statement)
    .filter((text) => !isWrite(text) && !isLookup(text))
    .sort();
}

/** From where two texts differ. */
function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `…${one.slice(Math.max(0, at - 60), at + 60)}… | …${other.slice(Math.max(0, at - 20), at + 60)}…`;
}

/** Request counts are one row per hour and route, and log marks one per second in which something changes. */
const notCounted = ['request_counts', 'log_marks'];

/**
 * What the reads of all endpoints by six users leave: what the first read creates, once per user or course (root folders, a test student, the mark
 * of a submission as read) with its entries in the change log; and the sessions of `GET /login/session_token`.
 */
const createdOnce = {
  users: 2,
  enrollments: 6,
  people_search: 2,
  people_runs: 3,
  roster_counts: 10,
  folders: 12,
  submission_reads: 6,
  changes: 20,
  sessions: 6,
};

async function rowCounts(): Promise<ReadonlyMap<string, number>> {
  const tables = Object.keys(growth).filter((table) => !notCounted.includes(table));
  const results = await env.DB.batch<{ count: number }>(tables.map((table) => env.DB.prepare(`select count(*) as count from ${table}`)));
  return new Map(tables.map((table, at) => [table, results[at]?.results[0]?.count ?? 0]));
}

test('requests of two users about two courses send the same texts, and leave no row each time', { timeout: 240_000 }, async () => {
  const broken: string[] = [];
  const before = await rowCounts();
  for (const endpoint of endpoints.filter(isRead))
    for (const role of ['student', 'teacher', 'root'] as const) {
      const [one, other] = [await textsOf(endpoint, scenes[0], role), await textsOf(endpoint, scenes[1], role)];
      if (one.length !== other.length)
        broken.push(
          `${role}: ${titleOf(endpoint)} sends ${one.length} and ${other.length} statements: ${one.map((text) => text.slice(0, 60)).join(' | ')} and ${other.map((text) => text.slice(0, 60)).join(' | ')}`,
        );
      else
        for (const [at, text] of one.entries())
          if (text !== other[at]) broken.push(`${role}: ${titleOf(endpoint)}: ${difference(text, other[at] ?? '')}`);
    }
  expect(broken).toEqual([]);
  const added = [...(await rowCounts())].flatMap(([table, count]) =>
    count === before.get(table) ? [] : [[table, count - (before.get(table) ?? 0)]],
  );
  expect(Object.fromEntries(added)).toEqual(createdOnce);
});
