// The feed of courses that the caller has chosen for grading: the work of the students whom REST shows, and nothing of others.

import { env } from 'cloudflare:workers';
import type { Change, ChangesPage } from '@carrel/shared/sync/protocol';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { postGrades } from '@carrel/worker/domains/submissions/posting/posting';
import { submissions } from '@carrel/worker/domains/submissions/table';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { aCourseOfTwoSections, type Person } from '../support/ground';
import { differences, mirrorOf, restView } from '../support/mirror';
import { wrote } from '../support/watched_course';

const platform = env as unknown as Platform;
const text = { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } };
const idOf = (assignment: number, person: Person) => assignment * 2 ** 26 + person.id;

/** A course with graders, whose feeds have its work. */
async function aScene() {
  const scene = await aCourseOfTwoSections(ground);
  const { course, teacher } = scene;
  const admin = await ground.admin();
  await ground.enroll(course, admin, 'teacher');
  const at = `/courses/${course.id}`;
  const graders = { teacher, ta: scene.ta, limited: scene.limited, admin };
  const others = { designer: scene.designer, student: scene.student, observer: scene.observer };
  const watchers = Object.entries({ ...graders, ...others }).map(([part, person]) => {
    const mirror = mirrorOf(as(person));
    mirror.choose([course.id]);
    return { part, person, mirror, chosen: part in graders ? [course.id] : [] };
  });
  const watcher = (part: string) => watchers.find((one) => one.part === part) as (typeof watchers)[number];
  return {
    ...scene,
    admin,
    at,
    watcher,
    seenBy: (part: string) => watcher(part).mirror.view,
    async assign(name: string, more: object = {}): Promise<number> {
      const assignment = { name, published: true, points_possible: 10, submission_types: ['online_text_entry'], ...more };
      return wrote(await as(teacher).post(`${at}/assignments`, { assignment })).id;
    },
    hand: (assignment: number, person: Person) => as(person).post(`${at}/assignments/${assignment}/submissions`, text).then(wrote),
    grade: (assignment: number, person: Person, body: object, grader = teacher) =>
      as(grader).put(`${at}/assignments/${assignment}/submissions/${person.id}`, body).then(wrote),
    /** Compares every feed with REST. */
    async agree(after: string) {
      for (const { part, person, mirror, chosen } of watchers) {
        await mirror.catchUp();
        const rest = await restView(as(person), person, [course], chosen);
        await mirror.catchUp();
        expect(differences(mirror.view, rest), `${part}, after ${after}`).toEqual([]);
      }
    },
  };
}

const worksOf = (view: ReadonlyMap<string, unknown>) => [...view.keys()].filter((key) => key.startsWith('submission '));

test('graders receive the work and the enrollments of their students as REST shows them', { timeout: 240_000 }, async () => {
  const scene = await aScene();
  const { course, at, student, student2, sid, section, teacher, seenBy, hand, grade, agree } = scene;
  const essay = await scene.assign('Essay', { due_at: '2026-09-10T00:00:00Z' });
  for (const person of [student, sid]) await hand(essay, person);
  await agree('two submissions');
  const ofSid = `submission ${idOf(essay, sid)}`;
  const ofStudent = `submission ${idOf(essay, student)}`;
  expect(worksOf(seenBy('teacher'))).toEqual([ofStudent, ofSid]);
  expect(worksOf(seenBy('ta')).length).toBe(2);
  expect(worksOf(seenBy('limited'))).toEqual([ofSid]);
  expect(worksOf(seenBy('designer'))).toEqual([]);
  expect(worksOf(seenBy('student'))).toEqual([ofStudent]);
  expect(worksOf(seenBy('observer'))).toEqual([ofStudent]);
  for (const part of ['student', 'observer', 'designer'])
    for (const [key, one] of seenBy(part)) {
      expect('version' in (one as object) && key.startsWith('submission'), `${part}: ${key}`).toBe(false);
      expect('submission_history' in (one as object), `${part}: ${key}`).toBe(false);
    }
  const roster = (part: string) =>
    [...seenBy(part)].filter(([key, one]) => key.startsWith('enrollment ') && one.type === 'StudentEnrollment');
  expect(roster('teacher').length).toBe(3);
  expect(roster('limited').map(([, one]) => one.user_id)).toEqual([sid.id]);
  expect(roster('teacher')[0]?.[1]).toMatchObject({ user: { sortable_name: expect.any(String), avatar_url: expect.any(String) } });
  expect(roster('teacher')[0]?.[1]).not.toHaveProperty('grades');

  await grade(essay, student, { submission: { posted_grade: '7' }, comment: { text_comment: 'Fine' } });
  await hand(essay, student);
  await grade(essay, student2, { submission: { excuse: true } });
  await agree('grades, a comment and a second attempt');
  expect(seenBy('teacher').get(ofStudent)).toMatchObject({ score: 7, attempt: 2, version: expect.any(String) });
  expect(seenBy('teacher').get(ofStudent)?.submission_history).toHaveLength(2);

  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { due_at: '2027-09-01T00:00:00Z', points_possible: 20 } }));
  await agree('another due date');
  expect(seenBy('teacher').get(ofStudent)).toMatchObject({ late: false });
  const override = { student_ids: [student.id], due_at: '2026-09-02T00:00:00Z', title: 'Early' };
  wrote(await as(teacher).post(`${at}/assignments/${essay}/overrides`, { assignment_override: override }));
  await agree('an override');
  expect(seenBy('teacher').get(ofStudent)).toMatchObject({ late: true });
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { only_visible_to_overrides: true } }));
  await agree('students unassigned');
  expect(worksOf(seenBy('teacher'))).toEqual([ofStudent]);
  wrote(await as(teacher).put(`${at}/assignments/${essay}`, { assignment: { only_visible_to_overrides: false } }));
  await agree('students assigned again');
  expect(seenBy('limited').has(ofSid)).toBe(true);

  wrote(await as(student).put('/users/self', { user: { short_name: 'Sammy' } }));
  await agree('another name');
  const [its] = wrote(await as(teacher).get(`${at}/enrollments`, { user_id: sid.id }));
  wrote(await as(teacher).del(`${at}/enrollments/${its.id}`, { task: 'deactivate' }));
  await agree('a student deactivated');
  expect([seenBy('limited').has(ofSid), seenBy('teacher').has(ofSid)]).toEqual([false, false]);
  expect(seenBy('limited').get(`enrollment ${its.id}`)).toMatchObject({ enrollment_state: 'inactive' });
  wrote(await as(teacher).put(`${at}/enrollments/${its.id}/reactivate`));
  await agree('a student reactivated');
  expect(seenBy('limited').has(ofSid)).toBe(true);
  wrote(await as(teacher).del(`${at}/enrollments/${its.id}`, { task: 'delete' }));
  await agree('a student deleted');
  expect([seenBy('limited').has(ofSid), seenBy('limited').has(`enrollment ${its.id}`)]).toEqual([false, false]);
  await ground.enroll(course, sid, 'student');
  await agree('a student in the other section');
  expect([seenBy('limited').has(ofSid), seenBy('teacher').has(ofSid)]).toEqual([false, true]);
  await ground.enroll(course, student, 'student', { section_id: section });
  await agree('a student in a second section');
  expect(seenBy('limited').has(ofStudent)).toBe(true);
});

test('a choice is added and removed without anything else, and foreign ids are ignored', { timeout: 120_000 }, async () => {
  const scene = await aScene();
  const { course, student, student2, teacher, stranger, hand } = scene;
  const other = await aCourseOfTwoSections(ground);
  const essay = await scene.assign('Essay');
  await hand(essay, student);
  await hand(essay, student2);
  const feed = mirrorOf(as(teacher));
  await feed.catchUp();
  const before = new Map(feed.view);
  expect(worksOf(feed.view)).toEqual([]);
  feed.choose([course.id, other.course.id, 999_999_999]);
  const added = await feed.catchUp();
  expect(new Set(added.map(({ kind, op, course_id }) => `${op} ${kind} ${course_id}`))).toEqual(
    new Set([`upsert enrollment ${course.id}`, `upsert submission ${course.id}`]),
  );
  expect(worksOf(feed.view).length).toBe(2);
  expect(await feed.catchUp()).toEqual([]);
  feed.choose([]);
  const removed = await feed.catchUp();
  expect(new Set(removed.map(({ kind }) => kind))).toEqual(new Set(['enrollment', 'submission']));
  expect([...feed.view.keys()].sort()).toEqual([...before.keys()].sort());
  expect(await feed.catchUp()).toEqual([]);
  // Chosen again, with a change meanwhile, and from the beginning.
  await scene.grade(essay, student, { submission: { posted_grade: '3' } });
  feed.choose([course.id]);
  await feed.catchUp();
  expect(feed.view.get(`submission ${idOf(essay, student)}`)).toMatchObject({ score: 3 });
  const anew = mirrorOf(as(teacher));
  anew.choose([course.id]);
  await anew.catchUp();
  expect(differences(anew.view, await restView(as(teacher), teacher, [course], [course.id]))).toEqual([]);

  for (const person of [student, stranger, scene.designer, scene.observer]) {
    const [plain, choosing] = [mirrorOf(as(person)), mirrorOf(as(person))];
    choosing.choose([course.id, other.course.id]);
    expect(await choosing.catchUp()).toEqual(await plain.catchUp());
    await scene.grade(essay, student2, { submission: { posted_grade: String(person.id % 10) } });
    expect(await choosing.catchUp()).toEqual(await plain.catchUp());
  }
  const bad = await as(teacher).get('/api/sync/v1/changes', { graded_course_ids: ['x'] });
  expect([bad.status, JSON.stringify(bad.body)]).toEqual([400, expect.stringContaining('graded_course_ids')]);
  const most = await as(teacher).get('/api/sync/v1/changes', { graded_course_ids: Array.from({ length: 101 }, (_, at) => at + 1) });
  expect([most.status, JSON.stringify(most.body)]).toEqual([400, expect.stringContaining('graded_course_ids')]);
});

test('the work of anonymous students is not in the feed until their grades are posted, and is removed when anonymity begins', {
  timeout: 120_000,
}, async () => {
  const scene = await aScene();
  const { at, student, student2, teacher, seenBy, hand, grade, agree } = scene;
  const essay = await scene.assign('Essay', { anonymous_grading: true });
  const open = await scene.assign('Open');
  await hand(open, student);
  await hand(essay, student);
  await agree('an anonymous submission');
  const [its, hidden] = [`submission ${idOf(open, student)}`, `submission ${idOf(essay, student)}`];
  expect([worksOf(seenBy('teacher')), worksOf(seenBy('admin')).length]).toEqual([[its], 2]);
  const { mirror } = scene.watcher('teacher');
  // No change of the feed shows who submits.
  await hand(essay, student2);
  const heard = (await mirror.catchUp()).filter(({ kind }) => kind === 'submission').map(({ id }) => id);
  const everyone = [scene.student, scene.student2, scene.sid].map((person) => idOf(essay, person)).sort();
  expect([[], everyone]).toContainEqual(heard.sort());
  await grade(essay, student, { submission: { posted_grade: '4' } }, scene.admin);
  await grade(essay, student2, { submission: { posted_grade: '5' } }, scene.admin);
  const work = ok(await as(scene.admin).post(`${at}/assignments/${essay}/post_grades`));
  await postGrades({ job: 'post_grades', progress_id: work.id }, platform);
  await agree('grades posted');
  expect(seenBy('teacher').get(hidden)).toMatchObject({ score: 4 });
  const late = await scene.assign('Late');
  await hand(late, student);
  await agree('another submission');
  expect(seenBy('teacher').has(`submission ${idOf(late, student)}`)).toBe(true);
  wrote(await as(teacher).put(`${at}/assignments/${late}`, { assignment: { anonymous_grading: true } }));
  await hand(late, student2);
  const gone = (await mirror.catchUp()).filter(({ kind, id }) => kind === 'submission' && id >= late * 2 ** 26);
  expect(gone.every(({ op }) => op === 'delete')).toBe(true);
  expect(gone.map(({ id }) => id)).toEqual(
    [scene.student, scene.student2, scene.sid].map((person) => idOf(late, person)).sort((a, b) => a - b),
  );
  await agree('anonymity began');
  expect([seenBy('teacher').has(`submission ${idOf(late, student)}`), seenBy('admin').has(`submission ${idOf(late, student)}`)]).toEqual([
    false,
    true,
  ]);
});

test('other sections, and the loss of the right to grade', { timeout: 120_000 }, async () => {
  const scene = await aScene();
  const { course, limited, sid, student, seenBy, hand, agree } = scene;
  const essay = await scene.assign('Essay');
  await hand(essay, sid);
  await hand(essay, student);
  await agree('two submissions');
  expect(worksOf(seenBy('limited'))).toEqual([`submission ${idOf(essay, sid)}`]);
  const mine = sql`user_id = ${limited.id} and course_id = ${course.id}`;
  await ground.db.run(sql`update enrollments set course_section_id = ${course.section_id} where ${mine}`);
  await agree('another section of the assistant');
  expect(worksOf(seenBy('limited'))).toEqual([`submission ${idOf(essay, student)}`]);
  const moved = await scene.watcher('limited').mirror.catchUp();
  expect(moved).toEqual([]);
  await ground.db.run(sql`update enrollments set limit_privileges_to_course_section = 0 where ${mine}`);
  await agree('no restriction');
  expect(worksOf(seenBy('limited')).length).toBe(2);
  await ground.db.run(sql`update enrollments set type = 'DesignerEnrollment', role_id = 6 where ${mine}`);
  const { mirror } = scene.watcher('limited');
  await mirror.catchUp();
  expect(worksOf(mirror.view)).toEqual([]);
  expect([...mirror.view.values()].filter((one) => one.type === 'StudentEnrollment')).toEqual([]);
  expect(differences(mirror.view, await restView(as(limited), limited, [course]))).toEqual([]);
});

test('a section that moves to another course takes its students with it', { timeout: 120_000 }, async () => {
  const scene = await aScene();
  const { section, sid, admin, seenBy, hand, agree, course } = scene;
  const essay = await scene.assign('Essay');
  await hand(essay, sid);
  await agree('a submission');
  expect(worksOf(seenBy('teacher'))).toEqual([`submission ${idOf(essay, sid)}`]);
  const other = await ground.course();
  wrote(await as(admin).post(`/sections/${section}/crosslist/${other.id}`));
  const { mirror, person } = scene.watcher('teacher');
  await mirror.catchUp();
  expect(worksOf(mirror.view)).toEqual([]);
  expect([...mirror.view.values()].some((one) => one.type === 'StudentEnrollment' && one.user_id === sid.id)).toBe(false);
  expect(differences(mirror.view, await restView(as(person), person, [course], [course.id]))).toEqual([]);
});

test('2,500 submissions come in pages of three trips, and an idle request reads a row for each student', { timeout: 240_000 }, async () => {
  const { course, teacher } = await aCourseOfTwoSections(ground);
  const first = 2_000_000;
  await manyStudents(500, course, first, nth('Student '));
  await many(5, assignments, {
    course_id: course.id,
    assignment_group_id: course.assignment_group_id,
    name: nth('Essay '),
    position: sql<number>`n`,
    lti_context_id: nth('lti-'),
    workflow_state: 'published',
    submission_types: ['online_text_entry'],
    points_possible: 10,
  });
  const ids = await ground.db.select({ id: assignments.id }).from(assignments).where(sql`course_id = ${course.id}`);
  for (const { id } of ids)
    await many(500, submissions, {
      id: sql<number>`${id} * 67108864 + ${first} + n`,
      course_id: course.id,
      assignment_id: id,
      user_id: sql<number>`${first} + n`,
      attempt: 1,
      submission_type: 'online_text_entry',
      body: '<p>Mine</p>',
      submitted_at: '2026-09-02T08:00:00Z',
      workflow_state: 'submitted',
    });
  const ask = (cursor: string | undefined, chosen: readonly number[]) =>
    as(teacher).get('/api/sync/v1/changes', {
      ...(cursor && { cursor }),
      limit: 1000,
      ...(chosen.length > 0 && { graded_course_ids: chosen }),
    });
  const follow = async (from: string | undefined, chosen: readonly number[]) => {
    const changes: Change[] = [];
    let cursor = from;
    for (let more = true; more; ) {
      const page = ok(within(await ask(cursor, chosen), 3)) as ChangesPage;
      expect(page.changes.length).toBeLessThanOrEqual(1000);
      changes.push(...page.changes);
      cursor = page.cursor;
      more = page.has_more;
    }
    return { changes, cursor: cursor as string };
  };
  const plain = await follow(undefined, []);
  const chosen = await follow(plain.cursor, [course.id]);
  const keys = chosen.changes.map(({ kind, op, id }) => `${op} ${kind} ${id}`);
  expect(keys.length).toBe(new Set(keys).size);
  expect(chosen.changes.filter(({ kind }) => kind === 'submission').length).toBe(2500);
  expect(chosen.changes.filter(({ kind }) => kind === 'enrollment').length).toBe(503);
  const idle = async (cursor: string, courses: readonly number[]) => {
    const answer = within(await ask(cursor, courses), 2);
    expect(ok(answer)).toMatchObject({ changes: [], has_more: false });
    return answer.cost.rows_read;
  };
  const cost = (await idle(chosen.cursor, [course.id])) - (await idle(plain.cursor, []));
  expect(cost).toBeLessThanOrEqual(503 * 3 + 50);
  // A changed assignment sends its submissions again, in pages; one grade sends one.
  const [essay] = ids as [{ id: number }];
  wrote(await as(teacher).put(`/courses/${course.id}/assignments/${essay.id}`, { assignment: { points_possible: 12 } }));
  const again = await follow(chosen.cursor, [course.id]);
  expect(again.changes.filter(({ kind }) => kind === 'submission').length).toBe(500);
  const graded = `/courses/${course.id}/assignments/${essay.id}/submissions/${first + 1}`;
  for (const posted_grade of ['4', '5']) wrote(await as(teacher).put(graded, { submission: { posted_grade } }));
  const settled = await follow(again.cursor, [course.id]);
  wrote(await as(teacher).put(graded, { comment: { text_comment: 'Fine' } }));
  const last = await follow(settled.cursor, [course.id]);
  expect(last.changes.filter(({ kind }) => kind === 'submission').map(({ id }) => id)).toEqual([essay.id * 2 ** 26 + first + 1]);
  const removed = await follow(last.cursor, []);
  expect(removed.changes.filter(({ kind, op }) => kind === 'submission' && op === 'delete').length).toBe(2500);
});
