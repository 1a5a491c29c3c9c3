// A teacher and an observer of two students at their desks, with the demo on a real server.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDesk } from '@carrel/desktop/engine/desk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/ground';
import { openWhitmore, type Whitmore } from './support/whitmore';

let whitmore: Whitmore;
let home: string;
const desks: Awaited<ReturnType<typeof openDesk>>[] = [];

beforeAll(async () => {
  whitmore = await openWhitmore();
  home = mkdtempSync(join(tmpdir(), 'carrel-parts-'));
}, 180_000);
afterAll(async () => {
  for (const desk of desks) await desk.close();
  await whitmore.close();
  rmSync(home, { recursive: true, force: true });
});

const astronomy = () => whitmore.courses[0]?.id ?? 0;
const noFiles = { again: [], choices: { marks: {}, without: [], largest: 0 } } as const;

async function deskOf(person: Person, name: string) {
  const desk = await openDesk({ store: join(home, name), folder: join(home, `${name} files`), isManual: true });
  desks.push(desk);
  await desk['account.login']({ url: whitmore.url, token: person.token });
  await desk['choices.choose'](noFiles);
  return { desk, sync: () => synced(desk) };
}

async function synced(desk: Awaited<ReturnType<typeof openDesk>>) {
  const before = (await desk['sync.status'](undefined)).last_complete_at;
  await desk['sync.now'](undefined);
  const isOver = async () => {
    const { phase, last_complete_at } = await desk['sync.status'](undefined);
    return phase !== 'syncing' && last_complete_at !== null && last_complete_at !== before;
  };
  await expect.poll(isOver, { timeout: 60_000 }).toBe(true);
}

test('a submission adds to what the teacher has to grade; a grade takes it away', { timeout: 120_000 }, async () => {
  const { teacher, student2 } = whitmore.people;
  const task = { name: 'One page on Ceres', published: true, submission_types: ['online_text_entry'], points_possible: 10 };
  const at = `/courses/${astronomy()}/assignments`;
  const { id } = (await whitmore.as(teacher).post(at, { assignment: task })).body as { id: number };
  const { desk, sync } = await deskOf(teacher, 'teacher');
  const waiting = async () => (await desk['today.teaching'](undefined))?.to_grade.find((one) => one.id === id)?.count;
  await sync();
  expect(await waiting()).toBeUndefined();
  const submission = { submission_type: 'online_text_entry', body: 'It is round.' };
  expect((await whitmore.as(student2).post(`${at}/${id}/submissions`, { submission })).status).toBe(201);
  await sync();
  expect(await waiting()).toBe(1);
  const rows = await desk['course.taught_assignments']({ course_id: astronomy() });
  expect(rows.find((one) => one.id === id)).toMatchObject({ title: task.name, points_possible: 10, published: true, to_grade: 1 });
  expect((await desk['today.list']({ from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' })).some((entry) => entry.missing)).toBe(
    false,
  );
  await whitmore.as(teacher).put(`${at}/${id}/submissions/${student2.id}`, { submission: { posted_grade: '8' } });
  await sync();
  expect(await waiting()).toBeUndefined();
});

test('an observer sees the grades and comments of each student, and writes to a teacher', { timeout: 120_000 }, async () => {
  const { teacher, observer, student, student2 } = whitmore.people;
  const task = { name: 'One page on Vesta', published: true, submission_types: ['online_text_entry'], points_possible: 10 };
  const at = `/courses/${astronomy()}/assignments`;
  const { id } = (await whitmore.as(teacher).post(at, { assignment: task })).body as { id: number };
  const grade = (person: Person, posted_grade: string, text_comment: string) =>
    whitmore.as(teacher).put(`${at}/${id}/submissions/${person.id}`, { submission: { posted_grade }, comment: { text_comment } });
  await grade(student, '9', 'A fine page');
  await grade(student2, '5', 'Half a page');
  const { desk, sync } = await deskOf(observer, 'observer');
  await sync();
  const students = await desk['students.list'](undefined);
  expect(students.map(({ name }) => name)).toEqual(['Jonas Berg', 'Maya Fischer']);
  const shown = async (person: Person) => {
    await desk['students.choose']({ id: person.id });
    const grades = await desk['course.grades']({ course_id: astronomy() });
    const row = grades.groups.flatMap(({ rows }) => rows).find((one) => one.id === id);
    const text = await desk['reader.open']({ kind: 'assignment', course_id: astronomy(), id });
    return {
      student: grades.student,
      total: grades.score,
      score: row?.score,
      comments: JSON.stringify(text?.comments.map(({ words }) => words)),
    };
  };
  const [maya, jonas] = [await shown(student), await shown(student2)];
  expect(maya).toMatchObject({ student: 'Maya Fischer', score: 9, comments: expect.stringContaining('A fine page') });
  expect(jonas).toMatchObject({ student: 'Jonas Berg', score: 5, comments: expect.stringContaining('Half a page') });
  const [enrolled] = (await whitmore.as(student2).get(`/courses/${astronomy()}/enrollments`, { user_id: 'self' })).body;
  expect(jonas.total).toBe(enrolled.grades.current_score);
  expect(await desk['work.open']({ course_id: astronomy(), id })).toBeNull();
  await expect(desk['work.write']({ course_id: astronomy(), id, type: 'online_text_entry', text: 'x', url: '' })).rejects.toThrow(
    /observer/,
  );
  const mark = { plannable_type: 'assignment', plannable_id: id, marked_complete: true } as const;
  await expect(desk['planner.mark'](mark)).rejects.toThrow(/observer/);
  const [known] = await desk['inbox.find']({ text: 'Vasquez' });
  expect(known).toMatchObject({ id: teacher.id });
  await desk['inbox.compose']({
    to: [{ id: teacher.id, name: 'Helen Vasquez' }],
    subject: 'Jonas',
    text: 'May we talk?',
    course_id: astronomy(),
  });
  await sync();
  const letters = (await whitmore.as(teacher).get('/conversations')).body as { subject: string }[];
  expect(letters.map(({ subject }) => subject)).toContain('Jonas');
});
