// What the fake server needs for people who grade: students, their submissions with versions, and conditional grades.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import type { FakeCourse } from './course';
import type { FakeServer } from './fake_server';
import type { FakeReply } from './fake_writes';

type Json = Record<string, unknown>;

interface Given {
  readonly submission?: { readonly posted_grade?: string; readonly excuse?: boolean; readonly late_policy_status?: string };
  readonly comment?: {
    readonly text_comment?: string;
    readonly file_ids?: readonly number[];
    readonly attempt?: number;
    readonly group_comment?: boolean;
  };
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
  /** Files that were uploaded for comments, by id. */
  const uploads = new Map<number, { readonly name: string; readonly text: string }>();
  const tickets = new Map<string, { readonly id: number; readonly name: string }>();
  /** Of anonymous assignments: submissions that the feed does not send, by assignment and anonymous id. */
  const anonymous = new Map<string, Json>();
  /** The members of each student's group. */
  const mates = new Map<number, readonly number[]>();
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
    const before = at(assignment, user) ?? blank(assignment, user);
    return change(assignment, user, graded(before, { submission, comment, rubric_assessment }));
  }

  /** What a grade makes of a submission. */
  function graded(before: Json, { submission = {}, comment, rubric_assessment }: Given): Json {
    const { posted_grade, excuse } = submission;
    const score = posted_grade === undefined ? undefined : posted_grade === '' ? null : Number.parseFloat(posted_grade);
    const attachments = (comment?.file_ids ?? []).map((id) => ({
      id,
      display_name: uploads.get(id)?.name,
      size: uploads.get(id)?.text.length,
    }));
    const about = {
      id: comments,
      author_id: 7,
      author_name: 'Ada Student',
      created_at: `2026-11-20T10:00:${String(comments).padStart(2, '0')}Z`,
    };
    const said =
      comment?.text_comment || attachments.length > 0
        ? [
            {
              ...about,
              comment: comment?.text_comment ?? '',
              attempt: comment?.attempt ?? null,
              ...(attachments.length > 0 && { attachments }),
            },
          ]
        : [];
    comments += said.length;
    return {
      ...(score !== undefined && { score, grade: score === null ? null : String(score), workflow_state: 'graded', excused: false }),
      ...(excuse !== undefined && { excused: excuse, ...(excuse && { score: null, grade: null }) }),
      ...(rubric_assessment && { rubric_assessment }),
      grader_id: 7,
      graded_at: '2026-11-20T10:00:00Z',
      submission_comments: [...(before.submission_comments as Json[]), ...said],
    };
  }

  /** A grade of a group is that of all members, a comment if it is for the group. */
  function gradeAll(assignment: number, user: number, given: Given): Json {
    const { comment, ...rest } = given;
    for (const mate of mates.get(user) ?? [])
      if (mate !== user) grade(assignment, mate, { ...rest, ...(comment?.group_comment && { comment }) });
    return grade(assignment, user, given);
  }

  const takeUpload = (method: string, pathname: string, headers: Record<string, unknown>, body: string): FakeReply | undefined => {
    if (pathname === '/comment-bytes' && String(headers['content-type']).startsWith('multipart/form-data')) {
      const ticket = tickets.get(/name="uuid"\r\n\r\n([^\r]+)/.exec(body)?.[1] ?? '');
      const text = /filename="[^"]*"\r\n(?:[^\r\n]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(body)?.[1] ?? '';
      if (!ticket) return { status: 404, body: { message: 'no such upload' } };
      uploads.set(ticket.id, { name: ticket.name, text });
      return { status: 201, body: { id: ticket.id, display_name: ticket.name, size: text.length } };
    }
    if (method !== 'POST' || !pathname.endsWith('/comments/files')) return undefined;
    const uuid = `${server.id()}`;
    tickets.set(uuid, { id: Number(uuid), name: String((JSON.parse(body) as Json).name) });
    return { status: 200, body: { upload_url: `${server.url}/comment-bytes`, upload_params: { uuid }, file_param: 'file' } };
  };

  const onAnonymous = (method: string, assignment: string, id: string, body: string): FakeReply => {
    const key = `${assignment} ${id}`;
    const before = anonymous.get(key);
    if (!before) return { status: 404, body: { message: 'The specified resource does not exist.' } };
    if (method === 'GET') return { status: 200, body: before };
    const now = { ...before, ...graded(before, JSON.parse(body) as Given) };
    anonymous.set(key, now);
    listAnonymous(Number(assignment));
    return { status: 200, body: now };
  };
  const listAnonymous = (assignment: number): void => {
    const list = [...anonymous].flatMap(([key, one]) => (key.startsWith(`${assignment} `) ? [one] : []));
    server.words.set(`/api/v1/courses/${course.id}/assignments/${assignment}/submissions`, list as never);
  };

  server.besides = ({ method, path, headers }, body) => {
    const { pathname } = new URL(path, server.url);
    const taken = takeUpload(method, pathname, headers, body);
    if (taken) return taken;
    const [, of, id] = /\/assignments\/(\d+)\/anonymous_submissions\/(\w+)$/.exec(pathname) ?? [];
    if (of !== undefined && id !== undefined) return onAnonymous(method, of, id, body);
    const [, assignment, user] = /\/assignments\/(\d+)\/submissions\/(\d+)$/.exec(pathname) ?? [];
    if (assignment === undefined || user === undefined || method !== 'PUT') return undefined;
    const refusal = refused.get(Number(user));
    if (refusal) return refusal;
    const now = at(Number(assignment), Number(user));
    const wanted = headers['if-match'];
    const version = now ? now.version : blankSubmissionVersion;
    if (wanted !== undefined && wanted !== `"${version}"`)
      return { status: 412, body: { message: 'the precondition failed', current: now, copy: null } };
    return { status: 200, body: gradeAll(Number(assignment), Number(user), JSON.parse(body) as Given) };
  };

  return {
    at,
    change,
    uploads,
    /** These students are graded as one. */
    team: (...users: number[]) => {
      for (const user of users) mates.set(user, users);
    },
    anonymousAt: (assignment: number, id: string): Json | undefined => anonymous.get(`${assignment} ${id}`),
    changeAnonymous(assignment: number, id: string, more: Json): void {
      const { user_id: _, ...blankWork } = blank(assignment, 0);
      const before = anonymous.get(`${assignment} ${id}`) ?? { ...blankWork, id: server.id(), anonymous_id: id };
      anonymous.set(`${assignment} ${id}`, { ...before, ...more });
      listAnonymous(assignment);
    },
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
