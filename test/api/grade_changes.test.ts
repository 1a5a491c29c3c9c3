// The grade-change log: what is recorded, by whom, and who reads it.

import { env } from 'cloudflare:test';
import { anonymousId } from '@carrel/worker/crypto/anonymous_id';
import { newMeter, open } from '@carrel/worker/database/open';
import { archiveLogs } from '@carrel/worker/domains/audit/archive';
import { grade_changes } from '@carrel/worker/domains/grade_changes/table';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, many, ok, within } from '../support/api';
import type { Answer, Client } from '../support/client';
import { aCourseOfTwoSections, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof build>>;
let scene: Scene;
let admin: Person;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

async function build() {
  const { sid: sue, ...one } = await aCourseOfTwoSections(ground);
  const assignment = await ground.assignment(one.course, { points_possible: 10, submission_types: ['online_text_entry'] });
  const at = `/courses/${one.course.id}`;
  return { ...one, sue, assignment, at };
}

beforeAll(async () => {
  scene = await build();
  admin = await ground.admin();
}, 60_000);

const log = async (client: Client, path: string, query: object = {}): Promise<Body> =>
  ok(within(await client.get(`/audit/grade_change${path}`, query), 2));
const grade = (by: Person, student: Person, submission: object, assignment = scene.assignment) =>
  as(by).put(`${scene.at}/assignments/${assignment}/submissions/${student.id}`, { submission });
const bare = ({ events }: Body) => events.map(({ id: _, created_at: __, links: ___, ...event }: Body) => event);

test('each change of a grade is recorded with its grader, the values before and after, and a version', async () => {
  const { student, teacher, ta, course, assignment } = scene;
  ok(await grade(teacher, student, { posted_grade: '7' }));
  ok(await grade(teacher, student, { posted_grade: '7' }));
  ok(await grade(ta, student, { posted_grade: '9' }));
  ok(await grade(ta, student, { excuse: true }));
  ok(await as(teacher).put(`${scene.at}/assignments/${assignment}`, { assignment: { points_possible: 20 } }));
  ok(await grade(teacher, student, { excuse: false }));
  ok(await grade(teacher, student, { posted_grade: '12' }));
  ok(await grade(ta, student, { posted_grade: '' }));
  const found = await log(as(admin), `/students/${student.id}`, { per_page: 50 });
  const event = (version_number: number, grades: readonly [string | null, string | null], more: object = {}) => ({
    event_type: 'grade_change',
    grade_before: grades[0],
    grade_after: grades[1],
    excused_before: false,
    excused_after: false,
    graded_anonymously: false,
    points_possible_before: 10,
    points_possible_after: 10,
    version_number,
    ...more,
  });
  const twenty = { points_possible_before: 20, points_possible_after: 20 };
  expect(bare(found)).toEqual([
    event(6, ['12', null], twenty),
    event(5, [null, '12'], twenty),
    event(4, [null, null], { excused_before: true, points_possible_after: 20 }),
    event(3, ['9', null], { excused_after: true }),
    event(2, ['7', '9']),
    event(1, [null, '7']),
  ]);
  const graders = found.events.map(({ links }: Body) => links.grader);
  expect(graders).toEqual([ta, teacher, teacher, ta, ta, teacher].map(({ id }) => String(id)));
  expect(found.events[0]).toMatchObject({
    id: expect.any(String),
    links: { assignment, course: course.id, student: String(student.id), page_view: null },
  });
  expect(found.links).toEqual({
    'events.assignment': 'https://carrel.test/api/v1/courses/{events.course}/assignments/{events.assignment}',
    'events.course': 'https://carrel.test/api/v1/courses/{events.course}',
    'events.student': { href: null, type: 'user' },
    'events.grader': { href: null, type: 'user' },
    'events.page_view': null,
  });
  expect(found.linked.assignments).toMatchObject([{ id: assignment }]);
  expect(found.linked.courses).toMatchObject([{ id: course.id }]);
  expect(found.linked.users.map(({ id }: Body) => id).sort()).toEqual([student.id, teacher.id, ta.id].sort());
  expect(found.linked.page_views).toEqual([]);
});

test('bulk grading, group grades and writes of the service are recorded, and posting alone is no grade change', async () => {
  const { student2, teacher } = scene;
  const assignment = await ground.assignment(scene.course, { points_possible: 10 });
  ok(
    await as(teacher).post(`${scene.at}/submissions/update_grades`, {
      grade_data: { [assignment]: { [student2.id]: { posted_grade: '4' } } },
    }),
  );
  const where = `assignment_id = ${assignment} and user_id = ${student2.id}`;
  for (const set of [
    'posted_at = null',
    'score = 3, points_deducted = 1',
    "posted_at = '2026-11-01T00:00:00Z'",
    "score = 2, grade = '2', grader_id = null",
  ])
    await env.DB.prepare(`update submissions set ${set} where ${where}`).run();
  const { events } = await log(as(admin), `/assignments/${assignment}`);
  expect(events.map(({ links, version_number }: Body) => [version_number, links.grader])).toEqual([
    [5, null],
    [3, null],
    [1, String(teacher.id)],
  ]);
  const { results } = await env.DB.prepare(
    `select posted_before, posted_after from grade_changes where assignment_id = ${assignment} and is_posting = 1 order by id`,
  ).all();
  expect(results).toEqual([
    { posted_before: 1, posted_after: 0 },
    { posted_before: 0, posted_after: 1 },
  ]);
});

test('the log is filtered by course, assignment, student and grader, by time, and paged by bookmark', async () => {
  const { student, teacher, ta, course, assignment, sue } = scene;
  ok(await grade(teacher, sue, { posted_grade: '1' }));
  const client = as(teacher);
  const inCourse = `/courses/${course.id}`;
  const everything = await log(client, inCourse, { per_page: 100 });
  const those = (keep: (links: Body) => boolean) => everything.events.filter(({ links }: Body) => keep(links)).map(({ id }: Body) => id);
  const [s, t, a] = [String(student.id), String(teacher.id), assignment];
  const cases: readonly [path: string, keep: (links: Body) => boolean][] = [
    [`/assignments/${a}`, (links) => links.assignment === a],
    [`/assignments/${a}/graders/${t}`, (links) => links.assignment === a && links.grader === t],
    [`/assignments/${a}/graders/${t}/students/${s}`, (links) => links.assignment === a && links.grader === t && links.student === s],
    [`/assignments/${a}/students/${s}`, (links) => links.assignment === a && links.student === s],
    [`/graders/${ta.id}`, (links) => links.grader === String(ta.id)],
    [`/graders/${t}/students/${s}`, (links) => links.grader === t && links.student === s],
    [`/students/${s}`, (links) => links.student === s],
  ];
  for (const [path, keep] of cases) {
    const found = await log(client, `${inCourse}${path}`, { per_page: 100 });
    expect(
      found.events.map(({ id }: Body) => id),
      path,
    ).toEqual(those(keep));
    expect(found.events.length, path).toBeGreaterThan(0);
  }
  const byQuery = (query: object) => log(as(admin), '', { per_page: 100, ...query }).then(({ events }) => events.map(({ id }: Body) => id));
  expect(await byQuery({ course_id: course.id, student_id: student.id })).toEqual(those(({ student }) => student === s));
  expect(await byQuery({ assignment_id: a, grader_id: teacher.id })).toEqual(
    those((links) => links.assignment === a && links.grader === t),
  );
  expect((await log(as(admin), `/graders/${ta.id}`)).events.map(({ id }: Body) => id)).toEqual(
    those(({ grader }) => grader === String(ta.id)),
  );
  expect((await log(client, inCourse, { end_time: '2020-01-01T00:00:00Z' })).events).toEqual([]);
  expect((await log(client, inCourse, { start_time: '2020-01-01T00:00:00Z', per_page: 100 })).events).toEqual(everything.events);
  const pages: Body[] = [];
  for (let next: string | undefined = `/audit/grade_change${inCourse}?per_page=2`; next; ) {
    const page: Body = await client.get(next);
    pages.push(...ok(page).events);
    next = page.links.next;
  }
  expect(pages).toEqual(everything.events);
  const current = await log(client, `${inCourse}/students/${sue.id}`, { include: ['current_grade'] });
  expect(current.events).toMatchObject([{ grade_current: '1' }]);
  expect((await log(client, `${inCourse}/students/${s}`, { include: ['current_grade'] })).events[0].grade_current).toBe('N/A');
});

test('an override of the course grade is an event without an assignment', async () => {
  const { student, course, teacher } = scene;
  await many(1, grade_changes, {
    course_id: course.id,
    assignment_id: null,
    student_id: student.id,
    grader_id: teacher.id,
    version_number: 1,
    grade_after: 'A',
    excused_before: false,
    excused_after: false,
    posted_before: true,
    posted_after: true,
    created_at: '2026-10-01T00:00:00Z',
  });
  const found = await log(as(teacher), '', { course_id: course.id, assignment_id: 'override', per_page: 100 });
  expect(found.events).toMatchObject([{ course_override_grade: true, grade_after: 'A', links: { assignment: null } }]);
});

test('section-restricted graders read the changes of their students only', async () => {
  const { limited, sue, student, course } = scene;
  const found = await as(limited).get(`/audit/grade_change/courses/${course.id}`, { per_page: 100 });
  expect(new Set(ok(within(found, 2)).events.map(({ links }: Body) => links.student))).toEqual(new Set([String(sue.id)]));
  expect(JSON.stringify(found.body)).not.toContain(student.name);
  ok(await as(limited).get(`/audit/grade_change/courses/${course.id}/students/${student.id}`), 404);
  expect((await log(as(limited), `/courses/${course.id}/students/${sue.id}`)).events).toHaveLength(1);
  expect((await log(as(limited), '', { course_id: course.id, grader_id: scene.ta.id })).events).toEqual([]);
});

test('students of an anonymous assignment are hidden from graders until all grades are posted', async () => {
  const { student, teacher, course } = scene;
  const assignment = await ground.assignment(course, { points_possible: 10, post_manually: true, options: { anonymous_grading: true } });
  const anonymous_id = anonymousId({ secret: env.SIGNING_SECRET, assignment_id: assignment }, student.id);
  const at = `/courses/${course.id}/assignments/${assignment}`;
  const pages = async () => {
    const seen: Body[] = [];
    for (let next: string | undefined = `/audit/grade_change?course_id=${course.id}&student_id=${student.id}&per_page=1`; next; ) {
      const page: Answer = await as(teacher).get(next);
      seen.push(ok(page).events);
      next = page.links.next;
    }
    return seen;
  };
  const before = await pages();
  ok(await as(teacher).put(`${at}/anonymous_submissions/${anonymous_id}`, { submission: { posted_grade: '5' } }));
  const hidden = await log(as(teacher), at);
  expect(hidden.events).toMatchObject([{ graded_anonymously: true, links: { student: null, grader: String(teacher.id) } }]);
  expect(hidden.linked.users.map(({ id }: Body) => id)).toEqual([teacher.id]);
  expect((await as(teacher).get(`/audit/grade_change${at}/students/${student.id}`)).status).toBe(401);
  // Nor does the number of pages tell when the student was graded.
  expect(await pages()).toEqual(before);
  // Administrators see names.
  expect((await log(as(admin), at)).events).toMatchObject([{ links: { student: String(student.id) } }]);
  await env.DB.prepare('update assignments set anonymize_students = 0 where id = ?').bind(assignment).run();
  expect((await log(as(teacher), at)).events).toMatchObject([{ links: { student: String(student.id) } }]);
});

test('only graders and administrators read the log, and what does not exist is not found', async () => {
  const { student, designer, observer, stranger, teacher, course, assignment } = scene;
  const dean = await ground.admin({ account_id: (await ground.account()).id });
  const paths = ['', `/students/${student.id}`, `/assignments/${assignment}`];
  for (const one of [student, designer, observer, stranger, dean])
    for (const path of paths) ok(await as(one).get(`/audit/grade_change/courses/${course.id}${path}`), 401);
  for (const one of [student, teacher, dean])
    for (const path of [`/assignments/${assignment}`, `/students/${student.id}`, `/graders/${teacher.id}`, `?student_id=${student.id}`])
      ok(await as(one).get(`/audit/grade_change${path}`), 401);
  for (const path of [
    '/courses/999999',
    '/assignments/999999',
    '/students/999999',
    '/graders/999999',
    '/graders/x',
    `/courses/${course.id}/assignments/999999`,
  ])
    ok(await as(admin).get(`/audit/grade_change${path}`), 404);
  ok(await as(teacher).get(`/audit/grade_change/courses/${course.id}/students/${stranger.id}`), 404);
  ok(await as(admin).get('/audit/grade_change'), 400);
  ok(await as(admin).get('/audit/grade_change', { assignment_id: 'override' }), 400);
});

test('changes of earlier years come from the archive, also for section-restricted graders', async () => {
  const { student, sue, teacher, limited, course, assignment } = scene;
  await many(300, grade_changes, {
    course_id: course.id,
    assignment_id: assignment,
    student_id: sql`iif(n % 3 = 0, ${sue.id}, ${student.id})`,
    grader_id: teacher.id,
    version_number: sql`1000 + n`,
    grade_after: sql`cast(n as text)`,
    excused_before: false,
    excused_after: false,
    posted_before: true,
    posted_after: true,
    is_posting: sql`n % 50 = 0`,
    created_at: sql`strftime('%Y-%m-%dT%H:%M:%SZ', '2024-01-01 00:00:00', '+' || n || ' minutes')`,
  });
  const base = `/courses/${course.id}`;
  const asked = [
    [teacher, base],
    [limited, base],
    [teacher, `${base}/students/${sue.id}`],
    [limited, `${base}/assignments/${assignment}/graders/${teacher.id}`],
    [admin, `/graders/${teacher.id}`],
  ] as const;
  const everything = async () => {
    const lists: Body[] = [];
    for (const [person, path] of asked) {
      const events: Body[] = [];
      for (let next: string | undefined = `/audit/grade_change${path}?per_page=60`; next; ) {
        const page: Body = await as(person).get(next);
        expect(page.cost.d1_trips).toBeLessThanOrEqual(3);
        events.push(...ok(page).events);
        next = page.links.next;
      }
      lists.push(events);
    }
    return lists;
  };
  const before = await everything();
  expect(before.map((events) => events.filter(({ created_at }: Body) => created_at < '2025').length)).toEqual([294, 98, 98, 98, 294]);
  const db = open(env.DB, newMeter(), 'first-primary');
  const platform = env as unknown as Platform;
  while ((await archiveLogs(platform, db, '2026-11-23T00:00:00Z')) > 0);
  expect(await env.DB.prepare("select count(*) as count from grade_changes where created_at < '2025'").first('count')).toBe(0);
  const after = await everything();
  expect(after.map((events) => events.length)).toEqual(before.map((events) => events.length));
  expect(after).toEqual(before);
});
