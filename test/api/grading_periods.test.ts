// Grading periods: sets of terms and of courses, and what closed periods prevent.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const sets = '/accounts/1/grading_period_sets';
const past = { title: 'Spring', start_date: '2020-01-01T00:00:00Z', end_date: '2020-06-01T00:00:00Z', close_date: '2020-06-15T00:00:00Z' };
const open = { title: 'Now', start_date: '2020-06-01T00:00:00Z', end_date: '2099-01-01T00:00:00Z' };
const inPast = '2020-03-01T12:00:00Z';
const inOpen = '2030-03-01T12:00:00Z';

/** A course of a term with a closed period and an open one. */
async function aDividedCourse(given: { weighted?: boolean } = {}) {
  const scene = await aCourse(ground);
  const admin = await ground.admin();
  const term = await ground.term();
  ok(await as(admin).put(`/courses/${scene.course.id}`, { course: { term_id: term.id } }));
  const created = ok(
    within(await as(admin).post(sets, { grading_period_set: { title: 'Year', ...given }, enrollment_term_ids: [term.id] }), 3),
    201,
  );
  const { id: set } = created.grading_period_set;
  const saved = ok(
    within(
      await as(admin).patch(`/grading_period_sets/${set}/grading_periods/batch_update`, {
        grading_periods: [
          { ...past, weight: 30 },
          { ...open, weight: 70 },
        ],
      }),
      3,
    ),
  );
  const [spring, now] = saved.grading_periods as { id: number }[];
  return { ...scene, admin, term, set: set as number, spring: spring?.id ?? 0, now: now?.id ?? 0, at: `/courses/${scene.course.id}` };
}

test('an administrator divides a term, and its courses show the periods', async () => {
  const { course, student, teacher, admin, term, set, spring, now, at } = await aDividedCourse({ weighted: true });
  const listed = ok(within(await as(student).get(`${at}/grading_periods`), 2));
  expect(listed).toMatchObject({
    grading_periods: [
      { id: spring, ...past, weight: 30, grading_period_group_id: set, is_last: false, is_closed: true, permissions: { update: false } },
      { id: now, ...open, close_date: open.end_date, is_last: true, is_closed: false },
    ],
    meta: { pagination: {}, primaryCollection: 'grading_periods' },
    grading_periods_read_only: true,
  });
  expect(ok(within(await as(student).get(`${at}/grading_periods/${now}`), 2))).toMatchObject({ grading_periods: [{ id: now }] });
  ok(await as(student).get(`${at}/grading_periods/999999`), 404);
  ok(await as(teacher).put(`${at}/grading_periods/${now}`, { grading_periods: [{ title: 'Mine' }] }), 401);
  ok(await as(teacher).del(`${at}/grading_periods/${now}`), 401);
  ok(await as(teacher).get('/accounts/1/grading_periods'), 401);
  expect(ok(within(await as(admin).get(sets, { per_page: 100 }), 2)).grading_period_sets).toContainEqual(
    expect.objectContaining({ id: set, title: 'Year', weighted: true, account_id: 1, enrollment_term_ids: [term.id] }),
  );
  const all = ok(within(await as(admin).get('/accounts/1/grading_periods', { per_page: 100 }), 2)).grading_periods;
  expect(all.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining([spring, now]));
  expect(ok(await as(admin).get(`/accounts/1/terms/${term.id}`))).toMatchObject({ grading_period_group_id: set });
  const [own] = ok(await as(student).get('/courses', { include: ['term', 'grading_periods'] }));
  expect(own).toMatchObject({
    id: course.id,
    term: { grading_period_group_id: set },
    grading_periods: [
      { id: spring, title: 'Spring', start_date: past.start_date, end_date: past.end_date, workflow_state: 'active' },
      { id: now },
    ],
  });
});

test('periods of a set are changed together or not at all', async () => {
  const { admin, set, spring, now, at } = await aDividedCourse();
  const batch = `/grading_period_sets/${set}/grading_periods/batch_update`;
  const save = (grading_periods: object[]) => as(admin).patch(batch, { grading_periods });
  expect(ok(await save([{ id: spring, end_date: '2020-07-01T00:00:00Z', close_date: null }]), 422)).toEqual({
    errors: ['Grading periods cannot overlap'],
  });
  expect(ok(await save([{ id: spring, start_date: null }]), 422).errors).toEqual(["Start date can't be blank"]);
  expect(ok(await save([{ title: 'No dates' }]), 422).errors).toContain("Start date can't be blank");
  expect(
    ok(
      await save([
        { id: spring, title: 'Changed' },
        { id: now, start_date: '2099-02-01T00:00:00Z' },
      ]),
      422,
    ),
  ).toEqual({
    errors: ['End date must be after start date'],
  });
  expect(ok(await save([{ id: spring }, { id: spring }]), 422)).toEqual({ errors: ['A grading period is listed twice'] });
  ok(await save([{ id: 999_999 }]), 404);
  expect(ok(await as(admin).get(`${at}/grading_periods`)).grading_periods).toMatchObject([{ title: 'Spring' }, { title: 'Now' }]);
  // Two periods can exchange their places in one batch.
  const swapped = ok(
    await save([
      { id: spring, ...open, close_date: null },
      { id: now, ...past, title: 'Old' },
    ]),
  );
  expect(swapped.grading_periods).toMatchObject([
    { id: now, title: 'Old' },
    { id: spring, title: 'Now' },
  ]);
  expect(
    ok(within(await as(admin).put(`${at}/grading_periods/${now}`, { grading_periods: [{ title: 'First', weight: '12.5' }] }), 3)),
  ).toMatchObject({ grading_periods: [{ id: now, title: 'First', weight: 12.5 }] });
  ok(await as(admin).put(`${at}/grading_periods/${now}`, { grading_periods: [{ end_date: '2010-01-01T00:00:00Z' }] }), 422);
  ok(within(await as(admin).del(`${at}/grading_periods/${now}`), 3), 204);
  ok(await as(admin).get(`${at}/grading_periods/${now}`), 404);
  expect(ok(within(await as(admin).del(`/accounts/1/grading_periods/${spring}`), 3))).toEqual({ delete: true });
  ok(await as(admin).del(`/accounts/1/grading_periods/${spring}`), 404);
});

test('a set is changed and deleted, and a term has at most one', async () => {
  const { admin, teacher, term, set, at } = await aDividedCourse();
  ok(await as(admin).post(sets, { grading_period_set: { title: ' ' } }), 422);
  ok(await as(admin).post(sets, { grading_period_set: { title: 'x' }, enrollment_term_ids: [999_999] }), 422);
  ok(await as(teacher).post(sets, { grading_period_set: { title: 'x' } }), 401);
  const other = ok(await as(admin).post(sets, { grading_period_set: { title: 'Other' }, enrollment_term_ids: [term.id] }), 201);
  const titles = async () => ok(await as(teacher).get(`${at}/grading_periods`)).grading_periods.length;
  expect(await titles(), 'the term has left the first set').toBe(0);
  ok(
    within(
      await as(admin).patch(`${sets}/${set}`, { grading_period_set: { title: 'Again', weighted: true }, enrollment_term_ids: [term.id] }),
      3,
    ),
    204,
  );
  expect(await titles()).toBe(2);
  const all = ok(await as(admin).get(sets, { per_page: 100 })).grading_period_sets;
  expect(all).toContainEqual(expect.objectContaining({ id: set, title: 'Again', weighted: true, enrollment_term_ids: [term.id] }));
  expect(all).toContainEqual(expect.objectContaining({ id: other.grading_period_set.id, enrollment_term_ids: [] }));
  ok(within(await as(admin).del(`${sets}/${set}`), 3), 204);
  expect(await titles()).toBe(0);
  ok(await as(admin).patch(`${sets}/${set}`, { grading_period_set: { title: 'x' } }), 404);
});

test('a teacher divides a course whose term has no periods, and its periods close when they end', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}/grading_periods`;
  const saved = ok(within(await as(teacher).patch(`${at}/batch_update`, { grading_periods: [past] }), 3));
  expect(saved.grading_periods).toMatchObject([{ title: 'Spring', close_date: past.end_date, permissions: { update: true } }]);
  const [{ id, grading_period_group_id: set }] = saved.grading_periods;
  ok(await as(student).patch(`${at}/batch_update`, { grading_periods: [open] }), 401);
  expect(ok(await as(teacher).patch(`${at}/batch_update`, { set_id: set, grading_periods: [open] })).grading_periods).toHaveLength(2);
  ok(await as(teacher).patch(`${at}/batch_update`, { set_id: 999_999, grading_periods: [open] }), 422);
  ok(await as(teacher).patch(`/grading_period_sets/${set}/grading_periods/batch_update`, { grading_periods: [] }), 401);
  ok(await as(teacher).del(`${at}/${id}`), 204);
});

test('two saves at once cannot make periods overlap', async () => {
  const { admin, set, at } = await aDividedCourse();
  const save = (title: string) =>
    as(admin).patch(`/grading_period_sets/${set}/grading_periods/batch_update`, {
      grading_periods: [{ title, start_date: '2100-01-01T00:00:00Z', end_date: '2100-02-01T00:00:00Z' }],
    });
  const results = await Promise.all([save('One'), save('Other')]);
  expect(results.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(ok(await as(admin).get(`${at}/grading_periods`)).grading_periods).toHaveLength(3);
});

test('a submission is in the period of its student’s due date, and lists filter by it', async () => {
  const { course, student, student2, teacher, spring, now, at } = await aDividedCourse();
  void course;
  const create = async (name: string, due_at: string | null) =>
    ok(await as(teacher).post(`${at}/assignments`, { assignment: { name, due_at, points_possible: 10, published: true } }), 201);
  const essay = await create('Essay', inOpen);
  const undated = await create('Undated', null);
  const admin = await ground.admin();
  const old = ok(await as(admin).post(`${at}/assignments`, { assignment: { name: 'Old', due_at: inPast, published: true } }), 201);
  expect(old.in_closed_grading_period).toBe(true);
  expect(essay.in_closed_grading_period).toBe(false);
  // One student has the essay in the closed period.
  ok(
    await as(admin).post(`${at}/assignments/${essay.id}/overrides`, { assignment_override: { student_ids: [student.id], due_at: inPast } }),
    201,
  );
  const periodsOf = async (who: typeof student) =>
    ok(await as(who).get(`${at}/students/submissions`, { order: 'id', per_page: 50 })).map(
      (one: { assignment_id: number; grading_period_id: number }) => [one.assignment_id, one.grading_period_id],
    );
  expect(await periodsOf(student)).toEqual([
    [essay.id, spring],
    [undated.id, now],
    [old.id, spring],
  ]);
  expect(await periodsOf(student2)).toEqual([
    [essay.id, now],
    [undated.id, now],
    [old.id, spring],
  ]);
  const filtered = ok(
    within(await as(teacher).get(`${at}/students/submissions`, { student_ids: ['all'], grading_period_id: spring, per_page: 50 }), 2),
  );
  expect(filtered.map((one: { assignment_id: number; user_id: number }) => [one.assignment_id, one.user_id])).toEqual([
    [essay.id, student.id],
    [old.id, student.id],
    [old.id, student2.id],
  ]);
  ok(await as(teacher).get(`${at}/students/submissions`, { grading_period_id: 999_999 }), 404);
  const group = async (who: typeof student, more: object) => {
    const [only] = ok(within(await as(who).get(`${at}/assignment_groups`, { include: ['assignments'], ...more }), 2));
    return [only.assignments.map((one: { id: number }) => one.id), only.any_assignment_in_closed_grading_period];
  };
  expect(await group(teacher, { grading_period_id: spring })).toEqual([[essay.id, old.id], true]);
  expect(await group(teacher, { grading_period_id: now })).toEqual([[essay.id, undated.id], true]);
  expect(await group(student2, { grading_period_id: spring, scope_assignments_to_student: true })).toEqual([[old.id], true]);
  ok(await as(teacher).get(`${at}/assignment_groups`, { grading_period_id: 999_999 }), 404);
  const dates = ok(await as(teacher).get(`${at}/effective_due_dates`));
  expect(dates[essay.id][student.id]).toEqual({ due_at: inPast, grading_period_id: spring, in_closed_grading_period: true });
  expect(dates[essay.id][student2.id]).toEqual({ due_at: inOpen, grading_period_id: now, in_closed_grading_period: false });
  const missed = ok(await as(student2).get(`/users/self/missing_submissions`, { filter: ['current_grading_period'] }));
  expect(missed).toEqual([]);
});

test('a closed period refuses changes by name, except from account admins', async () => {
  const { course, student, student2, teacher, admin, at } = await aDividedCourse();
  const create = (who: typeof teacher, assignment: object) => as(who).post(`${at}/assignments`, { assignment });
  const [group] = ok(await as(teacher).get(`${at}/assignment_groups`));
  ok(await create(teacher, { name: 'Late', due_at: inPast }), 403);
  ok(await create(teacher, { name: 'Late', due_at: inOpen, assignment_overrides: [{ student_ids: [student.id], due_at: inPast }] }), 403);
  const old = ok(await create(admin, { name: 'Old', due_at: inPast, points_possible: 10, published: true }), 201);
  const fresh = ok(await create(teacher, { name: 'New', due_at: inOpen, points_possible: 10, published: true }), 201);
  const put = (who: typeof teacher, id: number, assignment: object) => as(who).put(`${at}/assignments/${id}`, { assignment });
  expect(Object.keys(ok(await put(teacher, old.id, { points_possible: 20, name: 'Other', description: 'x' }), 400).errors)).toEqual([
    'name',
    'points_possible',
  ]);
  ok(await put(teacher, old.id, { description: 'Allowed', points_possible: 10, name: 'Old', published: true }));
  ok(await put(teacher, old.id, { due_at: inOpen }), 403);
  ok(await put(teacher, fresh.id, { due_at: inPast }), 403);
  ok(await as(teacher).put(`${at}/assignments/${fresh.id}/date_details`, { due_at: inPast }), 403);
  ok(await as(teacher).del(`${at}/assignments/${old.id}`), 401);
  ok(await as(teacher).post(`${at}/assignments/${old.id}/duplicate`), 403);
  ok(await as(teacher).put(`/calendar_events/assignment_${fresh.id}`, { calendar_event: { start_at: inPast } }), 403);
  const progress = ok(
    await as(teacher).put(`${at}/assignments/bulk_update`, [{ id: fresh.id, all_dates: [{ base: true, due_at: inPast }] }], { json: true }),
  );
  expect(progress).toMatchObject({
    workflow_state: 'failed',
    results: [{ assignment_id: fresh.id, due_at: ['is in a closed grading period'] }],
  });

  const override = (due_at: string) => ({ assignment_override: { student_ids: [student.id], due_at } });
  ok(await as(teacher).post(`${at}/assignments/${fresh.id}/overrides`, override(inPast)), 403);
  const made = ok(await as(admin).post(`${at}/assignments/${fresh.id}/overrides`, override(inPast)), 201);
  ok(await as(teacher).put(`${at}/assignments/${fresh.id}/overrides/${made.id}`, override(inOpen)), 403);
  ok(await as(teacher).del(`${at}/assignments/${fresh.id}/overrides/${made.id}`), 403);
  ok(await put(teacher, fresh.id, { assignment_overrides: [] }), 403);

  const grade = (who: typeof teacher, id: number, user: number) =>
    as(who).put(`${at}/assignments/${id}/submissions/${user}`, { submission: { posted_grade: '7' } });
  expect(ok(await grade(teacher, old.id, student2.id), 400).error).toContain('closed grading period');
  ok(await grade(teacher, fresh.id, student.id), 400);
  ok(await grade(teacher, fresh.id, student2.id));
  ok(await as(teacher).put(`${at}/assignments/${old.id}/submissions/${student.id}`, { comment: { text_comment: 'Well done' } }));
  ok(
    await as(teacher).post(`${at}/assignments/${old.id}/submissions/update_grades`, {
      grade_data: { [student.id]: { posted_grade: '5' } },
    }),
    400,
  );
  ok(await grade(admin, old.id, student2.id));

  ok(await as(teacher).put(`${at}/assignment_groups/${group.id}`, { group_weight: 50 }), 401);
  ok(await as(teacher).put(`${at}/assignment_groups/${group.id}`, { rules: { drop_lowest: 1 } }), 401);
  ok(await as(teacher).put(`${at}/assignment_groups/${group.id}`, { name: 'Renamed', group_weight: 0, rules: {} }));
  ok(await as(teacher).del(`${at}/assignment_groups/${group.id}`), 401);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { apply_assignment_group_weights: true } }), 401);
  ok(await as(teacher).put(`/courses/${course.id}`, { course: { apply_assignment_group_weights: false, public_description: 'x' } }));
  ok(await as(admin).put(`/courses/${course.id}`, { course: { apply_assignment_group_weights: true } }));
});

test('no rubric and no moderator changes a grade or points in a closed period', async () => {
  const { student, teacher, admin, at } = await aDividedCourse();
  const create = async (more: object) =>
    ok(await as(admin).post(`${at}/assignments`, { assignment: { name: 'Old', due_at: inPast, published: true, ...more } }), 201);
  const old = await create({ points_possible: 10 });
  const criteria = [{ description: 'Method', ratings: [{ points: 10 }, { points: 0 }] }];
  const association = { association_id: old.id, association_type: 'Assignment', use_for_grading: true };
  const made = ok(await as(admin).post(`${at}/rubrics`, { rubric: { title: 'Essay', criteria }, rubric_association: association }));
  const [method] = made.rubric.data;
  const work = `${at}/assignments/${old.id}/submissions/${student.id}`;
  const rubric_assessment = { [method.id]: { points: 4 } };
  const assessments = `${at}/rubric_associations/${made.rubric_association.id}/rubric_assessments`;
  const assessment = { rubric_assessment: { user_id: student.id, assessment_type: 'grading', [`criterion_${method.id}`]: { points: 4 } } };
  const bulk = { grade_data: { [student.id]: { rubric_assessment } } };
  for (const refused of [
    await as(teacher).put(work, { rubric_assessment }),
    await as(teacher).post(`${at}/assignments/${old.id}/submissions/update_grades`, bulk),
    await as(teacher).post(assessments, assessment),
  ])
    expect(ok(refused, 400).error).toContain('closed grading period');
  const graded = async () => ok(await as(teacher).get(work)).score;
  expect(await graded()).toBe(null);
  const { id } = ok(await as(admin).post(assessments, assessment));
  expect(await graded()).toBe(4);
  ok(await as(teacher).put(`${assessments}/${id}`, assessment), 400);
  const points = async () => ok(await as(teacher).get(`${at}/assignments/${old.id}`)).points_possible;
  const harder = { rubric: { criteria: [{ description: 'Method', ratings: [{ points: 30 }] }] } };
  ok(await as(teacher).put(`${at}/rubrics/${made.rubric.id}`, harder));
  expect(await points()).toBe(10);
  ok(await as(admin).put(`${at}/rubrics/${made.rubric.id}`, harder));
  expect(await points()).toBe(30);

  const moderated = await create({ points_possible: 5, moderated_grading: true, grader_count: 1, final_grader_id: teacher.id });
  const place = `${at}/assignments/${moderated.id}`;
  const provisional = (who: typeof teacher) =>
    as(who).put(`${place}/submissions/${student.id}`, { submission: { provisional: true, posted_grade: '3' } });
  ok(await provisional(teacher), 400);
  ok(await provisional(admin));
  expect(ok(await as(teacher).post(`${place}/provisional_grades/publish`), 400).message).toContain('closed grading period');
  expect(ok(await as(teacher).get(`${place}/submissions/${student.id}`)).score).toBe(null);
});

test('a graded discussion in a closed period keeps its grading', async () => {
  const { teacher, admin, at } = await aDividedCourse();
  const create = (who: typeof teacher, due_at: string) =>
    as(who).post(`${at}/discussion_topics`, { title: 'Debate', assignment: { due_at, points_possible: 5 } });
  ok(await create(teacher, inPast), 403);
  const topic = ok(await create(admin, inPast));
  const put = (assignment: object) => as(teacher).put(`${at}/discussion_topics/${topic.id}`, { assignment });
  ok(await put({ points_possible: 9 }), 400);
  ok(await put({ due_at: inOpen }), 403);
  ok(await put({ set_assignment: false }), 401);
  ok(await as(teacher).del(`${at}/discussion_topics/${topic.id}`), 401);
  ok(await as(admin).del(`${at}/discussion_topics/${topic.id}`));
});

test('scores are shown by period, and a weighted set composes the whole of them', async () => {
  const { course, student, teacher, admin, set, spring, now, at } = await aDividedCourse({ weighted: true });
  const create = async (due_at: string, grade: string) => {
    const { id } = ok(await as(admin).post(`${at}/assignments`, { assignment: { due_at, points_possible: 10, published: true } }), 201);
    ok(await as(admin).put(`${at}/assignments/${id}/submissions/${student.id}`, { submission: { posted_grade: grade } }));
  };
  await create(inPast, '5');
  await create(inOpen, '9');
  const gradesOf = async (query: object) =>
    ok(within(await as(teacher).get(`${at}/enrollments`, { user_id: student.id, ...query }), 2))[0].grades;
  expect(await gradesOf({})).toMatchObject({ current_score: 78, final_score: 78 });
  expect(await gradesOf({ grading_period_id: spring })).toMatchObject({ current_score: 50, final_score: 50, unposted_current_score: 50 });
  expect(await gradesOf({ grading_period_id: now })).toMatchObject({ current_score: 90 });
  ok(await as(teacher).get(`${at}/enrollments`, { grading_period_id: 999_999 }), 400);
  ok(await as(teacher).get(`${at}/enrollments`, { grading_period_id: 'none' }), 400);
  const [own] = ok(within(await as(student).get('/courses', { include: ['total_scores', 'current_grading_period_scores'] }), 2));
  expect(own).toMatchObject({ id: course.id, has_grading_periods: true, has_weighted_grading_periods: true });
  expect(own.enrollments[0]).toMatchObject({
    computed_current_score: 78,
    has_grading_periods: true,
    totals_for_all_grading_periods_option: false,
    current_grading_period_id: now,
    current_grading_period_title: 'Now',
    current_period_computed_current_score: 90,
  });
  expect(own.enrollments[0]).not.toHaveProperty('current_period_unposted_current_score');
  const [user] = ok(
    await as(teacher).get(`${at}/users`, { user_ids: [student.id], include: ['enrollments', 'current_grading_period_scores'] }),
  );
  expect(user.enrollments[0].grades).toMatchObject({ grading_period_id: now, current_score: 90 });
  const [grouped] = ok(
    within(
      await as(teacher).get(`${at}/students/submissions`, {
        student_ids: [student.id],
        grouped: true,
        include: ['total_scores'],
        grading_period_id: spring,
      }),
      2,
    ),
  );
  expect([grouped.computed_current_score, grouped.submissions.length]).toEqual([50, 1]);
  // A weighted set has no part in the total before it has periods.
  for (const period of [spring, now]) ok(await as(admin).del(`/accounts/1/grading_periods/${period}`));
  expect(await gradesOf({})).toMatchObject({ current_score: 70, final_score: 70 });
  // Without weights the whole ignores the periods.
  ok(await as(admin).patch(`${sets}/${set}`, { grading_period_set: { weighted: false } }), 204);
  expect(await gradesOf({})).toMatchObject({ current_score: 70 });
});

test('a period is the current one to the end of its last minute', async () => {
  const { course, teacher, student } = await aCourse(ground);
  const at = `/courses/${course.id}`;
  const due_at = '2026-02-01T00:00:00Z';
  ok(
    await as(teacher).post(`${at}/assignments`, { assignment: { name: 'Old', due_at, submission_types: 'online_url', published: true } }),
    201,
  );
  const missed = async () =>
    ok(await as(student).get('/users/self/missing_submissions', { filter: ['current_grading_period'], course_ids: [course.id] })).length;
  let id: number | undefined;
  /** The missing work, with a period that ends at the start of this minute; again if the minute has passed meanwhile. */
  async function atTheEnd(): Promise<number> {
    const end_date = `${new Date().toISOString().slice(0, 16)}:00Z`;
    const period = { id, title: 'Now', start_date: '2026-01-01T00:00:00Z', end_date };
    const saved = ok(await as(teacher).patch(`${at}/grading_periods/batch_update`, { grading_periods: [period] }));
    id = saved.grading_periods[0].id as number;
    const count = await missed();
    return new Date().toISOString().startsWith(end_date.slice(0, 16)) && new Date().getSeconds() > 0 ? count : atTheEnd();
  }
  expect(await atTheEnd()).toBe(1);
  const ended = { id, end_date: new Date(Date.now() - 120_000).toISOString() };
  ok(await as(teacher).patch(`${at}/grading_periods/batch_update`, { grading_periods: [ended] }));
  expect(await missed()).toBe(0);
});
