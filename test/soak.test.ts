// The checks of `npm run soak` find what they look for. The soak itself takes minutes: `npm run soak -- --minutes 2`.

import type { D1Database } from '@cloudflare/workers-types';
import { expect, test } from 'vitest';
import { rowChecks, wrongObjects, wrongPromises, wrongRows } from './bench/soak/checks';
import { newLedger } from './bench/soak/deeds';
import { memoryVerdict, slopeOf } from './bench/soak/memory';
import { migrated } from './support/migrations';

/** The tables without triggers, so that every wrong state can be written. */
function aDatabase() {
  const database = migrated();
  const d1 = { prepare: (sql: string) => ({ all: async () => ({ results: database.prepare(sql).all() }) }) };
  return { d1: d1 as unknown as D1Database, write: (sql: string) => database.exec(sql) };
}

const at = "'2026-09-01T08:00:00Z'";
const message = (id: number, position: number, body = 'Hello') =>
  `insert into conversation_messages (id, conversation_id, position, author_id, body, created_at) values (${id}, 1, ${position}, 1, '${body}', ${at});`;
const enrollment = (id: number) =>
  `insert into enrollments (id, user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at)
   values (${id}, 7, 1, 1, 'StudentEnrollment', 3, 'active', 'P', ${at}, ${at});`;
const conversation = `insert into conversations (id, uuid, private, created_at, updated_at) values (1, 'u', 0, ${at}, ${at});`;

test('a database without rows has nothing wrong', async () => {
  const { d1 } = aDatabase();
  expect(await wrongRows(d1)).toEqual([]);
  expect(await wrongPromises(d1, newLedger())).toEqual([]);
  expect(await wrongObjects(d1, [])).toEqual([]);
});

test('gaps, wrong counts and orphans are found', async () => {
  const { d1, write } = aDatabase();
  write(conversation + message(1, 1) + message(2, 3));
  write(
    `insert into conversation_participants (conversation_id, user_id, message_count, moved_at, joined_at) values (1, 1, 5, ${at}, ${at});`,
  );
  write(enrollment(1));
  write(
    `insert into discussion_entries (id, discussion_topic_id, user_id, message, created_at, updated_at) values (1, 9, 1, 'x', ${at}, ${at});`,
  );
  write(`insert into storage (context_type, context_id, bytes) values ('Course', 1, 512);`);
  write(`insert into blobs (id, key, size, sha256, created_at) values (1, 'blobs/a', 3, 'x', ${at});`);
  const wrong = await wrongRows(d1);
  for (const name of [
    'positions of messages have no gap and no repetition',
    'each participant counts the messages that they have',
    'each message reached each participant of its conversation',
    'used storage is the sum of the files',
    'unused bytes are marked for the collector',
    'no message, entry, submission or enrollment is without what it belongs to',
  ])
    expect(
      wrong.filter((line) => line.startsWith(name)),
      name,
    ).toHaveLength(1);
  expect(rowChecks.length).toBeGreaterThan(wrong.length);
  expect(await wrongObjects(d1, ['blobs/b'])).toHaveLength(2);
});

test('a lost, a repeated and a refused message are found, and one that was given up is not', async () => {
  const { d1, write } = aDatabase();
  write(conversation + message(1, 1, 'soak 1 1') + message(2, 2, 'soak 1 1') + message(3, 3, 'soak 1 2') + message(4, 4, 'soak 1 3'));
  const ledger = newLedger();
  ledger.messages.accepted.add('soak 1 1').add('soak 1 9');
  ledger.messages.unsure.add('soak 1 2').add('soak 1 8');
  ledger.enrolled.set('7 1', true);
  expect(await wrongPromises(d1, ledger)).toEqual([
    'messages that were accepted are missing, 1: ["soak 1 9"]',
    'messages exist more than once, 1: [["soak 1 1",2]]',
    'messages were refused and exist, 1: ["soak 1 3"]',
    'enrollments are not what was answered, 1: [["7 1",true]]',
  ]);
});

test('memory that grows for minutes is found', () => {
  const samples = (perMinute: number) =>
    Array.from({ length: 200 }, (_, nth) => ({ seconds: nth * 2, megabytes: 300 + (nth * perMinute) / 30 }));
  expect(slopeOf(samples(5))).toBeCloseTo(5);
  expect(memoryVerdict(samples(15), [30, 31]).wrong).toEqual(['the runtime grows by 15.0 MB a minute']);
  expect(memoryVerdict(samples(0.5), [30, 55]).wrong).toEqual(['the heap has grown by 25.0 MB']);
  expect(memoryVerdict(samples(5), [30, 31]).wrong).toEqual([]);
  expect(memoryVerdict(samples(15).slice(0, 50), [30, 31]).wrong, 'too short a time').toEqual([]);
});
