// Peer reviews: assigned by hand and by the clock, read and written by reviewers, anonymous or not.

import { env } from 'cloudflare:test';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const later = (minutes: number) => Math.floor(Date.now() / 60_000) * 60_000 + minutes * 60_000;
const time = (minutes: number) => new Date(later(minutes)).toISOString();

async function aTask({ course, teacher }: Scene, more: object = {}) {
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    submission_types: ['online_text_entry'],
    peer_reviews: true,
    ...more,
  };
  const made = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  return { id: made.id as number, path: `/courses/${course.id}/assignments/${made.id}` };
}
type Task = Awaited<ReturnType<typeof aTask>>;

const handIn = async (task: Task, person: Person) =>
  ok(
    await as(person).post(`${task.path}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: `by number ${person.id}` },
    }),
    201,
  ) as {
    id: number;
  };
const manyStudents = async ({ course }: Scene, count: number) => {
  const people = await Promise.all(Array.from({ length: count }, () => ground.person()));
  for (const person of people) await ground.enroll(course, person, 'student');
  return people;
};
const listed = async (task: Task, person: Person, query = '') => ok(within(await as(person).get(`${task.path}/peer_reviews${query}`), 2));
const assign = (task: Task, submission: { id: number }, by: Person, assessor: Person) =>
  as(by).post(`${task.path}/submissions/${submission.id}/peer_reviews`, { user_id: assessor.id });

test('a teacher assigns a peer review, and the reviewer reads the submission and completes the review by a comment', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, ta, course } = scene;
  const task = await aTask(scene);
  const work = await handIn(task, student);
  const single = `${task.path}/submissions/${student.id}`;
  expect((await as(student2).get(single)).status).toBe(401);
  const review = ok(within(await assign(task, work, teacher, student2), 3));
  expect(review).toEqual({
    id: review.id,
    user_id: student.id,
    assessor_id: student2.id,
    asset_id: work.id,
    asset_type: 'Submission',
    workflow_state: 'assigned',
  });
  expect(ok(await assign(task, work, teacher, student2)).id).toBe(review.id);
  ok(await as(teacher).put(single, { submission: { posted_grade: 7 }, comment: { text_comment: 'for the student' } }));

  const seen = ok(within(await as(student2).get(`${single}?include[]=submission_comments&include[]=submission_history`), 2));
  expect(seen).toMatchObject({
    user_id: student.id,
    body: `by number ${student.id}`,
    workflow_state: 'submitted',
    graded_at: null,
    grader_id: null,
  });
  expect(seen.submission_comments).toEqual([]);
  for (const one of [seen, ...seen.submission_history])
    for (const key of ['score', 'grade', 'entered_score']) expect(one).not.toHaveProperty(key);
  expect((await as(student2).put(single, { submission: { posted_grade: 10 } })).status).toBe(401);
  for (const rest of ['/read', '/rubric_assessments/read']) expect((await as(student2).put(`${single}${rest}`, {})).status).toBe(401);

  const told = ok(within(await as(student2).put(single, { comment: { text_comment: 'Well argued.' } }), 3));
  expect(told.submission_comments.map((one: { comment: string }) => one.comment)).toEqual(['Well argued.']);
  expect(told.all_submissions).toHaveLength(1);
  const own = `${single}/comments/${told.submission_comments[0].id}`;
  expect(ok(within(await as(student2).put(own, { comment: 'Well argued!' }), 3)).comment).toBe('Well argued!');
  const byTeacher = ok(await as(teacher).get(`${single}?include[]=submission_comments`)).submission_comments[0];
  for (const answer of [
    await as(student2).put(`${single}/comments/${byTeacher.id}`, { comment: 'x' }),
    await as(student2).del(`${single}/comments/${byTeacher.id}`),
  ])
    expect(answer.status).toBe(401);
  ok(await as(student2).put(own, { comment: 'Well argued.' }));
  const [done] = await listed(task, teacher, '?include[]=user&include[]=submission_comments');
  expect(done).toMatchObject({
    workflow_state: 'completed',
    user: { display_name: student.name },
    assessor: { display_name: student2.name },
    submission_comments: [{ comment: 'Well argued.' }],
  });
  expect(await listed(task, student)).toMatchObject([{ assessor_id: student2.id }]);
  expect(await listed(task, student2)).toEqual([]);
  expect(ok(await as(ta).get(`/sections/${course.section_id}/assignments/${task.id}/submissions/${work.id}/peer_reviews`))).toHaveLength(1);

  const removal = `${task.path}/submissions/${work.id}/peer_reviews?user_id=${student2.id}`;
  expect(ok(within(await as(teacher).del(removal), 3))).toMatchObject({ id: review.id, assessor_id: student2.id });
  expect((await as(teacher).del(removal)).status).toBe(400);
  expect((await as(student2).get(single)).status).toBe(401);
  expect((await as(student2).put(single, { comment: { text_comment: 'again' } })).status).toBe(401);
  expect((await as(student2).put(own, { comment: 'again' })).status).toBe(401);
  expect((await as(student2).del(own)).status).toBe(401);
});

test('peer reviews are assigned, read and written through a section, too', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, course } = scene;
  const task = await aTask(scene, { anonymous_peer_reviews: true });
  const work = await handIn(task, student);
  const place = `/sections/${course.section_id}/assignments/${task.id}`;
  const reviews = `${place}/submissions/${work.id}/peer_reviews`;
  ok(within(await as(teacher).post(reviews, { user_id: student2.id }), 3));
  for (const path of [reviews, `${place}/peer_reviews`, `${task.path}/submissions/${work.id}/peer_reviews`])
    expect(ok(within(await as(teacher).get(path), 2))).toMatchObject([{ user_id: student.id, assessor_id: student2.id }]);
  const [request] = ok(await as(student2).get(`${task.path}?include[]=assessment_requests`)).assessment_requests;
  const single = `${place}/anonymous_submissions/${request.anonymous_id}`;
  expect(ok(await as(student2).get(single)).anonymous_id).toBe(request.anonymous_id);
  expect(ok(await as(student2).put(single, { comment: { text_comment: 'Clear.' } })).submission_comments).toHaveLength(1);
  expect(ok(await as(teacher).del(`${reviews}?user_id=${student2.id}`))).toMatchObject({ workflow_state: 'deleted' });
});

test('a review of the own submission, by a stranger or of another assignment is refused', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, stranger, course } = scene;
  const task = await aTask(scene);
  const other = await aTask(scene);
  const work = await handIn(task, student);
  const own = await assign(task, work, teacher, student);
  expect(own.status).toBe(400);
  expect(Object.keys(own.body.errors)).toEqual(['base']);
  expect((await assign(task, work, teacher, stranger)).status).toBe(404);
  expect((await assign(task, { id: work.id + 2 ** 20 }, teacher, student2)).status).toBe(404);
  expect((await assign(other, work, teacher, student2)).status).toBe(404);
  expect((await assign(task, work, student, student2)).status).toBe(401);
  expect((await as(teacher).get(`/courses/${course.id}/assignments/999999/peer_reviews`)).status).toBe(404);

  const section = await ground.section(course);
  const far = await ground.person();
  await ground.enroll(course, far, 'student', { section_id: section });
  const helper = await ground.person();
  await ground.enroll(course, helper, 'ta', { section_id: section, limited: true });
  expect((await assign(task, work, helper, far)).status).toBe(404);
  ok(await assign(task, work, teacher, far));
  expect(await listed(task, helper)).toEqual([]);
});

test('the reviewer and the student do not learn who the other is in an anonymous review', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const task = await aTask(scene, { anonymous_peer_reviews: true });
  const work = await handIn(task, student);
  ok(await assign(task, work, teacher, student2));
  const [request] = ok(await as(student2).get(`${task.path}?include[]=assessment_requests`)).assessment_requests;
  expect(request).toEqual({
    id: expect.any(Number),
    anonymous_id: expect.stringMatching(/^\w{5}$/),
    workflow_state: 'assigned',
    available: true,
  });
  for (const method of ['get', 'put'] as const)
    expect((await as(student2)[method](`${task.path}/submissions/${student.id}`, { comment: { text_comment: 'x' } })).status).toBe(401);

  const single = `${task.path}/anonymous_submissions/${request.anonymous_id}`;
  const all =
    'include[]=user&include[]=group&include[]=html_url&include[]=submission_comments&include[]=submission_history&include[]=course';
  const seen = within(await as(student2).get(`${single}?${all}`), 2);
  expect(ok(seen)).toMatchObject({ anonymous_id: request.anonymous_id, submission_type: 'online_text_entry' });
  const told = within(await as(student2).put(single, { comment: { text_comment: 'Thoughtful.' } }), 3);
  expect(ok(told).submission_comments).toMatchObject([{ author_id: student2.id }]);
  for (const { body } of [seen, told]) {
    const text = JSON.stringify({ ...body, body: null, submission_history: [], all_submissions: [], course: null });
    for (const secret of [student.name, student.login, String(work.id), `/users/${student.id}`, `/submissions/${student.id}`])
      expect(text).not.toContain(secret);
    expect(body).not.toHaveProperty('user_id');
    for (const one of [...(body.submission_history ?? []), ...(body.all_submissions ?? [])]) {
      expect(one).not.toHaveProperty('user_id');
      expect(one.id).toBe(body.id);
    }
  }
  const own = ok(await as(student).get(`${task.path}/submissions/${student.id}?include[]=submission_comments`));
  expect(own.submission_comments).toMatchObject([{ author_id: null, author_name: 'Anonymous User', author: {}, comment: 'Thoughtful.' }]);
  const [review] = await listed(task, student, '?include[]=user&include[]=submission_comments');
  expect(JSON.stringify(review)).not.toContain(student2.name);
  expect(review).not.toHaveProperty('assessor_id');
  expect(await listed(task, teacher)).toMatchObject([{ assessor_id: student2.id, workflow_state: 'completed' }]);
  const feedback = ok(await as(student).get('/users/self/activity_stream'));
  expect(JSON.stringify(feedback.map((one: { submission_comments?: object }) => one.submission_comments))).not.toContain(student2.name);

  ok(await as(student).put(`${task.path}/submissions/${student.id}`, { comment: { text_comment: 'by the author' } }));
  const byGrader = within(await as(teacher).get(`${single}?${all}`), 2);
  expect(ok(byGrader)).toMatchObject({ anonymous_id: request.anonymous_id, body: `by number ${student.id}` });
  const shown = JSON.stringify({ ...byGrader.body, body: null, submission_history: [], course: null });
  for (const secret of [student.name, String(work.id), `/users/${student.id}`, '"user_id"']) expect(shown).not.toContain(secret);
  expect(ok(within(await as(teacher).put(single, { submission: { posted_grade: 5 } }), 3))).toMatchObject({
    score: 5,
    anonymous_id: request.anonymous_id,
  });
  expect((await as(teacher).get(`${task.path}/anonymous_submissions/zzzzz`)).status).toBe(404);
});

test('an anonymous reviewer assesses by the rubric without learning whose work it is', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const task = await aTask(scene, { anonymous_peer_reviews: true });
  const made = ok(
    await as(teacher).post(`/courses/${course.id}/rubrics`, {
      rubric: { title: 'Essay', criteria: [{ description: 'Method', ratings: [{ points: 10 }, { points: 0 }] }] },
      rubric_association: { association_id: task.id, association_type: 'Assignment', use_for_grading: true },
    }),
  );
  const all = `/courses/${course.id}/rubric_associations/${made.rubric_association.id}/rubric_assessments`;
  const work = await handIn(task, student);
  ok(await assign(task, work, teacher, student2));
  const [{ anonymous_id }] = ok(await as(student2).get(`${task.path}?include[]=assessment_requests`)).assessment_requests;
  const state = async () => (await listed(task, teacher))[0].workflow_state;
  const rated = (student: object, points: number) => ({
    rubric_assessment: { ...student, [`criterion_${made.rubric.data[0].id}`]: { points } },
  });

  ok(await as(student2).put(`${task.path}/anonymous_submissions/${anonymous_id}`, { comment: { text_comment: 'Thoughtful.' } }));
  expect(await state(), 'the rubric completes it').toBe('assigned');
  ok(await as(student2).post(all, rated({ user_id: student.id }, 7)), 401);
  ok(await as(student2).post(all, rated({ anonymous_id: 'zzzzz' }, 7)), 401);
  ok(await as(student).post(all, rated({ anonymous_id }, 7)), 401);
  const first = within(await as(student2).post(all, rated({ anonymous_id }, 7)), 3);
  expect(ok(first)).toMatchObject({ anonymous_id, score: 7, assessment_type: 'peer_review', assessor_id: student2.id });
  expect(await state()).toBe('completed');
  const { id } = first.body;
  const second = within(await as(student2).put(`${all}/${id}`, rated({}, 4)), 3);
  expect(ok(second)).toMatchObject({ id, anonymous_id, score: 4 });
  const read = await as(student2).get(
    `${task.path}/anonymous_submissions/${anonymous_id}?include[]=rubric_assessment&include[]=full_rubric_assessment`,
  );
  expect(Object.values(ok(read).rubric_assessment)).toMatchObject([{ points: 4 }]);
  const rubric = ok(
    await as(teacher).get(`/courses/${course.id}/rubrics/${made.rubric.id}`, { include: ['peer_assessments'], style: 'full' }),
  );
  expect(rubric.assessments).toMatchObject([{ user_id: student.id, assessor_id: student2.id, score: 4 }]);
  const own = ok(
    await as(student).get(`${task.path}/submissions/${student.id}?include[]=full_rubric_assessment&include[]=rubric_assessment`),
  );
  expect(JSON.stringify(own)).not.toContain(student2.name);
  ok(await as(student).del(`${all}/${id}`), 401);
  const gone = await as(student2).del(`${all}/${id}`);
  expect(ok(gone)).toMatchObject({ id, anonymous_id });
  for (const { body } of [first, second, read, gone]) {
    expect(body).not.toHaveProperty('user_id');
    const text = JSON.stringify({ ...body, body: null });
    for (const secret of [student.name, String(work.id), `/users/${student.id}`, `/submissions/${student.id}`])
      expect(text).not.toContain(secret);
  }
});

test('automatic reviews are assigned at the due date, and again for students who join later', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const people = [student, student2, ...(await manyStudents(scene, 4))];
  const task = await aTask(scene, { automatic_peer_reviews: true, peer_review_count: 2, due_at: time(30) });
  for (const person of people.slice(0, 5)) await handIn(task, person);
  await tick(env as unknown as Platform, later(29));
  expect(await listed(task, teacher)).toEqual([]);
  await tick(env as unknown as Platform, later(32));
  const first = await listed(task, teacher, '?per_page=50');
  const tally = (reviews: { user_id: number; assessor_id: number }[], key: 'user_id' | 'assessor_id') =>
    people.map(({ id }) => reviews.filter((one) => one[key] === id).length);
  expect(tally(first, 'assessor_id')).toEqual([2, 2, 2, 2, 2, 0]);
  expect(tally(first, 'user_id')).toEqual([2, 2, 2, 2, 2, 0]);

  await handIn(task, people[5] as Person);
  await tick(env as unknown as Platform, later(33));
  const second = await listed(task, teacher, '?per_page=50');
  expect(tally(second, 'assessor_id')).toEqual([2, 2, 2, 2, 2, 2]);
  expect(second.slice(0, first.length)).toEqual(first);
  expect(second.every((one: { user_id: number; assessor_id: number }) => one.user_id !== one.assessor_id)).toBe(true);
  await tick(env as unknown as Platform, later(40));
  expect(await listed(task, teacher, '?per_page=50')).toEqual(second);
});

test('members of a group review other groups, unless the assignment lets them review each other', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, course } = scene;
  const people = [student, student2, ...(await manyStudents(scene, 2))];
  const category = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  for (const members of [people.slice(0, 2), people.slice(2)]) {
    const group = ok(await as(teacher).post(`/group_categories/${category.id}/groups`, { name: 'Team' }));
    ok(await as(teacher).put(`/groups/${group.id}`, { members: members.map(({ id }) => id) }));
  }
  const grouped = { automatic_peer_reviews: true, peer_review_count: 2, due_at: time(-5), group_category_id: category.id };
  const apart = await aTask(scene, grouped);
  const together = await aTask(scene, { ...grouped, peer_review_count: 3, intra_group_peer_reviews: true });
  for (const task of [apart, together]) for (const person of [people[0], people[2]]) await handIn(task, person as Person);
  await tick(env as unknown as Platform, later(2));
  const teamOf = (id: number) => people.findIndex((one) => one.id === id) >> 1;
  const reviews = await listed(apart, teacher, '?per_page=50');
  expect(reviews).toHaveLength(8);
  expect(reviews.every((one: { user_id: number; assessor_id: number }) => teamOf(one.user_id) !== teamOf(one.assessor_id))).toBe(true);
  expect(await listed(together, teacher, '?per_page=50')).toHaveLength(12);
});
