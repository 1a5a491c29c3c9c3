// What the fake server needs for people who grade: students, their submissions with versions, and conditional grades.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import type { FakeCourse } from './course';
import type { FakeServer } from './fake_server';
import type { FakeReply } from './fake_writes';

type Json = Record<string, unknown>;

interface Given {
  readonly submission?: { readonly posted_grade?: string; readonly excuse?: boolean; readonly late_policy_status?: string };
  readonly comment?: { readonly text_comment?: string };
  readonly rubric_assessment?: Json;
}

/** The id of a submission as the server derives it. */
export const idOfWork = (assignment: number, user: number): number => assignment * 2 ** 26 + user;

const versionOf = ({ attempt, score, grade, excused }: Json): string =>
  Buffer.from(JSON.stringify([attempt, score, grade, excused])).toString('hex');

export function takesGrades(server: FakeServer, course: FakeCourse) {
  let hasVersions = true;
  let comments = 1;
  const refused = new Map<number, FakeReply>();
  const withVersion = (submission: Json): Json => (hasVersions ? { ...submission, version: versionOf(submission) } : submission);

  const blank = (assignment_id: number, user_id: number): Json => ({
    id: idOfWork(assignment_id, user_id),
    assignment_id,
    user_id,
    attempt: null,
    workflow_state: 'unsubmitted',
    submission_type: null,
    submitted_at: null,
    score: null,
    grade: null,
    excused: false,
    late: false,
    missing: false,
    seconds_late: 0,
    posted_at: null,
    graded_at: null,
    grader_id: null,
    grade_matches_current_submission: true,
    submission_comments: [],
    rubric_assessment: null,
  });
  const at = (assignment: number, user: number): Json | undefined => {
    const id = idOfWork(assignment, user);
    return server.has('submission', id) ? server.get('submission', id) : undefined;
  };
  const store = (submission: Json): Json => {
    const stored = withVersion(submission);
    server.put('submission', Number(stored.id), stored, course.id);
    return stored;
  };
  /** A change by another grader, or by the student. */
  const change = (assignment: number, user: number, more: Json): Json =>
    store({ ...(at(assignment, user) ?? blank(assignment, user)), ...more });

  function grade(assignment: number, user: number, { submission = {}, comment, rubric_assessment }: Given): Json {
    const { posted_grade, excuse } = submission;
    const score = posted_grade === undefined ? undefined : posted_grade === '' ? null : Number.parseFloat(posted_grade);
    const before = at(assignment, user) ?? blank(assignment, user);
    const said = comment?.text_comment
      ? [{ id: comments++, author_id: 7, author_name: 'Ada Student', comment: comment.text_comment, created_at: '2026-11-20T10:00:00Z' }]
      : [];
    return change(assignment, user, {
      ...(score !== undefined && { score, grade: score === null ? null : String(score), workflow_state: 'graded', excused: false }),
      ...(excuse !== undefined && { excused: excuse, ...(excuse && { score: null, grade: null }) }),
      ...(rubric_assessment && { rubric_assessment }),
      grader_id: 7,
      graded_at: '2026-11-20T10:00:00Z',
      submission_comments: [...(before.submission_comments as Json[]), ...said],
    });
  }

  server.besides = ({ method, path, headers }, body) => {
    const [, assignment, user] = /\/assignments\/(\d+)\/submissions\/(\d+)$/.exec(new URL(path, server.url).pathname) ?? [];
    if (assignment === undefined || user === undefined || method !== 'PUT') return undefined;
    const refusal = refused.get(Number(user));
    if (refusal) return refusal;
    const now = at(Number(assignment), Number(user));
    const wanted = headers['if-match'];
    const version = now ? now.version : blankSubmissionVersion;
    if (wanted !== undefined && wanted !== `"${version}"`)
      return { status: 412, body: { message: 'the precondition failed', current: now, copy: null } };
    return { status: 200, body: grade(Number(assignment), Number(user), JSON.parse(body) as Given) };
  };

  return {
    at,
    change,
    refuse: (user: number, reply: FakeReply) => refused.set(user, reply),
    relent: (user: number) => refused.delete(user),
    withoutVersions: () => {
      hasVersions = false;
    },
    student(user: number, name: string, more: Json = {}): number {
      const id = server.id();
      const last = name.split(' ').at(-1);
      return server.put(
        'enrollment',
        id,
        {
          id,
          user_id: user,
          course_id: course.id,
          course_section_id: 12,
          type: 'StudentEnrollment',
          enrollment_state: 'active',
          user: { id: user, name, sortable_name: `${last}, ${name.split(' ')[0]}`, avatar_url: null },
          ...more,
        },
        course.id,
      );
    },
  };
}
