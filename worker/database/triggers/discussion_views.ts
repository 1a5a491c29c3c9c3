// Records what changed in a discussion since its full view was cached, so that readers always get the current state.

import { everyEvent, trigger } from './trigger.ts';

const result = [
  'user_id',
  'parent_id',
  'message',
  'editor_id',
  'attachment_id',
  'rating_count',
  'rating_sum',
  'workflow_state',
  'updated_at',
];

const note = (row: 'new' | 'old') =>
  `insert or ignore into discussion_view_changes (discussion_topic_id, discussion_entry_id) values (${row}.discussion_topic_id, ${row}.id);`;

const keep = (event: 'insert' | 'update' | 'delete') =>
  trigger({
    on: 'discussion_entries',
    name: `note_change_${event}`,
    event,
    ...(event === 'update' && { of: result }),
    run: [note(event === 'delete' ? 'old' : 'new')],
    purpose: 'Record an entry that has changed since the view of its topic was stored.',
  });

export const discussionViewTriggers = everyEvent.map(keep);
