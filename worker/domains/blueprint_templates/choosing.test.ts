// Which changes a blueprint sync brings into an associated course.

import { expect, test } from 'vitest';
import { changed } from '../../../test/support/blueprint_changes';
import { chosenFor, type Edited } from './choosing';

const edited = (kind: Edited['kind'], source_id: number, words: string, is_gone = 0): Edited => ({
  kind,
  source_id,
  changed: words,
  is_gone,
});

const news = [
  changed(1, 'page', 1),
  changed(2, 'assignment', 2),
  changed(3, 'page', 3, { workflow_state: 'deleted' }),
  changed(4, 'file', 4),
  changed(5, 'syllabus', 9),
];

const nothingLocked = () => undefined;

test('the first sync brings everything, later syncs what has changed since', () => {
  const first = chosenFor(news, { synced_seq: null, syllabus_changed: false, edited: [] }, nothingLocked, {
    publish_after_initial_sync: true,
  });
  expect(first).toEqual({
    choice: {
      alone: true,
      items: { page: [1], assignment: [2], file: [4] },
      deleted: { page: [3] },
      settings: true,
      syllabus: true,
      publish: true,
    },
    conflicts: [],
  });
  const later = chosenFor(news, { synced_seq: 3, syllabus_changed: false, edited: [] }, nothingLocked, {
    publish_after_initial_sync: true,
  });
  expect(later.choice).toEqual({ alone: true, items: { file: [4] }, deleted: {}, settings: false, syllabus: true });
});

test('an item edited in the course is skipped and reported; its locked parts are synced, and a deleted locked item is restored', () => {
  const follower = {
    synced_seq: 0,
    syllabus_changed: true,
    edited: [
      edited('page', 1, ',content,state'),
      edited('assignment', 2, ',points'),
      edited('page', 3, ',content'),
      edited('file', 4, '', 1),
    ],
  };
  const { choice, conflicts } = chosenFor(
    news,
    follower,
    (kind, id) => (kind === 'assignment' ? { points: true } : kind === 'page' && id === 1 ? { content: true } : undefined),
    {},
  );
  expect(choice.items).toEqual({ assignment: [2] });
  expect(choice.deleted).toEqual({});
  expect(choice.syllabus).toBe(false);
  expect(conflicts).toEqual([
    { kind: 'page', id: 1, changes: ['state'] },
    { kind: 'page', id: 3, changes: ['content'] },
    { kind: 'file', id: 4, changes: ['deleted'] },
    { kind: 'syllabus', id: 9, changes: ['content'] },
  ]);
  const again = chosenFor(news, { ...follower, edited: [edited('file', 4, '', 1)] }, () => ({ content: true }), {});
  expect(again.choice.items).toMatchObject({ file: [4] });
});

const questions = [
  changed(1, 'quiz_question', 11, { whole_kind: 'quiz', whole_id: 1 }),
  changed(2, 'quiz_question', 12, { whole_kind: 'quiz', whole_id: 1 }),
  changed(3, 'quiz_question', 21, { whole_kind: 'quiz', whole_id: 2 }),
  changed(4, 'quiz', 1),
  changed(5, 'quiz', 2),
];

test('the questions of a quiz that was edited in the course stay with it', () => {
  const follower = { synced_seq: 1, syllabus_changed: false, edited: [edited('quiz', 1, ',content')] };
  const { choice, conflicts } = chosenFor(questions, follower, nothingLocked, {});
  expect(choice.items).toEqual({ quiz: [2], quiz_question: [21] });
  expect(conflicts).toEqual([{ kind: 'quiz', id: 1, changes: ['content'] }]);
});

test('a locked quiz gets all its questions back, with those that have not changed and those that were deleted', () => {
  const gone = [edited('quiz', 1, ',content'), edited('quiz_question', 11, '', 1)];
  const locks = (kind: string) => (kind === 'quiz' ? { content: true } : undefined);
  const { choice, conflicts } = chosenFor(questions, { synced_seq: 3, syllabus_changed: false, edited: gone }, locks, {});
  expect(choice.items).toEqual({ quiz: [1, 2], quiz_question: [11, 12] });
  expect(conflicts).toEqual([]);
});
