// Posting grades: policies of courses and assignments, what students see before and after, and jobs that were stopped.

import { env } from 'cloudflare:workers';
import { postGrades } from '@carrel/worker/domains/submissions/posting/posting';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, ground, manyStudents, ok, within } from '../support/api';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;

async function task({ course, teacher }: Scene, more: object = {}): Promise<number> {
  const assignment = { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'], ...more };
  return ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201).id;
}
const at = ({ course }: Scene, id: number, rest = '') => `/courses/${course.id}/assignments/${id}${rest}`;
const grade = async (scene: Scene, id: number, person: Person, posted_grade: string, comment?: string) =>
  ok(
    await as(scene.teacher).put(at(scene, id, `/submissions/${person.id}`), {
      submission: { posted_grade },
      ...(comment && { comment: { text_comment: comment } }),
    }),
  );
const own = async (scene: Scene, id: number, person: Person, query: object = { include: ['submission_comments', 'read_status'] }) =>
  ok(await as(person).get(at(scene, id, `/submissions/${person.id}`), query));
const policyOf = async (scene: Scene, id: number) => ok(await as(scene.teacher).get(at(scene, id))).post_manually;
const posted = async (person: Person, path: string, body: object = {}) => {
  const work = ok(within(await as(person).post(path, body), 3));
  expect(work).toMatchObject({ workflow_state: 'queued', tag: 'post_assignment_grades', context_type: 'Assignment' });
  await postGrades({ job: 'post_grades', progress_id: work.id }, platform);
  return ok(await as(person).get(`/progress/${work.id}`));
};
const nothing = { submission_comments: [], posted_at: null, points_deducted: null };

test('assignments follow the posting policy of their course unless they have their own', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, designer } = scene;
  const [plain, always, never] = [
    await task(scene),
    await task(scene, { post_manually: true }),
    await task(scene, { post_manually: false }),
  ];
  const policies = async () => [await policyOf(scene, plain), await policyOf(scene, always), await policyOf(scene, never)];
  expect(await policies()).toEqual([false, true, false]);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { post_manually: true } }));
  expect(ok(await as(teacher).get(`/courses/${course.id}`, { include: ['post_manually'] })).post_manually).toBe(true);
  expect(await policies()).toEqual([true, true, false]);
  expect(await policyOf(scene, await task(scene))).toBe(true);
  ok(await as(teacher).put(at(scene, never), { assignment: { post_manually: '' } }));
  expect(await policies()).toEqual([true, true, true]);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { post_manually: false } }));
  expect(await policies()).toEqual([false, true, false]);
  // Who cannot grade cannot decide what is shown of grades.
  await as(designer).put(`/courses/${course.id}`, { course: { post_manually: true } });
  await as(designer).put(at(scene, plain), { assignment: { post_manually: true } });
  expect(await policies()).toEqual([false, true, false]);
  const copy = ok(await as(teacher).post(at(scene, always, '/duplicate')));
  expect(await policyOf(scene, copy.id)).toBe(true);
});

test('a held grade is shown once it is posted, and hidden again', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, observer } = scene;
  const id = await task(scene, { post_manually: true });
  await grade(scene, id, student, '8.25', 'Well done');
  const total = async (person: Person) =>
    ok(await as(person).get(`/courses/${course.id}`, { include: ['total_scores'] })).enrollments[0]?.computed_current_score;
  const before = await own(scene, id, student);
  expect(before).toMatchObject({ ...nothing, read_status: 'read' });
  expect(Object.keys(before)).not.toEqual(expect.arrayContaining(['score']));
  expect(await total(student)).toBe(null);
  expect(ok(await as(student).get(at(scene, id)))).toMatchObject({ muted: true, post_manually: true });

  ok(await as(student).post(at(scene, id, '/post_grades')), 401);
  expect(await posted(teacher, at(scene, id, '/post_grades'), { graded_only: true })).toMatchObject({
    workflow_state: 'completed',
    completion: 100,
  });
  const after = await own(scene, id, student);
  expect(after).toMatchObject({
    score: 8.25,
    posted_at: expect.any(String),
    submission_comments: [{ comment: 'Well done' }],
    read_status: 'unread',
  });
  expect(ok(await as(observer).get(at(scene, id, `/submissions/${student.id}`)))).toMatchObject({ score: 8.25 });
  expect(await total(student)).toBe(82.5);
  expect(ok(await as(student).get(at(scene, id))).muted).toBe(false);
  // Only graded work was posted: what comes later is held.
  await grade(scene, id, student2, '7');
  expect(await own(scene, id, student2)).toMatchObject(nothing);

  expect(await posted(teacher, at(scene, id, '/hide_grades'))).toMatchObject({ workflow_state: 'completed' });
  expect(await own(scene, id, student)).toMatchObject(nothing);
  expect(await total(student)).toBe(null);
  await posted(teacher, at(scene, id, '/post_grades'));
  expect([(await own(scene, id, student)).score, (await own(scene, id, student2)).score]).toEqual([8.25, 7]);
});

test('posting for everyone also posts what is graded later, and a section is posted alone', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const section = await ground.section(course, { name: 'Second' });
  const [third, grader] = [await ground.person(), await ground.person()];
  await ground.enroll(course, third, 'student', { section_id: section });
  await ground.enroll(course, grader, 'ta', { section_id: section, limited: true });
  const id = await task(scene, { post_manually: true });
  await grade(scene, id, student, '5');
  await posted(teacher, at(scene, id, '/post_grades'), { section_ids: [section] });
  expect((await own(scene, id, student)).score).toBe(undefined);
  await grade(scene, id, third, '6');
  expect((await own(scene, id, third)).score).toBe(6);
  // A section-restricted grader reaches only their sections, and names no other.
  expect(ok(await as(grader).post(at(scene, id, '/post_grades'), { section_ids: [course.section_id] }), 400).errors[0].message).toContain(
    'section_ids',
  );
  ok(await as(teacher).post(at(scene, id, '/hide_grades'), { section_ids: [999_999] }), 400);
  ok(await as(teacher).post(at(scene, 999_999, '/hide_grades')), 404);
  await grade(scene, id, third, '6');
  await posted(grader, at(scene, id, '/hide_grades'));
  const hidden = await own(scene, id, third);
  expect([hidden.score, hidden.read_status]).toEqual([undefined, 'read']);
  await posted(grader, at(scene, id, '/post_grades'));
  expect([(await own(scene, id, student)).score, (await own(scene, id, third)).score]).toEqual([undefined, 6]);
  await posted(teacher, at(scene, id, '/post_grades'));
  await grade(scene, id, student2, '9');
  expect((await own(scene, id, student2)).score).toBe(9);
});

test('the grades of some students, or of all but some, are posted and hidden', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, stranger } = scene;
  const id = await task(scene, { post_manually: true });
  for (const person of [student, student2]) await grade(scene, id, person, '7');
  const seen = async () => [(await own(scene, id, student)).score ?? null, (await own(scene, id, student2)).score ?? null];
  const post = (query: object) => posted(teacher, at(scene, id, '/post_grades'), query);
  expect(await post({ only_student_ids: [student2.id] })).toMatchObject({ workflow_state: 'completed', completion: 100 });
  expect(await seen()).toEqual([null, 7]);
  await post({ skip_student_ids: [student2.id] });
  expect(await seen()).toEqual([7, 7]);
  await posted(teacher, at(scene, id, '/hide_grades'), { skip_student_ids: [student.id] });
  expect(await seen()).toEqual([7, null]);
  const refused = ok(await as(teacher).post(at(scene, id, '/hide_grades'), { only_student_ids: [student.id, stranger.id] }), 400);
  expect(JSON.stringify(refused)).toContain('only_student_ids');
  const query = `mutation { hideAssignmentGrades(input: {assignmentId: "${id}", onlyStudentIds: ["${stranger.id}"]}) { progress { state } errors { message } } }`;
  const answered = ok(await as(teacher).post('/api/graphql', { query }));
  expect(answered.data.hideAssignmentGrades).toEqual({
    progress: null,
    errors: [{ message: expect.stringContaining('only_student_ids') }],
  });
  const anonymous = await task(scene, { anonymous_grading: true });
  ok(await as(teacher).post(at(scene, anonymous, '/post_grades'), { only_student_ids: [student.id] }), 400);
});

test('a grade that was hidden of an assignment that posts at once stays out of statistics and notifications', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const id = await task(scene);
  const others = await Promise.all([1, 2, 3, 4, 5].map(() => ground.person()));
  for (const person of others) await ground.enroll(course, person, 'student');
  for (const person of [...others, student2]) await grade(scene, id, person, '5');
  await grade(scene, id, student, '9.75', 'Excellent');
  const section_ids = [await ground.section(course)];
  await ground.enroll(course, student, 'student', { section_id: section_ids[0] as number });
  await posted(teacher, at(scene, id, '/hide_grades'), { section_ids });
  expect(await own(scene, id, student)).toMatchObject(nothing);
  const seen = ok(await as(student2).get(at(scene, id), { include: ['submission', 'score_statistics'] }));
  expect(seen.score_statistics).toMatchObject({ max: 5 });
  await ground.db.run('delete from comm_messages');
  ok(await as(teacher).put(at(scene, id, `/submissions/${student.id}`), { comment: { text_comment: 'A secret' } }));
  await tick(platform, Date.now() + 60_000);
  const letters = await ground.db.all(`select subject from comm_messages where user_id = ${student.id} and subject like '%comment%'`);
  expect(letters).toEqual([]);
  // What a student cannot see is not unread.
  expect((await own(scene, id, student)).read_status).toBe('read');
});

test('posting that was stopped continues after the students that it has reached', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const id = await task(scene, { post_manually: true });
  await manyStudents(600, course, 500_000, 'Many');
  const wish = { does: 'post', course_id: course.id, assignment_id: id, graded_only: false, section_ids: null };
  const job = { tag: 'post_assignment_grades', context_type: 'Assignment', context_id: id, user_id: teacher.id };
  const work = await ground.progress({ ...job, arguments: wish });
  const reached = async () =>
    (await ground.db.all<{ n: number }>(`select count(*) as n from submissions where assignment_id = ${id}`))[0]?.n;
  await expect(postGrades({ job: 'post_grades', progress_id: work }, dyingAfter(3))).rejects.toThrow('killed');
  expect(ok(await as(teacher).get(`/progress/${work}`))).toMatchObject({ workflow_state: 'running' });
  expect(await reached()).toBe(500);
  await postGrades({ job: 'post_grades', ids: [work] }, platform);
  expect(ok(await as(teacher).get(`/progress/${work}`))).toMatchObject({ workflow_state: 'completed', completion: 100 });
  expect(await reached()).toBe(602);
  // A message that is delivered again does nothing.
  await postGrades({ job: 'post_grades', ids: [work] }, platform);
});
