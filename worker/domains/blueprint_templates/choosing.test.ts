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
