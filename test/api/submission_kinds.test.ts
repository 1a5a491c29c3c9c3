// Kinds of submissions besides text, addresses and files; stickers, recorded comments, and filters of lists.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;

async function assign({ course, teacher }: Scene, given: object, status = 201) {
  const assignment = { name: 'Essay', points_possible: 10, published: true, ...given };
  return ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), status);
}
const worksOf = ({ course }: Scene, { id }: { id: number }) => `/courses/${course.id}/assignments/${id}/submissions`;

test('students annotate the document of the assignment, which its teacher must be able to read', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const types = { submission_types: ['student_annotation'] };
  const document = await upload(teacher, `/courses/${course.id}/files`, { name: 'poem.txt' }, 'a poem');
  const own = await upload(student, '/users/self/files', { name: 'private.txt' }, 'mine');
  expect(Object.keys((await assign(scene, types, 400)).errors)).toEqual(['annotatable_attachment_id']);
  await assign(scene, { ...types, annotatable_attachment_id: own.id }, 400);
  const task = await assign(scene, { ...types, annotatable_attachment_id: document.id, allowed_attempts: 1 });
  expect(task.annotatable_attachment_id).toBe(document.id);
  const there = `/courses/${course.id}/assignments/${task.id}`;
  const change = async (assignment: object, status: number) => ok(within(await as(teacher).put(there, { assignment }), 3), status);
  await change({ annotatable_attachment_id: own.id }, 400);
  await change({ annotatable_attachment_id: '' }, 400);
  expect((await change({ name: 'Annotate' }, 200)).annotatable_attachment_id).toBe(document.id);
  const hand = async (annotatable_attachment_id: number | undefined, status: number) => {
    const submission = { submission_type: 'student_annotation', annotatable_attachment_id };
    return ok(within(await as(student).post(`${there}/submissions`, { submission }), 3), status);
  };
  await hand(undefined, 400);
  await hand(own.id, 400);
  expect(await hand(document.id, 201)).toMatchObject({ submission_type: 'student_annotation', attempt: 1, workflow_state: 'submitted' });
  // Annotations count as attempts.
  expect(Object.keys(await hand(document.id, 400))).toEqual(['attempt']);
});

test('recordings and work in a tool are submitted, without a limit of attempts', async () => {
  const scene = await aCourse(ground);
  const { student, teacher } = scene;
  const talk = await assign(scene, { submission_types: ['media_recording'], allowed_attempts: 1 });
  const hand = async (task: { id: number }, submission: object, status = 201) =>
    ok(within(await as(student).post(worksOf(scene, task), { submission }), 3), status);
  const recording = { submission_type: 'media_recording', media_comment_id: 'm-12', media_comment_type: 'audio' };
  const media_comment = { 'content-type': 'audio/mp4', display_name: null, media_id: 'm-12', media_type: 'audio', url: null };
  expect(await hand(talk, recording)).toMatchObject({ submission_type: 'media_recording', attempt: 1, media_comment });
  await hand(talk, { submission_type: 'media_recording', media_comment_type: 'audio' }, 400);
  await hand(talk, { submission_type: 'media_recording', media_comment_id: 'm-12' }, 400);
  await hand(talk, { ...recording, media_comment_type: 'hologram' }, 400);
  expect(await hand(talk, { ...recording, media_comment_id: 'm-13' })).toMatchObject({ attempt: 2, media_comment: { media_id: 'm-13' } });
  const { submission_history } = ok(await as(teacher).get(`${worksOf(scene, talk)}/${student.id}`, { include: ['submission_history'] }));
  expect(submission_history.map((one: { media_comment: { media_id: string } }) => one.media_comment.media_id)).toEqual(['m-12', 'm-13']);

  const text = await assign(scene, { submission_types: ['online_text_entry'] });
  const launch = { submission_type: 'basic_lti_launch', url: 'https://tool.example/launch' };
  expect(await hand(text, launch)).toMatchObject({ submission_type: 'basic_lti_launch', url: launch.url, body: null });
  await hand(text, { submission_type: 'basic_lti_launch' }, 400);
  await hand(text, { submission_type: 'basic_lti_launch', url: 'javascript:alert(1)' }, 400);
  const paper = await assign(scene, { submission_types: ['on_paper'] });
  await hand(paper, launch, 400);
});

test('a submission on behalf of a student names the grader, until the student submits again', async () => {
  const scene = await aCourse(ground);
  const { student, teacher } = scene;
  const task = await assign(scene, { submission_types: ['online_text_entry'] });
  const hand = async (who: typeof teacher, more: object) => {
    const submission = { submission_type: 'online_text_entry', body: 'text', ...more };
    return ok(within(await as(who).post(worksOf(scene, task), { submission }), 3), 201);
  };
  const proxy = { proxy_submitter_id: teacher.id, proxy_submitter: teacher.name };
  expect(await hand(teacher, { user_id: student.id })).toMatchObject(proxy);
  expect(ok(await as(student).get(`${worksOf(scene, task)}/${student.id}`))).toMatchObject(proxy);
  const own = await hand(student, {});
  expect(own).not.toHaveProperty('proxy_submitter_id');
  const history = ok(await as(student).get(`${worksOf(scene, task)}/${student.id}`, { include: ['submission_history'] }));
  expect(history.submission_history[0].proxy_submitter_id).toBe(teacher.id);
  expect(history.submission_history[1]).not.toHaveProperty('proxy_submitter_id');
});

test('a grader sticks a sticker on a submission, and comments with a recording', async () => {
  const scene = await aCourse(ground);
  const { student, teacher, ta } = scene;
  const task = await assign(scene, { submission_types: ['online_text_entry'] });
  const there = `${worksOf(scene, task)}/${student.id}`;
  const put = async (who: typeof teacher, body: object, status = 200) => ok(within(await as(who).put(there, body), 3), status);
  expect(await put(ta, { submission: { sticker: 'trophy' } })).toMatchObject({
    sticker: 'trophy',
    workflow_state: 'unsubmitted',
    grade: null,
  });
  await put(teacher, { submission: { sticker: '<b>' } }, 400);
  await put(student, { submission: { sticker: 'panda1' } }, 401);
  expect(await put(teacher, { submission: { posted_grade: '7' } })).toMatchObject({ sticker: 'trophy', grade: '7' });
  expect(await put(teacher, { submission: { sticker: '' } })).toMatchObject({ sticker: null, grade: '7' });
  await put(teacher, { comment: { media_comment_id: 'm-1', media_comment_type: 'video' } });
  await put(teacher, { comment: { text_comment: 'if a < b &\nthen' } });
  const grade_data = { [student.id]: { text_comment: 'bulk', media_comment_id: 'm-2', media_comment_type: 'audio' } };
  ok(await as(teacher).post(`${worksOf(scene, task)}/update_grades`, { grade_data }));
  const both = { include: ['submission_comments', 'submission_html_comments'] };
  const { submission_comments: plain, submission_html_comments: html } = ok(within(await as(student).get(there, both), 2));
  expect(plain).toMatchObject([
    { comment: '', media_comment: { media_id: 'm-1', media_type: 'video' } },
    { comment: 'if a < b &\nthen' },
    { comment: 'bulk', media_comment: { media_id: 'm-2' } },
  ]);
  expect(html.map((one: { comment: string }) => one.comment)).toEqual(['', 'if a &#60; b &#38;<br>then', 'bulk']);
  const changed = ok(await as(teacher).put(`${there}/comments/${plain[0].id}`, { comment: 'listen' }));
  expect(changed).toMatchObject({ comment: 'listen', media_comment: { media_id: 'm-1' } });
});

test('submissions are listed for students named by their SIS ids', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student2 } = scene;
  const student = await ground.person({ sis_user_id: 'S-LIST' });
  await ground.enroll(course, student, 'student');
  await assign(scene, { submission_types: ['online_text_entry'] });
  const list = (who: typeof teacher, student_ids: unknown[], more: object = {}) =>
    as(who).get(`/courses/${course.id}/students/submissions`, { student_ids, ...more });
  const users = (found: { user_id: number }[]) => found.map(({ user_id }) => user_id);
  expect(users(ok(within(await list(teacher, ['sis_user_id:S-LIST']), 2)))).toEqual([student.id]);
  expect(users(ok(within(await list(teacher, ['sis_user_id:S-LIST', student2.id], { grouped: true }), 2)))).toEqual(
    [student.id, student2.id].sort((a, b) => a - b),
  );
  expect(ok(await list(teacher, ['sis_user_id:NOBODY']))).toEqual([]);
  ok(await list(student2, ['sis_user_id:S-LIST']), 401);
});

test('students whose dates have ended count as concluded, unless only the stored state is asked for', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  await assign(scene, { submission_types: ['online_text_entry'] });
  const now = await ground.person();
  await ground.enroll(course, now, 'student');
  const ended = {
    section: {
      name: 'Ended',
      end_at: '2020-01-01T00:00:00Z',
      start_at: '2019-01-01T00:00:00Z',
      restrict_enrollments_to_section_dates: true,
    },
  };
  const admin = await ground.admin();
  const section = ok(await as(admin).post(`/courses/${course.id}/sections`, { course_section: ended.section }));
  const past = await ground.person();
  await ground.enroll(course, past, 'student', { section_id: section.id });
  const list = async (query: object) => {
    const found = ok(
      within(await as(teacher).get(`/courses/${course.id}/students/submissions`, { student_ids: ['all'], per_page: 50, ...query }), 2),
    );
    return found.map(({ user_id }: { user_id: number }) => user_id).sort((a: number, b: number) => a - b);
  };
  const present = [student.id, student2.id, now.id].sort((a, b) => a - b);
  for (const grouped of [false, true]) {
    expect(await list({ enrollment_state: 'active', grouped })).toEqual(present);
    expect(await list({ enrollment_state: 'concluded', grouped })).toEqual([past.id]);
    expect(await list({ enrollment_state: 'active', state_based_on_date: false, grouped })).toEqual([...present, past.id]);
  }
  expect(await list({ enrollment_state: 'concluded', state_based_on_date: false })).toEqual([]);
});

test('graded submissions of a student leave out courses that have ended for them on request', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const task = await assign(scene, {});
  ok(await as(teacher).put(`${worksOf(scene, task)}/${student.id}`, { submission: { posted_grade: '7' } }));
  const list = async (query: object) => ok(within(await as(student).get('/users/self/graded_submissions', query), 2));
  const current = { only_current_enrollments: true, only_published_assignments: true };
  expect(await list(current)).toHaveLength(1);
  const [enrolled] = ok(await as(teacher).get(`/courses/${course.id}/enrollments`, { user_id: student.id }));
  ok(await as(teacher).del(`/courses/${course.id}/enrollments/${enrolled.id}`, { task: 'conclude' }));
  expect(await list(current)).toEqual([]);
  expect(await list({})).toHaveLength(1);
});

test('a course that hides distribution graphs shows no statistics of scores to students', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student } = scene;
  const task = await assign(scene, {});
  const others = await Promise.all([1, 2, 3, 4].map(() => ground.person()));
  await Promise.all(others.map((person) => ground.enroll(course, person, 'student')));
  const grade_data = Object.fromEntries([student, ...others].map(({ id }, at) => [id, { posted_grade: String(at) }]));
  ok(await as(teacher).post(`${worksOf(scene, task)}/update_grades`, { grade_data }));
  const seen = async (who: typeof teacher) =>
    ok(await as(who).get(`/courses/${course.id}/assignments/${task.id}`, { include: ['submission', 'score_statistics'] })).score_statistics;
  expect(await seen(student)).toMatchObject({ min: 0, max: 4, median: 2 });
  ok(await as(teacher).put(`/courses/${course.id}/settings`, { hide_distribution_graphs: true }));
  expect(await seen(student)).toBeUndefined();
  expect(await seen(teacher)).toMatchObject({ max: 4 });
});

test('assignments show what their includes ask for, and keep rules between settings', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const task = await assign(scene, { submission_types: [''], ab_guid: ['one', 'two'], hide_in_gradebook: true });
  expect(task).toMatchObject({ submission_types: ['none'], omit_from_final_grade: true });
  const there = `/courses/${course.id}/assignments`;
  const include = ['ab_guid', 'checkpoints'];
  expect(ok(within(await as(teacher).get(there, { include }), 2))).toMatchObject([
    { ab_guid: ['one', 'two'], has_sub_assignments: false, checkpoints: [] },
  ]);
  expect(ok(await as(teacher).get(there, { new_quizzes: true }))).toEqual([]);
  const changed = ok(await as(teacher).put(`${there}/${task.id}`, { assignment: { omit_from_final_grade: false } }));
  expect(changed.omit_from_final_grade).toBe(true);
  expect((await assign(scene, { submission_types: ['online_quiz'] })).can_duplicate).toBe(false);
});
