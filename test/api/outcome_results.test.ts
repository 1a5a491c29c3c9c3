// Results of outcomes: written when a rubric is assessed; rollups, scores that contribute and distributions, for graders and students.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourseOfTwoSections, type Person } from '../support/ground';

interface Scene extends Awaited<ReturnType<typeof aCourseOfTwoSections>> {
  readonly admin: Person;
  readonly outcome: number;
  readonly group: number;
  readonly first: Task;
  readonly second: Task;
}
interface Task {
  readonly id: number;
  readonly association: number;
  readonly criterion: string;
}
let scene: Scene;

async function taskWith(teacher: Person, course: number, outcome: number, name: string): Promise<Task> {
  const at = `/courses/${course}`;
  const assignment = { name, published: true, points_possible: 4, submission_types: ['online_text_entry'] };
  const { id } = ok(await as(teacher).post(`${at}/assignments`, { assignment }), 201);
  const made = ok(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: {
        title: `${name} rubric`,
        criteria: [{ description: 'Argues', learning_outcome_id: outcome, mastery_points: 3, ratings: [{ points: 4 }, { points: 0 }] }],
      },
      rubric_association: { association_id: id, association_type: 'Assignment', purpose: 'grading', use_for_grading: true },
    }),
  );
  return { id, association: made.rubric_association.id, criterion: made.rubric.data[0].id };
}

const assess = async ({ teacher, course }: Scene, task: Task, student: Person, points: number | null) =>
  ok(
    within(
      await as(teacher).post(`/courses/${course.id}/rubric_associations/${task.association}/rubric_assessments`, {
        rubric_assessment: { user_id: student.id, assessment_type: 'grading', [`criterion_${task.criterion}`]: { points } },
      }),
      3,
    ),
  );

beforeAll(async () => {
  const base = await aCourseOfTwoSections(ground);
  const { teacher, course } = base;
  const at = `/courses/${course.id}`;
  const [root] = ok(await as(teacher).get(`${at}/outcome_groups`));
  const group = ok(await as(teacher).post(`${at}/outcome_groups/${root.id}/subgroups`, { title: 'Writing' }));
  const { outcome } = ok(
    await as(teacher).post(`${at}/outcome_groups/${group.id}/outcomes`, {
      title: 'Argues',
      ratings: [
        { description: 'Well', points: 4 },
        { description: 'Enough', points: 3 },
        { description: 'Not yet', points: 0 },
      ],
      mastery_points: 3,
      calculation_method: 'average',
    }),
  );
  const first = await taskWith(teacher, course.id, outcome.id, 'Essay');
  const second = await taskWith(teacher, course.id, outcome.id, 'Talk');
  scene = { ...base, admin: await ground.admin(), outcome: outcome.id, group: group.id, first, second };
  await assess(scene, first, scene.student, 4);
  await assess(scene, second, scene.student, 3);
  await assess(scene, first, scene.student2, 1);
}, 60_000);

const results = (person: Person, query = '') => as(person).get(`/courses/${scene.course.id}/outcome_results${query}`);
const rollups = (person: Person, query = '') => as(person).get(`/courses/${scene.course.id}/outcome_rollups${query}`);

test('assessing a rubric writes a result, and assessing it again replaces it', async () => {
  const { teacher, student, student2, outcome, first, second } = scene;
  const listed = ok(within(await results(teacher, `?user_ids[]=${student.id}&include[]=outcomes&include[]=users&include[]=alignments`), 2));
  expect(listed.outcome_results).toEqual([
    {
      id: expect.any(Number),
      score: 4,
      mastery: true,
      possible: 4,
      percent: 1,
      hide_points: false,
      hidden: false,
      submitted_or_assessed_at: expect.any(String),
      links: {
        user: String(student.id),
        learning_outcome: String(outcome),
        alignment: `assignment_${first.id}`,
        assignment: `assignment_${first.id}`,
      },
    },
    expect.objectContaining({ score: 3, mastery: true, percent: 0.75 }),
  ]);
  expect(listed.linked).toMatchObject({
    outcomes: [{ id: outcome, assessed: true, ratings: expect.any(Array) }],
    users: [{ id: String(student.id), name: student.name }],
    alignments: [{ id: `assignment_${first.id}`, name: 'Essay' }, { id: `assignment_${second.id}` }],
  });
  await assess(scene, first, student2, 2);
  const again = ok(await results(teacher, `?user_ids[]=${student2.id}`)).outcome_results;
  expect(again).toMatchObject([{ score: 2, mastery: false }]);
  await assess(scene, first, student2, 1);
  expect(ok(await as(teacher).get(`/outcomes/${outcome}`)).assessed).toBe(true);
});

test('rollups include the share of students at each rating, and groups and links as their own lists have them', async () => {
  const { teacher, outcome, course, group } = scene;
  const query = '?include[]=outcomes&include[]=outcome_groups&include[]=outcome_links&rating_percents=true';
  const { linked } = ok(within(await rollups(teacher, query), 2));
  // One student has 3.5 of 4 points, the other one 1.
  expect(linked.outcomes[0].ratings.map((one: { percent: number }) => one.percent)).toEqual([0, 50, 50]);
  const groups = ok(await as(teacher).get(`/courses/${course.id}/outcome_groups`));
  expect(linked.outcome_groups).toEqual(groups);
  const [link] = ok(await as(teacher).get(`/courses/${course.id}/outcome_groups/${group}/outcomes`));
  const { can_unlink: _, ...rest } = link;
  const { has_updateable_rubrics: __, ...abbreviated } = rest.outcome;
  expect(linked.outcome_links).toMatchObject([{ ...rest, outcome: abbreviated }]);
  expect(linked.outcome_links[0].outcome.id).toBe(outcome);
});

test('rollups follow the calculation method, by student and section, sorted and paged', async () => {
  const { teacher, student, student2, sid, outcome, course, group } = scene;
  const all = ok(within(await rollups(teacher, '?include[]=outcome_paths&include[]=outcomes.alignments'), 2));
  expect(all.rollups).toHaveLength(3);
  expect(all.rollups[0]).toEqual({
    scores: [
      {
        score: 3.5,
        title: expect.any(String),
        submitted_at: expect.any(String),
        count: 2,
        hide_points: false,
        links: { outcome: String(outcome) },
      },
    ],
    links: { user: String(student.id), section: String(course.section_id), status: 'active' },
  });
  expect(all.meta.pagination).toMatchObject({ count: 3, page: 1, page_count: 1 });
  expect(all.linked.outcome_paths).toEqual([{ id: outcome, parts: [{ name: 'Writing' }, { name: 'Argues' }] }]);
  const users = async (query: string) =>
    ok(await rollups(teacher, query)).rollups.map(({ links }: { links: { user: string } }) => Number(links.user));
  expect(await users(`?sort_by=outcome&sort_outcome_id=${outcome}`)).toEqual([student2.id, student.id, sid.id]);
  expect(await users(`?sort_by=outcome&sort_outcome_id=${outcome}&sort_order=desc`)).toEqual([sid.id, student.id, student2.id]);
  expect(await users('?sort_by=student')).toEqual([sid.id, student.id, student2.id]);
  expect(await users('?exclude[]=missing_user_rollups')).toEqual([student.id, student2.id]);
  // Those who are left out take up no place on a page.
  const paged = ok(await rollups(teacher, '?exclude[]=missing_user_rollups&sort_by=student&per_page=1'));
  expect(paged).toMatchObject({ rollups: [{ links: { user: String(student.id) } }], meta: { pagination: { count: 2, page_count: 2 } } });
  const second = await rollups(teacher, '?per_page=1&page=2');
  expect(ok(second).rollups).toMatchObject([{ links: { user: String(student2.id) } }]);
  expect(second.headers.get('link')).toContain('rel="prev"');
  expect(ok(await rollups(teacher, `?outcome_group_id=${group}&section_id=${course.section_id}`)).rollups).toHaveLength(2);

  const [mean] = ok(within(await rollups(teacher, '?aggregate=course&include[]=courses'), 2)).rollups;
  expect(mean).toMatchObject({ links: { course: String(course.id) }, scores: [{ score: 2.25, count: 2 }] });
  ok(await as(teacher).put(`/outcomes/${outcome}`, { calculation_method: 'highest' }));
  const [median] = ok(await rollups(teacher, '?aggregate=course&aggregate_stat=median')).rollups;
  expect(median.scores).toMatchObject([{ score: 2.5, count: 2 }]);
  ok(await as(teacher).put(`/outcomes/${outcome}`, { calculation_method: 'average' }));
  const file = await as(teacher).get(`/courses/${course.id}/outcome_rollups.csv`);
  expect(file.body).toContain('Argues result,Argues mastery points');
  expect(file.body).toContain(`${student.id},3.5,3`);
});

test('students and observers see only their own, and no grade that is not posted', async () => {
  const { teacher, student, student2, observer, stranger, limited, sid, course, second } = scene;
  for (const query of ['', `?user_ids[]=${student2.id}`, `?user_ids[]=${student.id}&user_ids[]=${student2.id}`])
    for (const read of [results, rollups]) expect((await read(student, query)).status, query).toBe(403);
  for (const person of [student, observer])
    expect(ok(await rollups(person, `?user_ids[]=${student.id}`)).rollups).toMatchObject([{ scores: [{ score: 3.5 }] }]);
  expect((await results(stranger)).status).toBe(401);
  expect(ok(await rollups(limited)).rollups.map(({ links }: { links: { user: string } }) => links.user)).toEqual([String(sid.id)]);
  expect((await results(limited, `?user_ids[]=${student.id}`)).status).toBe(400);

  ok(await as(teacher).post(`/courses/${course.id}/assignments/${second.id}/hide_grades`, {}));
  await expect.poll(async () => ok(await results(student, `?user_ids[]=${student.id}`)).outcome_results.length).toBe(1);
  expect(ok(await results(student, `?user_ids[]=${student.id}&include_hidden=true`)).outcome_results).toHaveLength(1);
  expect(ok(await results(teacher, `?user_ids[]=${student.id}`)).outcome_results).toHaveLength(1);
  expect(ok(await results(teacher, `?user_ids[]=${student.id}&include_hidden=true`)).outcome_results).toHaveLength(2);
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${second.id}/post_grades`, {}));
  await expect.poll(async () => ok(await results(teacher)).outcome_results.length).toBe(3);
});

test.each([
  ['aggregate=all', 'invalid aggregate parameter value'],
  ['aggregate_stat=mode', 'invalid aggregate_stat parameter value'],
  ['sort_by=name', 'invalid sort_by parameter value'],
  ['sort_by=outcome', 'missing required sort_outcome_id parameter value'],
  ['sort_order=up', 'invalid sort_order parameter value'],
  ['include[]=grades', 'invalid include: grades'],
  ['include[]=courses', "can't include courses unless aggregate is 'course'"],
  ['aggregate=course&include[]=users', "can't include users unless aggregate is not set"],
  ['outcome_ids[]=1&outcome_group_id=1', "can't filter by both outcome_ids and outcome_group_id"],
  ['outcome_ids[]=99999999', "can only include id's of outcomes in the outcome context"],
  ['outcome_group_id=99999999', 'can only include an outcome group id in the outcome context'],
  ['user_ids[]=1&section_id=1', 'cannot specify both user_ids and section_id'],
  ['section_id=99999999', 'invalid section id'],
  ['user_ids[]=99999999', "can only include id's of users in the outcome context"],
])('rollups with %s are refused', async (query, message) => {
  const refused = await rollups(scene.teacher, `?${query}`);
  expect(refused.status).toBe(400);
  expect(refused.body).toEqual({ status: 'bad_request', message });
});

test('contributing scores, the distribution of mastery, alignments, and an order of outcomes', async () => {
  const { teacher, student, student2, course, outcome, first, second } = scene;
  const at = `/courses/${course.id}`;
  const contributing = ok(within(await as(teacher).get(`${at}/outcomes/${outcome}/contributing_scores`), 2));
  expect(contributing).toMatchObject({
    outcome: { id: String(outcome), title: 'Argues' },
    alignments: [{ alignment_id: `assignment_${first.id}`, associated_asset_name: 'Essay' }, { alignment_id: `assignment_${second.id}` }],
  });
  expect(contributing.scores).toContainEqual({ user_id: String(student.id), alignment_id: `assignment_${first.id}`, score: 4 });
  expect((await as(student).get(`${at}/outcomes/${outcome}/contributing_scores`)).status).toBe(403);
  ok(await as(teacher).put(`${at}/assignments/${second.id}`, { assignment: { published: false } }));
  const alignmentsOf = async (query: string) =>
    ok(await as(teacher).get(`${at}/outcomes/${outcome}/contributing_scores${query}`)).alignments.map(
      (one: { alignment_id: string }) => one.alignment_id,
    );
  expect(await alignmentsOf('')).toEqual([`assignment_${first.id}`]);
  expect(await alignmentsOf('?show_unpublished_assignments=true')).toEqual([`assignment_${first.id}`, `assignment_${second.id}`]);
  ok(await as(teacher).put(`${at}/assignments/${second.id}`, { assignment: { published: true } }));

  const spread = ok(within(await as(teacher).get(`${at}/outcome_mastery_distribution?include[]=alignment_distributions`), 2));
  expect(spread.outcome_distributions[outcome]).toMatchObject({
    total_students: 2,
    ratings: [
      { points: 4, count: 0 },
      { points: 3, count: 1, student_ids: [String(student.id)] },
      { points: 0, count: 1, student_ids: [String(student2.id)] },
    ],
    alignment_distributions: { [`assignment_${first.id}`]: { total_students: 2 } },
  });
  expect((await as(student).get(`${at}/outcome_mastery_distribution`)).status).toBe(403);

  const aligned = ok(within(await as(student).get(`${at}/outcome_alignments?student_id=${student.id}`), 2));
  expect(aligned).toMatchObject([
    { learning_outcome_id: outcome, title: 'Essay', assignment_id: first.id, submission_types: 'online_text_entry' },
    { assignment_id: second.id },
  ]);
  expect((await as(student).get(`${at}/outcome_alignments?student_id=${student2.id}`)).status).toBe(401);
  expect((await as(teacher).get(`${at}/outcome_alignments`)).status).toBe(400);

  const [{ id: group }] = ok(await as(teacher).get(`${at}/outcome_groups`));
  const other = ok(await as(teacher).post(`${at}/outcome_groups/${group}/outcomes`, { title: 'Cites' })).outcome.id;
  const order = async () => ok(await rollups(teacher, '?include[]=outcomes')).linked.outcomes.map(({ id }: { id: number }) => id);
  expect(await order()).toEqual([outcome, other]);
  const placed = [
    { outcome_id: other, position: 1 },
    { outcome_id: outcome, position: 2 },
  ];
  ok(within(await as(teacher).post(`${at}/assign_outcome_order`, placed, { json: true }), 3), 204);
  expect(await order()).toEqual([other, outcome]);
  expect((await as(teacher).post(`${at}/assign_outcome_order`, [{ outcome_id: 'x' }], { json: true })).status).toBe(400);
  expect((await as(student).post(`${at}/assign_outcome_order`, placed, { json: true })).status).toBe(401);
  // Rollups are always those of the results: clients that ask for a calculation need not wait.
  ok(within(await as(teacher).post('/enqueue_outcome_rollup_calculation', {}), 2), 204);
  expect((await as().post('/enqueue_outcome_rollup_calculation', {})).status).toBe(401);

  const [link] = ok(await as(teacher).get(`${at}/outcome_groups/${scene.group}/outcomes`));
  expect(link).toMatchObject({ can_unlink: false, assessed: true });
  expect((await as(teacher).del(`${at}/outcome_groups/${scene.group}/outcomes/${outcome}`)).status).toBe(400);
  expect((await as(teacher).del(`${at}/outcome_groups/${scene.group}`)).status).toBe(400);
});

test('a proficiency scale applies below its account, and one of its own replaces it', async () => {
  const { admin, teacher, course } = scene;
  const at = `/courses/${course.id}/outcome_proficiency`;
  expect((await as(teacher).get(at)).status).toBe(404);
  const ratings = [
    { description: 'Good', points: 2, mastery: true, color: '#00ff00' },
    { description: 'Bad', points: 0, mastery: false },
  ];
  const set = ok(within(await as(admin).post('/accounts/1/outcome_proficiency', { ratings }), 3));
  expect(set.ratings).toEqual([
    { description: 'Good', points: 2, mastery: true, color: '00ff00' },
    { description: 'Bad', points: 0, mastery: false, color: '0B874B' },
  ]);
  expect(ok(within(await as(teacher).get(at), 2))).toEqual(set);
  expect(ok(await as(admin).get('/accounts/1/outcome_proficiency'))).toEqual(set);
  const own = ok(within(await as(admin).post(at, { ratings: [{ description: 'Yes', points: 1, mastery: true }] }), 3));
  expect(ok(await as(teacher).get(at))).toEqual(own);
  expect((await as(admin).post(at, { ratings: [] })).status).toBe(422);
  expect((await as(admin).post(at, { ratings: [...ratings].reverse() })).status).toBe(422);
  expect((await as(teacher).post(at, { ratings })).status).toBe(401);
});

test('an outcome has at most the points of its criterion, unless the course allows extra credit', async () => {
  const { teacher, student, course, outcome } = scene;
  const task = await taskWith(teacher, course.id, outcome, 'Bonus');
  const grade = async () => {
    await assess(scene, task, student, 6);
    return ok(await as(teacher).get(`/courses/${course.id}/assignments/${task.id}/submissions/${student.id}`)).score;
  };
  const result = async () => {
    const { outcome_results } = ok(await results(teacher, `?user_ids[]=${student.id}&outcome_ids[]=${outcome}`));
    return outcome_results.find(({ links }: { links: { assignment: string } }) => links.assignment === `assignment_${task.id}`);
  };
  expect(await grade()).toBe(4);
  expect(await result()).toMatchObject({ score: 4, possible: 4, percent: 1 });
  const flag = `/features/flags/outcome_extra_credit`;
  ok(await as(scene.admin).put(`/courses/${course.id}${flag}`, { state: 'on' }));
  expect(await grade()).toBe(6);
  expect(await result()).toMatchObject({ score: 6, possible: 4, percent: 1.5, mastery: true });
  // An account that decides for its courses.
  ok(await as(scene.admin).put(`/accounts/1${flag}`, { state: 'off' }));
  expect(await grade()).toBe(4);
  ok(await as(scene.admin).del(`/accounts/1${flag}`));
});

test('a criterion that does not count has a result of its outcome, but no points in the grade', async () => {
  const { teacher, student, course, outcome } = scene;
  const at = `/courses/${course.id}`;
  const assignment = { name: 'Formative', published: true, points_possible: 10, submission_types: ['online_text_entry'] };
  const { id } = ok(await as(teacher).post(`${at}/assignments`, { assignment }), 201);
  const { rubric } = ok(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: {
        title: 'Formative',
        criteria: [
          { description: 'Facts', ratings: [{ points: 10 }, { points: 0 }] },
          {
            description: 'Argues',
            learning_outcome_id: outcome,
            mastery_points: 3,
            ignore_for_scoring: true,
            ratings: [{ points: 4 }, { points: 0 }],
          },
        ],
      },
      rubric_association: { association_id: id, association_type: 'Assignment', purpose: 'grading', use_for_grading: true },
    }),
  );
  expect(rubric).toMatchObject({ points_possible: 10, data: [{}, { ignore_for_scoring: true }] });
  const [facts, argues] = rubric.data;
  const graded = await as(teacher).put(`${at}/assignments/${id}/submissions/${student.id}`, {
    rubric_assessment: { [facts.id]: { points: 7 }, [argues.id]: { points: 3 } },
  });
  expect(ok(graded).score).toBe(7);
  const { outcome_results } = ok(await results(teacher, `?user_ids[]=${student.id}&outcome_ids[]=${outcome}`));
  expect(outcome_results).toContainEqual(
    expect.objectContaining({ score: 3, mastery: true, links: expect.objectContaining({ assignment: `assignment_${id}` }) }),
  );
});
