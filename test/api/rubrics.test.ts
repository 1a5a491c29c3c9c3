// Rubrics: writing them, where they are used, and who may do so.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

const at = (course: { id: number }, rest = '') => `/courses/${course.id}/rubrics${rest}`;
const usesAt = (course: { id: number }, rest = '') => `/courses/${course.id}/rubric_associations${rest}`;

const criteria = {
  0: {
    description: 'Method',
    ratings: { 0: { description: 'Poor', points: 1 }, 1: { description: 'Good', points: 5 }, 2: { description: 'Fair', points: 3 } },
  },
  1: {
    description: '',
    points: 4,
    criterion_use_range: '1',
    ratings: [
      { description: 'All', points: 4 },
      { description: 'None', points: 0 },
    ],
  },
  2: { description: 'Style', points: 2, ignore_for_scoring: true },
};

const assignmentIn = async (course: { id: number }, teacher: Parameters<typeof as>[0], more: object = {}) =>
  ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Essay', published: true, points_possible: 1, ...more },
    }),
    201,
  );

test('a teacher creates a rubric for an assignment, which takes its points', async () => {
  const { course, teacher, student, designer } = await aCourse(ground);
  const essay = await assignmentIn(course, teacher);
  const made = ok(
    within(
      await as(teacher).post(at(course), {
        rubric: { title: 'Essay rubric', criteria },
        rubric_association: { association_id: essay.id, association_type: 'Assignment', use_for_grading: '1' },
      }),
      3,
    ),
  );
  expect(made.rubric).toMatchObject({
    title: 'Essay rubric',
    context_id: course.id,
    context_type: 'Course',
    points_possible: 9,
    read_only: false,
    free_form_criterion_comments: false,
    hide_score_total: null,
    workflow_state: 'active',
  });
  const [method, blank, style] = made.rubric.criteria;
  expect(method).toMatchObject({ description: 'Method', points: 5, criterion_use_range: false });
  expect(method.ratings.map((one: { description: string; points: number }) => [one.description, one.points])).toEqual([
    ['Good', 5],
    ['Fair', 3],
    ['Poor', 1],
  ]);
  expect(blank).toMatchObject({ description: 'No Description', points: 4, criterion_use_range: true });
  expect(style).toMatchObject({ points: 2, ratings: [], ignore_for_scoring: true });
  const parts = made.rubric.data.flatMap((one: { id: string; ratings: { id: string }[] }) => [one.id, ...one.ratings.map(({ id }) => id)]);
  expect(new Set(parts).size).toBe(8);
  expect(parts.every((id: string) => id.startsWith(`${made.rubric.id}_`))).toBe(true);
  expect(made.rubric_association).toMatchObject({
    rubric_id: made.rubric.id,
    association_id: essay.id,
    association_type: 'Assignment',
    purpose: 'grading',
    use_for_grading: true,
    bookmarked: true,
    course_id: course.id,
    summary_data: null,
  });
  expect(ok(await as(teacher).get(`/courses/${course.id}/assignments/${essay.id}`)).points_possible).toBe(9);
  expect(ok(within(await as(designer).get(at(course)), 2))).toEqual([expect.objectContaining({ id: made.rubric.id })]);
  const shown = ok(
    within(await as(teacher).get(at(course, `/${made.rubric.id}`), { include: ['associations', 'assessments'], style: 'full' }), 2),
  );
  expect(shown).toMatchObject({ associations: [{ association_id: essay.id }], assessments: [], criteria: [{}, {}, {}] });
  expect(ok(within(await as(teacher).get(at(course, `/${made.rubric.id}/used_locations`)), 2))).toEqual([
    { id: course.id, name: course.name, 'concluded?': false, assignments: [{ id: essay.id, title: 'Essay' }] },
  ]);
  for (const person of [student, undefined]) {
    ok(await as(person).get(at(course)), 401);
    ok(await as(person).get(at(course, `/${made.rubric.id}`)), 401);
    ok(await as(person).post(at(course), { rubric: { title: 'Mine' } }), 401);
    ok(await as(person).put(at(course, `/${made.rubric.id}`), { rubric: { title: 'Mine' } }), 401);
    ok(await as(person).del(at(course, `/${made.rubric.id}`)), 401);
  }
});

test('a rubric without an association is a bookmark of the course, and a title that is taken gets a number', async () => {
  const { course, teacher } = await aCourse(ground, { name: 'Algebra' });
  const first = ok(await as(teacher).post(at(course), {}));
  expect(first).not.toHaveProperty('rubric_association');
  expect(first.rubric).toMatchObject({ title: 'Algebra Rubric', points_possible: 0, data: [] });
  const titles = [];
  for (const title of ['Algebra Rubric', 'Algebra Rubric', 'Algebra'])
    titles.push(ok(await as(teacher).post(at(course), { rubric: { title } })).rubric.title);
  expect(titles).toEqual(['Algebra Rubric (1)', 'Algebra Rubric (2)', 'Algebra']);
  expect(ok(await as(teacher).get(at(course))).map(({ title }: { title: string }) => title)).toEqual(['Algebra Rubric', ...titles]);
  const [use] = ok(await as(teacher).get(at(course, `/${first.rubric.id}`), { include: ['course_associations'] })).associations;
  expect(use).toMatchObject({ purpose: 'bookmark', association_type: 'Course', association_id: course.id });
  const removed = ok(within(await as(teacher).del(at(course, `/${first.rubric.id}`)), 3));
  expect(removed).toMatchObject({ id: first.rubric.id, workflow_state: 'deleted' });
  expect(ok(await as(teacher).get(at(course, `/${first.rubric.id}`)), 404)).toEqual({ message: 'Rubric not found' });
  ok(await as(teacher).del(at(course, `/${first.rubric.id}`)), 404);
});

test('wrong includes and styles are refused, and an association that cannot exist is answered as Canvas does', async () => {
  const { course, teacher } = await aCourse(ground);
  const { rubric } = ok(await as(teacher).post(at(course), { rubric: { criteria } }));
  const get = (query: object) => as(teacher).get(at(course, `/${rubric.id}`), query);
  for (const query of [
    { include: ['nothing'] },
    { include: ['assessments', 'peer_assessments'] },
    { include: ['associations', 'course_associations'] },
    { style: 'full' },
    { include: ['assessments'], style: 'long' },
  ])
    expect(ok(await get(query), 400)).toHaveProperty('errors');
  const invalid = await as(teacher).post(at(course), {
    rubric: { title: 'x' },
    rubric_association: { association_type: 'Planet', association_id: 1 },
  });
  expect(ok(invalid)).toMatchObject({ error: true, messages: [expect.stringContaining('association_type')] });
  ok(await as(teacher).post(at(course), { rubric: { criteria: [{ points: -1 }] } }), 400);
  ok(
    await as(teacher).post(at(course), { rubric: {}, rubric_association: { association_id: 999_999, association_type: 'Assignment' } }),
    404,
  );
  ok(await as(teacher).post(at(course), { rubric: {}, rubric_association: { association_id: 999_999, association_type: 'Course' } }), 404);
  expect(ok(await as(teacher).get(at(course)))).toHaveLength(1);
});

test('an edit keeps the ids of criteria and follows into the points of the assignment; a rubric with two assignments is copied', async () => {
  const { course, teacher } = await aCourse(ground);
  const [essay, lab] = [await assignmentIn(course, teacher), await assignmentIn(course, teacher)];
  const made = ok(
    await as(teacher).post(at(course), {
      rubric: { title: 'Shared', criteria },
      rubric_association: { association_id: essay.id, association_type: 'Assignment', use_for_grading: true },
    }),
  );
  const [method] = made.rubric.data;
  const edit = { criteria: [{ id: method.id, description: 'Method', ratings: [{ id: method.ratings[0].id, points: 7 }] }] };
  const edited = ok(
    within(await as(teacher).put(at(course, `/${made.rubric.id}`), { rubric: edit, rubric_association_id: made.rubric_association.id }), 3),
  );
  expect(edited.rubric).toMatchObject({ id: made.rubric.id, title: 'Shared', points_possible: 7, data: [{ id: method.id }] });
  expect(edited.rubric.data[0].ratings[0].id).toBe(method.ratings[0].id);
  const points = async (one: { id: number }) => ok(await as(teacher).get(`/courses/${course.id}/assignments/${one.id}`)).points_possible;
  expect(await points(essay)).toBe(7);
  // Canvas nests both objects; canvasapi reads the fields of the association at the top.
  const used = ok(
    within(
      await as(teacher).post(usesAt(course), {
        rubric_association: { rubric_id: made.rubric.id, association_id: lab.id, association_type: 'Assignment' },
      }),
      3,
    ),
  );
  expect(used).toMatchObject({ association_id: lab.id, use_for_grading: false, rubric: { id: made.rubric.id, read_only: true } });
  expect(used.rubric_association).toMatchObject({ id: used.id, rubric_id: made.rubric.id });
  expect(await points(lab)).toBe(1);
  // A change of the use alone copies nothing.
  const renamed = { rubric_association: { title: 'Lab work' }, rubric_association_id: used.id };
  expect(ok(within(await as(teacher).put(at(course, `/${made.rubric.id}`), renamed), 3))).toMatchObject({
    rubric: { id: made.rubric.id, points_possible: 7 },
    rubric_association: { id: used.id, rubric_id: made.rubric.id, title: 'Lab work', association_id: lab.id },
  });
  const copy = ok(await as(teacher).put(at(course, `/${made.rubric.id}`), { rubric: { criteria }, rubric_association_id: used.id }));
  expect(copy.rubric).toMatchObject({ title: 'Shared (1)', points_possible: 9, read_only: false });
  expect(copy.rubric.id).not.toBe(made.rubric.id);
  expect(copy.rubric_association).toMatchObject({ id: used.id, rubric_id: copy.rubric.id, association_id: lab.id });
  expect(ok(await as(teacher).get(at(course, `/${made.rubric.id}`)))).toMatchObject({ points_possible: 7, read_only: false });
  const graded = ok(within(await as(teacher).put(usesAt(course, `/${used.id}`), { rubric_association: { use_for_grading: true } }), 3));
  expect(graded).toMatchObject({ use_for_grading: true });
  expect(await points(lab)).toBe(9);
  const hidden = ok(
    await as(teacher).put(usesAt(course, `/${used.id}`), { rubric_association: { hide_points: true, use_for_grading: true } }),
  );
  expect(hidden).toMatchObject({ hide_points: true, use_for_grading: false, hide_score_total: false });
  const without = { use_for_grading: true, hide_score_total: true };
  expect(ok(await as(teacher).put(usesAt(course, `/${used.id}`), { rubric_association: without }))).toMatchObject({
    hide_points: true,
    use_for_grading: false,
    hide_score_total: false,
  });
  const gone = ok(within(await as(teacher).del(usesAt(course, `/${used.id}`)), 3));
  expect(gone).toMatchObject({ id: used.id, association_id: lab.id });
  ok(await as(teacher).get(at(course, `/${copy.rubric.id}`)), 404);
  ok(await as(teacher).put(usesAt(course, `/${used.id}`), { rubric_association: { title: 'x' } }), 404);
});

test('a rubric that replaces another keeps one rubric for each assignment', async () => {
  const { course, teacher, ta } = await aCourse(ground);
  const essay = await assignmentIn(course, teacher);
  const target = { association_id: essay.id, association_type: 'Assignment' };
  const first = ok(await as(teacher).post(at(course), { rubric: { title: 'A', criteria }, rubric_association: target }));
  const second = ok(
    await as(ta).post(at(course), { rubric: { title: 'B', criteria }, rubric_association: { ...target, use_for_grading: true } }),
  );
  expect(second.rubric_association).toMatchObject({ id: first.rubric_association.id, rubric_id: second.rubric.id });
  const other = await aCourse(ground);
  ok(await as(teacher).get(at(other.course)), 401);
  ok(await as(other.teacher).get(at(other.course, `/${second.rubric.id}`)), 404);
  ok(await as(other.teacher).post(usesAt(other.course), { rubric_association: { rubric_id: second.rubric.id } }), 404);
  ok(await as(other.teacher).put(at(other.course, `/${second.rubric.id}`), { rubric: { title: 'x' } }), 404);
  ok(await as(other.teacher).put(usesAt(other.course, `/${first.rubric_association.id}`), { rubric_association: { title: 'x' } }), 404);
});

test('a criterion takes an outcome only from where its course may use it', async () => {
  const [here, elsewhere] = [await aCourse(ground), await aCourse(ground)];
  const outcomeIn = async ({ course, teacher }: typeof here) => {
    const [root] = ok(await as(teacher).get(`/courses/${course.id}/outcome_groups`));
    const made = ok(await as(teacher).post(`/courses/${course.id}/outcome_groups/${root.id}/outcomes`, { title: 'Argues' }));
    return made.outcome.id as number;
  };
  const [own, foreign] = [await outcomeIn(here), await outcomeIn(elsewhere)];
  const rubricOf = (learning_outcome_id: number) => ({ rubric: { title: 'Talk', criteria: [{ points: 4, learning_outcome_id }] } });
  const { course, teacher } = here;
  for (const id of [foreign, 99_999_999]) expect((await as(teacher).post(at(course), rubricOf(id))).status).toBe(404);
  const { rubric } = ok(await as(teacher).post(at(course), rubricOf(own)));
  expect((await as(teacher).put(at(course, `/${rubric.id}`), rubricOf(foreign))).status).toBe(404);
  expect(ok(await as(teacher).get(at(course, `/${rubric.id}`))).data).toMatchObject([{ learning_outcome_id: own }]);
  // What the rubric has already is accepted back.
  ok(await as(teacher).put(at(course, `/${rubric.id}`), rubricOf(own)));
});

test('a use that is changed comes with what was assessed by it, for graders only', async () => {
  const { course, teacher, designer, student, student2 } = await aCourse(ground);
  const essay = await assignmentIn(course, teacher, { peer_reviews: true });
  const rubric_association = { association_id: essay.id, association_type: 'Assignment', use_for_grading: true };
  const made = ok(await as(teacher).post(at(course), { rubric: { title: 'Essays', criteria }, rubric_association }));
  expect(made.rubric_association).toMatchObject({
    assessment_requests: [],
    rubric_assessments: [],
    permissions: { manage: true, preview: true, assess: true, update: true, delete: true },
    skip_updating_points_possible: false,
  });
  const all = `/courses/${course.id}/assignments/${essay.id}/submissions`;
  const rated = { rubric_assessment: { [made.rubric.criteria[0].id]: { points: 5 } } };
  const work = ok(await as(teacher).put(`${all}/${student.id}`, rated));
  const review = ok(await as(teacher).post(`${all}/${work.id}/peer_reviews`, { user_id: student2.id }));
  const change = (who: typeof teacher, more: object = {}) =>
    as(who).put(usesAt(course, `/${made.rubric_association.id}`), { rubric_association: { title: 'x', ...more } });
  const its = {
    assessment_requests: [
      { id: review.id, assessor_id: student2.id, user_id: student.id, asset_type: 'Submission', workflow_state: 'assigned' },
    ],
    rubric_assessments: [{ user_id: student.id, score: 5, assessor_id: teacher.id }],
  };
  const changed = ok(within(await change(teacher), 3));
  expect(changed).toMatchObject({ title: 'x', ...its, rubric_association: its });
  expect(ok(await change(designer))).toMatchObject({ assessment_requests: [], rubric_assessments: [], permissions: { assess: false } });
  const skips = { rubric: { title: 'Essays' }, rubric_association_id: made.rubric_association.id, skip_updating_points_possible: true };
  expect(ok(await as(teacher).put(at(course, `/${made.rubric.id}`), skips)).rubric_association).toMatchObject({
    ...its,
    skip_updating_points_possible: true,
  });
});

test('the places of a rubric say that a course has ended by its dates', async () => {
  const { course, teacher } = await aCourse(ground);
  const admin = await ground.admin();
  const essay = await assignmentIn(course, teacher);
  const rubric_association = { association_id: essay.id, association_type: 'Assignment' };
  const { rubric } = ok(await as(teacher).post(at(course), { rubric: { title: 'Essays', criteria }, rubric_association }));
  const places = async () => ok(within(await as(admin).get(at(course, `/${rubric.id}/used_locations`)), 2));
  const one = { id: course.id, assignments: [{ id: essay.id, title: 'Essay' }] };
  expect(await places()).toMatchObject([{ ...one, 'concluded?': false }]);
  const dates = { start_at: '2020-01-01T00:00:00Z', end_at: '2020-06-01T00:00:00Z', restrict_enrollments_to_course_dates: true };
  ok(await as(admin).put(`/courses/${course.id}`, { course: dates }));
  expect(await places()).toMatchObject([{ ...one, 'concluded?': true }]);
});
