// Submissions: made, graded, commented on, posted; and who sees them.

import { createExecutionContext, env, SELF, waitOnExecutionContext } from 'cloudflare:test';
import { isSignedBy, readJwt, signingKey } from '@carrel/worker/crypto/jwt';
import { discussion_entries } from '@carrel/worker/domains/discussion_topics/table';
import { fetchUpload } from '@carrel/worker/domains/files/upload/job';
import { submitFetched } from '@carrel/worker/domains/submissions/submit/fetched_job';
import { submissions } from '@carrel/worker/domains/submissions/table';
import { sha256 } from '@carrel/worker/http/idempotency';
import worker from '@carrel/worker/index';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { as, base, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { testJwtKey } from '../support/client_keys';
import { aCourse } from '../support/ground';
import { bytes, sendContent, upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
type Person = Scene['student'];
const at = (course: { id: number }, rest = '') => `/courses/${course.id}/assignments${rest}`;
const made = '2026-09-01T08:00:00Z';

async function aTask({ course, teacher }: Scene, more: object = {}) {
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    submission_types: ['online_text_entry', 'online_url'],
    ...more,
  };
  return ok(await as(teacher).post(at(course), { assignment }), 201) as { id: number };
}

const path = (scene: Scene, task: { id: number }, person?: Person | string, rest = '') =>
  at(scene.course, `/${task.id}/submissions${person === undefined ? '' : `/${typeof person === 'string' ? person : person.id}`}${rest}`);

const handIn = (
  scene: Scene,
  task: { id: number },
  person: Person,
  submission: object = { submission_type: 'online_text_entry', body: '<p>Done.</p>' },
) => as(person).post(path(scene, task), { submission });
const grade = (scene: Scene, task: { id: number }, person: Person, submission: object, more: object = {}) =>
  as(scene.teacher).put(path(scene, task, person), { submission, ...more });

test('every assigned student has a submission from the start', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const task = await aTask(scene, { due_at: '2026-09-02T10:00:00Z' });
  const listed = ok(within(await as(teacher).get(path(scene, task)), 2));
  expect(listed.map((one: { user_id: number }) => one.user_id)).toEqual([student.id, student2.id]);
  expect(listed[0]).toMatchObject({
    assignment_id: task.id,
    workflow_state: 'unsubmitted',
    attempt: null,
    submitted_at: null,
    score: null,
    grade: null,
    late: false,
    missing: true,
    grade_matches_current_submission: true,
    cached_due_date: '2026-09-02T10:00:00Z',
    excused: false,
  });
  expect(ok(within(await as(student).get(path(scene, task, 'self')), 2)).id).toBe(listed[0].id);
  expect(ok(await as(scene.observer).get(path(scene, task, student)))).toMatchObject({ user_id: student.id });
  ok(await as(student2).get(path(scene, task, student)), 401);
  ok(await as(student).get(path(scene, task)), 401);
  ok(await as(scene.stranger).get(path(scene, task, student)), 401);
  ok(await as(teacher).get(path(scene, task, scene.stranger)), 404);
  ok(await as(teacher).get(path(scene, { id: 999999 })), 404);
  // A student graded for work done elsewhere is not missing.
  expect(ok(await grade(scene, task, student, { posted_grade: '4' }))).toMatchObject({ late: false, missing: false });
});

test('submitting creates an attempt; submitting again keeps the earlier one', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, course } = scene;
  const task = await aTask(scene);
  const before = ok(await as(student).get(path(scene, task, 'self')));
  const first = await handIn(scene, task, student, { submission_type: 'online_text_entry', body: '<p>One</p><script>x</script>' });
  expect(ok(within(first, 3), 201)).toMatchObject({
    id: before.id,
    attempt: 1,
    workflow_state: 'submitted',
    submission_type: 'online_text_entry',
    submission_comments: [],
    late: false,
    missing: false,
  });
  expect(first.body.body).not.toContain('script');
  expect(first.headers.get('location')).toMatch(
    new RegExp(`/api/v1/courses/${course.id}/assignments/${task.id}/submissions/${student.id}$`),
  );
  expect(ok(await as(teacher).get(at(course, `/${task.id}`)))).toMatchObject({ needs_grading_count: 1, has_submitted_submissions: true });
  ok(await grade(scene, task, student, { posted_grade: '8' }));
  const again = ok(await handIn(scene, task, student, { submission_type: 'online_url', url: 'example.org/essay' }), 201);
  expect(again).toMatchObject({
    attempt: 2,
    url: 'http://example.org/essay',
    body: null,
    score: 8,
    workflow_state: 'submitted',
    grade_matches_current_submission: false,
  });
  const result = ok(within(await as(student).get(path(scene, task, 'self'), { include: ['submission_history'] }), 2));
  expect(result.submission_history).toMatchObject([
    { attempt: 1, body: '<p>One</p>', score: 8, grade_matches_current_submission: true },
    { attempt: 2, url: 'http://example.org/essay' },
  ]);
  expect(ok(await as(teacher).get(at(course, `/${task.id}`))).needs_grading_count).toBe(1);
});

test('the submission history reveals no more than the submission, and hides an unposted grade', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const task = await aTask(scene, { post_manually: true });
  ok(await handIn(scene, task, student, { submission_type: 'online_text_entry', body: 'One' }), 201);
  const { all_submissions } = ok(await grade(scene, task, student, { posted_grade: '7.25' }));
  const [ofHers] = ok(await as(teacher).get(at(course, `/${task.id}/submissions`), { include: ['submission_history'] }));
  expect(Object.keys(ofHers)).toEqual(expect.arrayContaining(Object.keys({ ...all_submissions[0], ...ofHers.submission_history[0] })));
  ok(await handIn(scene, task, student, { submission_type: 'online_text_entry', body: 'Two' }), 201);
  const own = ok(await as(student).get(path(scene, task, 'self'), { include: ['submission_history'] }));
  expect(own.submission_history).toHaveLength(2);
  expect(JSON.stringify(own)).not.toContain('7.25');
});

test('invalid submissions are refused', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher, course } = scene;
  const task = await aTask(scene, { allowed_attempts: 1 });
  const refuse = async (submission: object) => ok(await handIn(scene, task, student, submission), 400);
  await refuse({});
  await refuse({ submission_type: 'online_upload', file_ids: [1] });
  await refuse({ submission_type: 'online_text_entry', body: ' ' });
  await refuse({ submission_type: 'online_url', url: 'ftp://example.org' });
  await refuse({ submission_type: 'online_url' });
  ok(await handIn(scene, task, student), 201);
  expect(ok(await handIn(scene, task, student), 400)).toHaveProperty('attempt');
  ok(await handIn(scene, task, teacher), 401);
  ok(await handIn(scene, task, scene.observer), 401);
  ok(await handIn(scene, { id: 999999 }, student), 404);
  const early = await aTask(scene, { unlock_at: '2099-01-01T10:00:00Z' });
  ok(await handIn(scene, early, student), 401);
  const ended = await aTask(scene, { lock_at: '2020-01-01T10:00:00Z' });
  ok(await handIn(scene, ended, student), 401);
  const draft = ok(await as(teacher).post(at(course), { assignment: { submission_types: ['online_text_entry'] } }), 201);
  ok(await handIn(scene, draft, student), 401);
  const other = await aTask(scene, { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  ok(await handIn(scene, other, student), 401);
  ok(await handIn(scene, other, student2), 201);
  ok(await grade(scene, early, student, { excuse: true }));
});

test('an assignment hidden from a student accepts neither submissions nor files, with the same error as reading it', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher, course } = scene;
  const types = { submission_types: ['online_text_entry', 'online_upload'] };
  const draft = ok(await as(teacher).post(at(course), { assignment: types }), 201);
  const others = await aTask(scene, { ...types, only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  const locked = await aTask(scene, { ...types, lock_at: '2020-01-01T10:00:00Z' });
  const early = await aTask(scene, { ...types, unlock_at: '2099-01-01T10:00:00Z' });
  const file = { name: 'essay.txt', size: 4 };
  for (const [task, status] of [
    [draft, 401],
    [others, 401],
    [{ id: 999999 }, 404],
  ] as const) {
    ok(await as(student).get(at(course, `/${task.id}`)), status);
    ok(within(await as(student).get(path(scene, task, 'self')), 2), status);
    ok(within(await handIn(scene, task, student), 3), status);
    ok(within(await as(student).post(path(scene, task, 'self', '/files'), file), 3), status);
    ok(within(await as(student).post(path(scene, task, 'self', '/comments/files'), file), 3), status);
  }
  for (const task of [locked, early]) {
    ok(await as(student).get(at(course, `/${task.id}`)));
    ok(await as(student).post(path(scene, task, 'self', '/files'), file), 401);
    ok(await as(student).post(path(scene, task, 'self', '/comments/files'), file));
    ok(await as(teacher).post(path(scene, task, student, '/files'), file));
  }
  ok(within(await as(student2).post(path(scene, others, 'self', '/files'), file), 3));
  ok(await as(teacher).post(path(scene, others, student2, '/comments/files'), file));
});

test('files are uploaded for a submission, submitted, and read by graders', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { submission_types: ['online_upload'], allowed_extensions: ['.TXT'] });
  const uploads = path(scene, task, 'self', '/files');
  expect(ok(await as(student).post(uploads, { name: 'essay.pdf', size: 4 }), 400)).toEqual({ message: 'filetype not allowed' });
  expect(ok(await as(student).post(uploads, { name: 'essay', size: 4 }), 400)).toEqual({ message: 'unable to find extension' });
  ok(await as(student2).post(path(scene, task, student, '/files'), { name: 'essay.txt', size: 4 }), 401);
  const [first, second] = [
    await upload(student, uploads, { name: 'essay.txt' }, 'one'),
    await upload(student, uploads, { name: 'essay.txt' }, 'two'),
  ];
  const given = { submission_type: 'online_upload', file_ids: [first.id, second.id] };
  ok(await handIn(scene, task, student2, given), 400);
  const told = ok(within(await handIn(scene, task, student, given), 3), 201);
  expect(told.attachments.map((one: { display_name: string }) => one.display_name)).toEqual(['essay.txt', 'essay-1.txt']);
  const [seen] = ok(within(await as(teacher).get(path(scene, task)), 2));
  expect((await bytes(seen.attachments[0].url, {}, teacher)).text).toBe('one');
  // Both addresses are enough by themselves, also for clients that ask for none with verifiers elsewhere.
  const [plain] = ok(await as(teacher).get(path(scene, task), { use_verifiers: false }));
  const [shown] = plain.attachments;
  expect(shown.preview_url).toMatch(new RegExp(`^/files/${first.id}/file_preview\\?`));
  expect((await bytes(shown.url)).text).toBe('one');
  expect((await bytes(`${base}${shown.preview_url}`)).text).toBe('one');
  const note = await upload(teacher, path(scene, task, student, '/comments/files'), { name: 'note.txt' }, 'see page 2');
  const commented = ok(await as(teacher).put(path(scene, task, student), { comment: { file_ids: [note.id] } }));
  expect(commented.submission_comments).toMatchObject([{ comment: '', attachments: [{ id: note.id }] }]);
  const history = ok(await as(student).get(path(scene, task, 'self'), { include: ['submission_history', 'submission_comments'] }));
  expect(history.submission_history).toMatchObject([{ attempt: 1, attachments: [{ id: first.id }, { id: second.id }] }]);
  expect(history.submission_comments[0].attachments).toHaveLength(1);
});

test('a file that is fetched from a URL is submitted when the client asks for it', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { submission_types: ['online_upload'], allowed_attempts: 1 });
  const platform = env as unknown as Platform;
  const given = { name: 'essay.txt', url: 'https://files.carrel.org/moved', submit_assignment: true };
  const uploads = path(scene, task, 'self', '/files');
  const begin = async (person: Person, to = uploads, more: object = {}) => ok(within(await as(person).post(to, { ...given, ...more }), 3));
  const work = async (person: Person, { id, progress }: { id: number; progress: { id: number } }) => {
    await fetchUpload({ job: 'upload_via_url', ids: [id] }, platform);
    const { workflow_state } = ok(await as(person).get(`/progress/${progress.id}`));
    // Delivered twice.
    for (const _ of [1, 2]) await submitFetched({ job: 'submit_fetched', ids: [progress.id] }, platform);
    return workflow_state;
  };
  const first = await begin(student);
  expect(await work(student, first)).not.toBe('failed');
  expect(ok(await as(student).get(`/progress/${first.progress.id}`))).toMatchObject({
    workflow_state: 'completed',
    completion: 100,
    results: { id: first.id },
  });
  expect(ok(await as(teacher).get(path(scene, task, student), { include: ['submission_history'] }))).toMatchObject({
    workflow_state: 'submitted',
    submission_type: 'online_upload',
    attempt: 1,
    submitted_at: first.progress.created_at,
    attachments: [{ id: first.id, display_name: 'essay.txt' }],
    submission_history: [{ attempt: 1 }],
  });
  ok(await as(student).post(uploads, given), 400);
  // Without the wish, and with bytes from the client, nothing is submitted.
  const kept = await begin(student2, uploads, { submit_assignment: false });
  expect(await work(student2, kept)).toBe('completed');
  expect(ok(await as(student2).get(path(scene, task, 'self')))).toMatchObject({ workflow_state: 'unsubmitted', attempt: null });
  // A grader submits on behalf of the student.
  const behalf = await begin(teacher, path(scene, task, student2, '/files'));
  await work(teacher, behalf);
  expect(ok(await as(teacher).get(path(scene, task, student2)))).toMatchObject({ attempt: 1, proxy_submitter_id: teacher.id });
  // What is excused meanwhile is not submitted.
  const late = await aTask(scene, { submission_types: ['online_upload'] });
  const refused = await begin(student, path(scene, late, 'self', '/files'));
  ok(await grade(scene, late, student, { excuse: true }));
  await work(student, refused);
  expect(ok(await as(student).get(`/progress/${refused.progress.id}`))).toMatchObject({
    workflow_state: 'failed',
    message: 'the assignment does not accept the file',
  });
  expect(ok(await as(teacher).get(path(scene, late, student)))).toMatchObject({ attempt: null, excused: true });
  ok(await as(student).post(path(scene, late, 'self', '/files'), given), 401);
});

test('submission files have a size limit each and in total, announced and received, by user and assignment', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { submission_types: ['online_upload'] });
  const other = await aTask(scene, { submission_types: ['online_upload'] });
  const own = path(scene, task, 'self', '/files');
  // By default 500 MB a file, 2000 MB in total.
  const refusal = { message: 'file size exceeds the limit of 500 MB for a submission file' };
  for (const way of ['/files', '/comments/files'])
    expect(ok(await as(student).post(path(scene, task, 'self', way), { name: 'a.txt', size: 1e15 }), 400)).toEqual(refusal);
  ok(await as(student).post(own, { name: 'a.txt', size: 500 * 2 ** 20, in_parts: true }));
  const limits = { SUBMISSION_FILE_MB: String(20 / 2 ** 20), SUBMISSION_TOTAL_MB: String(30 / 2 ** 20) };
  // Counters are written seconds after the response, so this waits for them once.
  const contexts: ExecutionContext[] = [];
  const asked = async (person: Person, address: string, given: object) => {
    const context = createExecutionContext();
    const headers = { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' };
    const request = new Request(`${base}/api/v1${address}`, { method: 'POST', headers, body: JSON.stringify({ name: 'a.txt', ...given }) });
    const response = await worker.fetch(request as never, { ...env, ...limits } as never, context);
    contexts.push(context);
    return { status: response.status, body: (await response.json()) as never };
  };
  // A file announced too small, or without a size, is counted as it arrives.
  const late = [await asked(student, own, { size: 5 }), await asked(student, own, {}), await asked(student, own, {})];
  expect(late.map(({ status }) => status)).toEqual([200, 200, 200]);
  const sent = async (nth: number, size: number) => {
    const { status, body } = await sendContent(late[nth]?.body, 'x'.repeat(size));
    return status === 201 ? status : [status, body.message];
  };
  const tooMuch = [400, 'file size exceeds the limits for files of a submission'];
  expect(await sent(0, 21)).toEqual(tooMuch);
  expect(await sent(0, 20)).toBe(201);
  expect(await sent(1, 11)).toEqual(tooMuch);
  expect(await sent(1, 10)).toBe(201);
  expect(await sent(2, 1)).toEqual(tooMuch);
  expect((await asked(student, own, { size: 21 })).status).toBe(400);
  expect((await asked(student, path(scene, task, 'self', '/comments/files'), { size: 1 })).status).toBe(400);
  // Another assignment, and another user for the same submission, have their own limits.
  expect((await asked(student, path(scene, other, 'self', '/files'), { size: 20 })).status).toBe(200);
  expect((await asked(student2, own, { size: 20 })).status).toBe(200);
  expect((await asked(teacher, path(scene, task, student, '/comments/files'), { size: 20 })).status).toBe(200);
  // Files that the service fetches itself have the same limits.
  const fetched = (await asked(student2, own, { url: 'https://files.carrel.org/large' })).body as { id: number; status_url: string };
  await fetchUpload({ job: 'upload_via_url', ids: [fetched.id] }, env as unknown as Platform);
  expect(await (await SELF.fetch(fetched.status_url)).json()).toMatchObject({ upload_status: 'errored', message: tooMuch[1] });
  await Promise.all(contexts.map(waitOnExecutionContext));
});

test('a locked module locks its assignment, and a score unlocks the next', async () => {
  const scene = await aCourse(ground);
  const { course, student, teacher } = scene;
  const tasks = [await aTask(scene), await aTask(scene, { name: 'Poem' })];
  const modules: number[] = [];
  for (const [at, task] of tasks.entries()) {
    const module = { name: `Week ${at + 1}`, prerequisite_module_ids: modules.slice(-1) };
    const { id } = ok(await as(teacher).post(`/courses/${course.id}/modules`, { module }));
    const module_item = { type: 'Assignment', content_id: task.id, completion_requirement: { type: 'min_score', min_score: 5 } };
    ok(await as(teacher).post(`/courses/${course.id}/modules/${id}/items`, { module_item }));
    ok(await as(teacher).put(`/courses/${course.id}/modules/${id}`, { module: { published: true } }));
    modules.push(id);
  }
  const [first, second] = tasks as [{ id: number }, { id: number }];
  const poem = at(course, `/${second.id}`);
  expect(ok(within(await as(student).get(poem), 2))).toMatchObject({
    locked_for_user: true,
    lock_info: { context_module: { id: modules[1] } },
    description: null,
  });
  ok(await handIn(scene, second, student), 401);
  ok(await handIn(scene, first, student), 201);
  ok(await grade(scene, first, student, { posted_grade: 6 }));
  expect(ok(await as(student).get(poem)).locked_for_user).toBe(false);
  ok(await handIn(scene, second, student), 201);
});

test('a grader submits for a student, at a chosen time', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { due_at: '2026-09-02T10:00:00Z' });
  const submission = { submission_type: 'online_text_entry', body: 'On paper', user_id: student.id, submitted_at: '2026-09-02T10:01:00Z' };
  expect(ok(await as(teacher).post(path(scene, task), { submission, comment: { text_comment: 'Received' } }), 201)).toMatchObject({
    user_id: student.id,
    submitted_at: '2026-09-02T10:01:00Z',
    late: true,
    seconds_late: 60,
    submission_comments: [{ comment: 'Received', author_name: teacher.name }],
  });
  ok(await as(student2).post(path(scene, task), { submission }), 401);
});

test("a grade is interpreted by the assignment's grading type", async () => {
  const scene = await aCourse(ground);
  const { student } = scene;
  const graded = async (grading_type: string, posted_grade: string, more: object = {}) => {
    const task = await aTask(scene, { grading_type, ...more });
    const { score, grade: shown, workflow_state } = ok(within(await grade(scene, task, student, { posted_grade }), 3));
    return [score, shown, workflow_state];
  };
  expect(await graded('points', '8.5')).toEqual([8.5, '8.5', 'graded']);
  expect(await graded('points', '85%')).toEqual([8.5, '8.5', 'graded']);
  expect(await graded('points', '12')).toEqual([12, '12', 'graded']);
  expect(await graded('points', 'brilliant')).toEqual([null, null, 'unsubmitted']);
  expect(await graded('percent', '8')).toEqual([8, '80%', 'graded']);
  expect(await graded('letter_grade', 'B+')).toEqual([8.9, 'B+', 'graded']);
  expect(await graded('letter_grade', 'a')).toEqual([10, 'A', 'graded']);
  expect(await graded('letter_grade', '7.6')).toEqual([7.6, 'C', 'graded']);
  expect(await graded('pass_fail', 'complete')).toEqual([10, 'complete', 'graded']);
  expect(await graded('pass_fail', 'fail')).toEqual([0, 'incomplete', 'graded']);
  expect(await graded('pass_fail', '5')).toEqual([null, null, 'unsubmitted']);
  expect(await graded('not_graded', '5', { submission_types: ['none'] })).toEqual([null, null, 'unsubmitted']);
});

test('a submission is graded, cleared, excused and marked late manually', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, student2 } = scene;
  const task = await aTask(scene);
  const told = ok(within(await grade(scene, task, student, { posted_grade: '9' }), 3));
  expect(told).toMatchObject({ score: 9, entered_score: 9, grader_id: teacher.id, submission_comments: [], workflow_state: 'graded' });
  expect(told.posted_at).toBe(told.graded_at);
  expect(told.all_submissions).toHaveLength(1);
  expect(ok(await as(student).get(path(scene, task, 'self')))).toMatchObject({ score: 9, grade: '9' });
  expect(ok(await grade(scene, task, student, { excuse: false }))).toMatchObject({ score: 9 });
  expect(ok(await grade(scene, task, student, { posted_grade: '' }))).toMatchObject({
    score: null,
    grade: null,
    workflow_state: 'unsubmitted',
    graded_at: null,
  });
  expect(ok(await grade(scene, task, student, { excuse: true }))).toMatchObject({
    excused: true,
    score: null,
    workflow_state: 'graded',
    missing: false,
  });
  ok(await handIn(scene, task, student), 401);
  expect(ok(await grade(scene, task, student, { posted_grade: '7' }))).toMatchObject({ excused: false, score: 7 });
  ok(await grade(scene, task, student, { excuse: true }));
  expect(ok(await grade(scene, task, student, { excuse: false }))).toMatchObject({ excused: false, workflow_state: 'unsubmitted' });
  expect(ok(await grade(scene, task, student, { late_policy_status: 'late', seconds_late_override: 90 }))).toMatchObject({
    late: true,
    seconds_late: 90,
  });
  expect(ok(await grade(scene, task, student, { late_policy_status: 'missing' }))).toMatchObject({ late: false, missing: true });
  ok(await grade(scene, task, student, { late_policy_status: 'tardy' }), 400);
  ok(await grade(scene, task, student, { posted_grade: '5', excuse: true }), 400);
  ok(await as(student).put(path(scene, task, student), { submission: { posted_grade: '10' } }), 401);
  ok(await as(student2).put(path(scene, task, student), { comment: { text_comment: 'Hi' } }), 401);
  ok(await grade(scene, task, scene.stranger, { posted_grade: '5' }), 404);
});

test('an unposted grade is hidden from its student', async () => {
  const scene = await aCourse(ground);
  const { student, observer, teacher, course } = scene;
  const task = await aTask(scene, { post_manually: true });
  expect(ok(await grade(scene, task, student, { posted_grade: '9' }, { comment: { text_comment: 'Well done' } }))).toMatchObject({
    score: 9,
    posted_at: null,
  });
  for (const reader of [student, observer]) {
    const seen = ok(await as(reader).get(path(scene, task, student), { include: ['submission_comments'] }));
    expect(seen).toMatchObject({ submission_comments: [] });
    expect(seen).not.toHaveProperty('score');
    expect(seen).not.toHaveProperty('grade');
  }
  expect(ok(await as(student).get(at(course, `/${task.id}`)))).toMatchObject({ muted: true, post_manually: true });
  expect(ok(await as(teacher).get(path(scene, task, student), { include: ['submission_comments'] })).submission_comments).toHaveLength(1);
});

test('students and graders comment, authors edit, authors and graders delete', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, ta } = scene;
  const task = await aTask(scene);
  const asked = ok(within(await as(student).put(path(scene, task, 'self'), { comment: { text_comment: 'May I?' } }), 3));
  expect(asked.submission_comments).toMatchObject([
    { comment: 'May I?', author_id: student.id, author: { id: student.id }, edited_at: null },
  ]);
  const answered = ok(await as(teacher).put(path(scene, task, student), { comment: { text_comment: 'Yes.' } }));
  expect(answered.submission_comments).toHaveLength(2);
  expect(ok(await as(teacher).put(path(scene, task, student), { comment: { text_comment: ' ' } })).submission_comments).toHaveLength(2);
  ok(await as(teacher).put(path(scene, task, student), { comment: { text_comment: 'Later', attempt: 3 } }), 400);
  const [mine, theirs] = answered.submission_comments;
  const comment = (one: { id: number }) => path(scene, task, student, `/comments/${one.id}`);
  expect(ok(within(await as(student).put(comment(mine), { comment: 'May I please?' }), 3))).toMatchObject({ comment: 'May I please?' });
  ok(await as(student).put(comment(theirs), { comment: 'No.' }), 401);
  ok(await as(student).del(comment(theirs)), 401);
  expect(ok(within(await as(ta).del(comment(mine)), 3))).toMatchObject({ id: mine.id });
  // A comment that is not there is missing for a grader; a student learns nothing about the comments of others.
  for (const one of [teacher, await ground.admin()]) {
    ok(await as(one).del(comment({ id: 999_999 })), 404);
    ok(within(await as(one).put(comment({ id: 999_999 }), { comment: 'Hm.' }), 3), 404);
    ok(await as(one).put(comment(mine), { comment: 'Hm.' }), 404);
  }
  ok(await as(student).del(comment({ id: 999_999 })), 401);
  const left = ok(await as(student).get(path(scene, task, 'self'), { include: ['submission_comments', 'submission_html_comments'] }));
  expect(left.submission_comments).toMatchObject([{ comment: 'Yes.' }]);
  expect(left.submission_html_comments).toHaveLength(1);
});

test('new grades and comments are unread until they are read', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, course } = scene;
  const admin = await ground.admin();
  const task = await aTask(scene);
  const status = async () => ok(await as(student).get(at(course, `/${task.id}/submissions/self`), { include: ['read_state'] })).read_state;
  expect(await status()).toBe('read');
  const submission = ok(await grade(scene, task, student, { posted_grade: '9' }));
  expect(await status()).toBe('unread');
  ok(within(await as(student).put(path(scene, task, 'self', '/read')), 3), 204);
  expect(await status()).toBe('read');
  ok(await as(student).del(path(scene, task, 'self', '/read')), 204);
  expect(await status()).toBe('unread');
  expect(ok(await as(student).get(path(scene, task, 'self'), { include: ['read_status'] })).read_status).toBe('unread');
  await expect.poll(status).toBe('read');
  ok(await as(teacher).put(path(scene, task, student), { comment: { text_comment: 'Look' } }));
  ok(await as(student).put(path(scene, task, 'self', '/read/comment')), 204);
  ok(await as(student).put(path(scene, task, 'self', '/read/everything')), 400);
  expect(await status()).toBe('read');
  ok(await grade(scene, task, student, { posted_grade: '8' }));
  ok(await as(student).put(`/courses/${course.id}/submissions/bulk_mark_read`, { submissionIds: [submission.id] }), 204);
  expect(await status()).toBe('read');
  ok(await grade(scene, task, student, { posted_grade: '7' }));
  ok(await as(teacher).put(`/courses/${course.id}/submissions/${student.id}/clear_unread`), 401);
  ok(await as(admin).put(`/courses/${course.id}/submissions/${student.id}/clear_unread`), 204);
  expect(await status()).toBe('read');
  for (const part of ['rubric_assessments', 'rubric_comments', 'document_annotations']) {
    expect(ok(await as(student).get(path(scene, task, 'self', `/${part}/read`)))).toEqual({ read: true });
    expect(ok(await as(student).put(path(scene, task, 'self', `/${part}/read`)))).toEqual({ read: true });
    ok(await as(teacher).put(path(scene, task, student, `/${part}/read`)), 401);
  }
});

test('many grades are given at once, and unknown students are reported', async () => {
  const scene = await aCourse(ground);
  const { student, student2, stranger, teacher, course } = scene;
  const sis = await ground.person({ sis_user_id: `SIS-${course.id}` });
  await ground.enroll(course, sis, 'student');
  const task = await aTask(scene);
  const poem = await aTask(scene, { name: 'Poem' });
  const grade_data = {
    [student.id]: { posted_grade: '9', text_comment: 'Good' },
    [student2.id]: { excuse: true },
    [`sis_user_id:SIS-${course.id}`]: { posted_grade: 'B' },
  };
  const done = ok(within(await as(teacher).post(path(scene, task, 'update_grades'), { grade_data }), 3));
  expect(done).toMatchObject({ tag: 'submissions_update', workflow_state: 'completed', completion: 100, context_type: 'Assignment' });
  const listed = ok(
    within(await as(teacher).get(path(scene, task), { include: ['submission_comments', 'user', 'assignment', 'visibility'] }), 2),
  );
  expect(listed).toMatchObject([
    {
      score: 9,
      submission_comments: [{ comment: 'Good' }],
      user: { id: student.id },
      assignment: { id: task.id },
      assignment_visible: true,
    },
    { excused: true, workflow_state: 'graded' },
    { score: null, workflow_state: 'unsubmitted' },
  ]);
  // Assignments may be named by their SIS ids, in the path and in the body.
  const root = await ground.admin();
  const sis_assignment_id = `POEM-${course.id}`;
  ok(await as(root).put(`/courses/${course.id}/assignments/${poem.id}`, { assignment: { sis_assignment_id } }));
  const inCourse = (reference: string) =>
    as(teacher).post(`/courses/${course.id}/submissions/update_grades`, {
      grade_data: { [reference]: { [student2.id]: { posted_grade: 4 } }, [task.id]: { [student2.id]: { posted_grade: 8 } } },
    });
  ok(within(await inCourse(`sis_assignment_id:${sis_assignment_id}`), 3));
  expect(ok(await as(teacher).get(`${path(scene, poem)}/${student2.id}`)).score).toBe(4);
  expect(ok(await inCourse('sis_assignment_id:NONE'), 400)).toEqual({ error: 'unknown assignment ids: sis_assignment_id:NONE' });
  const partly = ok(
    within(
      await as(teacher).post(`/courses/${course.id}/submissions/update_grades`, {
        grade_data: { [poem.id]: { [student.id]: { posted_grade: 5 }, [stranger.id]: { posted_grade: 5 } } },
      }),
      3,
    ),
  );
  expect(partly).toMatchObject({ workflow_state: 'failed', context_type: 'Course' });
  expect(partly.message).toContain(String(stranger.id));
  expect(ok(await as(teacher).get(path(scene, poem, student))).score).toBe(5);
  ok(await as(teacher).post(path(scene, task, 'update_grades')), 400);
  ok(
    await as(teacher).post(`/courses/${course.id}/submissions/update_grades`, {
      grade_data: { 999999: { [student.id]: { posted_grade: 5 } } },
    }),
    400,
  );
  ok(await as(student).post(path(scene, task, 'update_grades'), { grade_data }), 401);
  expect(ok(within(await as(teacher).get(at(course, `/${task.id}/submission_summary`)), 2))).toEqual({
    graded: 2,
    ungraded: 0,
    not_submitted: 1,
  });
  ok(await as(student).get(at(course, `/${task.id}/submission_summary`)), 401);
});

test('graders list the students they may grade', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher, course } = scene;
  const task = await aTask(scene, { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  const open = await aTask(scene);
  const gradeable = ok(within(await as(teacher).get(at(course, `/${task.id}/gradeable_students`)), 2));
  expect(gradeable).toMatchObject([{ id: student2.id, display_name: student2.name }]);
  const both = ok(within(await as(teacher).get(at(course, '/gradeable_students'), { assignment_ids: [task.id, open.id] }), 2));
  expect(both.map((one: { id: number; assignment_ids: number[] }) => [one.id, one.assignment_ids])).toEqual([
    [student.id, [open.id]],
    [student2.id, [task.id, open.id]],
  ]);
  ok(await as(student).get(at(course, `/${task.id}/gradeable_students`)), 401);
});

test('students to whom an assignment is not assigned are reported by a bulk update like unknown ones', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  const given = { posted_grade: 5 };
  ok(await as(teacher).put(path(scene, task, student), { submission: given }), 401);
  const grade_data = { [student.id]: given, [student2.id]: given };
  const work = ok(await as(teacher).post(path(scene, task, 'update_grades'), { grade_data }));
  expect(work).toMatchObject({ workflow_state: 'failed', message: `Couldn't find User(s) with API ids '${student.id}'` });
  expect(ok(await as(teacher).get(path(scene, task, student2))).score).toBe(5);
  ok(await as(teacher).get(path(scene, task, student)), 404);
});

test('the submissions of many students are listed flat or by student', async () => {
  const scene = await aCourse(ground);
  const { student, student2, observer, teacher, course } = scene;
  const essay = await aTask(scene);
  const poem = await aTask(scene, { name: 'Poem' });
  ok(await handIn(scene, poem, student2), 201);
  ok(await grade(scene, poem, student2, { posted_grade: 9 }));
  const all = `/courses/${course.id}/students/submissions`;
  const pairs = (listed: { assignment_id: number; user_id: number }[]) => listed.map((one) => [one.assignment_id, one.user_id]);
  const four = [essay, poem].flatMap((task) => [student, student2].map((person) => [task.id, person.id]));
  expect(pairs(ok(within(await as(teacher).get(all, { student_ids: ['all'] }), 2)))).toEqual(four);
  expect(pairs(await as(teacher).pages(all, { student_ids: ['all'], per_page: 1 }))).toEqual(four);
  expect(pairs(await as(teacher).pages(all, { student_ids: ['all'], per_page: 3, order_direction: 'descending' }))).toEqual(
    [...four].reverse(),
  );
  expect(pairs(ok(await as(student).get(all)))).toEqual([
    [essay.id, student.id],
    [poem.id, student.id],
  ]);
  expect(pairs(ok(await as(observer).get(all, { student_ids: [student.id] })))).toHaveLength(2);
  expect(pairs(ok(await as(teacher).get(all, { student_ids: [student2.id], workflow_state: 'graded' })))).toEqual([[poem.id, student2.id]]);
  expect(pairs(ok(await as(teacher).get(all, { student_ids: ['all'], order: 'graded_at', order_direction: 'descending' })))[0]).toEqual([
    poem.id,
    student2.id,
  ]);
  ok(await grade(scene, essay, student, { posted_grade: 8 }));
  const whole: { graded_at: string | null; assignment_id: number; user_id: number }[] = ok(
    await as(teacher).get(all, { student_ids: ['all'] }),
  );
  const byDate = (one: { graded_at: string | null }, other: { graded_at: string | null }) =>
    (one.graded_at ?? '').localeCompare(other.graded_at ?? '');
  const marked = pairs(whole.filter((one) => one.graded_at).sort(byDate));
  const unmarked = pairs(whole.filter((one) => !one.graded_at));
  expect([marked.length, unmarked.length]).toEqual([2, 2]);
  for (const per_page of [1, 3, 50])
    for (const more of [{}, { assignment_ids: [essay.id, poem.id] }]) {
      const order = (order_direction: string) => ({ student_ids: ['all'], order: 'graded_at', order_direction, per_page, ...more });
      expect(pairs(await as(teacher).pages(all, order('ascending')))).toEqual([...marked, ...unmarked]);
      expect(pairs(await as(teacher).pages(all, order('descending')))).toEqual([...marked.toReversed(), ...unmarked.toReversed()]);
    }
  const since = { student_ids: ['all'], order: 'graded_at', graded_since: '2020-01-01T00:00:00Z', per_page: 1 };
  expect(pairs(await as(teacher).pages(all, since))).toEqual(marked);
  const numbered = { student_ids: ['all'], order: 'graded_at', per_page: 1, page: 3 };
  expect(pairs(ok(await as(teacher).get(all, numbered)))).toEqual([unmarked[0]]);
  ok(await grade(scene, essay, student, { posted_grade: '' }));
  const grouped = ok(
    within(await as(teacher).get(all, { student_ids: ['all'], grouped: true, assignment_ids: [poem.id], include: ['total_scores'] }), 2),
  );
  expect(grouped).toMatchObject([
    { user_id: student.id, section_id: course.section_id, submissions: [{ assignment_id: poem.id }], computed_final_score: 0 },
    { user_id: student2.id, submissions: [{ score: 9 }] },
  ]);
  const few = { response_fields: ['id', 'score', 'user_id'], exclude_response_fields: ['user_id'] };
  const keys = (one: object) => Object.keys(one).sort();
  expect(ok(await as(teacher).get(all, { student_ids: ['all'], ...few })).map(keys)).toEqual(four.map(() => ['id', 'score']));
  const [grouping] = ok(await as(teacher).get(all, { student_ids: ['all'], grouped: true, ...few }));
  expect(grouping.user_id).toBe(student.id);
  expect(grouping.submissions.map(keys)).toEqual([
    ['id', 'score'],
    ['id', 'score'],
  ]);
  const [listed] = ok(await as(teacher).get(path(scene, poem), { exclude_response_fields: ['body', 'preview_url'] }));
  expect(listed).toMatchObject({ assignment_id: poem.id });
  expect(keys(listed)).not.toEqual(expect.arrayContaining(['body']));
  expect(keys(ok(await as(teacher).get(path(scene, poem, student2), { response_fields: ['grade'] })))).toEqual(['grade']);
  ok(await as(student).get(all, { student_ids: [student2.id] }), 401);
  ok(await as(teacher).get(all, { assignment_ids: [999999] }), 403);
  ok(await as(teacher).get(all, { student_ids: Array.from({ length: 101 }, (_, n) => n + 1) }), 400);
  ok(await as(teacher).get(all, { enrollment_state: 'asleep' }), 400);
  ok(await as(teacher).get(all, { submitted_since: 'yesterday' }), 400);
  const graded = ok(within(await as(student2).get('/users/self/graded_submissions', { include: ['assignment'] }), 2));
  expect(graded).toMatchObject([{ score: 9, assignment: { name: 'Poem' } }]);
  ok(await as(student).get(`/users/${student2.id}/graded_submissions`), 401);
});

test('an assignment for a section has submissions of its students only', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, course } = scene;
  const section_id = await ground.section(course, { name: 'Evening' });
  const evening = await ground.person();
  await ground.enroll(course, evening, 'student', { section_id });
  const task = await aTask(scene, {
    only_visible_to_overrides: true,
    assignment_overrides: [{ course_section_id: section_id, due_at: made }],
  });
  const people = (listed: { user_id?: number; id: number }[]) => listed.map((one) => one.user_id ?? one.id);
  expect(people(ok(await as(teacher).get(path(scene, task))))).toEqual([evening.id]);
  expect(people(ok(await as(teacher).get(at(course, `/${task.id}/gradeable_students`))))).toEqual([evening.id]);
  expect(ok(await as(teacher).get(at(course, `/${task.id}`), { include: ['assignment_visibility'] })).assignment_visibility).toEqual([
    String(evening.id),
  ]);
  const all = await aTask(scene, { assignment_overrides: [{ course_section_id: section_id, due_at: '2030-01-01T12:00:00Z' }] });
  const due = ok(await as(teacher).get(path(scene, all))).map((one: { cached_due_date: string | null }) => one.cached_due_date);
  expect(due).toEqual([null, null, '2030-01-01T12:00:00Z']);
  ok(await as(student).get(path(scene, task, 'self')), 401);
});

test('section endpoints return only students of the section', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, course } = scene;
  const evening = await ground.section(course, { name: 'Evening' });
  const late = await ground.person({ name: 'Lea Late' });
  await ground.enroll(course, late, 'student', { section_id: evening });
  const tutor = await ground.person({ name: 'Tom Tutor' });
  await ground.enroll(course, tutor, 'ta', { section_id: evening, limited: true });
  const task = await aTask(scene);
  const below = `/sections/${evening}/assignments/${task.id}`;
  const users = (listed: { user_id: number }[]) => listed.map((one) => one.user_id);
  expect(users(ok(within(await as(teacher).get(`${below}/submissions`), 2)))).toEqual([late.id]);
  expect(users(ok(await as(tutor).get(path(scene, task))))).toEqual([late.id]);
  ok(await as(teacher).get(`${below}/submissions/${student.id}`), 404);
  ok(await as(teacher).put(`${below}/submissions/${student.id}`, { submission: { posted_grade: 5 } }), 404);
  ok(await as(tutor).put(path(scene, task, student), { submission: { posted_grade: 5 } }), 404);
  expect(
    ok(await as(late).post(`${below}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Late' } }), 201).user_id,
  ).toBe(late.id);
  ok(await as(student).post(`${below}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Mine' } }), 401);
  expect(ok(await as(tutor).put(`${below}/submissions/${late.id}`, { submission: { posted_grade: 6 } })).score).toBe(6);
  expect(ok(await as(tutor).get(`${below}/submissions/${late.id}`)).score).toBe(6);
  ok(await as(late).put(`${below}/submissions/self/read`), 204);
  ok(await as(late).del(`${below}/submissions/self/read`), 204);
  ok(await as(late).put(`${below}/submissions/self/read/grade`), 204);
  const spoken = ok(await as(late).put(`${below}/submissions/self`, { comment: { text_comment: 'Sorry' } })).submission_comments[0];
  expect(ok(await as(late).put(`${below}/submissions/self/comments/${spoken.id}`, { comment: 'Very sorry' })).comment).toBe('Very sorry');
  ok(await as(late).del(`${below}/submissions/self/comments/${spoken.id}`));
  ok(await as(late).put(`/sections/${evening}/submissions/bulk_mark_read`), 204);
  expect(users(ok(await as(teacher).get(`/sections/${evening}/students/submissions`, { student_ids: ['all'] })))).toEqual([late.id]);
  expect(
    ok(await as(teacher).post(`${below}/submissions/update_grades`, { grade_data: { [late.id]: { posted_grade: 7 } } })).workflow_state,
  ).toBe('completed');
  expect(
    ok(
      await as(teacher).post(`/sections/${evening}/submissions/update_grades`, {
        grade_data: { [task.id]: { [student.id]: { posted_grade: 7 } } },
      }),
    ).workflow_state,
  ).toBe('failed');
  expect(ok(await as(teacher).get(`${below}/gradeable_students`))).toHaveLength(1);
  expect(ok(await as(teacher).get(`/sections/${evening}/assignments/gradeable_students`, { assignment_ids: [task.id] }))).toHaveLength(1);
  expect(ok(await as(teacher).get(`${below}/submission_summary`))).toEqual({ graded: 1, ungraded: 0, not_submitted: 0 });
  const admin = await ground.admin();
  ok(await as(admin).put(`/sections/${evening}/submissions/${late.id}/clear_unread`), 204);
  for (const part of ['rubric_assessments', 'rubric_comments', 'document_annotations']) {
    ok(await as(late).get(`${below}/submissions/self/${part}/read`));
    ok(await as(late).put(`${below}/submissions/self/${part}/read`));
  }
  const file = { name: 'essay.txt', size: 5 };
  ok(await as(late).post(`${below}/submissions/self/comments/files`, file));
  const drawing = await aTask(scene, { submission_types: ['online_upload'] });
  ok(await as(late).post(`/sections/${evening}/assignments/${drawing.id}/submissions/self/files`, file));
});

test('a submission sent twice with one Idempotency-Key is one attempt', async () => {
  const scene = await aCourse(ground);
  const task = await aTask(scene);
  const submission = { submission_type: 'online_text_entry', body: 'Once' };
  const headers = { 'Idempotency-Key': 'once' };
  const answers = await Promise.all([1, 2, 3].map(() => as(scene.student).post(path(scene, task), { submission }, { headers })));
  expect(answers.map((answer) => ok(answer, 201).attempt)).toEqual([1, 1, 1]);
});

test('simultaneous attempts are counted, and never exceed the limit', async () => {
  const scene = await aCourse(ground);
  const task = await aTask(scene, { allowed_attempts: 3 });
  await Promise.all(Array.from({ length: 8 }, () => handIn(scene, task, scene.student)));
  const told = ok(await as(scene.student).get(path(scene, task, 'self'), { include: ['submission_history'] }));
  expect(told.submission_history.map((one: { attempt: number }) => one.attempt)).toEqual([1, 2, 3]);
});

test('a list of 10,000 submissions costs as much as a list of ten', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const task = await aTask(scene);
  const first = student.id + 1000;
  await manyStudents(10_000, course, first, 'S');
  await many(5_000, submissions, {
    id: sql`${task.id} * 67108864 + ${first} + n`,
    course_id: course.id,
    assignment_id: task.id,
    user_id: sql`${first} + n`,
    attempt: 1,
    submission_type: 'online_text_entry',
    body: 'x',
    workflow_state: 'submitted',
  });
  const large = within(await as(teacher).get(path(scene, task), { per_page: 100 }), 2);
  expect(ok(large)).toHaveLength(100);
  expect(large.cost.rows_read).toBeLessThan(3 * 100 + 200);
  const later = await as(teacher).get(large.links.next as string);
  expect(ok(later)[0].user_id).toBe(first + 99);
  expect(later.cost.rows_read).toBeLessThan(3 * 100 + 200);
  const flat = within(await as(teacher).get(`/courses/${course.id}/students/submissions`, { student_ids: ['all'], per_page: 100 }), 2);
  expect(ok(flat)).toHaveLength(100);
  expect(flat.cost.rows_read).toBeLessThan(3 * 100 + 200);
  const next = await as(teacher).get(flat.links.next as string);
  expect(next.cost.rows_read).toBeLessThan(3 * 100 + 200);
  const named = within(await as(teacher).get(at(course, `/${task.id}/gradeable_students`), { per_page: 100 }), 2);
  expect(named.cost.rows_read).toBeLessThan(3 * 100 + 200);
});

test('a grader of one course cannot change submissions in another', async () => {
  const scene = await aCourse(ground);
  const { teacher, student } = scene;
  const task = await aTask(scene);
  ok(await handIn(scene, task, student), 201);
  const graded = ok(await grade(scene, task, student, { posted_grade: '7' }, { comment: { text_comment: 'Well done' } }));
  const foreign = await aCourse(ground);
  const through = `/courses/${foreign.course.id}/assignments/${task.id}/submissions/${student.id}`;
  ok(await as(foreign.teacher).del(`${through}/comments/${graded.submission_comments[0].id}`), 404);
  ok(await as(foreign.teacher).put(`${through}/read`), 404);
  ok(await as(foreign.teacher).get(`${through}/rubric_comments/read`), 404);
  const shown = ok(await as(teacher).get(path(scene, task, student), { include: ['submission_comments'] }));
  expect(shown.submission_comments).toHaveLength(1);
  ok(await as(student).put(path(scene, { id: 999999 }, 'self', '/read')), 404);
});

test('students get a signed receipt of every attempt: content hashes and time', async () => {
  const scene = await aCourse(ground);
  const { student, student2, teacher } = scene;
  const task = await aTask(scene, { submission_types: ['online_text_entry', 'online_upload'] });
  const file = await upload(student, path(scene, task, 'self', '/files'), { name: 'essay.txt' }, 'four');
  const at = (id: number) => `/api/sync/v1/receipts/${id}`;
  const first = ok(await handIn(scene, task, student), 201);
  const second = ok(await handIn(scene, task, student, { submission_type: 'online_upload', file_ids: [file.id] }), 201);
  const keys = [(await signingKey(testJwtKey)).jwk];
  const receipt = async (attempt?: number) => {
    const token = readJwt(ok(within(await as(student).get(at(first.id), { ...(attempt && { attempt }) }), 2)).receipt);
    expect(token && (await isSignedBy(token, keys))).toBe(true);
    return token?.claims;
  };
  const shared = { aud: 'receipt', sub: String(student.id), submission_id: first.id, assignment_id: task.id, course_id: scene.course.id };
  expect(await receipt(1)).toMatchObject({
    ...shared,
    attempt: 1,
    submitted_at: first.submitted_at,
    submission_type: 'online_text_entry',
    sha256: await sha256('<p>Done.</p>'),
    files: [],
  });
  expect(await receipt()).toMatchObject({
    ...shared,
    attempt: 2,
    submitted_at: second.submitted_at,
    sha256: null,
    files: [{ id: file.id, name: 'essay.txt', size: 4, sha256: await sha256('four') }],
  });
  ok(await as(student).get(at(first.id), { attempt: 3 }), 404);
  for (const other of [student2, teacher]) ok(await as(other).get(at(first.id)), 404);
  ok(await as(student2).get(at(ok(await as(student2).get(path(scene, task, 'self'))).id)), 404);
  ok(await as().get(at(first.id)), 401);
});

test('grouped submissions say whether posting shows comments; includes without data are empty', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, observer } = scene;
  const assignment = { name: 'Essay', published: true, points_possible: 10, submission_types: ['on_paper'], post_manually: true };
  const essay = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  const single = `/courses/${course.id}/assignments/${essay.id}/submissions/${student.id}`;
  const held = async (person: typeof teacher, student_ids: unknown[] = [student.id]) => {
    const query = { student_ids, grouped: true, include: ['total_scores'] };
    const [group] = ok(within(await as(person).get(`/courses/${course.id}/students/submissions`, query), 2));
    return group.submissions[0].has_postable_comments;
  };
  ok(await as(student).put(single, { comment: { text_comment: 'mine' } }));
  expect(await held(teacher)).toBe(false);
  ok(await as(teacher).put(single, { comment: { text_comment: 'held back' } }));
  expect([await held(teacher), await held(student), await held(observer)]).toEqual([true, false, false]);
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${essay.id}/post_grades`));
  await vi.waitFor(async () => expect(await held(teacher)).toBe(false), { timeout: 20_000 });

  const include = '?include[]=student_entered_score';
  expect(ok(await as(student).get(`${single}${include}`)).student_entered_score).toBeNull();
  expect(ok(await as(teacher).get(`${single}${include}`))).not.toHaveProperty('student_entered_score');
  const [flat] = ok(
    await as(teacher).get(`/courses/${course.id}/students/submissions?student_ids[]=all&include[]=sub_assignment_submissions`),
  );
  expect(flat.sub_assignment_submissions).toEqual([]);
});

test('the submission of a graded discussion has what its student has written, and others do not make it dearer', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const topic = ok(
    await as(teacher).post(`/courses/${course.id}/discussion_topics`, {
      title: 'Debate',
      published: true,
      assignment: { points_possible: 5 },
    }),
  );
  const at = `/courses/${course.id}/discussion_topics/${topic.id}/entries`;
  const first = ok(await as(student).post(at, { message: '<p>First</p>' }), 201);
  const other = ok(await as(student2).post(at, { message: 'Other' }), 201);
  const reply = ok(await as(student).post(`${at}/${other.id}/replies`, { message: 'Reply' }), 201);
  const gone = ok(await as(student).post(at, { message: 'Gone' }), 201);
  ok(await as(student).del(`${at}/${gone.id}`));
  const work = `/courses/${course.id}/assignments/${topic.assignment_id}/submissions`;
  const single = within(await as(teacher).get(`${work}/${student.id}`), 2);
  expect(ok(single).discussion_entries).toMatchObject([
    { id: first.id, parent_id: null, message: '<p>First</p>', user_id: student.id, user_name: student.name, read_state: 'unread' },
    { id: reply.id, parent_id: other.id, message: 'Reply' },
  ]);
  const listed = ok(within(await as(teacher).get(work), 2));
  expect(listed.map((one: { discussion_entries: object[] }) => one.discussion_entries.length)).toEqual([2, 1]);
  expect(ok(await as(student2).get(`${work}/self`)).discussion_entries).toMatchObject([{ id: other.id, read_state: 'read' }]);

  await many(500, discussion_entries, {
    discussion_topic_id: topic.id,
    user_id: student2.id,
    message: nth('Noise '),
    created_at: '2026-09-01T08:00:00Z',
    updated_at: '2026-09-01T08:00:00Z',
  });
  const again = within(await as(teacher).get(`${work}/${student.id}`), 2);
  expect(ok(again).discussion_entries).toHaveLength(2);
  expect(again.cost.rows_read).toBeLessThanOrEqual(single.cost.rows_read + 5);
  expect(ok(await as(student2).get(`${work}/self`)).discussion_entries).toHaveLength(50);
  const essay = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Essay', published: true } }), 201);
  expect(ok(await as(teacher).get(`/courses/${course.id}/assignments/${essay.id}/submissions/${student.id}`))).not.toHaveProperty(
    'discussion_entries',
  );
});
