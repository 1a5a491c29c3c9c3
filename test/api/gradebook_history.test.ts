// The history of a gradebook: days, graders of a day, submissions of a grader, and the feed of versions.

import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourseOfTwoSections, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof build>>;
let scene: Scene;

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

async function build() {
  const one = await aCourseOfTwoSections(ground);
  const essay = await ground.assignment(one.course, { name: 'Essay', points_possible: 10, submission_types: ['online_text_entry'] });
  const lab = await ground.assignment(one.course, { name: 'Lab', points_possible: 10 });
  const at = `/courses/${one.course.id}`;
  const submit = (body: string) =>
    as(one.student).post(`${at}/assignments/${essay}/submissions`, { submission: { submission_type: 'online_text_entry', body } });
  const grade = async (by: Person, student: Person, assignment: number, submission: object, on: string) => {
    ok(await as(by).put(`${at}/assignments/${assignment}/submissions/${student.id}`, { submission }));
    await env.DB.prepare('update grade_changes set created_at = ? where id = (select max(id) from grade_changes)').bind(on).run();
  };
  ok(await submit('First'), 201);
  await grade(one.teacher, one.student, essay, { posted_grade: '5' }, '2026-11-02T10:00:00Z');
  ok(await submit('Second'), 201);
  await grade(one.ta, one.student, essay, { posted_grade: '8' }, '2026-11-03T10:00:00Z');
  await grade(one.ta, one.student, essay, { posted_grade: '9' }, '2026-11-03T11:00:00Z');
  await grade(one.ta, one.sid, lab, { posted_grade: '4' }, '2026-11-03T12:00:00Z');
  await env.DB.prepare("update submissions set score = 3, grade = '3', grader_id = null where assignment_id = ? and user_id = ?")
    .bind(lab, one.sid.id)
    .run();
  await env.DB.prepare("update grade_changes set created_at = '2026-11-04T03:00:00Z' where id = (select max(id) from grade_changes)").run();
  return { ...one, essay, lab, at, history: `${at}/gradebook_history` };
}

beforeAll(async () => {
  scene = await build();
}, 60_000);

const read = async (by: Person, path: string, query: object = {}): Promise<Body> =>
  ok(within(await as(by).get(`${scene.history}${path}`, query), 2));

test('days list the graders and their assignments, newest first, in the time zone of the reader', async () => {
  const { teacher, ta, essay, lab } = scene;
  const brief = (days: Body) =>
    days.map(({ date, graders }: Body) => [
      date,
      graders.map(({ id, name, assignments }: Body) => [id, name, assignments.map((one: Body) => one.id)]),
    ]);
  expect(brief(await read(teacher, '/days'))).toEqual([
    ['2026-11-04', [[0, 'Graded on submission', [lab]]]],
    ['2026-11-03', [[ta.id, ta.name, [lab, essay]]]],
    ['2026-11-02', [[teacher.id, teacher.name, [essay]]]],
  ]);
  await env.DB.prepare("update users set time_zone = 'America/New_York' where id = ?").bind(ta.id).run();
  expect(brief(await read(ta, '/days')).map(([date]: Body) => date)).toEqual(['2026-11-03', '2026-11-02']);
  expect((await read(teacher, '/days', { per_page: 100 }))[0].graders[0].assignments[0]).toMatchObject({ id: lab, name: 'Lab' });
});

test('a day lists its graders, for every form of the date', async () => {
  const { teacher, ta, lab, essay } = scene;
  for (const date of ['2026-11-03', '11-03-2026', '20261103'])
    expect(await read(teacher, `/${date}`)).toMatchObject([{ id: ta.id, name: ta.name, assignments: [{ id: lab }, { id: essay }] }]);
  expect(await read(teacher, '/2026-11-01')).toEqual([]);
  ok(await as(teacher).get(`${scene.history}/2026-13-01`), 400);
});

test('the submissions of a grader and a day have the versions in which the score changed', async () => {
  const { teacher, ta, student, sid, essay, lab } = scene;
  const of = (grader: number, assignment: number, date = '2026-11-03') =>
    `/${date}/graders/${grader}/assignments/${assignment}/submissions`;
  const [history, ...others] = await read(teacher, of(ta.id, essay));
  expect(others).toEqual([]);
  expect(history.submission_id).toBe(essay * 2 ** 26 + student.id);
  const version = (score: number, grader: Person, graded_at: string, before?: readonly [number, Person, string]) => ({
    assignment_id: essay,
    assignment_name: 'Essay',
    user_id: student.id,
    user_name: student.name,
    score,
    grade: String(score),
    grader_id: grader.id,
    grader: grader.name,
    graded_at,
    workflow_state: 'graded',
    current_grade: '9',
    current_grader: ta.name,
    previous_grade: before ? String(before[0]) : null,
    previous_grader: before?.[1].name ?? null,
    previous_graded_at: before?.[2] ?? null,
    new_grade: String(score),
    new_score: score,
    new_grader: grader.name,
    new_graded_at: graded_at,
  });
  const [first, second, third] = ['2026-11-02T10:00:00Z', '2026-11-03T10:00:00Z', '2026-11-03T11:00:00Z'] as const;
  expect(history.versions).toMatchObject([
    version(9, ta, third, [8, ta, second]),
    version(8, ta, second, [5, teacher, first]),
    version(5, teacher, first),
  ]);
  expect(history.versions.map(({ body, attempt }: Body) => [body, attempt])).toEqual([
    ['Second', 2],
    ['Second', 2],
    ['First', 1],
  ]);
  expect(await read(teacher, of(0, lab, '2026-11-04'))).toMatchObject([
    { versions: [{ user_id: sid.id, grader: 'Graded on submission', previous_grade: '4' }, { grader: ta.name }] },
  ]);
  expect(await read(teacher, of(teacher.id, essay))).toEqual([]);
  ok(await as(teacher).get(`${scene.history}${of(ta.id, 999_999)}`), 404);
});

test('the feed lists every version, filtered, and in both directions', async () => {
  const { teacher, student, sid, essay, lab } = scene;
  const grades = async (query: object = {}) => (await read(teacher, '/feed', query)).map(({ grade }: Body) => grade);
  expect(await grades()).toEqual(['3', '4', '9', '8', '5']);
  expect(await grades({ ascending: true })).toEqual(['5', '8', '9', '4', '3']);
  expect(await grades({ assignment_id: lab })).toEqual(['3', '4']);
  expect(await grades({ user_id: student.id })).toEqual(['9', '8', '5']);
  expect(await grades({ user_id: sid.id, assignment_id: essay })).toEqual([]);
  const [version] = await read(teacher, '/feed', { user_id: student.id });
  expect(version).toMatchObject({ assignment_name: 'Essay', user_name: student.name, current_grade: '9' });
  expect(version).not.toHaveProperty('previous_grade');
  expect(version).not.toHaveProperty('is_hidden');
  const first = await as(teacher).get(`${scene.history}/feed`, { per_page: 2 });
  expect(ok(await as(teacher).get(first.links.next ?? '')).map(({ grade }: Body) => grade)).toEqual(['9', '8']);
});

test('section-restricted graders see the history of their students only', async () => {
  const { limited, sid, lab, ta, essay } = scene;
  expect(
    (await read(limited, '/days')).flatMap(({ graders }: Body) =>
      graders.flatMap(({ assignments }: Body) => assignments.map((one: Body) => one.id)),
    ),
  ).toEqual([lab, lab]);
  expect((await read(limited, '/feed')).map(({ user_id }: Body) => user_id)).toEqual([sid.id, sid.id]);
  expect(await read(limited, `/2026-11-03/graders/${ta.id}/assignments/${essay}/submissions`)).toEqual([]);
});

test('anonymous submissions are left out until they are posted', async () => {
  const { teacher, essay } = scene;
  const options = (anonymous: boolean) =>
    env.DB.prepare(
      `update assignments set options = json_set(options, '$.anonymous_grading', json('${anonymous}')) where id = ${essay}`,
    ).run();
  await options(true);
  await env.DB.prepare(`update submissions set posted_at = null where assignment_id = ${essay}`).run();
  const grades = async () => (await read(teacher, '/feed')).map(({ grade }: Body) => grade);
  expect(await grades()).toEqual(['3', '4']);
  expect(await read(teacher, `/2026-11-03/graders/${scene.ta.id}/assignments/${essay}/submissions`)).toEqual([]);
  await options(false);
  expect(await grades()).toHaveLength(5);
});

test('only graders read the history', async () => {
  const { student, designer, observer, stranger } = scene;
  for (const one of [student, designer, observer, stranger])
    for (const path of ['/days', '/feed', '/2026-11-03']) ok(await as(one).get(`${scene.history}${path}`), 401);
});
