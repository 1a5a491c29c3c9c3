// How many rows frequent writes cost: D1 bills a row written a thousand times a row read, and each index entry counts as a row.

import { env, SELF } from 'cloudflare:test';
import { log_marks } from '@carrel/worker/database/housekeeping';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, many, nth, ok } from '../support/api';
import type { Answer } from '../support/client';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof build>>;
let scene: Scene;

/** A student in this many courses. */
const enrolledIn = 6;

async function build() {
  const one = await aCourse(ground);
  const student = await ground.person({ login: 'paula', password: 'open sesame' });
  await ground.enroll(one.course, student, 'student');
  for (let nth = 1; nth < enrolledIn; nth++) await ground.enroll(await ground.course(), student, 'student');
  const assignment = await ground.assignment(one.course, { submission_types: ['online_text_entry'] });
  const at = `/courses/${one.course.id}`;
  const teacher = as(one.teacher);
  const topic = ok(await teacher.post(`${at}/discussion_topics`, { title: 'Tides', message: 'Why?', published: true }));
  const entry = ok(await teacher.post(`${at}/discussion_topics/${topic.id}/entries`, { message: 'The moon.' }), 201);
  const module = ok(await teacher.post(`${at}/modules`, { module: { name: 'Week 1' } }));
  ok(await teacher.put(`${at}/modules/${module.id}`, { module: { published: true } }));
  const page = ok(await teacher.post(`${at}/pages`, { wiki_page: { title: 'Notes', body: 'x', published: true } }));
  const item = ok(
    await teacher.post(`${at}/modules/${module.id}/items`, {
      module_item: { type: 'Page', page_url: page.url, completion_requirement: { type: 'must_mark_done' } },
    }),
  );
  ok(await teacher.put(`${at}/modules/${module.id}/items/${item.id}`, { module_item: { published: true } }));
  const note = ok(await as(student).post('/planner_notes', { title: 'Read', todo_date: '2026-12-01' }), 201);
  return { ...one, student, assignment, at, topic, entry, module, page, item, note };
}

beforeAll(async () => {
  scene = await build();
  // The first change of each second writes a mark, once for everybody.
  await env.DB.prepare('delete from log_marks').run();
  const second = sql<string>`strftime('%Y-%m-%dT%H:%M:%SZ', 'now', (n - 60) || ' seconds')`;
  await many(900, log_marks, { changed_at: second, nonce: nth('nonce '), first_seq: sql<number>`-n` });
}, 60_000);

const signIn = async (name: string, password: string): Promise<number> => {
  const response = await SELF.fetch(`${base}/login/canvas`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: base },
    body: new URLSearchParams({ 'pseudonym_session[unique_id]': name, 'pseudonym_session[password]': password }),
  } as never);
  expect(response.status).toBe(303);
  return Number(/rows_written;dur=(\d+)/.exec(response.headers.get('server-timing') ?? '')?.[1]);
};

test('a sign-in costs the same with six courses as with none', async () => {
  await ground.person({ login: 'nora', password: 'open sesame' });
  const written = [await signIn('nora', 'open sesame'), await signIn('paula', 'open sesame')];
  expect(written[1]).toBe(written[0]);
  // The session, the sign-in in the audit log, and the throttles of the name and the address.
  // The audit log has an index by time, by which old rows are archived.
  expect(written[1]).toBeLessThanOrEqual(19);
});

const by = (person: (one: Scene) => Person) => (one: Scene) => as(person(one));
const student = by((one) => one.student);
const teacher = by((one) => one.teacher);

/** What is written, the rows it may cost, and why if more than eight. */
const writes: readonly [what: string, rows: number, ask: (scene: Scene) => Promise<Answer>, why?: string][] = [
  [
    'a grade',
    47,
    (s) => teacher(s).put(`${s.at}/assignments/${s.assignment}/submissions/${s.student.id}`, { submission: { posted_grade: 5 } }),
    'four logged changes, the submission with its indexes, a notification, the progress of modules, eight of the grade-change log with its indexes, and the row of stored scores, which is new',
  ],
  [
    'another grade',
    26,
    (s) => teacher(s).put(`${s.at}/assignments/${s.assignment}/submissions/${s.student.id}`, { submission: { posted_grade: 7 } }),
    'two logged changes, in another second the indexes with the time, and eight of the grade-change log',
  ],
  [
    'a new name of an assignment',
    12,
    (s) => teacher(s).put(`${s.at}/assignments/${s.assignment}`, { assignment: { name: 'Renamed' } }),
    'a notification, and the indexes that contain the name',
  ],
  [
    'a new text of a page',
    15,
    (s) => teacher(s).put(`${s.at}/pages/${s.page.url}`, { wiki_page: { body: 'y' } }),
    'a revision and a notification',
  ],
  ['a topic read', 5, (s) => student(s).put(`${s.at}/discussion_topics/${s.topic.id}/read`)],
  [
    'an entry read',
    10,
    (s) => student(s).put(`${s.at}/discussion_topics/${s.topic.id}/entries/${s.entry.id}/read`),
    'the entry, and the count of unread ones',
  ],
  [
    'an entry written',
    38,
    (s) => student(s).post(`${s.at}/discussion_topics/${s.topic.id}/entries`, { message: 'And the sun.' }),
    'the entry, its read mark, the counters of the topic, its prepared view, and a notification',
  ],
  [
    'a module item done',
    11,
    (s) => student(s).put(`${s.at}/modules/${s.module.id}/items/${s.item.id}/done`),
    'the mark, the progress and the planner',
  ],
  [
    'a planner mark',
    8,
    (s) => student(s).post('/planner/overrides', { plannable_type: 'planner_note', plannable_id: s.note.id, marked_complete: true }),
  ],
  ['a planner note', 6, (s) => student(s).post('/planner_notes', { title: 'Write', todo_date: '2026-12-02' })],
  ['a favorite course', 6, (s) => student(s).post(`/users/self/favorites/courses/${s.course.id}`)],
  [
    'a submission',
    14,
    (s) =>
      student(s).post(`${s.at}/assignments/${s.assignment}/submissions`, {
        submission: { submission_type: 'online_text_entry', body: 'Done.' },
      }),
    'three logged changes',
  ],
  [
    'a message',
    34,
    (s) => teacher(s).post('/conversations', { recipients: [s.student.id], body: 'Well done.' }),
    'a conversation with two participants',
  ],
  [
    'an enrollment',
    28,
    (s) =>
      teacher(s).post(`${s.at}/enrollments`, {
        enrollment: { user_id: s.stranger.id, type: 'StudentEnrollment', enrollment_state: 'active' },
      }),
    'thirteen indexes and four counters',
  ],
];

test.each(writes)('%s writes at most %d rows', async (_what, rows, ask, why) => {
  expect(rows <= 8 || why !== undefined, 'a reason for more than eight').toBe(true);
  const answer = await ask(scene);
  expect(answer.status).toBeLessThan(300);
  expect(answer.cost.rows_written).toBeGreaterThan(0);
  expect(answer.cost.rows_written).toBeLessThanOrEqual(rows);
});
