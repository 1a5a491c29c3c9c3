// Writes that change a submission in the feed.

import { me, showingUser, type TriggerSource } from '../../database/triggers/source.ts';

export const submissionSources: readonly TriggerSource[] = [
  showingUser(
    'submission',
    "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = $.id and c.workflow_state = 'active')",
  ),
  { table: 'submissions', kind: 'submission', item: '$.id', scope: me },
  {
    table: 'submission_comments',
    kind: 'submission',
    select: "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = $.submission_id",
  },
];
