// Writes that change a submission in the feed.

import { me, showingUser, type TriggerSource } from '../../database/triggers/source.ts';

/** Submissions have other ids after a merge of users. */
const ofObservers =
  "select 'user_' || e.user_id, 'submission', $.id from enrollments e where e.course_id = $.course_id and e.type = 'ObserverEnrollment' and e.observed_user_id = $.user_id";

export const submissionSources: readonly TriggerSource[] = [
  showingUser(
    'submission',
    "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id in (select c.submission_id from submission_comments c where c.author_id = $.id and c.workflow_state = 'active')",
  ),
  { table: 'submissions', kind: 'submission', item: '$.id', scope: me },
  {
    table: 'submissions',
    kind: 'submission',
    as: 'moved_for_observers',
    logs: 'the `submission` for the observers of its former student',
    events: ['update'],
    columns: ['id', 'user_id'],
    isBefore: true,
    select: ofObservers,
  },
  {
    table: 'submissions',
    kind: 'submission',
    as: 'removed_for_observers',
    logs: 'the `submission` for the observers of its student',
    events: ['delete'],
    select: ofObservers,
  },
  // An observer who no longer observes a student gets the student's work out of the feed.
  {
    table: 'enrollments',
    kind: 'submission',
    as: 'no_longer_observed',
    logs: 'the `submission` of a student for the former observer',
    events: ['update'],
    columns: ['observed_user_id', 'enrollment_state'],
    when: "$.type = 'ObserverEnrollment' and $.observed_user_id <> 0",
    isBefore: true,
    select:
      "select 'user_' || $.user_id, 'submission', s.id from submissions s where s.user_id = $.observed_user_id and s.course_id = $.course_id and $.type = 'ObserverEnrollment'",
  },
  {
    table: 'submission_comments',
    kind: 'submission',
    select: "select 'user_' || s.user_id, 'submission', s.id from submissions s where s.id = $.submission_id",
  },
];
