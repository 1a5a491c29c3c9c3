// Items that embed a changed item: determined when the change is sent, so that each change writes a single row.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { united } from '../../database/united';
import { observing } from '../../rules/observing';
import { assignmentOfSubmission, submissionIdOf } from '../../rules/submission_ids';

const its = (kind: string, id: string, home: string, from: SQL) =>
  sql`select ${sql.raw(`'${kind}' as kind, ${id} as id, ${home} as home`)} from ${from}`;
/** Of a topic. */
const itsPlace = "case context_type when 'Group' then -context_id else context_id end";
const anyOf = (selects: readonly SQL[]) =>
  sql`(select json_group_array(json_array(kind, id, home)) from (select distinct kind, id, home from (${united(selects)})))`;

/** Group topics of a discussion in the caller's groups, which inherit its locks. */
const inGroups = (userId: number, roots: SQL) =>
  its(
    'discussion_topic',
    'id',
    itsPlace,
    sql`discussion_topics where root_topic_id in ${roots} and context_type = 'Group' and context_id in (select group_id from group_memberships where user_id = ${userId} and workflow_state = 'accepted')`,
  );

/** Conditions on `assessment_requests r`: reviews that the user is asked for, and those of the user's own submission. */
const ownReviews = (userId: number): SQL[] => {
  const submission = submissionIdOf(sql.raw('o.item_id'), shared('user', userId));
  return [sql`r.assessor_id = ${shared('user', userId)} and r.assignment_id = o.item_id`, sql`r.submission_id = ${submission}`];
};

/** Ids of an assignment or a quiz. */
const ownResults = (userId: number, course: SQL, type: 'Assignment' | 'Quiz', ids: SQL): SQL =>
  its(
    'outcome_result',
    'r.id',
    'r.course_id',
    sql`outcome_results r where r.course_id = ${course} and r.user_id = ${shared('user', userId)} and r.association_type = ${sql.raw(`'${type}'`)} and r.association_id in ${ids}`,
  );
const courseOfQuiz = sql`(select z.course_id from quizzes z where z.id = o.item_id)`;
/** @param assignment SQL for its id */
const resultsOfAssignment = (userId: number, assignment: SQL): SQL[] => {
  const course = sql`(select ra.course_id from assignments ra where ra.id = ${assignment})`;
  return [
    ownResults(userId, course, 'Assignment', sql`(${assignment})`),
    ownResults(
      userId,
      course,
      'Quiz',
      sql`(select rz.id from quizzes rz where rz.assignment_id = ${assignment} and rz.assignment_id is not null)`,
    ),
  ];
};

/** The caller's quiz submission. */
const ownAttempts = (userId: number, quizzes: SQL): SQL =>
  its(
    'quiz_submission',
    'own.id',
    'own.course_id',
    sql`quiz_submissions own where own.quiz_id in ${quizzes} and own.user_id = ${shared('user', userId)}`,
  );

/**
 * The submissions of the caller and of students whom they observe, their results of outcomes, their peer reviews, the quiz with the caller's attempts, their attempt at a New Quiz, the discussion topic and, if everyone sees the change, the modules that contain it, because they show
 * its dates and points.
 */
const showingAssignment = (userId: number): SQL =>
  anyOf([
    its(
      'submission',
      'id',
      'course_id',
      sql`submissions where assignment_id = o.item_id and user_id in (select ${userId} union all select enrollments.observed_user_id from enrollments where ${observing(userId)} and enrollments.course_id = (select a.course_id from assignments a where a.id = o.item_id)) and workflow_state <> 'deleted'`,
    ),
    ...ownReviews(userId).map((isOwn) =>
      its(
        'peer_review',
        'r.id',
        'a.course_id',
        sql`assessment_requests r cross join assignments a on a.id = r.assignment_id where ${isOwn} and r.workflow_state <> 'deleted'`,
      ),
    ),
    ...resultsOfAssignment(userId, sql`o.item_id`),
    its('quiz', 'id', 'course_id', sql`quizzes where assignment_id = o.item_id and assignment_id is not null`),
    ownAttempts(
      userId,
      sql`(select quizzes.id from quizzes where quizzes.assignment_id = o.item_id and quizzes.assignment_id is not null)`,
    ),
    its('discussion_topic', 'id', itsPlace, sql`discussion_topics where assignment_id = o.item_id`),
    its(
      'new_quiz_session',
      'own.id',
      'own.course_id',
      sql`quiz_submissions own where own.quiz_id = -o.item_id and own.user_id = ${shared('user', userId)}`,
    ),
    inGroups(userId, sql`(select discussion_topics.id from discussion_topics where discussion_topics.assignment_id = o.item_id)`),
    its(
      'module',
      'module_id',
      'course_id',
      sql`module_items where type = 'Assignment' and content_id = o.item_id and workflow_state = 'active' and o.scope like 'course%'`,
    ),
    its(
      'module',
      'i.module_id',
      'i.course_id',
      sql`discussion_topics t join module_items i on i.type = 'Discussion' and i.content_id = t.id and i.workflow_state = 'active' where t.assignment_id = o.item_id and o.scope like 'course%'`,
    ),
  ]);

/** The topics with this attachment, and the caller's submissions of this file. */
const showingFile = (userId: number): SQL =>
  anyOf([
    its('discussion_topic', 'id', itsPlace, sql`discussion_topics where attachment_id = o.item_id and attachment_id is not null`),
    its(
      'submission',
      's.id',
      's.course_id',
      sql`files f cross join submissions s on s.user_id = ${userId} where f.id = o.item_id and f.is_submitted = 1 and exists (select 1 from json_each(s.attachment_ids) a where a.value = f.id)`,
    ),
  ]);

/** For the changed item `o`, as JSON; null for kinds that no other item embeds. */
export const showing = (userId: number): SQL =>
  sql`case o.kind when 'assignment' then ${showingAssignment(userId)} when 'file' then ${showingFile(userId)} when 'quiz' then ${anyOf([ownAttempts(userId, sql`(o.item_id)`), ownResults(userId, courseOfQuiz, 'Quiz', sql`(o.item_id)`)])} when 'submission' then ${anyOf(resultsOfAssignment(userId, assignmentOfSubmission(sql`o.item_id`)))} when 'discussion_topic' then ${anyOf([inGroups(userId, sql`(o.item_id)`)])} end`;
