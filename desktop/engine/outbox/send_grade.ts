// Sends one grade: only if the submission is still as the grader has seen it, and once.

import type { GradeEntry } from '../../contract/gradebook';
import type { Hold } from '../../contract/work';
import { isAlreadySo, isSameState, type MeanwhileState, type SeenState, seenStateOf } from '../grading/grade_entry';
import type { GradedSubmissionJson } from '../model/graded_resources';
import type { EnrollmentJson } from '../model/resources';
import { gradedWork } from '../server/graded_work';
import { Declined, type Session } from '../server/session';
import type { Cache } from '../store/cache';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { type GradeIntent, isGrade } from './grades';
import type { IntentQueue } from './intent_queue';
import { HeldSubmission } from './may_hand_in';

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly queue: IntentQueue;
}

interface Answer extends GradedSubmissionJson {
  /** Everyone whose grade has changed: the members of a group. */
  readonly all_submissions?: readonly GradedSubmissionJson[];
}

/** @throws Held if it has to wait for the user */
export async function sendGrade(intent: GradeIntent, around: Around): Promise<void> {
  const { session } = around;
  const { id, body, attempts } = intent;
  const address = `/api/v1/courses/${body.course_id}/assignments/${body.assignment_id}/submissions/${body.user_id}`;
  const { version } = body.known;
  // Without versions the desk compares itself. A request that may have arrived is only repeated.
  if (version === null && attempts === 0) {
    const now = await session.json<GradedSubmissionJson>(`${address}?include[]=submission_comments&include[]=rubric_assessment`);
    if (!isSameState(body.known, seenStateOf(now, null))) return hold(intent, now, around);
  }
  try {
    const made = await session.json<Answer>(address, {
      method: 'PUT',
      headers: { 'idempotency-key': id, ...(version !== null && { 'if-match': `"${version}"` }) },
      once: body.entry.comment !== undefined,
      json: requestOf(body.entry, body.known),
    });
    const { all_submissions = [], ...own } = made;
    for (const one of [own, ...all_submissions]) keep(one, body.course_id, around.cache);
    done(intent, seenStateOf(own, null), around.queue);
  } catch (problem) {
    if (!(problem instanceof Declined) || problem.status !== 412) throw problem;
    const now = currentIn(problem.body);
    if (!now) throw problem;
    return hold(intent, now, around);
  }
}

function requestOf({ grade, excused, status, comment, rubric }: GradeEntry, { attempt }: SeenState): Record<string, unknown> {
  const submission = {
    ...(grade !== undefined && { posted_grade: grade ?? '' }),
    ...(excused !== undefined && { excuse: excused }),
    ...(status !== undefined && { late_policy_status: status }),
  };
  const marks = Object.entries(rubric ?? {}).map(([id, { points, rating_id, comments }]) => [
    id,
    { ...(points !== null && { points }), ...(rating_id !== null && { rating_id }), comments },
  ]);
  return {
    ...(Object.keys(submission).length > 0 && { submission }),
    ...(comment !== undefined && { comment: { text_comment: comment, ...(attempt > 0 && { attempt }) } }),
    ...(marks.length > 0 && { rubric_assessment: Object.fromEntries(marks) }),
  };
}

/** A response has fewer fields than the feed, which sends the whole again. */
function keep(submission: GradedSubmissionJson, courseId: number, cache: Cache): void {
  const known = cache.students.submission(courseId, submission.assignment_id, submission.user_id);
  cache.put('submission', submission.id, { ...known, ...submission }, courseId);
}

/** Later grades for the same student were entered after this one, and know its effect. */
function done(intent: GradeIntent, known: SeenState, queue: IntentQueue): void {
  durably(queue.user.database, () => {
    queue.drop(intent);
    for (const later of queue.of(intent.entity)) if (isGrade(later)) storeBody(queue.user, later.id, { ...later.body, known });
  });
}

/** Stores what the server has, and lets the user decide; nothing is left to decide if the server has the same. */
function hold(intent: GradeIntent, now: GradedSubmissionJson, { cache, queue }: Around): void {
  const { id, body } = intent;
  keep(now, body.course_id, cache);
  const state = seenStateOf(now, null);
  if (isAlreadySo(body.entry, state, gradedWork(cache, body.course_id, body.assignment_id))) {
    done(intent, state, queue);
    return;
  }
  const meanwhile: MeanwhileState = { ...state, graded_at: now.graded_at ?? null, grader: graderOf(now, body.course_id, cache) };
  storeBody(queue.user, id, { ...body, meanwhile });
  const why: Hold = state.attempt > body.known.attempt ? 'newer attempt' : 'graded meanwhile';
  throw new HeldSubmission(why);
}

const storeBody = (user: UserStore, id: string, body: GradeIntent['body']): unknown =>
  user.prepare('UPDATE outbox SET body = ? WHERE id = ?').run(JSON.stringify(body), id);

/** The name of the grader, if comments or enrollments here have it. */
function graderOf({ grader_id, submission_comments = [] }: GradedSubmissionJson, courseId: number, cache: Cache): string | null {
  if (grader_id == null) return null;
  const comment = submission_comments.find(({ author_id }) => author_id === grader_id);
  const enrolled = cache
    .ofCourse<EnrollmentJson & { user?: { name?: string } }>('enrollment', courseId)
    .find(({ user_id }) => user_id === grader_id);
  return comment?.author_name ?? enrolled?.user?.name ?? null;
}

/** The state in a 412. */
function currentIn(body: string): GradedSubmissionJson | undefined {
  try {
    const { current } = JSON.parse(body) as { current?: GradedSubmissionJson | null };
    return typeof current?.id === 'number' && typeof current.user_id === 'number' ? current : undefined;
  } catch {
    // Another answer with this status: it is a plain refusal.
    return undefined;
  }
}
