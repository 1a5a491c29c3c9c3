// Conditional grading: a grader who has not seen the newest state of a submission changes nothing.

import { blankSubmissionVersion } from '@carrel/shared/sync/submission_version';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { between } from '../support/between';
import { aCourse, type Person } from '../support/ground';
import { mirrorOf } from '../support/mirror';

const text = { submission: { submission_type: 'online_text_entry', body: '<p>Mine</p>' } };
const ifMatch = (version: string, more: Record<string, string> = {}) => ({
  headers: { 'If-Match': version === '*' ? version : `"${version}"`, ...more },
});

async function aScene() {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const at = `/courses/${course.id}`;
  const assign = async (more: object = {}): Promise<number> =>
    ok(
      await as(teacher).post(`${at}/assignments`, {
        assignment: { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'], ...more },
      }),
      201,
    ).id;
  const essay = await assign();
  const pathOf = (person: Person, assignment = essay) => `${at}/assignments/${assignment}/submissions/${person.id}`;
  const read = async (person: Person, assignment = essay) =>
    ok(
      await as(teacher).get(pathOf(person, assignment), {
        include: ['submission_comments', 'rubric_assessment', 'submission_history'],
      }),
    );
  return { ...scene, at, essay, assign, pathOf, read };
}

const logged = async (assignment: number) =>
  (
    await ground.db.all<{ grader_id: number }>(
      sql`select grader_id from grade_changes where assignment_id = ${assignment} order by id`,
    )
  ).map(({ grader_id }) => grader_id);

test('a version changes with attempt, grade, excuse, late status and posting, and is for graders only', async () => {
  const { at, essay, assign, pathOf, read, teacher, ta, student, student2, observer } = await aScene();
  expect((await read(student)).version).toBe(blankSubmissionVersion);
  const seen = [blankSubmissionVersion];
  const next = async (write: Promise<{ status: number }>, isOther = true) => {
    expect((await write).status).toBeLessThan(300);
    const { version } = await read(student);
    if (isOther) expect(seen).not.toContain(version);
    else expect(version).toBe(seen.at(-1));
    seen.push(version);
  };
  const grade = (submission: object, more: object = {}) => as(teacher).put(pathOf(student), { submission, ...more });
  await next(as(student).post(`${at}/assignments/${essay}/submissions`, text));
  await next(grade({}, { comment: { text_comment: 'Hm' } }), false);
  await next(grade({ posted_grade: '7.5' }));
  await next(grade({ posted_grade: '8' }));
  await next(grade({ late_policy_status: 'late' }));
  await next(grade({ seconds_late_override: 3600 }));
  await next(as(student).post(`${at}/assignments/${essay}/submissions`, text));
  await next(grade({ excuse: true }));
  const { version } = await read(student);
  for (const grader of [teacher, ta]) {
    const all = ok(await as(grader).get(`${at}/students/submissions`, { student_ids: ['all'] }));
    expect(all.find((one: { user_id: number }) => one.user_id === student.id).version).toBe(version);
    expect(all.find((one: { user_id: number }) => one.user_id === student2.id).version).toBe(blankSubmissionVersion);
  }
  const graded = mirrorOf(as(teacher));
  const { course_id } = { course_id: Number(at.split('/')[2]) };
  graded.choose([course_id]);
  await graded.catchUp();
  expect(graded.view.get(`submission ${essay * 2 ** 26 + student.id}`)).toMatchObject({ version });
  for (const person of [student, observer]) {
    expect(ok(await as(person).get(pathOf(student)))).not.toHaveProperty('version');
    const view = mirrorOf(as(person));
    view.choose([course_id]);
    await view.catchUp();
    for (const [key, one] of view.view) if (key.startsWith('submission ')) expect(one).not.toHaveProperty('version');
  }
  const anonymous = await assign({ anonymous_grading: true });
  ok(await as(student).post(`${at}/assignments/${anonymous}/submissions`, text), 201);
  for (const one of ok(await as(teacher).get(`${at}/assignments/${anonymous}/submissions`))) expect(one).not.toHaveProperty('version');
});

test('a grade, a comment or an assessment on another version changes nothing, and the refusal has the current submission', async () => {
  const { at, essay, pathOf, read, teacher, ta, student, course } = await aScene();
  const made = ok(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: { criteria: [{ description: 'Method', ratings: [{ points: 5, description: 'Good' }] }] },
      rubric_association: { association_id: essay, association_type: 'Assignment', use_for_grading: true },
    }),
  );
  const [{ id: criterion }] = made.rubric.data;
  // Without a row, the version is that of a blank one.
  const first = ok(
    within(await as(teacher).put(pathOf(student), { submission: { posted_grade: '4' } }, ifMatch(blankSubmissionVersion)), 3),
  );
  expect(first).toMatchObject({ score: 4, version: (await read(student)).version });
  const stale = ifMatch(blankSubmissionVersion);
  const before = await read(student);
  const everything = {
    submission: { posted_grade: '9' },
    comment: { text_comment: 'Mine' },
    rubric_assessment: { [criterion]: { points: 5 } },
  };
  for (const below of [pathOf(student), pathOf(student).replace(at, `/sections/${course.section_id}`)])
    for (const body of [everything, { comment: { text_comment: 'Alone' } }, { rubric_assessment: { [criterion]: { points: 5 } } }]) {
      const refused = within(await as(ta).put(below, body, stale), 3);
      const { message, current, copy } = ok(refused, 412);
      expect({ message, copy }).toEqual({ message: 'the precondition failed', copy: null });
      expect(current).toEqual(before);
    }
  expect(await read(student)).toEqual(before);
  for (const version of ['*', before.version])
    ok(await as(ta).put(pathOf(student), { comment: { text_comment: version } }, ifMatch(version)));
  expect((await read(student)).submission_comments.length).toBe(2);
  const several = { headers: { 'If-Match': `"x", "${before.version}"` } };
  expect(ok(await as(ta).put(pathOf(student), everything, several))).toMatchObject({ score: 9 });
  const none = (await read(student)).version;
  ok(await as(ta).put(pathOf(student), everything, { headers: { 'If-None-Match': `"${none}"` } }), 412);
  ok(await as(ta).put(pathOf(student), everything, { headers: { 'If-Match': none } }), 400);
  ok(await as(ta).put(pathOf(student), everything, { headers: { 'If-Match': `W/"${none}"` } }), 412);
  // A student cannot ask whether a hidden grade is the one that they guess.
  ok(await as(student).put(pathOf(student), { comment: { text_comment: 'Me' } }, ifMatch(none)), 400);
  ok(await as(student).put(pathOf(student), { comment: { text_comment: 'Me' } }));
});

test('of two graders who have seen the same version, exactly one wins, and the log has each grade that was given', async () => {
  const { essay, assign, pathOf, read, teacher, ta, student } = await aScene();
  for (let round = 0; round < 5; round++) {
    const assignment = round === 0 ? essay : await assign();
    const { version } = await read(student, assignment);
    const results = await Promise.all(
      [teacher, ta].map((grader, nth) =>
        as(grader).put(
          pathOf(student, assignment),
          { submission: { posted_grade: String(nth + 1) }, comment: { text_comment: String(nth + 1) } },
          ifMatch(version),
        ),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = results.findIndex(({ status }) => status === 200);
    const now = await read(student, assignment);
    expect([now.score, now.submission_comments.length]).toEqual([winner + 1, 1]);
    const loser = results[1 - winner];
    expect(loser?.body.current).toMatchObject({ score: winner + 1, version: now.version });
    // After looking, the other one decides again.
    const [second] = [teacher, ta].filter((_, nth) => nth !== winner) as [Person];
    ok(await as(second).put(pathOf(student, assignment), { submission: { posted_grade: '9' } }, ifMatch(now.version)));
    expect(await logged(assignment)).toEqual([[teacher, ta][winner]?.id, second.id]);
  }
});

test('the condition is decided in the batch, also where another grade came after it was read', async () => {
  const { at, essay, pathOf, read, teacher, ta, student } = await aScene();
  ok(await as(student).post(`${at}/assignments/${essay}/submissions`, text), 201);
  const { version } = await read(student);
  const request = () =>
    as(ta).put(pathOf(student), { submission: { posted_grade: '1' }, comment: { text_comment: 'Mine' } }, ifMatch(version));
  const [refused] = await between(request, /^insert into "submissions"/, () =>
    as(teacher).put(pathOf(student), { submission: { posted_grade: '2' } }),
  );
  expect(ok(refused, 412).current).toMatchObject({ score: 2, submission_comments: [] });
  expect(await read(student)).toMatchObject({ score: 2, grader_id: teacher.id, submission_comments: [] });
  // A new attempt is another version, too.
  const later = (await read(student)).version;
  const [again] = await between(
    () => as(ta).put(pathOf(student), { submission: { posted_grade: '1' } }, ifMatch(later)),
    /^insert into "submissions"/,
    () => as(student).post(`${at}/assignments/${essay}/submissions`, text),
  );
  expect(ok(again, 412).current).toMatchObject({ attempt: 2, score: 2 });
});

test('with an idempotency key, a repeated grade has its first response, and the condition is part of the request', async () => {
  const { pathOf, read, teacher, student } = await aScene();
  const body = { submission: { posted_grade: '4' }, comment: { text_comment: 'Once' } };
  const keyed = (key: string, version: string) => ifMatch(version, { 'Idempotency-Key': key });
  const all = await Promise.all([1, 2, 3].map(() => as(teacher).put(pathOf(student), body, keyed('grade-1', blankSubmissionVersion))));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { version, submission_comments } = await read(student);
  expect(submission_comments.length).toBe(1);
  ok(await as(teacher).put(pathOf(student), body, keyed('grade-1', blankSubmissionVersion)));
  ok(await as(teacher).put(pathOf(student), body, keyed('grade-1', version)), 422);
  // A refusal is not stored.
  ok(await as(teacher).put(pathOf(student), body, keyed('grade-2', blankSubmissionVersion)), 412);
  ok(await as(teacher).put(pathOf(student), { submission: { posted_grade: '' } }));
  ok(await as(teacher).put(pathOf(student), body, keyed('grade-2', (await read(student)).version)));
});

test('in a group, the condition is about the student of the path', async () => {
  const { at, assign, pathOf, read, teacher, ta, student, student2, course } = await aScene();
  const set = ok(await as(teacher).post(`${at}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Reds' }));
  for (const person of [student, student2]) ok(await as(teacher).post(`/groups/${group.id}/memberships`, { user_id: person.id }));
  const project = await assign({ name: 'Project', group_category_id: set.id, course_id: course.id });
  ok(await as(teacher).put(pathOf(student2, project), { submission: { late_policy_status: 'late' } }));
  await ground.db.run(sql`update submissions set late_policy_status = null where assignment_id = ${project} and user_id = ${student.id}`);
  const { version } = await read(student, project);
  expect((await read(student2, project)).version).not.toBe(version);
  const graded = ok(await as(ta).put(pathOf(student, project), { submission: { posted_grade: '6' } }, ifMatch(version)));
  expect(graded.all_submissions.map((one: { version: string }) => typeof one.version)).toEqual(['string', 'string']);
  expect([(await read(student, project)).score, (await read(student2, project)).score]).toEqual([6, 6]);
  ok(await as(ta).put(pathOf(student, project), { submission: { posted_grade: '7' } }, ifMatch(version)), 412);
  expect([(await read(student, project)).score, (await read(student2, project)).score]).toEqual([6, 6]);
});
