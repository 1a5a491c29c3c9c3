// What a blueprint sync changes in an associated course.

import { expect, test } from 'vitest';
import { distanceOf } from '../smartsearch/ranking';
import { type Changed, recordsOf } from './changes';
import { chosenFor, type Edited } from './choosing';
import { defaultRestrictions, settingsAfter, settingsTold } from './restrictions';

const changed = (seq: number, kind: Changed['kind'], id: number, more: Partial<Changed> = {}): Changed => ({
  seq,
  kind,
  id,
  name: `${kind} ${id}`,
  workflow_state: 'active',
  url: null,
  is_announcement: 0,
  is_known: 1,
  is_locked: 0,
  ...more,
});
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

test('the list of changes has no folders and module items, and no deleted items that the course never had', () => {
  const told = recordsOf([
    changed(1, 'folder', 1),
    changed(2, 'module_item', 2),
    changed(3, 'page', 3, { is_known: 0, url: 'three' }),
    changed(4, 'page', 4, { is_known: 0, workflow_state: 'deleted' }),
    changed(5, 'discussion_topic', 5, { is_announcement: 1, workflow_state: 'deleted', is_locked: 1 }),
  ]);
  expect(told).toEqual([
    { kind: 'page', id: 3, name: 'page 3', type: 'created', locked: false, url: 'three' },
    { kind: 'discussion_topic', id: 5, name: 'discussion_topic 5', type: 'deleted', locked: true, is_announcement: true },
  ]);
});

test('locks cover the content of every item until the course sets other attributes, for all items or by type', () => {
  expect(defaultRestrictions(null, 'page')).toEqual({ content: true });
  const byType = settingsAfter(null, {
    use_blueprint_restrictions_by_object_type: true,
    blueprint_restrictions_by_object_type: { attachment: { content: true }, quiz: undefined },
  });
  expect(defaultRestrictions(byType ?? null, 'file')).toMatchObject({ content: true, points: false });
  expect(defaultRestrictions(byType ?? null, 'page')).toEqual({});
  expect(settingsAfter(null, {})).toBeUndefined();
  expect(settingsTold(null)).toEqual({
    blueprint_restrictions: { content: true, points: false, due_dates: false, availability_dates: false },
  });
});

test('a search ranks a match in the title above one in the text, and needs every word', () => {
  const near = (title: string, body: string | null, query = 'red roses') => distanceOf({ title, body }, query);
  expect(near('Red roses', null)).toBe(0);
  expect(near('On red roses', '')).toBeLessThan(near('Flowers', '<p>red roses</p>'));
  expect(near('Flowers', '<p>red roses</p>')).toBeLessThan(near('Flowers', 'roses that are red'));
  expect(near('Roses', 'white')).toBe(1);
  expect(near('Flowers', '<p class="red">roses</p>')).toBe(1);
});
