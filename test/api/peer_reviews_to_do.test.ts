// Where users see the peer reviews that they are asked for: planner, activity stream and notifications; and the files that they review.

import { env } from 'cloudflare:test';
import { assessment_requests } from '@carrel/worker/domains/peer_reviews/table';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { sendContent } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
type Item = Record<string, unknown> & { plannable_id: number; plannable_type: string; plannable: Record<string, unknown> };

async function aTask({ course, teacher }: Scene, more: object = {}) {
  const assignment = {
    name: 'Essay',
    published: true,
    points_possible: 10,
    submission_types: ['online_text_entry', 'online_upload'],
    peer_reviews: true,
    due_at: '2030-05-01T10:00:00Z',
    ...more,
  };
  const made = ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201);
  return { id: made.id as number, path: `/courses/${course.id}/assignments/${made.id}` };
}
type Task = Awaited<ReturnType<typeof aTask>>;

const handIn = async (task: Task, person: Person): Promise<{ id: number }> =>
  ok(await as(person).post(`${task.path}/submissions`, { submission: { submission_type: 'online_text_entry', body: 'Mine' } }), 201);
const assign = async ({ teacher }: Scene, task: Task, work: { id: number }, assessor: Person): Promise<{ id: number }> =>
  ok(within(await as(teacher).post(`${task.path}/submissions/${work.id}/peer_reviews`, { user_id: assessor.id }), 3));
const far = { start_date: '2030-01-01', end_date: '2030-12-31' };
const planned = async (person: Person, query: object = {}): Promise<Item[]> =>
  ok(within(await as(person).get('/planner/items', { ...far, ...query }), 2));
const reviewsIn = (items: readonly Item[]) => items.filter((one) => one.plannable_type === 'assessment_request');
const stream = async (person: Person, query: object = {}) =>
  ok(within(await as(person).get('/users/self/activity_stream', { asset_type: 'AssessmentRequest', ...query }), 2));

test('a reviewer finds the review in the planner until it is done, and may mark it', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, observer, course } = scene;
  const task = await aTask(scene);
  const review = await assign(scene, task, await handIn(task, student), student2);
  ok(
    await as(teacher).post(`${task.path}/overrides`, {
      assignment_override: { student_ids: [student2.id], due_at: '2030-06-01T10:00:00Z' },
    }),
    201,
  );
  const [item] = reviewsIn(await planned(student2));
  expect(item).toEqual({
    context_type: 'Course',
    course_id: course.id,
    context_name: course.name,
    context_image: null,
    plannable_id: review.id,
    plannable_type: 'assessment_request',
    plannable_date: '2030-06-01T10:00:00Z',
    plannable: {
      id: review.id,
      title: 'Essay',
      created_at: expect.any(String),
      updated_at: expect.any(String),
      todo_date: '2030-06-01T10:00:00Z',
      workflow_state: 'assigned',
    },
    planner_override: null,
    submissions: false,
    new_activity: false,
    html_url: `${task.path}/submissions/${student.id}`,
  });
  for (const person of [student, teacher, observer])
    expect(reviewsIn(await planned(person, { context_codes: [`course_${course.id}`] }))).toEqual([]);
  const filtered = async (filter: string) => reviewsIn(await planned(student2, { filter })).length;
  await handIn(task, student2);
  expect([await filtered('incomplete_items'), await filtered('complete_items'), await filtered('new_activity')]).toEqual([1, 0, 0]);
  expect(await filtered('ungraded_todo_items')).toBe(0);
  expect(await planned(student2, { filter: 'incomplete_items' })).toHaveLength(1);

  const mark = { plannable_type: 'assessment_request', plannable_id: review.id, marked_complete: true };
  expect((await as(student).post('/planner/overrides', mark)).status).toBe(404);
  const marked = ok(await as(student2).post('/planner/overrides', mark), 201);
  expect(marked).toMatchObject({ plannable_type: 'assessment_request', assignment_id: null, workflow_state: 'active' });
  expect(reviewsIn(await planned(student2))[0]?.planner_override).toMatchObject({ id: marked.id, marked_complete: true });
  expect([await filtered('incomplete_items'), await filtered('complete_items')]).toEqual([0, 1]);
  ok(await as(student2).put(`/planner/overrides/${marked.id}`, { marked_complete: false }));
  expect([await filtered('incomplete_items'), await filtered('complete_items')]).toEqual([1, 0]);
  ok(await as(student2).del(`/planner/overrides/${marked.id}`));
  ok(await as(student2).put(`${task.path}/submissions/${student.id}`, { comment: { text_comment: 'Good.' } }));
  expect([await filtered('incomplete_items'), await filtered('complete_items')]).toEqual([0, 1]);
  expect(reviewsIn(await planned(student2))[0]?.plannable.workflow_state).toBe('completed');

  ok(await as(teacher).put(task.path, { assignment: { anonymous_peer_reviews: true } }));
  const [hidden] = reviewsIn(await planned(student2));
  expect(hidden?.html_url).toMatch(/\/anonymous_submissions\/\w{5}$/);
  for (const off of [{ peer_reviews: false }, { peer_reviews: true, only_visible_to_overrides: true, assignment_overrides: [] }]) {
    ok(await as(teacher).put(task.path, { assignment: off }));
    expect(reviewsIn(await planned(student2))).toEqual([]);
    expect(await stream(student2)).toEqual([]);
    expect((await as(student2).post('/planner/overrides', mark)).status).toBe('peer_reviews' in off && !off.peer_reviews ? 201 : 404);
  }
});

test('the planner shows reviews page by page with other items of the same date', async () => {
  const scene = await aCourse(ground);
  const { student, student2 } = scene;
  const tasks = [await aTask(scene), await aTask(scene, { name: 'Letter' }), await aTask(scene, { due_at: null })];
  for (const task of tasks) await assign(scene, task, await handIn(task, student), student2);
  const all = await planned(student2);
  expect(all.map((one) => one.plannable_type)).toEqual(['assignment', 'assignment', 'assessment_request', 'assessment_request']);
  for (const order of ['asc', 'desc']) {
    const paged = (await as(student2).pages('/planner/items', { ...far, order, per_page: 1 })) as Item[];
    const expected = order === 'asc' ? all : all.toReversed();
    expect(paged.map((one) => one.plannable_id)).toEqual(expected.map((one) => one.plannable_id));
  }
});

test('reviews of others do not make planner and stream dearer', async () => {
  const scene = await aCourse(ground);
  const { student, student2 } = scene;
  const task = await aTask(scene);
  await assign(scene, task, await handIn(task, student), student2);
  const costs = async () => {
    const answers = [await as(student2).get('/planner/items', far), await as(student2).get('/users/self/activity_stream')];
    return answers.map((answer) => within(answer, 2).cost.rows_read);
  };
  const before = await costs();
  const time = '2026-09-01T08:00:00Z';
  await many(3000, assessment_requests, {
    assignment_id: task.id,
    submission_id: sql`${task.id} * 67108864 + 5000000 + n`,
    assessor_id: sql`6000000 + n`,
    workflow_state: 'assigned',
    created_at: time,
    updated_at: time,
  });
  for (const [at, cost] of (await costs()).entries()) expect(cost).toBeLessThanOrEqual((before[at] ?? 0) + 5);
});

test('the activity stream has the review, the reviewer is notified once, and an anonymous student stays unnamed', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, course } = scene;
  const task = await aTask(scene, { anonymous_peer_reviews: true });
  const work = await handIn(task, student);
  await env.DB.exec('delete from notification_queue');
  const queued = async () => {
    const { results } = await env.DB.prepare('select notification, item_id from notification_queue').all();
    await env.DB.exec('delete from notification_queue');
    return results;
  };
  const review = await assign(scene, task, work, student2);
  const invitation = [{ notification: 'peer_review_invitation', item_id: review.id }];
  expect(await queued()).toEqual(invitation);
  await assign(scene, task, work, student2);
  expect(await queued()).toEqual([]);
  ok(await as(teacher).del(`${task.path}/submissions/${work.id}/peer_reviews?user_id=${student2.id}`));
  expect([await queued(), await stream(student2)]).toEqual([[], []]);
  await assign(scene, task, work, student2);
  expect(await queued()).toEqual(invitation);

  const [item] = await stream(student2);
  expect(item).toEqual({
    id: review.id * 8 + 6,
    type: 'AssessmentRequest',
    title: 'Essay',
    message: null,
    read_state: false,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    context_type: 'Course',
    course_id: course.id,
    html_url: expect.stringMatching(/\/anonymous_submissions\/\w{5}$/),
    assessment_request_id: review.id,
  });
  for (const person of [student, teacher]) expect(await stream(person)).toEqual([]);
  for (const at of ['/users/self', `/courses/${course.id}`])
    expect(ok(within(await as(student2).get(`${at}/activity_stream/summary`), 2))).toContainEqual({
      type: 'AssessmentRequest',
      notification_category: null,
      count: 1,
      unread_count: 1,
    });
  expect(ok(await as(student2).get(`/courses/${course.id}/activity_stream`)).map((one: { type: string }) => one.type)).toContain(
    'AssessmentRequest',
  );
  ok(await as(student2).del(`/users/self/activity_stream/${item.id}`));
  expect(await stream(student2)).toEqual([]);
});

test('a reviewer downloads the submitted files, under masked names if the student is anonymous, and attaches files to comments', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2, stranger } = scene;
  const task = await aTask(scene);
  const about = { name: 'by-jane-roe.txt', size: 4, content_type: 'text/plain' };
  const file = (await sendContent(ok(await as(student).post(`${task.path}/submissions/self/files`, about)), 'text')).body as { id: number };
  const submission = { submission_type: 'online_upload', file_ids: [file.id] };
  const work = ok(await as(student).post(`${task.path}/submissions`, { submission }), 201);
  const single = `${task.path}/submissions/${student.id}`;
  const remark = { name: 'remarks.txt', size: 4 };
  for (const person of [student2, stranger]) expect((await as(person).post(`${single}/comments/files`, remark)).status).toBe(401);
  await assign(scene, task, work, student2);
  const fetched = async (url: string) => {
    const answer = await as(student2).get(url);
    return { status: answer.status, text: answer.body, name: answer.headers.get('content-disposition') };
  };
  const [attached] = ok(await as(student2).get(single)).attachments;
  expect(await fetched(attached.url)).toMatchObject({ status: 200, text: 'text', name: expect.stringContaining('by-jane-roe.txt') });

  const ticket = ok(within(await as(student2).post(`${single}/comments/files`, remark), 3));
  const sent = (await sendContent(ticket, 'fine')).body as { id: number };
  ok(await as(student2).put(single, { comment: { text_comment: 'See the file.', file_ids: [sent.id] } }));
  const [comment] = ok(await as(student).get(`${single}?include[]=submission_comments`)).submission_comments;
  expect(comment.attachments).toMatchObject([{ id: sent.id, filename: 'remarks.txt' }]);

  ok(await as(teacher).put(task.path, { assignment: { anonymous_peer_reviews: true } }));
  expect((await as(student2).post(`${single}/comments/files`, remark)).status).toBe(401);
  const [request] = ok(await as(student2).get(`${task.path}?include[]=assessment_requests`)).assessment_requests;
  const [masked] = ok(await as(student2).get(`${task.path}/anonymous_submissions/${request.anonymous_id}`)).attachments;
  expect(JSON.stringify(masked)).not.toMatch(/jane|roe/);
  expect(masked.uuid).not.toBe(attached.uuid);
  const got = await fetched(masked.url);
  expect(got).toMatchObject({ status: 200, text: 'text' });
  expect(got.name).toContain(`file_${masked.id}.txt`);
  expect(got.name).not.toMatch(/jane|roe/);
  const [, verifier = ''] = /verifier=(\w+)/.exec(masked.url) ?? [];
  const [digit = ''] = verifier;
  const forged = masked.url.replace(`verifier=${digit}`, `verifier=${digit === 'a' ? 'b' : 'a'}`);
  expect((await fetched(forged)).status).toBe(401);
});
