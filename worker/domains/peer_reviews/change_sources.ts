// Writes that change a peer review in the feed. Reviewers and reviewed students receive it again with its assignment (sync/showing.ts).

import type { TriggerSource } from '../../database/triggers/source.ts';

const toEveryone = `select 'staff_' || a.course_id, 'peer_review', $.id from assignments a where a.id = $.assignment_id
    union all select 'user_' || $.assessor_id, 'peer_review', $.id union all select 'user_' || ($.submission_id % 67108864), 'peer_review', $.id`;

export const peerReviewSources: readonly TriggerSource[] = [
  { table: 'assessment_requests', kind: 'peer_review', logs: 'the `peer_review`', select: toEveryone },
  // A merge or split of users moves a review from one user to another.
  {
    table: 'assessment_requests',
    kind: 'peer_review',
    logs: 'the `peer_review`',
    events: ['update'],
    columns: ['assessor_id', 'submission_id'],
    isBefore: true,
    select: toEveryone,
  },
  // Graders see the reviews among the students whom they see.
  {
    table: 'enrollments',
    kind: 'peer_review',
    columns: ['enrollment_state', 'course_id', 'course_section_id'],
    when: "$.type like 'Student%'",
    select: `select 'staff_' || a.course_id, 'peer_review', r.id from assessment_requests r cross join assignments a on a.id = r.assignment_id and a.course_id = $.course_id
      where r.assessor_id = $.user_id and r.workflow_state <> 'deleted'
    union all select 'staff_' || a.course_id, 'peer_review', r.id from assignments a cross join assessment_requests r on r.submission_id = a.id * 67108864 + $.user_id and r.workflow_state <> 'deleted'
      where a.course_id = $.course_id and a.options ->> 'peer_reviews'`,
  },
  {
    table: 'assignments',
    kind: 'peer_review',
    events: ['update'],
    columns: ['workflow_state', 'anonymize_students'],
    onUpdate: "(new.workflow_state = 'deleted') <> (old.workflow_state = 'deleted') or new.anonymize_students <> old.anonymize_students",
    select:
      "select 'staff_' || $.course_id, 'peer_review', r.id from assessment_requests r where r.assignment_id = $.id and r.workflow_state <> 'deleted'",
  },
];
