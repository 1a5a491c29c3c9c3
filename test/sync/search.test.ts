// Searching what the desk holds: by the beginnings of words, in titles and texts, by course and kind, without the server.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cache, openCache } from '@carrel/desktop/engine/store/cache';
import type { Change } from '@carrel/shared/sync/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

let home: string;
let cache: Cache;
const path = () => join(home, 'cache.db');

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'carrel-search-'));
  cache = openCache(path());
});
afterEach(() => {
  cache.close();
  rmSync(home, { recursive: true, force: true });
});

let pages = 0;
const told = (changes: readonly Change[]) => cache.apply({ epoch: 'one', cursor: `${++pages}`, has_more: false, changes });
const upsert = (kind: Change['kind'], id: number, resource: Record<string, unknown>, course_id?: number): Change => ({
  kind,
  id,
  op: 'upsert',
  resource: { id, ...resource },
  ...(course_id !== undefined && { course_id }),
});
const find = (text: string, more: Partial<Parameters<Cache['find']>[0]> = {}) =>
  cache.find({ text, course_id: null, kind: null, limit: 60, ...more });
const keys = (text: string, more = {}) => find(text, more).found.map(({ kind, id }) => `${kind} ${id}`);

const library = () =>
  told([
    upsert('course', 1, { name: 'Marine Biology', course_code: 'BIO', syllabus_body: '<p>Wear boots</p>' }, 1),
    upsert(
      'page',
      10,
      { page_id: 10, title: 'Tides', body: '<p>The Müller table&nbsp;of <b>currents</b><script>secretword</script></p>' },
      1,
    ),
    upsert('page', 11, { page_id: 11, title: 'Notebook', body: '<p>Write about the tides daily.</p>' }, 1),
    upsert('assignment', 12, { name: 'Tide report', description: '<p>Two pages</p>' }, 2),
    upsert('discussion_topic', 13, { title: 'Stones', message: '<p>What?</p>', discussion_subentry_count: 1 }, 1),
    upsert('discussion_topic', 14, { title: 'Harbour', message: '<p>At two</p>', is_announcement: true }, 1),
    upsert('file', 15, { display_name: 'lecture_04-tides.pdf' }, 1),
    upsert('planner_note', 16, { title: 'Return the book', details: 'about Tidal pools', todo_date: '2026-11-20T00:00:00Z' }),
    upsert('conversation', 17, { subject: '', participants: [{ id: 1, name: 'Ben' }], last_message: 'low water at nine' }),
  ]);

test('by the beginnings of words, titles first, whatever the accents', () => {
  library();
  expect(keys('tid').sort()).toEqual(['assignment 12', 'file 15', 'note 16', 'page 10', 'page 11']);
  expect(keys('tides')[0]).toBe('page 10');
  expect(keys('muller curr')).toEqual(['page 10']);
  expect(keys('MÜLLER')).toEqual(['page 10']);
  expect(keys('"the tides"')).toEqual(['page 11']);
  expect(keys('boots')).toEqual(['course 1']);
  expect(keys('secretword')).toEqual([]);
  for (const nothing of ['', '  ', '*', '"', '() AND', "';--", 'NEAR(']) expect(Array.isArray(keys(nothing))).toBe(true);
  const [hit] = find('currents').found;
  expect(hit?.excerpt.filter(([, isHit]) => isHit)).toEqual([['currents', true]]);
  expect(hit?.title).toEqual([['Tides', false]]);
});

test('by course and by kind, with all kinds counted', () => {
  library();
  expect(keys('tid', { course_id: 2 })).toEqual(['assignment 12']);
  expect(keys('tid', { kind: 'file' })).toEqual(['file 15']);
  expect(find('tid', { kind: 'file' }).kinds).toMatchObject({ page: 2, assignment: 1, file: 1, note: 1, discussion: 0 });
});

test('replies and messages are found under their discussion and conversation', () => {
  library();
  for (const thread of cache.staleThreads())
    cache.keepThread(
      thread,
      thread.kind === 'conversation'
        ? { messages: [{ id: 1, author_id: 1, created_at: '', body: 'Bring the blue notebook' }] }
        : { view: [{ id: 1, created_at: '', message: '<p>A crab</p>', replies: [{ id: 2, created_at: '', message: 'under kelp' }] }] },
    );
  expect(keys('kelp')).toEqual(['discussion 13']);
  expect(keys('blue')).toEqual(['message 17']);
  told([upsert('discussion_topic', 13, { title: 'Stones and shells', message: '', discussion_subentry_count: 1 }, 1)]);
  expect(keys('shells kelp')).toEqual(['discussion 13']);
});

test('what changes, goes or is withdrawn is found as it is now; a restart changes nothing', () => {
  library();
  told([
    upsert('page', 11, { page_id: 11, title: 'Diary', body: '' }, 1),
    { kind: 'assignment', id: 12, op: 'delete', course_id: 2 },
    { kind: 'file', id: 15, op: 'delete', course_id: 1, withheld: { why: 'hidden' } },
  ]);
  expect(keys('tid').sort()).toEqual(['file 15', 'note 16', 'page 10']);
  cache.close();
  cache = openCache(path());
  expect(keys('diary')).toEqual(['page 11']);
  told([{ kind: 'course', id: 1, op: 'delete', course_id: 1 }]);
  expect(keys('tid')).toEqual(['note 16']);
  cache.reset();
  expect(keys('tid')).toEqual([]);
});

test('10,000 documents: all that match are counted, a page of them is told', () => {
  told(
    Array.from({ length: 10_000 }, (_, at) =>
      upsert('page', at, { page_id: at, title: `Leaf ${at}`, body: `<p>of the herbarium, sheet ${at % 97}</p>` }, at % 5),
    ),
  );
  const { kinds, found } = find('herb', { limit: 60 });
  expect([kinds.page, found.length]).toEqual([10_000, 60]);
  expect(find('herbarium', { course_id: 3 }).kinds.page).toBe(2000);
  expect(keys('leaf 4242')).toEqual(['page 4242']);
});
