// Writes that change a poll session in the feed: the session, and the answers in it for those who see them.

import { courseScope, me, type TriggerSource } from '../../database/triggers/source.ts';

export const pollSources: readonly TriggerSource[] = [
  { table: 'poll_sessions', kind: 'poll_session', item: '$.id', scope: courseScope },
  {
    table: 'poll_sessions',
    kind: 'poll_session',
    item: '$.id',
    as: 'of_other_course',
    logs: 'the `poll_session` of its former course',
    events: ['update'],
    columns: ['course_id'],
    scope: courseScope,
    isBefore: true,
  },
  { table: 'poll_submissions', kind: 'poll_session', item: '$.poll_session_id', scope: me },
  {
    table: 'poll_submissions',
    kind: 'poll_session',
    as: 'for_owner',
    logs: 'the `poll_session` for the owner of the poll',
    select: "select 'user_' || p.user_id, 'poll_session', $.poll_session_id from polls p where p.id = $.poll_id",
  },
  {
    table: 'poll_submissions',
    kind: 'poll_session',
    as: 'with_public_results',
    logs: 'the `poll_session` whose results are public',
    select:
      "select 'course_' || s.course_id, 'poll_session', s.id from poll_sessions s where s.id = $.poll_session_id and s.has_public_results = 1",
  },
];
