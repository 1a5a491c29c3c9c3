// Events of what students do, and of grades. The students of an assignment with anonymous grading are in no event until their grades are posted; then
// each submission is sent as it is.

import { createdAndUpdated, flagSql, idSql, newRowFields, placeInContext, placeInCourse, textSql, type WebhookSource } from './event.ts';

const isAnonymousTopic = 'd.anonymous_state is not null';

/** @param posted SQL of whether the submission is posted: a trigger may hide the students again only after this one */
const isNamed = (assignment: string, posted: string): string =>
  `not exists (select 1 from assignments h where h.id = ${assignment}
      and (h.anonymize_students or (coalesce(h.options ->> 'anonymous_grading', 0) and not (${posted}))))`;

/** The text of a submission; for other types the column is of the service. */
const submissionBody = (row: string) => ({
  submission_id: idSql(`${row}.id`),
  assignment_id: idSql(`${row}.assignment_id`),
  user_id: idSql(`${row}.user_id`),
  submitted_at: `${row}.submitted_at`,
  graded_at: `${row}.graded_at`,
  updated_at: `${row}.updated_at`,
  posted_at: `${row}.posted_at`,
  score: `${row}.score`,
  grade: `${row}.grade`,
  submission_type: `${row}.submission_type`,
  body: `iif(${row}.submission_type = 'online_text_entry', ${textSql(`${row}.body`)}, null)`,
  url: `iif(${row}.submission_type = 'online_url', ${row}.url, null)`,
  attempt: `${row}.attempt`,
  lti_assignment_id: `(select a.lti_context_id from assignments a where a.id = ${row}.assignment_id)`,
  workflow_state: `${row}.workflow_state`,
});

const submissionEvents: readonly WebhookSource[] = [
  ...createdAndUpdated(
    'submission',
    ['submitted_at', 'graded_at', 'posted_at', 'score', 'grade', 'submission_type', 'body', 'url', 'attempt', 'workflow_state'],
    {
      table: 'submissions',
      where: isNamed('new.assignment_id', 'new.posted_at is not null'),
      context: placeInCourse('new.course_id'),
      body: submissionBody('new'),
    },
  ),
  {
    event: 'submission_updated',
    as: 'revealed',
    table: 'assignments',
    on: 'update',
    columns: ['anonymize_students'],
    when: 'old.anonymize_students and not new.anonymize_students',
    from: 'submissions s',
    where: "s.assignment_id = new.id and s.workflow_state <> 'deleted'",
    context: placeInCourse('new.course_id'),
    object: "'submissions ' || s.id",
    body: submissionBody('s'),
  },
  ...(['insert', 'update'] as const).map(
    (on): WebhookSource => ({
      event: 'submission_comment_created',
      table: 'submission_comments',
      on,
      ...(on === 'update' && { as: 'published', columns: ['is_draft'] }),
      when: "new.is_draft = 0 and new.workflow_state = 'active'",
      from: 'submissions s',
      where: `s.id = new.submission_id and ${isNamed('s.assignment_id', 's.posted_at is not null')}`,
      context: placeInCourse('s.course_id'),
      actor: 'new.author_id',
      object: "'submissions ' || new.submission_id",
      body: {
        submission_comment_id: idSql('new.id'),
        user_id: idSql('new.author_id'),
        attachment_ids: 'json((select json_group_array(cast(j.value as text)) from json_each(new.attachment_ids) j))',
        body: textSql('new.comment'),
        ...newRowFields({ id: 'submission_id', plain: 'created_at' }),
      },
    }),
  ),
  {
    event: 'quiz_submitted',
    table: 'quiz_submissions',
    on: 'update',
    columns: ['workflow_state'],
    // The negative ids are those of attempts at New Quizzes.
    when: "new.workflow_state in ('complete', 'pending_review') and old.workflow_state = 'untaken' and new.quiz_id > 0",
    where: `not exists (select 1 from quizzes q join assignments h on h.id = q.assignment_id where q.id = new.quiz_id
      and coalesce(h.options ->> 'anonymous_grading', 0))`,
    context: placeInCourse('new.course_id'),
    actor: 'new.user_id',
    body: { submission_id: idSql('new.id'), quiz_id: idSql('new.quiz_id') },
  },
];

/** The place of a score in `course_scores.scores`, for the whole course. */
const scorePlaces = { current_score: 0, final_score: 1, unposted_current_score: 2, unposted_final_score: 3 } as const;
const scoreAt = (row: 'new' | 'old', place: number) => `${row}.scores ->> '$."0"[${place}]'`;
const hasAnonymous = 'exists (select 1 from assignments h where h.course_id = new.course_id and h.anonymize_students)';
/** Unposted scores would reveal what an anonymous student was given. */
const scoreBody = Object.fromEntries(
  Object.entries(scorePlaces).flatMap(([name, place]) => {
    const value = (row: 'new' | 'old') => (place > 1 ? `iif(${hasAnonymous}, null, ${scoreAt(row, place)})` : scoreAt(row, place));
    return [
      [name, value('new')],
      [`old_${name}`, value('old')],
    ];
  }),
);
const scoresDiffer = (...places: number[]) =>
  places.map((place) => `${scoreAt('new', place)} is not ${scoreAt('old', place)}`).join(' or ');

const gradeEvents: readonly WebhookSource[] = [
  {
    event: 'grade_change',
    table: 'grade_changes',
    on: 'insert',
    when: 'new.assignment_id is not null and new.is_posting = 0',
    from: 'assignments a',
    where: `a.id = new.assignment_id and ${isNamed('new.assignment_id', 'new.posted_after')}`,
    context: placeInCourse('new.course_id'),
    actor: 'new.grader_id',
    object: "'submissions ' || new.submission_id",
    body: {
      assignment_name: 'a.name',
      grade: 'new.grade_after',
      old_grade: 'new.grade_before',
      score: 'new.score_after',
      old_score: 'new.score_before',
      points_possible: 'new.points_possible_after',
      old_points_possible: 'new.points_possible_before',
      student_sis_id: '(select l.sis_user_id from logins l where l.user_id = new.student_id and l.sis_user_id is not null limit 1)',
      user_id: idSql('new.student_id'),
      grading_complete: flagSql('new.score_after is not null or new.excused_after'),
      muted: flagSql('not new.posted_after'),
      ...newRowFields({ id: 'submission_id assignment_id grader_id student_id' }),
    },
  },
  ...(['insert', 'update'] as const).map(
    (on): WebhookSource => ({
      event: 'grade_override',
      table: 'final_grade_overrides',
      on,
      ...(on === 'update' ? { as: 'again', columns: ['score'] } : { when: 'new.score is not null' }),
      context: placeInCourse('new.course_id'),
      actor: 'new.grader_id',
      object: "'final_grade_overrides ' || new.course_id || ' ' || new.user_id",
      body: {
        enrollment_id: idSql('(select min(e.id) from enrollments e where e.course_id = new.course_id and e.user_id = new.user_id)'),
        grading_period_id: idSql('nullif(new.grading_period_id, 0)'),
        override_score: 'new.score',
        ...(on === 'update' && { old_override_score: 'old.score' }),
        ...newRowFields({ id: 'course_id user_id' }),
      },
    }),
  ),
  {
    event: 'course_grade_change',
    table: 'course_scores',
    on: 'update',
    columns: ['scores'],
    when: `new.scores is not null and (${scoresDiffer(0, 1, 2, 3)})`,
    where: `(not ${hasAnonymous} or ${scoresDiffer(0, 1)})`,
    context: placeInCourse('new.course_id'),
    object: "'course_scores ' || new.course_id || ' ' || new.user_id",
    body: { ...newRowFields({ id: 'course_id user_id' }), workflow_state: "'active'", ...scoreBody },
  },
];

const result = {
  table: 'outcome_results',
  context: placeInCourse('new.course_id'),
  body: {
    assessed_at: 'new.submitted_or_assessed_at',
    workflow_state: "'active'",
    ...newRowFields({ id: 'learning_outcome_id', flag: 'mastery', plain: 'score possible percent title created_at' }),
  },
} as const;

/** Without the student, as in Canvas. */
const resultEvents: readonly WebhookSource[] = [
  { event: 'learning_outcome_result_created', on: 'insert', ...result },
  {
    event: 'learning_outcome_result_updated',
    on: 'update',
    ...result,
    columns: ['score', 'possible', 'mastery', 'percent'],
    body: {
      ...result.body,
      original_score: 'old.score',
      original_possible: 'old.possible',
      original_mastery: flagSql('old.mastery'),
    },
  },
];

const topicEvents: readonly WebhookSource[] = createdAndUpdated(
  'discussion_topic',
  ['title', 'message', 'workflow_state', 'lock_at', 'assignment_id'],
  {
    table: 'discussion_topics',
    context: placeInContext(),
    actor: 'iif(new.anonymous_state is null and not new.is_anonymous_author, new.user_id, null)',
    body: {
      discussion_topic_id: idSql('new.id'),
      body: textSql('new.message'),
      ...newRowFields({
        id: 'assignment_id context_id',
        flag: 'is_announcement',
        plain: 'title context_type workflow_state lock_at updated_at',
      }),
    },
  },
);

const entryBody = {
  discussion_entry_id: idSql('new.id'),
  user_id: idSql(`iif(${isAnonymousTopic}, null, new.user_id)`),
  text: textSql('new.message'),
  parent_discussion_entry_id: idSql('new.parent_id'),
  ...newRowFields({ id: 'discussion_topic_id', plain: 'created_at' }),
};

const entryEvents: readonly WebhookSource[] = [
  {
    event: 'discussion_entry_created',
    table: 'discussion_entries',
    on: 'insert',
    from: 'discussion_topics d',
    where: 'd.id = new.discussion_topic_id',
    context: placeInContext('d'),
    actor: `iif(${isAnonymousTopic}, null, new.user_id)`,
    body: entryBody,
  },
  {
    event: 'discussion_entry_submitted',
    table: 'discussion_entries',
    on: 'insert',
    from: 'discussion_topics d',
    where: `d.id = new.discussion_topic_id and d.assignment_id is not null and not ${isAnonymousTopic} and ${isNamed('d.assignment_id', '0')}`,
    context: placeInContext('d'),
    actor: 'new.user_id',
    body: {
      ...entryBody,
      assignment_id: idSql('d.assignment_id'),
      // Derived, as in rules/submission_ids.ts.
      submission_id: idSql('d.assignment_id * 67108864 + new.user_id'),
    },
  },
];

export const webhookWorkSources: readonly WebhookSource[] = [
  ...submissionEvents,
  ...gradeEvents,
  ...resultEvents,
  ...topicEvents,
  ...entryEvents,
];
