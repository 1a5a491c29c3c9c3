// The list of changes in a blueprint that are not synced yet.

import { expect, test } from 'vitest';
import { changed } from '../../../test/support/blueprint_changes';
import { recordsOf } from './changes';

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
