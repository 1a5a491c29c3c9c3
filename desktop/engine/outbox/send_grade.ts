// Sends one grade: only if the submission is still as the grader has seen it, and once. Its files are uploaded before it.

import { existsSync } from 'node:fs';
import type { GradeEntry } from '../../contract/gradebook';
import type { Hold } from '../../contract/work';
import {
  type GradeBody,
  isAlreadySo,
  isSameState,
  type MeanwhileState,
  type SeenState,
  saysSomethingToStudent,
  seenStateOf,
  type WorkFile,
} from '../grading/grade_entry';
import type { GradedSubmissionJson } from '../model/graded_resources';
import type { EnrollmentJson } from '../model/resources';
import { gradedWork } from '../server/graded_work';
import { Declined, type Session } from '../server/session';
import { uploadFile } from '../server/upload';
import type { Cache } from '../store/cache';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import { type GradeIntent, isGrade } from './grades';
import type { IntentQueue } from './intent_queue';
import { HeldSubmission } from './may_hand_in';
import { bytesAt, forgetBytes } from './work_drafts';

interface Around {
  readonly session: Session;
  readonly cache: Cache;
  readonly queue: IntentQueue;
}

interface Answer extends GradedSubmissionJson {
  /** Everyone whose grade has changed: the members of a group. */
  readonly all_submissions?: readonly GradedSubmissionJson[];
}

/** The path of an anonymous submission never names its student. */
const addressOfWork = ({ course_id, assignment_id, user_id, anonymous_id }: GradeBody): string => {
  const assignment = `/api/v1/courses/${course_id}/assignments/${assignment_id}`;
  return anonymous_id === undefined ? `${assignment}/submissions/${user_id}` : `${assignment}/anonymous_submissions/${anonymous_id}`;
};

/** @throws Held if it has to wait for the user */
export async function sendGrade(given: GradeIntent, around: Around): Promise<void> {
  const { session, queue } = around;
  const { id, attempts } = given;
  const address = addressOfWork(given.body);
  const { version } = given.body.known;
  // Without versions the desk compares itself. A request that may have arrived is only repeated.
  const isUnsent = attempts === 0 || (given.body.files ?? []).some(({ file_id }) => file_id === undefined);
  if (version === null && isUnsent) {
    const now = await session.json<GradedSubmissionJson>(`${address}?include[]=submission_comments&include[]=rubric_assessment`);
    if (!isSameState(given.body.known, seenStateOf(now, null))) return hold(given, now, around);
  }
  const intent = await withFiles(given, address, around);
  const { body } = intent;
  try {
    const made = await session.json<Answer>(address, {
      method: 'PUT',
      headers: { 'idempotency-key': id, ...(version !== null && { 'if-match': `"${version}"` }) },
      once: saysSomethingToStudent(body),
      json: requestOf(body),
    });
    const { all_submissions = [], ...own } = made;
    for (const one of [own, ...all_submissions]) keep(one, body.course_id, around.cache);
    done(intent, seenStateOf(own, null), queue);
    for (const { sha256 } of body.files ?? []) await forgetBytes(queue.user, sha256);
  } catch (problem) {
    if (!(problem instanceof Declined) || problem.status !== 412) throw problem;
    const now = currentIn(problem.body);
    if (!now) throw problem;
    return hold(intent, now, around);
  }
}

/** Files that were uploaded are not uploaded again after a crash. */
async function withFiles(intent: GradeIntent, address: string, { session, queue: { user } }: Around): Promise<GradeIntent> {
  const { id, body } = intent;
  const files = body.files ?? [];
  if (files.every(({ file_id }) => file_id !== undefined)) return intent;
  const sent: WorkFile[] = [];
  for (const [at, file] of files.entries()) {
    const upload = { session, user, file: bytesAt(user, file.sha256), name: file.name, size: file.size, sha256: file.sha256 };
    if (file.file_id === undefined && !existsSync(upload.file)) throw new HeldSubmission('no bytes');
    const key = `${id}-${file.sha256.slice(0, 32)}`;
    const file_id = file.file_id ?? (await uploadFile({ ...upload, address: `${address}/comments/files`, key })).id;
    sent.push({ ...file, file_id });
    storeBody(user, id, { ...body, files: [...sent, ...files.slice(at + 1)] });
  }
  return { ...intent, body: { ...body, files: sent } };
}

function requestOf(body: GradeBody): Record<string, unknown> {
  const { entry, known, files = [], is_group, attempt = known.attempt } = body;
  const { grade, excused, status, comment, rubric }: GradeEntry = entry;
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
    ...(saysSomethingToStudent(body) && {
      comment: {
        ...(comment !== undefined && { text_comment: comment }),
        ...(files.length > 0 && { file_ids: files.map(({ file_id }) => file_id) }),
        ...(attempt > 0 && { attempt }),
        ...(is_group && { group_comment: true }),
      },
    }),
    ...(marks.length > 0 && { rubric_assessment: Object.fromEntries(marks) }),
  };
}

/** A response has fewer fields than the feed, which sends the whole again. */
function keep(submission: GradedSubmissionJson, courseId: number, cache: Cache): void {
  // That of an anonymous student is never stored among those of students.
  if (typeof submission.user_id !== 'number') return;
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
  if (!body.files?.length && isAlreadySo(body.entry, state, gradedWork(cache, body.course_id, body.assignment_id))) {
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
export function graderOf(
  { grader_id, submission_comments = [] }: Pick<GradedSubmissionJson, 'grader_id' | 'submission_comments'>,
  courseId: number,
  cache: Cache,
): string | null {
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
    return typeof current?.id === 'number' ? current : undefined;
  } catch {
    // Another answer with this status: it is a plain refusal.
    return undefined;
  }
}
