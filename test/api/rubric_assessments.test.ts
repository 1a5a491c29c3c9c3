// Assessments by rubrics: the grades that follow from them, and who sees which.

import { expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;

/** An assignment with a rubric of two criteria, which grades it unless stated. */
async function aRubric({ course, teacher }: Scene, use: object = {}, more: object = {}, rubric: object = {}) {
  const essay = ok(
    await as(teacher).post(`/courses/${course.id}/assignments`, {
      assignment: { name: 'Essay', published: true, submission_types: ['online_text_entry'], ...more },
    }),
    201,
  );
  const ratings = (...points: number[]) => points.map((one) => ({ points: one, description: `Worth ${one}` }));
  const made = ok(
    await as(teacher).post(`/courses/${course.id}/rubrics`, {
      rubric: {
        title: 'Essay rubric',
        criteria: [
          { description: 'Method', ratings: ratings(10, 5, 0) },
          { description: 'Style', criterion_use_range: true, ratings: ratings(4, 2, 0) },
        ],
        ...rubric,
      },
      rubric_association: { association_id: essay.id, association_type: 'Assignment', use_for_grading: true, ...use },
    }),
  );
  const [method, style] = made.rubric.data;
  const work = (person: { id: number }) => `/courses/${course.id}/assignments/${essay.id}/submissions/${person.id}`;
  const all = `/courses/${course.id}/rubric_associations/${made.rubric_association.id}/rubric_assessments`;
  return { essay, rubric: made.rubric, use: made.rubric_association, method, style, work, all };
}

test('a teacher grades by a rubric, and the student sees the ratings with the grade', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, ta, student, student2, observer } = scene;
  const { essay, rubric, use, method, style, work, all } = await aRubric(scene);
  const graded = ok(
    within(
      await as(teacher).put(work(student), {
        rubric_assessment: { [method.id]: { points: 5, comments: 'Fine' }, [style.id]: { points: '3' } },
        include: ['rubric_assessment'],
      }),
      3,
    ),
  );
  expect(graded).toMatchObject({ score: 8, grade: '8', workflow_state: 'graded', grader_id: teacher.id });
  const ratings = {
    [method.id]: { rating_id: method.ratings[1].id, comments: 'Fine', points: 5 },
    [style.id]: { rating_id: style.ratings[0].id, comments: '', points: 3 },
  };
  expect(graded.rubric_assessment).toEqual(ratings);
  const include = ['rubric_assessment', 'full_rubric_assessment'];
  for (const person of [student, observer]) {
    const seen = ok(within(await as(person).get(work(student), { include }), 2));
    expect(seen.rubric_assessment).toEqual(ratings);
    expect(seen.full_rubric_assessment).toMatchObject({ score: 8, assessor_id: teacher.id, assessor_name: 'Tara Teacher', data: [{}, {}] });
    expect(seen.full_rubric_assessment.rubric_association).toMatchObject({ id: use.id, summary_data: null });
  }
  const listed = ok(within(await as(teacher).get(`/courses/${course.id}/students/submissions`, { student_ids: ['all'], include }), 2));
  expect(listed.map((one: { user_id: number; rubric_assessment?: object }) => [one.user_id, one.rubric_assessment])).toEqual([
    [student.id, ratings],
    [student2.id, undefined],
  ]);
  expect(ok(await as(student).get(`${work(student)}/rubric_assessments/read`))).toEqual({ read: false });
  ok(await as(student).put(`${work(student)}/rubric_assessments/read`));
  expect(ok(await as(student).get(`${work(student)}/rubric_assessments/read`))).toEqual({ read: true });
  // Another grader takes the assessment over: there is one for each submission.
  const again = ok(
    within(
      await as(ta).post(all, {
        rubric_assessment: {
          user_id: student.id,
          assessment_type: 'grading',
          [`criterion_${method.id}`]: { rating_id: method.ratings[0].id },
        },
      }),
      3,
    ),
  );
  expect(again).toMatchObject({ score: 10, assessor_id: ta.id, user_id: student.id, artifact_type: 'Submission', artifact: { score: 10 } });
  expect(again.data).toMatchObject([{ criterion_id: method.id, points: 10, description: 'Worth 10' }]);
  const shown = ok(
    within(
      await as(teacher).get(`/courses/${course.id}/rubrics/${rubric.id}`, { include: ['graded_assessments'], style: 'comments_only' }),
      2,
    ),
  );
  expect(shown.assessments).toMatchObject([{ id: again.id, score: 10, comments: [] }]);
  const assignment = ok(within(await as(student).get(`/courses/${course.id}/assignments/${essay.id}`), 2));
  expect(assignment).toMatchObject({
    points_possible: 14,
    use_rubric_for_grading: true,
    free_form_criterion_comments: false,
    rubric: [{ id: method.id, points: 10, criterion_use_range: false, ratings: [{}, {}, {}] }, { id: style.id }],
    rubric_settings: { id: rubric.id, title: 'Essay rubric', points_possible: 14, hide_points: false, hide_score_total: false },
  });
});

test('criteria and ratings of other rubrics are refused, and points that are no number are named', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, designer, stranger } = scene;
  const { method, style, work, all } = await aRubric(scene);
  const other = await aRubric(scene);
  const put = (rubric_assessment: object, person = teacher) => as(person).put(work(student), { rubric_assessment });
  expect(ok(await put({ [other.method.id]: { points: 5 } }), 400)).toEqual({ message: 'invalid rubric_assessment' });
  expect(ok(await put({ [method.id]: { rating_id: style.ratings[0].id } }), 400).message).toContain('invalid rubric_assessment');
  expect(ok(await put({ [method.id]: { points: 'many' } }), 400).errors[0].message).toContain('points');
  for (const person of [student, designer]) ok(await put({ [method.id]: { points: 5 } }, person), 401);
  const post = (person: typeof teacher | undefined, more: object = {}, at = all) =>
    as(person).post(at, { rubric_assessment: { user_id: student.id, [`criterion_${method.id}`]: { points: 5 }, ...more } });
  expect(ok(await post(teacher, { [`criterion_${method.id}`]: { points: 'x' } }), 400).errors[0].message).toBe(
    `rubric_assessment[criterion_${method.id}][points] is not a number`,
  );
  ok(await post(teacher, { user_id: stranger.id }), 404);
  ok(await post(teacher, { user_id: undefined }), 400);
  ok(await post(teacher, {}, other.all), 400);
  // No one has been assigned to review the work of another.
  for (const person of [scene.student2, student]) ok(await post(person, { assessment_type: 'peer_review' }), 401);
  for (const person of [designer, undefined]) ok(await post(person), 401);
  ok(await post(stranger), 404);
  expect(ok(await as(teacher).get(work(student), { include: ['rubric_assessment'] }))).not.toHaveProperty('rubric_assessment');
});

test('an assessment that takes the last points away removes the grade, and one of comments leaves it', async () => {
  const scene = await aCourse(ground);
  const { teacher, student } = scene;
  const { method, style, work } = await aRubric(scene);
  const put = async (rubric_assessment: object) => ok(within(await as(teacher).put(work(student), { rubric_assessment }), 3));
  expect(await put({ [method.id]: { points: 5 } })).toMatchObject({ score: 5, workflow_state: 'graded' });
  expect(await put({ [style.id]: { comments: 'Lively' } })).toMatchObject({ score: 5, workflow_state: 'graded' });
  expect(await put({ [method.id]: { points: null, comments: 'Again' } })).toMatchObject({ score: null, grade: null });
});

test('the log of grades tells whether an assessor saw names', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, course } = scene;
  const { method, all } = await aRubric(scene);
  const sent = (points: number | null, more: object) =>
    as(teacher).post(all, { rubric_assessment: { user_id: student.id, [`criterion_${method.id}`]: { points } }, ...more });
  for (const [points, more] of [
    [5, { graded_anonymously: true }],
    [6, { graded_anonymously: false }],
    [7, {}],
    [null, { graded_anonymously: true }],
  ] as const)
    ok(within(await sent(points, more), 3));
  const { events } = ok(await as(teacher).get(`/audit/grade_change/courses/${course.id}`));
  const logged = events.map(({ graded_anonymously, links }: { graded_anonymously: boolean; links: { grader: string } }) => [
    graded_anonymously,
    links.grader,
  ]);
  expect(logged).toEqual([true, false, false, true].map((anonymously) => [anonymously, String(teacher.id)]));
});

test('assessments stay hidden with the grade, and a rubric that hides points shows none to students', async () => {
  const scene = await aCourse(ground);
  const { teacher, student } = scene;
  const hidden = await aRubric(scene, { hide_points: true });
  const rated = (points: number) => ({ rubric_assessment: { [hidden.method.id]: { points, comments: 'Look again' } } });
  ok(await as(teacher).put(hidden.work(student), { ...rated(5), submission: { posted_grade: 3 } }));
  const include = ['rubric_assessment', 'full_rubric_assessment'];
  const seen = ok(await as(student).get(hidden.work(student), { include }));
  // A rubric without points does not grade.
  expect(seen.score).toBe(3);
  expect(seen.rubric_assessment).toEqual({ [hidden.method.id]: { rating_id: hidden.method.ratings[1].id, comments: 'Look again' } });
  expect(seen.full_rubric_assessment).toMatchObject({ score: null });
  expect(seen.full_rubric_assessment.data[0]).not.toHaveProperty('points');
  const unposted = await aRubric(scene, {}, { post_manually: true });
  ok(await as(teacher).put(unposted.work(student), { rubric_assessment: { [unposted.method.id]: { points: 10 } } }));
  const own = ok(await as(student).get(unposted.work(student), { include }));
  for (const key of ['score', 'rubric_assessment', 'full_rubric_assessment']) expect(own).not.toHaveProperty(key);
  expect(ok(await as(student).get(`${unposted.work(student)}/rubric_assessments/read`))).toEqual({ read: true });
});

test('many students are assessed at once, and saved comments are offered again', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, ta } = scene;
  const { essay, rubric, use, method, work, all } = await aRubric(scene, {}, {}, { free_form_criterion_comments: true });
  const grade_data = {
    [student.id]: { rubric_assessment: { [method.id]: { points: 10 } } },
    [student2.id]: { rubric_assessment: { [method.id]: { points: 0 } }, text_comment: 'See me' },
  };
  const done = ok(
    within(await as(teacher).post(`/courses/${course.id}/assignments/${essay.id}/submissions/update_grades`, { grade_data }), 3),
  );
  expect(done).toMatchObject({ workflow_state: 'completed', tag: 'submissions_update' });
  const scores = ok(await as(teacher).get(`/courses/${course.id}/assignments/${essay.id}/submissions`, { include: ['rubric_assessment'] }));
  expect(scores.map((one: { score: number; rubric_assessment: object }) => [one.score, Object.values(one.rubric_assessment)])).toEqual([
    [10, [{ rating_id: null, comments: '', points: 10 }]],
    [0, [{ rating_id: null, comments: '', points: 0 }]],
  ]);
  const assess = (comments: string) =>
    as(teacher).post(all, { rubric_assessment: { user_id: student.id, [`criterion_${method.id}`]: { comments, save_comment: '1' } } });
  for (const comments of ['More sources', 'Well argued', 'More sources']) ok(within(await assess(comments), 3));
  const saved = (person = teacher) =>
    as(person).get(`/courses/${course.id}/rubrics/${rubric.id}`, { include: ['assignment_associations'] });
  expect(ok(await saved()).associations).toMatchObject([
    { id: use.id, summary_data: { saved_comments: { [method.id]: ['More sources', 'Well argued'] } } },
  ]);
  expect(ok(await saved(scene.designer)).associations).toMatchObject([{ summary_data: null }]);
  // Comments alone leave the grade.
  expect(ok(await as(teacher).get(work(student))).score).toBe(10);
  const [first] = ok(
    await as(ta).get(`/courses/${course.id}/rubrics/${rubric.id}`, { include: ['assessments'], style: 'full' }),
  ).assessments;
  expect(first).toMatchObject({ user_id: student.id, data: [{ comments: 'More sources', points: null }] });
  // canvasapi sends the id of the association in place of the course.
  const wrong = `/courses/${use.id}/rubric_associations/${use.id}/rubric_assessments/${first.id}`;
  const changed = ok(within(await as(ta).put(wrong, { rubric_assessment: { [`criterion_${method.id}`]: { points: 4 } } }), 3));
  expect(changed).toMatchObject({ id: first.id, assessor_id: ta.id, score: 4 });
  for (const [person, status] of [
    [student, 401],
    [student2, 401],
    [scene.stranger, 404],
    [undefined, 401],
  ] as const) {
    ok(await as(person).put(wrong, { rubric_assessment: { [`criterion_${method.id}`]: { points: 4 } } }), status);
    ok(await as(person).del(wrong), status);
  }
  expect(ok(within(await as(teacher).del(wrong), 3))).toMatchObject({ id: first.id, assessor_name: 'Tim Assistant' });
  ok(await as(teacher).del(wrong), 404);
  expect(ok(await as(teacher).get(work(student), { include: ['rubric_assessment'] }))).not.toHaveProperty('rubric_assessment');
});

test('a section-restricted grader assesses and sees only the students of their sections', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const { rubric, method, work, all } = await aRubric(scene);
  const section_id = await ground.section(course);
  const [limited, learner] = [await ground.person(), await ground.person()];
  await ground.enroll(course, limited, 'ta', { section_id, limited: true });
  await ground.enroll(course, learner, 'student', { section_id });
  const rated = { rubric_assessment: { [method.id]: { points: 10 } } };
  ok(await as(teacher).put(work(student), rated));
  ok(await as(limited).put(work(learner), rated));
  const post = (user_id: number) => as(limited).post(all, { rubric_assessment: { user_id, [`criterion_${method.id}`]: { points: 5 } } });
  ok(await post(student2.id), 404);
  ok(await post(learner.id));
  const seenBy = async (person: typeof teacher) =>
    ok(await as(person).get(`/courses/${course.id}/rubrics/${rubric.id}`, { include: ['assessments'] })).assessments.map(
      (one: { user_id: number }) => one.user_id,
    );
  expect([await seenBy(limited), await seenBy(teacher), await seenBy(scene.designer)]).toEqual([
    [learner.id],
    [student.id, learner.id],
    [],
  ]);
  const [of] = ok(await as(teacher).get(`/courses/${course.id}/rubrics/${rubric.id}`, { include: ['assessments'] })).assessments;
  ok(await as(limited).del(`${all}/${of.id}`), 401);
  ok(await as(limited).put(`${all}/${of.id}`, { rubric_assessment: { [`criterion_${method.id}`]: { points: 1 } } }), 404);
});

test('a group that is graded together is assessed together, and a duplicated assignment keeps the rubric', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const set = ok(await as(teacher).post(`/courses/${course.id}/group_categories`, { name: 'Teams' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Team' }));
  ok(await as(teacher).put(`/groups/${group.id}`, { members: [student.id, student2.id] }));
  const { essay, use, method, work, all } = await aRubric(scene, {}, { group_category_id: set.id });
  const made = ok(
    within(await as(teacher).post(all, { rubric_assessment: { user_id: student.id, [`criterion_${method.id}`]: { points: 10 } } }), 3),
  );
  expect(made.related_group_submissions_and_assessments).toMatchObject([
    { submission: { user_id: student2.id, score: 10 }, rubric_assessments: [{ user_id: student2.id, score: 10 }] },
  ]);
  const other = ok(await as(student2).get(work(student2), { include: ['rubric_assessment'] }));
  expect(other).toMatchObject({ score: 10, rubric_assessment: { [method.id]: { points: 10 } } });
  const copy = ok(await as(teacher).post(`/courses/${course.id}/assignments/${essay.id}/duplicate`));
  expect(copy).toMatchObject({ name: 'Essay Copy', use_rubric_for_grading: true, rubric_settings: { id: use.rubric_id } });
});
