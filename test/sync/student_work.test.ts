// The students' work in the cache: apart from the user's own, and its cells made again when they cannot be used.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Cache } from '@carrel/desktop/engine/store/cache';
import type { Change } from '@carrel/shared/sync/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';

const [me, ada, course_id] = [1, 2, 7];
const folder = mkdtempSync(join(tmpdir(), 'carrel-students-'));
const path = join(folder, 'cache.db');
let cache: Cache;
let cursor = 0;

const openAgain = (): Cache => {
  const opened = new Cache(path);
  opened.owner = me;
  opened.graded = new Set([course_id]);
  return opened;
};
const apply = (...changes: Change[]) => cache.apply({ epoch: 'one', cursor: `${++cursor}`, has_more: false, changes });
const submission = (id: number, user_id: number, more: object = {}, where = course_id): Change => ({
  kind: 'submission',
  id,
  op: 'upsert',
  course_id: where,
  resource: { id, user_id, assignment_id: 3, workflow_state: 'graded', score: 5, grade: '5', ...more },
});

beforeEach(() => {
  cache = openAgain();
});
afterEach(() => {
  cache.close();
  rmSync(folder, { recursive: true, force: true });
});

test('only what others have handed in in a graded course is apart; the rest is stored as before', () => {
  apply(submission(10, me), submission(11, ada), submission(12, ada, {}, 8));
  expect(cache.all<{ id: number }>('submission').map(({ id }) => id)).toEqual([10, 12]);
  expect(cache.students.submission(course_id, 3, ada)).toMatchObject({ id: 11, score: 5 });
  expect(cache.students.cells(course_id)).toHaveLength(1);
});

test('work of an observed student moves when the course is chosen, and leaves with a deletion', () => {
  cache.graded = new Set();
  apply(submission(11, ada));
  cache.graded = new Set([course_id]);
  apply(submission(11, ada, { score: 6 }));
  expect(cache.all('submission')).toEqual([]);
  expect(cache.students.cells(course_id)).toMatchObject([{ 2: 6 }]);
  apply({ kind: 'submission', id: 11, op: 'delete', course_id });
  expect(cache.students.cells(course_id)).toEqual([]);
  expect(cache.students.submission(course_id, 3, ada)).toBeUndefined();
});

test('a deleted course takes its students along, and a reset everything', () => {
  const enrolled: Change = {
    kind: 'enrollment',
    id: 5,
    op: 'upsert',
    course_id,
    resource: { id: 5, user_id: ada, type: 'StudentEnrollment' },
  };
  apply(submission(11, ada), enrolled);
  apply({ kind: 'course', id: course_id, op: 'delete', course_id });
  expect([cache.students.cells(course_id), cache.students.enrollments(course_id)]).toEqual([[], []]);
  apply(submission(11, ada), enrolled);
  cache.reset();
  expect([cache.students.cells(course_id), cache.students.enrollments(course_id)]).toEqual([[], []]);
});

test('cells of another format are made again from the submissions', () => {
  apply(submission(11, ada));
  cache.close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE gradebook_cells SET cell = '[]'; UPDATE meta SET value = 'older' WHERE name = 'cells';");
  database.close();
  cache = openAgain();
  expect(cache.students.cells(course_id)).toMatchObject([{ 0: ada, 2: 5 }]);
});

test('damaged cells are found', () => {
  apply(submission(11, ada));
  expect(cache.isSound()).toBe(true);
  cache.close();
  const database = new DatabaseSync(path);
  database.exec("UPDATE gradebook_cells SET cell = '[1, 2'");
  database.close();
  cache = openAgain();
  expect(cache.isSound()).toBe(false);
});
