// The list of changes in a blueprint that are not synced yet.

import { expect, test } from 'vitest';
import { type Changed, recordsOf } from './changes';

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

test('the list of changes has no folders and module items, and no deleted items that the course never had', () => {
  const result = recordsOf([
    changed(1, 'folder', 1),
    changed(2, 'module_item', 2),
    changed(3, 'page', 3, { is_known: 0, url: 'three' }),
    changed(4, 'page', 4, { is_known: 0, workflow_state: 'deleted' }),
    changed(5, 'discussion_topic', 5, { is_announcement: 1, workflow_state: 'deleted', is_locked: 1 }),
  ]);
  expect(result).toEqual([
    { kind: 'page', id: 3, name: 'page 3', type: 'created', locked: false, url: 'three' },
    { kind: 'discussion_topic', id: 5, name: 'discussion_topic 5', type: 'deleted', locked: true, is_announcement: true },
  ]);
});
