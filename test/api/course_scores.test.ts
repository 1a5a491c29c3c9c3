// Stored scores: always those that the submissions give.

import { env } from 'cloudflare:workers';
import { newMeter, open } from '@carrel/worker/database/open';
import { computeStoredScores } from '@carrel/worker/domains/enrollments/grades/job';
import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

/** Computes what is marked, like the chore, and returns the runs and the rows that they wrote. */
async function compute(): Promise<{ runs: number; rows: number; read: number }> {
  const meter = newMeter();
  const db = open(env.DB, meter, 'first-primary');
  for (let runs = 1; ; runs += 1)
    if ((await computeStoredScores(db)) === 0) return { runs, rows: meter.rows_written, read: meter.rows_read };
}

const scoresOf = async (course: { id: number }, teacher: Person, more: object = {}) => {
  const listed = ok(
    within(
      await as(teacher).get(`/courses/${course.id}/enrollments`, {
        type: ['StudentEnrollment'],
        per_page: 100,
        include: ['current_points'],
        ...more,
      }),
      2,
    ),
  );
  return new Map<number, Record<string, unknown>>(
    listed.map((one: { user_id: number; grades: Record<string, unknown> }) => [one.user_id, one.grades]),
  );
};

/** How many students of a course have current stored scores. */
const storedIn = async (course: { id: number }) =>
  (await env.DB.prepare('select count(*) as n from course_scores where course_id = ? and pending is null')
    .bind(course.id)
    .first<number>('n')) ?? 0;

/** So that the scores are computed from the submissions when they are read. */
const mark = (course: { id: number }) =>
  env.DB.prepare("update course_scores set pending = 'stale' where course_id = ?").bind(course.id).run();

test('stored scores are those that the submissions give, whatever changes', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, designer } = scene;
  const at = `/courses/${course.id}`;
  const admin = await ground.admin();
  const post = async (path: string, body: object) => as(admin).post(`${at}${path}`, body);
  const put = (path: string, body: object) => as(admin).put(`${at}${path}`, body);
  const second = ok(await post('/assignment_groups', { name: 'Labs', group_weight: 40 }));
  const work: number[] = [];
  for (const [nth, points_possible] of [10, 20, 30].entries())
    work.push(
      ok(
        await post('/assignments', {
          assignment: {
            name: `Work ${nth}`,
            points_possible,
            published: true,
            due_at: '2026-03-01T00:00:00Z',
            ...(nth === 2 && { assignment_group_id: second.id }),
          },
        }),
        201,
      ).id as number,
    );
  const grade = (assignment: number | undefined, person: Person, submission: object) =>
    put(`/assignments/${assignment}/submissions/${person.id}`, { submission });
  const section = ok(await as(admin).post(`${at}/sections`, { course_section: { name: 'Evening' } }));
  const module = ok(await post('/modules', { module: { name: 'Week' } }));
  const periods = [
    { title: 'One', start_date: '2026-01-01T00:00:00Z', end_date: '2026-06-01T00:00:00Z', weight: 25 },
    { title: 'Two', start_date: '2026-06-01T00:00:00Z', end_date: '2099-01-01T00:00:00Z', weight: 75 },
  ];
  let override = 0;
  const changes: readonly [what: string, change: () => Promise<unknown>][] = [
    [
      'grades',
      async () => [
        await grade(work[0], student, { posted_grade: 8 }),
        await grade(work[2], student, { posted_grade: 12 }),
        await grade(work[1], student2, { posted_grade: 20 }),
      ],
    ],
    ['an excuse', () => grade(work[0], student2, { excuse: true })],
    ['a cleared grade', () => grade(work[2], student, { posted_grade: '' })],
    ['another grade', () => grade(work[2], student, { posted_grade: 30 })],
    ['points', () => put(`/assignments/${work[0]}`, { assignment: { points_possible: 16 } })],
    ['a weight', () => put(`/assignment_groups/${course.assignment_group_id}`, { group_weight: 60 })],
    ['weighting', () => as(admin).put(at, { course: { apply_assignment_group_weights: true } })],
    ['a rule', () => put(`/assignment_groups/${course.assignment_group_id}`, { rules: { drop_lowest: 1 } })],
    ['an assignment that does not count', () => put(`/assignments/${work[1]}`, { assignment: { omit_from_final_grade: true } })],
    ['an assignment that counts again', () => put(`/assignments/${work[1]}`, { assignment: { omit_from_final_grade: false } })],
    [
      'a hidden grade',
      async () => [
        await put(`/assignments/${work[1]}`, { assignment: { post_manually: true } }),
        await grade(work[1], student, { posted_grade: 3 }),
      ],
    ],
    [
      'a new assignment',
      async () =>
        work.push(
          ok(
            await post('/assignments', {
              assignment: { name: 'New', points_possible: 50, published: true, due_at: '2026-07-01T00:00:00Z' },
            }),
            201,
          ).id,
        ),
    ],
    [
      'an override that leaves students out',
      async () => {
        override = ok(
          await post(`/assignments/${work[3]}/overrides`, {
            assignment_override: { student_ids: [student2.id], due_at: '2026-08-01T00:00:00Z' },
          }),
          201,
        ).id;
        await put(`/assignments/${work[3]}`, { assignment: { only_visible_to_overrides: true, due_at: null } });
      },
    ],
    ['periods', () => as(teacher).patch(`${at}/grading_periods/batch_update`, { grading_periods: periods })],
    [
      'overrides of final grades',
      async () => {
        await put('/settings', { allow_final_grade_override: true });
        return put('/gradebook/final_grade_overrides', {
          override_scores: [
            { student_id: student.id, override_score: 91.5 },
            { student_id: student2.id, override_score: 12 },
          ],
        });
      },
    ],
    [
      'a cleared override',
      () => put('/gradebook/final_grade_overrides', { override_scores: [{ student_id: student2.id, override_score: null }] }),
    ],
    ['a moved date', () => put(`/assignments/${work[0]}`, { assignment: { due_at: '2026-07-01T00:00:00Z' } })],
    [
      'a moved date of one student',
      () =>
        put(`/assignments/${work[3]}/overrides/${override}`, {
          assignment_override: { student_ids: [student.id], due_at: '2026-02-01T00:00:00Z' },
        }),
    ],
    [
      'a section override',
      () =>
        post(`/assignments/${work[3]}/overrides`, {
          assignment_override: { course_section_id: section.id, due_at: '2026-02-01T00:00:00Z' },
        }),
    ],
    [
      'another section',
      () =>
        as(admin).post(`/sections/${section.id}/enrollments`, {
          enrollment: { user_id: student2.id, type: 'StudentEnrollment', enrollment_state: 'active' },
        }),
    ],
    [
      'a module',
      async () => {
        await put(`/modules/${module.id}`, { module: { published: true } });
        await post(`/modules/${module.id}/items`, { module_item: { type: 'Assignment', content_id: work[2] } });
      },
    ],
    ['a module for one student', () => put(`/modules/${module.id}/assignment_overrides`, { overrides: [{ student_ids: [student.id] }] })],
    [
      'an item that leaves the module',
      async () => {
        const open = ok(await post('/modules', { module: { name: 'For all' } }));
        const [item] = ok(await as(admin).get(`${at}/modules/${module.id}/items`));
        return put(`/modules/${module.id}/items/${item.id}`, { module_item: { module_id: open.id } });
      },
    ],
    ['a deleted assignment', () => as(admin).del(`${at}/assignments/${work[0]}`)],
    ['a deleted group', () => as(admin).del(`${at}/assignment_groups/${second.id}`, { move_assignments_to: course.assignment_group_id })],
    ['a concluded student', () => as(admin).del(`${at}/enrollments/${scene.enrollment_ids.student2}`, { task: 'conclude' })],
    [
      'an unpublished course of another term',
      async () => {
        const term = await ground.term();
        await as(admin).put(at, { course: { term_id: term.id } });
      },
    ],
  ];
  void designer;
  for (const [what, change] of changes) {
    for (const result of [await change()].flat())
      if (typeof (result as { status?: number })?.status === 'number')
        expect((result as { status: number }).status, what).toBeLessThan(300);
    const read = await scoresOf(course, teacher);
    await compute();
    const stored = await scoresOf(course, teacher);
    expect(await storedIn(course), what).toBeGreaterThan(0);
    await mark(course);
    const fresh = await scoresOf(course, teacher);
    expect(read, `${what}: before the chore`).toEqual(fresh);
    expect(stored, `${what}: stored`).toEqual(fresh);
    await compute();
  }
});

test('300 grades at once end with exact totals', async () => {
  const { course, teacher } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const students = await Promise.all(Array.from({ length: 10 }, () => ground.person()));
  for (const one of students) await ground.enroll(course, one, 'student');
  const work = await Promise.all(Array.from({ length: 10 }, () => ground.assignment(course, { points_possible: 10 })));
  const grades = [1, 2, 3].flatMap((round) =>
    work.flatMap((assignment, nth) => students.map((one, at) => ({ assignment, user: one.id, posted_grade: (round * 3 + nth + at) % 11 }))),
  );
  const send = async () => {
    for (let next = grades.pop(); next; next = grades.pop())
      ok(
        await as(teacher).put(`${at}/assignments/${next.assignment}/submissions/${next.user}`, {
          submission: { posted_grade: next.posted_grade },
        }),
      );
  };
  let isDone = false;
  const chore = async () => {
    while (!isDone) {
      await computeStoredScores(open(env.DB, newMeter(), 'first-primary'));
      await new Promise((resume) => setTimeout(resume, 5));
    }
  };
  await Promise.all([
    Promise.all(Array.from({ length: 30 }, send)).then(() => {
      isDone = true;
    }),
    chore(),
    chore(),
  ]);
  await compute();
  expect(await storedIn(course)).toBe(10);
  const stored = await scoresOf(course, teacher);
  const sums = await env.DB.prepare('select user_id, sum(score) as total from submissions where course_id = ? group by user_id')
    .bind(course.id)
    .all<{ user_id: number; total: number }>();
  expect(sums.results).toHaveLength(10);
  for (const { user_id, total } of sums.results)
    expect(stored.get(user_id)).toMatchObject({ current_points: total, final_score: total, unposted_final_score: total });
}, 60_000);

test('reading the scores of a course reads no submissions of students with stored scores', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const work: number[] = [];
  for (let nth = 0; nth < 20; nth += 1) work.push(await ground.assignment(course, { points_possible: 10 }));
  for (const assignment of work)
    ok(
      await as(teacher).post(`/courses/${course.id}/assignments/${assignment}/submissions/update_grades`, {
        grade_data: { [student.id]: { posted_grade: 7 }, [student2.id]: { posted_grade: 5 } },
      }),
    );
  const rows = async () =>
    (await as(teacher).get(`/courses/${course.id}/enrollments`, { type: ['StudentEnrollment'] })).cost.rows_read ?? 0;
  await mark(course);
  const before = await rows();
  await compute();
  expect(before - (await rows()), 'two students with twenty submissions').toBeGreaterThanOrEqual(40);
});

test('a term that gets, changes or loses its grading periods has current stored scores again, without work in the request', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const admin = as(await ground.admin());
  const term = await ground.term();
  ok(await admin.put(`/courses/${course.id}`, { course: { term_id: term.id } }));
  const work = await ground.assignment(course, { points_possible: 10, due_at: '2026-03-01T00:00:00Z' });
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${work}/submissions/${student.id}`, { submission: { posted_grade: 8 } }));
  await compute();
  /** Whether the stored scores are those that a read takes: they have the mark of their course. */
  const isCurrent = async () => {
    const stored = await env.DB.prepare('select mark, scores from course_scores where course_id = ? and pending is null')
      .bind(course.id)
      .first();
    const generation = await env.DB.prepare('select generation, done from course_score_marks where id = ?').bind(course.id).first();
    return { stored, generation } as { stored: { mark: string; scores: string }; generation: { generation: number; done: number } };
  };
  const base = '/accounts/1/grading_period_sets';
  const set = ok(await admin.post(base, { grading_period_set: { title: 'Halves', weighted: true } }), 201).grading_period_set;
  const save = (grading_periods: object[]) =>
    admin.patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, { grading_periods });
  const period = { title: 'One', start_date: '2026-01-01T00:00:00Z', end_date: '2026-06-01T00:00:00Z', weight: 50 };
  const [first] = ok(await save([period])).grading_periods;
  const changes: readonly [what: string, change: () => Promise<{ status: number; cost: { rows_written?: number } }>, periods: number][] = [
    ['gets', () => admin.patch(`${base}/${set.id}`, { enrollment_term_ids: [term.id] }), 1],
    ['has another period', () => save([{ title: 'Two', start_date: period.end_date, end_date: '2099-01-01T00:00:00Z', weight: 50 }]), 2],
    ['has another weight', () => save([{ id: first.id, weight: 90 }]), 2],
    ['loses', () => admin.del(`${base}/${set.id}`), 0],
  ];
  for (const [what, change, periods] of changes) {
    const answer = await change();
    expect(answer.status, what).toBeLessThan(300);
    await compute();
    const { stored, generation } = await isCurrent();
    expect(generation.done, what).toBe(generation.generation);
    expect(stored.mark.split(' '), what).toHaveLength(periods > 0 ? 3 : 1);
    expect(Object.keys(JSON.parse(stored.scores)), what).toHaveLength(periods + 1);
    expect(await env.DB.prepare('select count(*) as n from term_score_runs').first('n'), what).toBe(0);
  }
  // A run that was stopped continues with the courses that it has not passed.
  const { generation: before } = await isCurrent();
  for (const [at, marks] of [
    [course.id, 0],
    [course.id - 1, 1],
  ] as const) {
    await ground.termScoreRun({ id: term.id, at_course_id: at });
    await compute();
    expect((await isCurrent()).generation.generation).toBe(before.generation + marks);
    expect(await env.DB.prepare('select count(*) as n from term_score_runs').first('n')).toBe(0);
  }
});

test('graders see how far a recalculation has come', async () => {
  const { course, teacher, ta, student, student2, observer } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const state = async (person: Person = teacher) => ok(within(await as(person).get(`${at}/grade_recalculation`), 2));
  const of = { context_type: 'Course', context_id: course.id, tag: 'grade_recalculation' };
  expect(await state()).toEqual({ ...of, workflow_state: 'completed', completion: 100, students: 0, current: 0 });
  const assignment = { name: 'Essay', published: true, points_possible: 10 };
  const { id } = ok(await as(teacher).post(`${at}/assignments`, { assignment }), 201);
  for (const one of [student, student2])
    ok(await as(teacher).put(`${at}/assignments/${id}/submissions/${one.id}`, { submission: { posted_grade: 5 } }));
  expect(await state()).toEqual({ ...of, workflow_state: 'queued', completion: 0, students: 2, current: 0 });
  await compute();
  expect(await state(ta)).toMatchObject({ workflow_state: 'completed', completion: 100, current: 2 });
  ok(await as(teacher).put(`${at}/assignments/${id}/submissions/${student.id}`, { submission: { posted_grade: 6 } }));
  expect(await state()).toMatchObject({ workflow_state: 'running', completion: 50, current: 1 });
  await compute();
  ok(await as(teacher).put(`${at}/assignments/${id}`, { assignment: { points_possible: 20 } }));
  expect(await state()).toMatchObject({ workflow_state: 'queued', completion: 0 });
  await compute();
  expect(await state()).toMatchObject({ workflow_state: 'completed', completion: 100 });
  for (const one of [student, observer]) ok(await as(one).get(`${at}/grade_recalculation`), 401);
  ok(await as(await ground.person()).get(`${at}/grade_recalculation`), 401);
});

test('a student who is concluded keeps the zeros of missing work, and gets none for what is assigned later', async () => {
  const { course, teacher, student, enrollment_ids } = await aCourse(ground);
  const admin = await ground.admin();
  const [done] = [await ground.assignment(course, { points_possible: 10 }), await ground.assignment(course, { points_possible: 30 })];
  const work = `/courses/${course.id}/assignments`;
  ok(await as(teacher).put(`${work}/${done}/submissions/${student.id}`, { submission: { posted_grade: 10 } }));
  const finalOf = async () => (await scoresOf(course, teacher, { state: ['active', 'completed'] })).get(student.id)?.final_score;
  expect(await finalOf()).toBe(25);
  ok(await as(admin).del(`/courses/${course.id}/enrollments/${enrollment_ids.student}`, { task: 'conclude' }));
  expect(await finalOf()).toBe(25);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  ok(await as(teacher).post(work, { assignment: { name: 'Later', points_possible: 40, published: true } }), 201);
  expect(await finalOf()).toBe(25);
  await compute();
  expect(await finalOf()).toBe(25);
});
