// Takes a score of a tool into the submission of its student, by the path of every grade.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { isActiveStudent } from '../../contexts/predicates';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { Problem } from '../../http/problem';
import { answer, type Reply, write } from '../../http/reply';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { ltiScopes } from '../../rules/lti_scopes';
import { submissionId } from '../../rules/submission_ids';
import { assignments } from '../assignments/table';
import { type Mate, withMates } from '../submissions/grading/group_members';
import { matesOfStudent } from '../submissions/grading/mates_of_student';
import { performGrades } from '../submissions/grading/writes';
import { refuseSpent, submit } from '../submissions/submit/attempt';
import { readSubmitPrecondition, type SubmitPrecondition } from '../submissions/submit/precondition';
import { handedThroughTool } from './handed_work';
import { lineItemAt, type ServiceCall } from './line_item_at';
import { lineItemAddress } from './line_items';
import { countedPoints, type SentScore, sentScoreOf, WrongScore } from './score';
import { ltiProblem } from './service_caller';
import { line_item_scores } from './table';

const scoreType = { 'Content-Type': 'application/vnd.ims.lis.v1.score+json' };
const refuse = (status: number, message: string) => ltiProblem(status, status === 422 ? 'unprocessable_entity' : 'bad_request', message);

/** @throws Problem 400, 422 */
function readScore(given: unknown, now: string): SentScore {
  try {
    return sentScoreOf(given, Date.parse(now));
  } catch (error) {
    if (error instanceof WrongScore) throw refuse(error.status, error.message);
    throw error;
  }
}

/** @throws Problem 422 for a user who is no student of the assignment, and without attempts left */
async function studentOf(call: ServiceCall, assignment_id: number, { userId, submission }: SentScore): Promise<SubmitPrecondition> {
  const { db, now, course } = call;
  const notStudent = () => refuse(422, 'User not found in course or is not a student');
  const user = sql`select users.id from users join enrollments e on e.user_id = users.id and e.course_id = ${course.id} and ${isActiveStudent('e')} where users.uuid = ${userId} limit 1`;
  const ground = await readSubmitPrecondition(
    { db, now, me: { id: 0 }, course },
    { course, assignment: sql`select ${assignment_id}`, user, fileIds: [] },
  ).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? notStudent() : error;
  });
  if (!ground.isStudent || !ground.assignment.is_assigned) throw notStudent();
  if (submission.isNew)
    try {
      refuseSpent(ground, 'online_text_entry');
    } catch (error) {
      throw error instanceof Problem ? refuse(422, 'The student has no attempts left') : error;
    }
  return ground;
}

/** The points as a grade, unless a person has graded and the tool gives way. */
function gradeFor(score: SentScore, { assignment, before }: SubmitPrecondition): number | undefined {
  const isGradedByPerson = (before?.grader_id ?? 0) > 0 && before?.score !== null;
  return score.submission.keepsGradeOfOthers && isGradedByPerson ? undefined : countedPoints(score, assignment.points_possible ?? 0);
}

/** The last score of the user, the assignment if its grading period is closed, and the group of the user. */
const earlier = ({ db, course, now }: ServiceCall, id: number, uuid: string) => [
  db.build
    .select()
    .from(line_item_scores)
    .where(sql`line_item_scores.line_item_id = ${id} and line_item_scores.user_id = (select id from users where uuid = ${uuid})`),
  db.build
    .select({ id: assignments.id })
    .from(assignments)
    .where(sql`assignments.id = ${id} and ${isAssignmentClosed(shared('course', course.id), now)}`),
  matesOfStudent(db, sql`${id}`, sql`(select id from users where uuid = ${uuid})`, now),
];

export async function postScore(
  call: ServiceCall & { readonly path: { readonly line_item_id: string }; readonly tree: Call['tree'] },
): Promise<Reply> {
  const { db, course, now, origin, path, tree } = call;
  const id = /^\d{1,15}$/.test(path.line_item_id) ? Number(path.line_item_id) : 0;
  const { row, caller, beside } = await lineItemAt(
    call,
    id,
    [ltiScopes.score],
    earlier(call, id, typeof tree.userId === 'string' ? tree.userId : ''),
  );
  const [[known], [closed], mates] = beside as [(typeof line_item_scores.$inferSelect)[], { id: number }[], Mate[]];
  const score = readScore(tree, now);
  const ground = await studentOf(call, row.assignment.id, score);
  const { user_id } = ground;
  if (known && Date.parse(known.scored_at) >= score.at) throw refuse(400, 'A newer score was sent already');
  if (closed) throw refuse(422, 'The grading period of the assignment is closed');
  if (row.assignment.options.moderated_grading === true) throw refuse(422, 'The assignment is graded by its moderators');
  const points = gradeFor(score, ground);
  const tool = { id: -caller.own[0].id };
  const submitted_at = score.submission.submitted_at ?? wireTime(Math.min(score.at, Date.parse(now)));
  const said = {
    activity_progress: score.activityProgress,
    grading_progress: score.gradingProgress,
    score_given: score.scoreGiven ?? null,
    score_maximum: score.scoreMaximum ?? null,
    comment: score.comment ?? null,
    scored_at: score.timestamp,
    updated_at: now,
  };
  const deed = { assignment: ground.assignment, user_id, grade: { posted_grade: String(points) }, prefersPoints: true };
  return write(
    [
      ...(score.submission.isNew
        ? submit(
            { db, course, now },
            { ...ground, proxy_submitter_id: null },
            handedThroughTool(score.submission.type, score.submission.data ?? '', call),
            submitted_at,
          )
        : []),
      ...(points === undefined ? [] : performGrades({ db, now, me: tool }, withMates([deed], mates))),
      db.build
        .insert(line_item_scores)
        .values({ line_item_id: row.assignment.id, user_id, ...said, created_at: now })
        .onConflictDoUpdate({ target: [line_item_scores.line_item_id, line_item_scores.user_id], set: said }),
    ],
    answer(
      { resultUrl: `${lineItemAddress(origin, course.id, row.assignment.id)}/results/${submissionId(row.assignment.id, user_id)}` },
      200,
      scoreType,
    ),
  );
}
