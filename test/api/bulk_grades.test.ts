// Grades of many students as a job, grades that several teachers give at once, and extra attempts.

import { env } from 'cloudflare:workers';
import { updateGrades } from '@carrel/worker/domains/submissions/grading/bulk_job';
import type { Platform } from '@carrel/worker/platform';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, manyStudents, ok, within } from '../support/api';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;
const at = ({ course }: Scene, id: number, rest = '') => `/courses/${course.id}/assignments/${id}${rest}`;
const task = async ({ course, teacher }: Scene, more: object = {}): Promise<number> => {
  const assignment = { name: 'Essay', published: true, points_possible: 10, submission_types: ['online_text_entry'], ...more };
  return ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment }), 201).id;
};
const graded = async (id: number, condition = '1') =>
  (
    await ground.db.all<{ n: number }>(
      `select count(*) as n from submissions where assignment_id = ${id} and score is not null and ${condition}`,
    )
  )[0]?.n;

test('grades of many students are a job that names unknown students and survives being stopped', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, stranger } = scene;
  await manyStudents(120, course, 900_000, 'Many');
  const id = await task(scene);
  const entries = Array.from({ length: 120 }, (_, nth) => [900_001 + nth, { posted_grade: String(nth % 10) }]);
  const grade_data = Object.fromEntries([...entries, [stranger.id, { posted_grade: '5' }]]);
  const work = ok(within(await as(teacher).post(at(scene, id, '/submissions/update_grades'), { grade_data }), 3));
  expect(work).toMatchObject({ tag: 'submissions_update', workflow_state: 'queued', context_type: 'Assignment', context_id: id });
  const job = { job: 'update_grades', progress_id: work.id };
  // Reads and writes of the first two steps.
  await updateGrades(job, dyingAfter(6)).catch(() => {});
  await updateGrades(job, platform);
  const done = ok(await as(teacher).get(`/progress/${work.id}`));
  expect(done).toMatchObject({ workflow_state: 'failed', completion: 100 });
  expect(done.message).toBe(`Couldn't find User(s) with API ids '${stranger.id}'`);
  expect(await graded(id, `score = (user_id - 900001) % 10 and grader_id = ${teacher.id}`)).toBe(120);
});

test('more students than are graded at once are graded by the scheme of the course, and by a rubric', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const here = `/courses/${course.id}`;
  await manyStudents(21, course, 930_000, 'Many');
  const everyone = (given: object) => Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [930_001 + nth, given]));
  const grading_scheme_entry = [
    { name: 'Gold', value: 80 },
    { name: 'Tin', value: 0 },
  ];
  const standard = ok(await as(teacher).post(`${here}/grading_standards`, { title: 'Metals', grading_scheme_entry }));
  const letters = await task(scene, { grading_type: 'letter_grade', grading_standard_id: standard.id });
  const assessed = await task(scene);
  const { rubric } = ok(
    await as(teacher).post(`${here}/rubrics`, {
      rubric: { title: 'Essay', criteria: [{ description: 'Method', ratings: [{ points: 10 }, { points: 0 }] }] },
      rubric_association: { association_id: assessed, association_type: 'Assignment', use_for_grading: true },
    }),
  );
  const grade_data = {
    [letters]: everyone({ posted_grade: 'Tin' }),
    [assessed]: everyone({ rubric_assessment: { [rubric.data[0].id]: { points: 4, comments: 'Good' } } }),
  };
  const work = ok(await as(teacher).post(`${here}/submissions/update_grades`, { grade_data }, { json: true }));
  await updateGrades({ job: 'update_grades', progress_id: work.id }, platform);
  expect(ok(await as(teacher).get(`/progress/${work.id}`))).toMatchObject({ workflow_state: 'completed' });
  expect(await graded(letters, "grade = 'Tin' and score = 7.9")).toBe(21);
  const last = ok(await as(teacher).get(at(scene, assessed, '/submissions/930021'), { include: ['rubric_assessment'] }));
  expect(last).toMatchObject({ score: 4, rubric_assessment: { [rubric.data[0].id]: { points: 4, comments: 'Good' } } });
});

test('a bulk update that was killed goes on where it was, and a row that fails is reported', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  await manyStudents(120, course, 910_000, 'Many');
  const id = await task(scene);
  const grades = Array.from({ length: 120 }, (_, nth) => ({
    assignment_id: id,
    user_id: 910_001 + nth,
    grade: { posted_grade: '7' },
  }));
  const about = { tag: 'submissions_update', context_type: 'Assignment', context_id: id, user_id: teacher.id };
  const work = await ground.progress({ ...about, arguments: { grades, unknown: [] } });
  const job = { job: 'update_grades', ids: [work] };
  await expect(updateGrades(job, dyingAfter(4))).rejects.toThrow('killed');
  expect(await graded(id)).toBe(50);
  // The trigger makes one row fail.
  await ground.db.run(
    sql.raw(
      `create trigger refuse_one before update on submissions when new.user_id = 910061 and new.score is not null begin select raise(abort, 'refused'); end`,
    ),
  );
  for (let deliveries = 0; deliveries < 6; deliveries += 1) await updateGrades(job, platform).catch(() => {});
  await ground.db.run(sql.raw('drop trigger refuse_one'));
  expect(ok(await as(teacher).get(`/progress/${work}`))).toMatchObject({
    workflow_state: 'failed',
    message: "Couldn't grade User(s) with ids '910061'",
  });
  expect(await graded(id, 'score = 7')).toBe(119);
});

test('two teachers who grade a submission at the same moment both get what is stored then', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, ta, student } = scene;
  await ground.latePolicy(course, { late_submission_deduction_enabled: true, late_submission_deduction: 10 });
  const id = await task(scene, { due_at: '2026-09-10T12:00:00Z' });
  const path = at(scene, id, `/submissions/${student.id}`);
  const submit = { submission_type: 'online_text_entry', body: 'Late', user_id: student.id };
  const handedIn = (submitted_at: string) => as(teacher).post(at(scene, id, '/submissions'), { submission: { ...submit, submitted_at } });
  for (let round = 0; round < 4; round += 1) {
    ok(await handedIn('2026-09-10T11:00:00Z'), 201);
    const give = (person: Person, posted_grade: string) => as(person).put(path, { submission: { posted_grade } });
    // A new attempt in between, a day late.
    const [high, low] = [10 - round / 8, 8 - round / 8];
    const [one, other] = await Promise.all([give(teacher, String(high)), give(ta, String(low)), handedIn('2026-09-11T11:00:00Z')]);
    for (const [answer, entered] of [
      [one, high],
      [other, low],
    ] as const) {
      const { score, entered_score, points_deducted } = ok(within(answer, 3));
      expect(entered_score).toBe(entered);
      expect(score).toBe(entered_score - (points_deducted ?? 0));
    }
    const stored = ok(await as(teacher).get(path));
    expect([high, low]).toContain(stored.entered_score);
    // Whichever came first, what counts is decided by the attempt that is there.
    expect(stored).toMatchObject({ points_deducted: 1, score: stored.entered_score - 1, late: true });
  }
  // Each of the eight grades is in the log, although the next one followed at once.
  const { events } = ok(await as(await ground.admin()).get(`/audit/grade_change/assignments/${id}`, { per_page: 100 }));
  for (const [grader, first] of [
    [teacher.id, 10],
    [ta.id, 8],
  ]) {
    const of = events.filter(({ links }: { links: { grader: number } }) => Number(links.grader) === grader);
    const after: number[] = of.map(({ grade_after }: { grade_after: string }) => Number(grade_after));
    // With the deduction, where the late attempt came first.
    const rounds = [0, 1, 2, 3].map((round) => Number(first) - round / 8);
    expect(rounds.filter((grade) => !after.includes(grade) && !after.includes(grade - 1))).toEqual([]);
  }
});

test('many grades at the same time end with every one of them', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, ta } = scene;
  await manyStudents(60, course, 920_000, 'Many');
  const id = await task(scene);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) =>
      as(nth % 2 ? teacher : ta).put(at(scene, id, `/submissions/${920_001 + nth}`), { submission: { posted_grade: String(nth) } }),
    ),
  );
  for (const [nth, answer] of answers.entries()) expect(ok(answer).score).toBe(nth);
  expect(await graded(id, 'score = user_id - 920001')).toBe(60);
});

test('extra attempts let a student submit again', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, designer, student, student2, stranger } = scene;
  const id = await task(scene, { allowed_attempts: 1 });
  const submit = (person: Person) =>
    as(person).post(at(scene, id, '/submissions'), { submission: { submission_type: 'online_text_entry', body: 'x' } });
  ok(await submit(student), 201);
  expect(ok(await submit(student), 400)).toMatchObject({ attempt: [{ type: 'invalid' }] });
  const extend = (person: Person, assignment_extensions: object[], task = id) =>
    as(person).post(at(scene, task, '/extensions'), { assignment_extensions });
  expect(
    ok(
      within(
        await extend(teacher, [
          { user_id: student.id, extra_attempts: 1 },
          { user_id: student2.id, extra_attempts: 2 },
        ]),
        3,
      ),
    ),
  ).toEqual({
    assignment_extensions: [
      { assignment_id: id, user_id: student.id, extra_attempts: 1 },
      { assignment_id: id, user_id: student2.id, extra_attempts: 2 },
    ],
  });
  expect(ok(await submit(student), 201)).toMatchObject({ attempt: 2, extra_attempts: 1 });
  ok(await submit(student), 400);
  expect(ok(await as(student2).get(at(scene, id, '/submissions/self')))).toMatchObject({ extra_attempts: 2, attempt: null });
  ok(await extend(designer, [{ user_id: student.id, extra_attempts: 3 }]));
  ok(await extend(student, [{ user_id: student.id, extra_attempts: 3 }]), 401);
  expect(ok(await extend(teacher, [{ user_id: student.id, extra_attempts: -1 }]), 400).errors[0].message).toContain('extra_attempts');
  expect(ok(await extend(teacher, [{ user_id: stranger.id, extra_attempts: 1 }]), 400).errors[0].message).toContain('user_id');
  ok(await extend(teacher, []), 400);
  ok(await extend(teacher, [{ user_id: student.id, extra_attempts: 1 }], 999_999), 404);
  ok(await extend(teacher, [{ user_id: student.id, extra_attempts: 1 }], await task(scene, { submission_types: ['on_paper'] })), 400);
  const section = await ground.section(course);
  const limited = await ground.person();
  await ground.enroll(course, limited, 'ta', { section_id: section, limited: true });
  ok(await extend(limited, [{ user_id: student.id, extra_attempts: 1 }]), 400);
  const inSection = (id_: number, extra_attempts: number) =>
    as(teacher).post(`/sections/${id_}/assignments/${id}/extensions`, { assignment_extensions: [{ user_id: student.id, extra_attempts }] });
  expect(ok(within(await inSection(course.section_id, 4), 3)).assignment_extensions).toMatchObject([{ extra_attempts: 4 }]);
  ok(await inSection(section, 5), 400);
  expect(ok(await as(student).get(at(scene, id, '/submissions/self')))).toMatchObject({ extra_attempts: 4 });
});

test('a recording is a comment on its own', async () => {
  const scene = await aCourse(ground);
  const id = await task(scene);
  const comment = { media_comment_id: 'm-123', media_comment_type: 'audio' };
  const { submission_comments } = ok(await as(scene.teacher).put(at(scene, id, `/submissions/${scene.student.id}`), { comment }));
  expect(submission_comments).toMatchObject([
    { comment: '', media_comment: { media_id: 'm-123', media_type: 'audio', 'content-type': 'audio/mp4' } },
  ]);
  ok(
    await as(scene.teacher).put(at(scene, id, `/submissions/${scene.student.id}`), {
      comment: { ...comment, media_comment_type: 'radio' },
    }),
    400,
  );
});
