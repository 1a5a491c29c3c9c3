// Tests with @kth/canvas-api, unmodified from the registry.

import { CanvasApi, CanvasApiResponseError } from '@kth/canvas-api';
import { expect, inject, test } from 'vitest';
import { clientOf } from '../support/client';
import type { Person } from '../support/ground';
import { csv, zipped } from '../support/sis';
import { uploadInThreeSteps } from '../support/three_steps';

type Json = Record<string, unknown>;

const built = inject('started');

const as = (person: Person) => new CanvasApi(`${built.url}/api/v1`, person.token);
const all = async (client: CanvasApi, path: string, query: Json = {}): Promise<Json[]> =>
  (await client.listItems(path, query as never).toArray()) as Json[];

test('a user finds themselves, their courses and the people in them', async () => {
  const teacher = as(built.teacher);
  expect((await teacher.get('users/self')).json).toMatchObject({ id: built.teacher.id, name: built.teacher.name });
  expect(await all(teacher, 'courses')).toEqual([expect.objectContaining({ id: built.course.id, course_code: 'AST 101' })]);
  expect(await all(teacher, `courses/${built.course.id}/enrollments`, { type: ['StudentEnrollment'] })).toHaveLength(2);
});

test('a teacher builds a course, page after page, and a student reads it', async () => {
  const teacher = as(built.teacher);
  const at = `courses/${built.course.id}`;
  for (let turn = 1; turn <= 23; turn++)
    await teacher.request(`${at}/pages`, 'POST', { wiki_page: { title: `Page ${turn}`, body: `<p>${turn}</p>`, published: true } });
  const pages = await all(as(built.student), `${at}/pages`);
  expect(pages.map((page) => page.title)).toHaveLength(23);
  const { json } = (await as(built.student).get(`${at}/pages/page-7`)) as unknown as { json: Json };
  expect(json.body).toContain('7');
  const made = (await teacher.request(`${at}/assignments`, 'POST', {
    assignment: { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'], published: true },
  })) as unknown as { json: Json };
  expect(made.json).toMatchObject({ name: 'Essay', points_possible: 10 });
});

test('an error reaches the client as its own error type, with the body', async () => {
  const refused = as(built.student).request(`courses/${built.course.id}/pages`, 'POST', { wiki_page: { title: '' } });
  await expect(refused).rejects.toBeInstanceOf(CanvasApiResponseError);
  await expect(as({ ...built.student, token: 'wrong' }).get('users/self')).rejects.toMatchObject({ response: { statusCode: 401 } });
});

test('a file is uploaded in three steps and downloaded by its address', async () => {
  const fetching = (url: string, init: object) => fetch(url, init as RequestInit);
  const bytes = new TextEncoder().encode('Observations of a clear night');
  const file = await uploadInThreeSteps(clientOf(fetching, built.url, built.teacher.token), fetching, `/courses/${built.course.id}/files`, {
    name: 'Beobachtungen – März.txt',
    content_type: 'text/plain',
    bytes,
  });
  const [listed] = await all(as(built.student), `courses/${built.course.id}/files`);
  expect(listed).toMatchObject({ id: file.id, display_name: 'Beobachtungen – März.txt', size: bytes.length });
  expect(await (await fetch(listed?.url as string)).text()).toBe('Observations of a clear night');
});

test('a student plans, writes to the teacher, and submits', async () => {
  const student = as(built.student);
  await student.request('planner_notes', 'POST', { title: 'Read chapter four', todo_date: '2026-11-21T12:00:00Z' });
  expect(await all(student, 'planner_notes')).toEqual([expect.objectContaining({ title: 'Read chapter four' })]);
  await student.request('conversations', 'POST', { recipients: [String(built.teacher.id)], body: 'May I hand in on Monday?' });
  expect(await all(as(built.teacher), 'conversations')).toEqual([expect.objectContaining({ last_message: 'May I hand in on Monday?' })]);
  const [assignment] = await all(student, `courses/${built.course.id}/assignments`);
  const handed = (await student.request(`courses/${built.course.id}/assignments/${assignment?.id}/submissions`, 'POST', {
    submission: { submission_type: 'online_text_entry', body: '<p>My essay</p>' },
  })) as unknown as { json: Json };
  expect(handed.json).toMatchObject({ workflow_state: 'submitted', attempt: 1 });
  const graded = (await as(built.teacher).request(
    `courses/${built.course.id}/assignments/${assignment?.id}/submissions/${built.student.id}`,
    'PUT',
    {
      submission: { posted_grade: '9' },
    },
  )) as unknown as { json: Json };
  expect(graded.json).toMatchObject({ score: 9, workflow_state: 'graded' });
});

test('an administrator lists accounts, courses and people', async () => {
  const admin = as(built.admin);
  expect(await all(admin, 'accounts')).toEqual([expect.objectContaining({ id: 1, parent_account_id: null })]);
  expect((await all(admin, 'accounts/1/courses')).length).toBeGreaterThan(0);
  expect((await all(admin, 'accounts/self/users', { search_term: built.student.login })).map(({ id }) => id)).toEqual([built.student.id]);
});

test('an administrator sends an SIS import and polls it until it has ended', async () => {
  const admin = as(built.admin);
  const archive = zipped({
    'users.csv': csv('user_id,login_id,full_name,status', ['u1Z', 'kth', 'Sofia Räknare', 'active']),
    'courses.csv': csv('course_id,short_name,long_name,status', ['SF1624', 'SF1624', 'Algebra och geometri', 'published']),
    'enrollments.csv': csv(
      'course_id,user_id,role,status',
      ['SF1624', 'u1Z', 'student', 'active'],
      ['SF1624', 'nobody', 'student', 'active'],
    ),
  });
  const { json: sent } = (await admin.sisImport(new File([archive as never], 'school.zip') as never)) as unknown as { json: Json };
  expect(sent).toMatchObject({ workflow_state: 'created' });
  let result: Json = sent;
  for (let tries = 0; tries < 300 && result.ended_at === null; tries += 1) {
    await new Promise((resume) => setTimeout(resume, 100));
    result = ((await admin.get(`accounts/1/sis_imports/${sent.id}`)) as unknown as { json: Json }).json;
  }
  expect(result).toMatchObject({ workflow_state: 'imported_with_messages', data: { counts: { users: 1, courses: 1, enrollments: 1 } } });
  expect(result.processing_warnings).toEqual([['enrollments.csv', 'there is no user "nobody"']]);
  expect(await all(admin, 'courses/sis_course_id:SF1624/enrollments')).toHaveLength(1);
});

test('a file of twelve megabytes arrives complete, as a part of a form and as the whole body', async () => {
  const admin = as(built.admin);
  const line = `red,${'x'.repeat(990)}\n`;
  // Of an unknown type, so that nothing is imported: this tests only the upload.
  const bytes = new TextEncoder().encode(`colour,size\n${line.repeat(12_000)}`);
  const { json: form } = (await admin.sisImport(new File([bytes], 'colours.csv') as never)) as unknown as { json: Json };
  const body = await fetch(`${built.url}/api/v1/accounts/1/sis_imports?extension=csv`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${built.admin.token}`, 'Content-Type': 'text/csv' },
    body: bytes,
  });
  expect(body.status).toBe(200);
  for (const { id } of [form, (await body.json()) as Json]) {
    let told: Json = { ended_at: null };
    for (let tries = 0; tries < 300 && told.ended_at === null; tries += 1) {
      await new Promise((resume) => setTimeout(resume, 100));
      told = ((await admin.get(`accounts/1/sis_imports/${id}`)) as unknown as { json: Json }).json;
    }
    expect(told).toMatchObject({
      workflow_state: 'failed_with_messages',
      processing_errors: [[expect.stringMatching(/\.csv$/), 'these headers match no type of SIS file']],
      csv_attachments: [{ size: bytes.length }],
    });
  }
});
