// Scores that students try out, and requests to submit again.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import { aCourse, type Person } from '../support/ground';

const soon = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z/, 'Z');
const essay = {
  name: 'Essay',
  published: true,
  points_possible: 10,
  submission_types: ['online_text_entry'],
  allowed_attempts: 2,
  due_at: soon,
};
const text = { submission: { submission_type: 'online_text_entry', body: 'My essay' } };

async function aScene() {
  const scene = await aCourse(ground);
  const at = `/courses/${scene.course.id}`;
  const teacher = as(scene.teacher);
  const assign = async (more: object = {}) => ok(await teacher.post(`${at}/assignments`, { assignment: { ...essay, ...more } }), 201).id;
  const first = await assign();
  const second = await assign({ name: 'Second', points_possible: 30 });
  const submissionOf = async (person: Person, assignment = first) =>
    ok(await as(person).get(`${at}/assignments/${assignment}/submissions/${person.id}`)).id;
  const own = async (client: Client, person: Person, assignment = first) =>
    ok(await client.get(`${at}/assignments/${assignment}/submissions/${person.id}?include[]=student_entered_score`));
  return { ...scene, at, teacher, assign, first, second, submissionOf, own };
}

let scene: Awaited<ReturnType<typeof aScene>>;
beforeAll(async () => {
  scene = await aScene();
});

const enter = (client: Client, submission: unknown, student_entered_score: unknown) =>
  client.put(`/submissions/${submission}/what_if_grades`, { student_entered_score });

test('a student tries out scores and gets the grades they would give', async () => {
  const { at, course, student, teacher, first, second, submissionOf, own } = scene;
  ok(await teacher.put(`${at}/assignments/${first}/submissions/${student.id}`, { submission: { posted_grade: 4 } }));
  const [one, two] = [await submissionOf(student), await submissionOf(student, second)];
  const group = { id: course.assignment_group_id, global_id: course.assignment_group_id, weight: 0, dropped: [] };
  const client = as(student);
  const answered = ok(within(await enter(client, one, 9), 3));
  expect(answered.submission).toEqual({ id: one, student_entered_score: 9 });
  expect(answered.grades).toEqual([
    {
      current: { grade: 90, total: 9, possible: 10, dropped: [] },
      current_groups: { [group.id]: { ...group, score: 9, possible: 10, grade: 90 } },
      final: { grade: 22.5, total: 9, possible: 40, dropped: [] },
      final_groups: { [group.id]: { ...group, score: 9, possible: 40, grade: 22.5 } },
    },
  ]);
  const both = ok(await enter(client, two, 20.123)).grades[0];
  expect([both.current.grade, both.final.total]).toEqual([72.8, 29.12]);

  expect(await own(client, student)).toMatchObject({ student_entered_score: 9, score: 4 });
  expect((await own(client, student, second)).student_entered_score).toBe(20.12);
  const listed = ok(await client.get(`${at}/students/submissions?include[]=student_entered_score`));
  expect(listed.map((row: { student_entered_score: number }) => row.student_entered_score).sort()).toEqual([20.12, 9]);
  const enrolled = ok(await client.get(`${at}/enrollments?user_id=self`));
  expect(enrolled[0].grades.current_score).toBe(40);

  expect(ok(await enter(client, two, null)).submission.student_entered_score).toBeNull();
  expect((await own(client, student, second)).student_entered_score).toBeNull();
  const reset = ok(within(await client.put(`${at}/what_if_grades/reset`), 3));
  expect(reset.grades[0].current).toEqual({ grade: 40, total: 4, possible: 10, dropped: [] });
  expect(reset).not.toHaveProperty('submission');
  expect((await own(client, student)).student_entered_score).toBeNull();
});

test('the scores that a student tries out are for the student alone', async () => {
  const { at, teacher, student, student2, observer, stranger, submissionOf, own } = scene;
  const theirs = await submissionOf(student2);
  ok(await enter(as(student2), theirs, 7));
  for (const client of [teacher, as(student), as(observer), as(stranger), as(scene.ta), as(await ground.admin())])
    ok(await enter(client, theirs, 1), 404);
  ok(await enter(as(), theirs, 1), 401);
  expect((await own(as(student2), student2)).student_entered_score).toBe(7);
  expect(await own(teacher, student2)).not.toHaveProperty('student_entered_score');
  for (const client of [teacher, as(observer), as(stranger), as()]) ok(await client.put(`${at}/what_if_grades/reset`), 401);
  const listed = ok(await teacher.get(`${at}/students/submissions?student_ids[]=all&include[]=student_entered_score`));
  for (const row of listed) expect(row).not.toHaveProperty('student_entered_score');
  ok(await as(student).put(`${at}/what_if_grades/reset`));
  expect((await own(as(student2), student2)).student_entered_score).toBe(7);
});

test('what cannot be tried out is refused', async () => {
  const { at, assign, student, teacher, submissionOf } = scene;
  const client = as(student);
  const id = await submissionOf(student);
  for (const wrong of ['much', 1e12, [1]])
    expect(JSON.stringify(ok(await enter(client, id, wrong), 400))).toContain('student_entered_score');
  for (const unknown of ['x', 0, 99, '9'.repeat(16), id + 1]) ok(await enter(client, unknown, 1), 404);
  const hidden = await assign({ published: false });
  const published = await assign();
  const gone = await submissionOf(student, published);
  ok(await enter(client, gone - published * 2 ** 26 + hidden * 2 ** 26, 1), 404);
  ok(await teacher.del(`${at}/assignments/${published}`));
  ok(await enter(client, gone, 1), 404);

  ok(await teacher.put(`${at}/settings`, { hide_final_grades: true }));
  expect(ok(await enter(client, id, 8))).toEqual({ grades: [], submission: { id, student_entered_score: 8 } });
  expect(ok(await client.put(`${at}/what_if_grades/reset`))).toEqual({ grades: [] });
  ok(await teacher.put(`${at}/settings`, { hide_final_grades: false }));
});

test('a grader asks for another attempt: the student sees it as to do until they submit again', async () => {
  const { at, teacher, student, student2, own } = await aScene();
  const client = as(student);
  const todo = async () => ok(await client.get(`${at}/todo`)).map(({ assignment }: { assignment: { name: string } }) => assignment.name);
  const planned = async (filter = '') => {
    const items = ok(await client.get(`/planner/items?start_date=2026-01-01${filter}`));
    return items.find((item: { plannable: { title: string } }) => item.plannable.title === 'Essay')?.submissions;
  };
  const single = `${at}/assignments/${(await own(client, student)).assignment_id}/submissions`;
  const reassign = (person: Client, id: unknown = student.id) => person.put(`${single}/${id}/reassign`);
  expect(ok(await reassign(teacher), 400).error).toMatch(/not submitted/);
  ok(await client.post(single, text), 201);
  ok(await teacher.put(`${single}/${student.id}`, { submission: { posted_grade: 3 } }));
  expect(await todo()).toEqual(['Second']);
  expect(await planned('&filter=incomplete_items')).toBe(undefined);

  for (const person of [client, as(student2), as(scene.stranger)]) ok(await reassign(person), 401);
  ok(await reassign(teacher, scene.stranger.id), 404);
  ok(within(await reassign(teacher), 3), 204);
  ok(await reassign(teacher), 204);
  expect(await own(client, student)).toMatchObject({ redo_request: true, workflow_state: 'graded', attempt: 1, score: 3 });
  expect(await own(teacher, student)).toMatchObject({ redo_request: true });
  expect(await todo()).toEqual(['Essay', 'Second']);
  expect(await planned()).toMatchObject({ redo_request: true, submitted: true });
  expect(await planned('&filter=incomplete_items')).toMatchObject({ redo_request: true });

  ok(await client.post(single, text), 201);
  const again = ok(await client.get(`${single}/self?include[]=submission_history`));
  expect(again).toMatchObject({ redo_request: false, workflow_state: 'submitted', attempt: 2 });
  expect(again.submission_history.map((one: { redo_request: boolean }) => one.redo_request)).toEqual([false, false]);
  expect(await todo()).toEqual(['Second']);
  expect(ok(await reassign(teacher), 400).error).toMatch(/no attempts left/);
  ok(
    await teacher.post(`${single.replace('/submissions', '')}/extensions`, {
      assignment_extensions: [{ user_id: student.id, extra_attempts: 1 }],
    }),
  );
  ok(
    await teacher.put(
      `${at.replace(/.*/, `/sections/${(await sectionOf(at, teacher)).id}`)}/${single.slice(at.length + 1)}/${student.id}/reassign`,
    ),
    204,
  );
  expect(await own(client, student)).toMatchObject({ redo_request: true });
  const close = (lock_at: string | null) =>
    teacher.put(single.replace('/submissions', ''), { assignment: { lock_at, due_at: lock_at ?? soon } });
  ok(await close(new Date(Date.now() - 60_000).toISOString()));
  expect(ok(within(await reassign(teacher), 3), 422).errors.error_code).toBe('ASSIGNMENT_LOCKED');
  ok(await close(null));
  ok(await teacher.put(`${single}/${student.id}`, { submission: { excuse: true } }));
  expect(await todo()).toEqual(['Second']);
  expect(ok(await reassign(teacher), 400).error).toMatch(/excused/);
});

test('only work with a due date is given back, and moderated work by its final grader', async () => {
  const { at, teacher, ta, student, assign } = await aScene();
  const made = async (more: object) => {
    const path = `${at}/assignments/${await assign({ name: 'Late', ...more })}`;
    ok(await as(student).post(`${path}/submissions`, text), 201);
    return path;
  };
  const path = await made({ due_at: null });
  const reassign = () => teacher.put(`${path}/submissions/${student.id}/reassign`);
  expect(ok(await reassign(), 401).errors[0].message).toMatch(/no due date/);
  ok(await teacher.post(`${path}/overrides`, { assignment_override: { student_ids: [student.id], due_at: soon } }), 201);
  ok(await reassign(), 204);
  const moderated = await made({ moderated_grading: true, grader_count: 1, final_grader_id: ta.id });
  ok(await teacher.put(`${moderated}/submissions/${student.id}/reassign`), 401);
  ok(await as(ta).put(`${moderated}/submissions/${student.id}/reassign`), 204);
});

const sectionOf = async (at: string, teacher: Client) => ok(await teacher.get(`${at}/sections`))[0];

test('anonymous work is given back by its anonymous id, and a discussion with the next post', async () => {
  const { at, teacher, student, assign, course } = await aScene();
  const anonymous = await assign({ name: 'Anonymous', anonymous_grading: true });
  const path = `${at}/assignments/${anonymous}`;
  ok(await as(student).post(`${path}/submissions`, text), 201);
  ok(await teacher.put(`${path}/submissions/${student.id}/reassign`), 401);
  const [{ anonymous_id }] = ok(await teacher.get(`${path}/submissions`)).filter((row: { attempt: unknown }) => row.attempt);
  ok(await teacher.put(`${path}/anonymous_submissions/${anonymous_id}/reassign`), 204);
  ok(await as(student).put(`${path}/anonymous_submissions/${anonymous_id}/reassign`), 401);
  expect(ok(await teacher.get(`${path}/anonymous_submissions/${anonymous_id}`))).toMatchObject({ redo_request: true });
  ok(await teacher.put(`${path}/anonymous_submissions/zzzzz/reassign`), 404);

  const given = { title: 'Debate', published: true, assignment: { points_possible: 5, due_at: soon } };
  const topic = ok(await teacher.post(`${at}/discussion_topics`, given));
  const post = async () =>
    ok(await as(student).post(`/courses/${course.id}/discussion_topics/${topic.id}/entries`, { message: 'I think' }), 201);
  const own = async () => ok(await as(student).get(`${at}/assignments/${topic.assignment_id}/submissions/self`));
  await post();
  ok(await teacher.put(`${at}/assignments/${topic.assignment_id}/submissions/${student.id}/reassign`), 204);
  expect(await own()).toMatchObject({ redo_request: true, attempt: 1 });
  await post();
  expect(await own()).toMatchObject({ redo_request: false, attempt: 2 });
});
