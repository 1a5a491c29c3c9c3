// The kept statement of trip 1 is the one that would be built: no value of one request is in the statement of another.

import type { D1Database } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { newMeter, open, type Statement } from '../database/open';
import { type ContextQuery, selectContexts } from './context_query';
import { cachedContextQuery } from './context_query_cache';

/** Statements are built, never sent. */
const db = open({ withSession: () => ({ prepare: () => ({}) }) } as unknown as D1Database, newMeter(), 'first-primary');

const queryOf = (statement: Statement) => {
  const built = statement as unknown as { _prepare(): { getQuery(): { sql: string; params: unknown[] } } };
  const { sql, params } = built._prepare().getQuery();
  return { sql, params };
};

const usual: ContextQuery = {
  tokenHash: undefined,
  sessionHash: undefined,
  asUser: undefined,
  path: {},
  bySisId: false,
  within: {},
  idempotencyKey: undefined,
  now: '2026-11-22T08:00:00Z',
};

/** What a request may name, each in two requests of the same shape. */
const requests: readonly (readonly [Partial<ContextQuery>, Partial<ContextQuery>])[] = [
  [{}, { now: '2027-01-01T00:00:00Z' }],
  [{ tokenHash: 'one' }, { tokenHash: 'other' }],
  [{ sessionHash: 'one' }, { sessionHash: 'other', now: '2027-01-01T00:00:00Z' }],
  [
    { tokenHash: 'one', idempotencyKey: 'first' },
    { tokenHash: 'other', idempotencyKey: 'second' },
  ],
  ...(['course_id', 'section_id', 'user_id', 'account_id', 'group_id'] as const).flatMap((name) =>
    [false, true].map(
      (ranks) =>
        [
          { tokenHash: 'one', ranks, path: { [name]: '5' } },
          { tokenHash: 'other', ranks, path: { [name]: '6' } },
        ] as const,
    ),
  ),
  [
    { tokenHash: 'one', path: { course_id: '5', user_id: '5', id: '5' } },
    { tokenHash: 'other', path: { course_id: '6', user_id: '7', id: '8' } },
  ],
  [
    { tokenHash: 'one', path: { user_id: 'self', course_id: '5' } },
    { tokenHash: 'other', path: { user_id: 'self', course_id: '6' } },
  ],
  // Unusual references are built for each request.
  [
    { tokenHash: 'one', path: { course_id: 'sis_course_id:A' } },
    { tokenHash: 'other', path: { course_id: 'sis_course_id:B' } },
  ],
  [
    { tokenHash: 'one', bySisId: true, path: { course_id: '5' } },
    { tokenHash: 'other', bySisId: true, path: { course_id: '6' } },
  ],
  [
    { tokenHash: 'one', asUser: '5' },
    { tokenHash: 'other', asUser: '6' },
  ],
  [
    { tokenHash: 'one', path: { course_id: '0' } },
    { tokenHash: 'other', path: { course_id: '99999999999999999999' } },
  ],
];

test.each(requests)('%o then %o', (first, second) => {
  for (const part of [first, second, first]) {
    const query = { ...usual, ...part };
    expect(queryOf(cachedContextQuery(db, query))).toEqual(queryOf(selectContexts(db, query)));
  }
});
