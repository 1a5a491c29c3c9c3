// Quizzes: settings, publication, the assignment of a graded quiz, dates, order and access.

import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const at = (rest: string | number = '') => `/courses/${scene.course.id}/quizzes${rest === '' ? '' : `/${rest}`}`;
const teach = () => as(scene.teacher);
const learn = () => as(scene.student);
const make = async (quiz: object = {}) => ok(await teach().post(at(), { quiz: { title: 'Cells', ...quiz } }));
const assignmentOf = async (quiz: { assignment_id: number }) =>
  ok(await teach().get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}`));

describe('a quiz and its settings', () => {
  test('a teacher creates a quiz with every setting, and an update changes only what it names', async () => {
    const settings = {
      quiz_type: 'assignment',
      time_limit: 20,
      shuffle_answers: true,
      allowed_attempts: 3,
      scoring_policy: 'keep_average',
      one_question_at_a_time: true,
      cant_go_back: true,
      access_code: 'blue',
      ip_filter: '10.0.0.0/8',
      show_correct_answers_last_attempt: true,
      show_correct_answers_at: '2030-02-01T00:00:00Z',
      hide_correct_answers_at: '2030-03-01T00:00:00Z',
      unlock_at: '2030-01-01T00:00:00Z',
      due_at: '2030-01-10T12:00:00Z',
      lock_at: '2030-01-20T12:00:00Z',
    };
    const quiz = ok(
      within(await teach().post(at(), { quiz: { title: 'All settings', description: '<p>Read<script>x()</script></p>', ...settings } }), 3),
    );
    expect(quiz).toMatchObject({ ...settings, title: 'All settings', published: false, description: '<p>Read</p>', question_types: [] });
    expect(quiz).toMatchObject({ has_access_code: true, version_number: 1, question_count: 0, can_update: true, unpublishable: true });
    expect(quiz.all_dates).toMatchObject([{ base: true, title: 'Everyone', due_at: settings.due_at }]);
    const changed = ok(within(await teach().put(at(quiz.id), { quiz: { time_limit: '' } }), 3));
    expect(changed).toMatchObject({ ...settings, time_limit: null, version_number: 2 });
    expect(ok(within(await teach().get(at(quiz.id)), 2))).toEqual(changed);
  });

  test('a blank title gets a name, and an invalid setting is refused by field', async () => {
    expect(await make({ title: ' ' })).toMatchObject({ title: 'Unnamed Quiz', quiz_type: 'assignment', allowed_attempts: 1 });
    ok(await teach().post(at(), {}), 400);
    for (const [quiz, field] of [
      [{ quiz_type: 'exam' }, 'quiz_type'],
      [{ hide_results: 'sometimes' }, 'hide_results'],
      [{ ip_filter: 'campus' }, 'ip_filter'],
      [{ title: 'x'.repeat(256) }, 'title'],
      [{ due_at: '2030-01-10', lock_at: '2030-01-05' }, 'due_at'],
    ] as const)
      expect(ok(await teach().post(at(), { quiz }), 400).errors).toHaveProperty(field);
    ok(await teach().post(at(), { quiz: { time_limit: 'long' } }), 400);
  });

  test('students neither create, change nor delete quizzes, and strangers see none', async () => {
    const quiz = await make({ published: true });
    ok(await learn().post(at(), { quiz: { title: 'Mine' } }), 401);
    ok(await learn().put(at(quiz.id), { quiz: { title: 'Mine' } }), 401);
    ok(await learn().del(at(quiz.id)), 401);
    ok(await as(scene.stranger).get(at()), 401);
    ok(await as(scene.stranger).get(at(quiz.id)), 401);
    ok(await teach().get(at(999_999)), 404);
    ok(await teach().put(at(999_999), { quiz: {} }), 404);
    ok(await teach().del(at(999_999)), 404);
  });
});

describe('who sees a quiz', () => {
  test('students see published quizzes, without access code and address filter', async () => {
    const hidden = await make({ title: 'Photosynthesis draft' });
    const shown = await make({ title: 'Photosynthesis', published: true, access_code: 'blue', ip_filter: '10.0.0.0/8' });
    const listed = ok(within(await learn().get(at(), { search_term: 'photosyn' }), 2));
    expect(listed.map((quiz: { id: number }) => quiz.id)).toEqual([shown.id]);
    expect(listed[0]).toMatchObject({ has_access_code: true, ip_filter: null, published: true, can_update: false });
    expect(listed[0]).not.toHaveProperty('access_code');
    expect(listed[0].permissions).toMatchObject({ read: true, submit: true, update: false, grade: false });
    ok(await learn().get(at(hidden.id)), 401);
    ok(within(await learn().get(at(shown.id)), 2));
    const seen = ok(await teach().get(at(), { search_term: 'photosyn' }));
    expect(seen.map((quiz: { title: string }) => quiz.title)).toEqual(['Photosynthesis', 'Photosynthesis draft']);
  });

  test('an access code is checked without revealing it', async () => {
    const quiz = await make({ published: true, access_code: 'blue' });
    const open = await make({ published: true });
    const draft = await make({ access_code: 'blue' });
    const check = async (id: number, access_code?: string) =>
      ok(within(await learn().post(at(`${id}/validate_access_code`), { access_code }), 2));
    expect(await check(quiz.id, 'blue')).toBe(true);
    expect(await check(quiz.id, 'red')).toBe(false);
    expect(await check(quiz.id)).toBe(false);
    expect(await check(open.id, '')).toBe(false);
    ok(await learn().post(at(`${draft.id}/validate_access_code`), { access_code: 'blue' }), 401);
    ok(await learn().post(at('999999/validate_access_code'), { access_code: 'blue' }), 404);
  });

  test('the address filter of a quiz is for those who edit it', async () => {
    const quiz = await make({ published: true, ip_filter: '10.0.0.1' });
    expect(ok(await teach().get(at(`${quiz.id}/ip_filters`)))).toEqual({
      quiz_ip_filters: [{ name: 'Current Filter', account: 'Cells', filter: '10.0.0.1' }],
    });
    ok(await learn().get(at(`${quiz.id}/ip_filters`)), 401);
    ok(await teach().get(at('999999/ip_filters')), 404);
  });

  test('a quiz is locked before it opens and after it closes, unless it was unlocked for the student', async () => {
    const early = await make({ title: 'Early', published: true, unlock_at: '2035-01-01T00:00:00Z', description: 'secret text' });
    const closed = await make({ title: 'Closed', published: true, lock_at: '2020-01-01T12:00:00Z' });
    const before = ok(await learn().get(at(early.id)));
    expect(before).toMatchObject({
      locked_for_user: true,
      description: null,
      lock_info: { asset_string: `quizzes:quiz_${early.id}`, unlock_at: '2035-01-01T00:00:00Z' },
      lock_explanation: expect.stringContaining('This quiz is locked until'),
    });
    expect(ok(await learn().get(at(closed.id)))).toMatchObject({ locked_for_user: true, lock_info: { lock_at: '2020-01-01T12:00:00Z' } });
    expect(ok(await teach().get(at(early.id)))).toMatchObject({ locked_for_user: false, description: 'secret text' });
    await ground.quizSubmission({ ...closed, course_id: scene.course.id }, scene.student, {
      workflow_state: 'settings_only',
      attempt: 0,
      manually_unlocked: true,
    });
    expect(ok(await learn().get(at(closed.id)))).toMatchObject({ locked_for_user: false });
  });

  test('a module that is not open locks its quizzes, and loses them when they are deleted', async () => {
    const quiz = await make({ published: true, quiz_type: 'practice_quiz' });
    const modules = `/courses/${scene.course.id}/modules`;
    const { id } = ok(await teach().post(modules, { module: { name: 'Later', unlock_at: '2035-01-01T00:00:00Z' } }));
    ok(await teach().put(`${modules}/${id}`, { module: { published: true } }));
    const item = ok(await teach().post(`${modules}/${id}/items`, { module_item: { type: 'Quiz', content_id: quiz.id } }));
    expect(item).toMatchObject({ type: 'Quiz', content_id: quiz.id, title: 'Cells', published: true });
    const unlocked = ok(await teach().post(modules, { module: { name: 'Now' } }));
    const graded = await make({ title: 'In a module' });
    const added = { type: 'Assignment', content_id: graded.assignment_id, completion_requirement: { type: 'min_score', min_score: 2 } };
    const gradedItem = ok(await teach().post(`${modules}/${unlocked.id}/items`, { module_item: added }));
    expect(gradedItem).toMatchObject({ type: 'Quiz', content_id: graded.id, completion_requirement: { type: 'min_score' } });
    ok(await teach().put(`${modules}/${unlocked.id}`, { module: { published: true } }));
    expect(ok(await teach().get(at(graded.id)))).toMatchObject({ published: true });
    ok(await teach().put(`${modules}/${unlocked.id}/items/${gradedItem.id}`, { module_item: { title: 'From the module' } }));
    expect(ok(await teach().get(at(graded.id)))).toMatchObject({ title: 'From the module' });
    expect(await assignmentOf(graded)).toMatchObject({ name: 'From the module', published: true });
    expect(ok(await learn().get(at(quiz.id)))).toMatchObject({ locked_for_user: true, lock_info: { context_module: { name: 'Later' } } });
    ok(await teach().del(at(quiz.id)));
    expect(ok(await teach().get(`${modules}/${id}/items`))).toEqual([]);
  });
});

describe('the assignment of a graded quiz', () => {
  test('it is made, changed, published and deleted with the quiz', async () => {
    const quiz = await make({ title: 'Graded', due_at: '2030-01-10T12:00:00Z' });
    expect(await assignmentOf(quiz)).toMatchObject({
      name: 'Graded',
      submission_types: ['online_quiz'],
      quiz_id: quiz.id,
      is_quiz_assignment: true,
      published: false,
      due_at: '2030-01-10T12:00:00Z',
      points_possible: 0,
    });
    ok(await teach().put(at(quiz.id), { quiz: { title: 'Renamed', published: true, due_at: '2030-01-11T12:00:00Z' } }));
    expect(await assignmentOf(quiz)).toMatchObject({ name: 'Renamed', published: true, due_at: '2030-01-11T12:00:00Z' });
    expect(ok(await teach().del(at(quiz.id)))).toMatchObject({ id: quiz.id, title: 'Renamed' });
    ok(await teach().get(at(quiz.id)), 404);
    ok(await teach().get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}`), 404);
  });

  test('edits of the assignment reach the quiz', async () => {
    const quiz = await make({ title: 'Coupled', published: true });
    const assignment = `/courses/${scene.course.id}/assignments/${quiz.assignment_id}`;
    ok(await teach().put(assignment, { assignment: { name: 'From the gradebook', lock_at: '2031-01-01T00:00:00Z', published: false } }));
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ title: 'From the gradebook', published: false });
    ok(await teach().del(assignment));
    ok(await teach().get(at(quiz.id)), 404);
  });

  test('an assignment that is created as a quiz, or becomes one, has a quiz for its questions', async () => {
    const all = `/courses/${scene.course.id}/assignments`;
    const given = { name: 'Cells', description: '<p>Read</p>', due_at: '2030-01-10T12:00:00Z', points_possible: 7, published: true };
    const assignment = { ...given, submission_types: ['online_quiz'] };
    const made = ok(within(await teach().post(all, { assignment }), 3), 201);
    expect(made).toMatchObject({ is_quiz_assignment: true, quiz_id: expect.any(Number), points_possible: 7 });
    const { name: title, ...same } = given;
    const quiz = ok(await teach().get(at(made.quiz_id)));
    expect(quiz).toMatchObject({ ...same, title, quiz_type: 'assignment', assignment_id: made.id, question_count: 0 });
    ok(await teach().post(at(`${quiz.id}/questions`), { question: { question_type: 'essay_question', points_possible: 3 } }));
    expect(await assignmentOf(quiz)).toMatchObject({ points_possible: 3, quiz_id: quiz.id });
    ok(await learn().post(at(`${quiz.id}/submissions`)));

    const paper = ok(await teach().post(all, { assignment: { name: 'Paper', submission_types: ['on_paper'] } }), 201);
    expect(paper).not.toHaveProperty('quiz_id');
    const become = () => teach().put(`${all}/${paper.id}`, { assignment: { submission_types: ['online_quiz'] } });
    const changed = ok(within(await become(), 3));
    expect(ok(await teach().get(at(changed.quiz_id)))).toMatchObject({ title: 'Paper', published: false, assignment_id: paper.id });
    expect(ok(await become())).toMatchObject({ quiz_id: changed.quiz_id });
    expect(ok(await teach().get(`${at()}?search_term=Paper`))).toMatchObject([{ id: changed.quiz_id, title: 'Paper' }]);
  });

  test('practice quizzes and surveys have none, and a change of type makes or deletes it', async () => {
    const quiz = await make({ quiz_type: 'practice_quiz', published: true });
    expect(quiz).toMatchObject({ assignment_id: null, assignment_group_id: null, post_to_sis: null });
    const graded = ok(await teach().put(at(quiz.id), { quiz: { quiz_type: 'graded_survey', points_possible: 4 } }));
    expect(graded).toMatchObject({ assignment_id: expect.any(Number), points_possible: 4, anonymous_submissions: false });
    expect(await assignmentOf(graded)).toMatchObject({ points_possible: 4, published: true });
    const survey = ok(await teach().put(at(quiz.id), { quiz: { quiz_type: 'survey' } }));
    expect(survey).toMatchObject({ assignment_id: null, published: true, points_possible: 4 });
    ok(await teach().get(`/courses/${scene.course.id}/assignments/${graded.assignment_id}`), 404);
  });

  test('overrides of the assignment give students their own dates', async () => {
    const quiz = await make({ title: 'Overridden', published: true, due_at: '2030-01-10T12:00:00Z' });
    const due_at = '2030-01-17T12:00:00Z';
    ok(
      await teach().post(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}/overrides`, {
        assignment_override: { student_ids: [scene.student.id], title: 'Later', due_at },
      }),
      201,
    );
    expect(ok(await learn().get(at(quiz.id)))).toMatchObject({ due_at });
    expect(ok(await learn().get(at(quiz.id)))).not.toHaveProperty('all_dates');
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ due_at: '2030-01-10T12:00:00Z', all_dates: [{ base: true }, { due_at }] });
    const path = at(`assignment_overrides?quiz_assignment_overrides[0][quiz_ids][]=${quiz.id}`);
    expect(ok(within(await learn().get(path), 2))).toEqual({
      quiz_assignment_overrides: [{ quiz_id: quiz.id, due_dates: [{ due_at, unlock_at: null, lock_at: null }] }],
    });
    const staff = ok(await teach().get(path)).quiz_assignment_overrides;
    expect(staff).toMatchObject([{ quiz_id: quiz.id, due_dates: [{ title: 'Everyone else' }, { due_at }], all_dates: [{}, { due_at }] }]);
    const only = await make({ title: 'For nobody', published: true, only_visible_to_overrides: true });
    ok(await learn().get(at(only.id)), 401);
    expect(ok(await learn().get(at(`assignment_overrides?quiz_assignment_overrides[0][quiz_ids][]=${only.id}`)))).toEqual({
      quiz_assignment_overrides: [],
    });
  });

  test('a quiz with attempts stays published', async () => {
    const quiz = await make({ published: true });
    await ground.quizSubmission({ ...quiz, course_id: scene.course.id }, scene.student);
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ unpublishable: false, can_unpublish: false });
    expect(ok(await teach().put(at(quiz.id), { quiz: { published: false } }), 400).errors).toHaveProperty('published');
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ published: true });
  });
});
