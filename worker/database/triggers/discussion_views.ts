// Records what changed in a discussion since its full view was cached, so that readers always get the current state.

const told = [
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

export const discussionViewTriggers: readonly string[] = [
  `create trigger note_entry_insert after insert on discussion_entries begin\n  ${note('new')}\nend;`,
  `create trigger note_entry_update after update of ${told.join(', ')} on discussion_entries begin\n  ${note('new')}\nend;`,
  `create trigger note_entry_delete after delete on discussion_entries begin\n  ${note('old')}\nend;`,
];
