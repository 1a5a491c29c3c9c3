// New Quizzes: their settings, and the assignment that each of them is.

import { env, SELF } from 'cloudflare:test';
import { writeNewQuizReport } from '@carrel/worker/domains/new_quizzes/reports/report_job';
import type { Platform } from '@carrel/worker/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse } from '../support/ground';
import { expectNoQuizSecrets, secretText } from '../support/quiz_secrets';

type Scene = Awaited<ReturnType<typeof aCourse>>;
let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const at = (rest: string | number = '') => `/api/quiz/v1/courses/${scene.course.id}/quizzes${rest === '' ? '' : `/${rest}`}`;
const plain = (rest: string) => `/courses/${scene.course.id}/${rest}`;
const teach = () => as(scene.teacher);
const learn = () => as(scene.student);
const make = async (quiz: object = {}) => ok(await teach().post(at(), { quiz: { title: 'Cells', ...quiz } }));

const everySetting = {
  calculator_type: 'scientific',
  filter_ip_address: true,
  filters: { ips: [['10.0.0.1', '10.0.0.9']] },
  one_at_a_time_type: 'question',
  allow_backtracking: false,
  shuffle_answers: true,
  shuffle_questions: true,
  require_student_access_code: true,
  student_access_code: 'blue',
  has_time_limit: true,
  session_time_limit_in_seconds: 1800,
  multiple_attempts: {
    multiple_attempts_enabled: true,
    attempt_limit: true,
    max_attempts: 3,
    score_to_keep: 'latest',
    cooling_period: true,
    cooling_period_seconds: 60,
  },
  result_view_settings: {
    result_view_restricted: true,
    display_points_awarded: true,
    display_points_possible: false,
    display_items: true,
    display_item_response: true,
    display_item_response_correctness: true,
    display_item_correct_answer: false,
    display_item_feedback: true,
  },
};

describe('a New Quiz and its settings', () => {
  test('a teacher creates one with every setting, and an update changes only what it names', async () => {
    const given = {
      title: 'All settings',
      points_possible: 12,
      grading_type: 'percent',
      unlock_at: '2030-01-01T00:00:00Z',
      due_at: '2030-01-10T12:00:00Z',
      lock_at: '2030-01-20T12:00:00Z',
    };
    const made = ok(
      within(
        await teach().post(at(), { quiz: { ...given, instructions: '<p>Read<script>x()</script></p>', quiz_settings: everySetting } }),
        3,
      ),
    );
    expect(made).toMatchObject({ ...given, instructions: '<p>Read</p>', published: false });
    expect(made.quiz_settings).toEqual(everySetting);
    expect([typeof made.id, typeof made.assignment_group_id]).toEqual(['string', 'string']);
    const changed = ok(
      within(
        await teach().patch(at(made.id), {
          quiz: {
            title: '',
            quiz_settings: { allow_backtracking: true, multiple_attempts: { max_attempts: '' }, results_view_settings: null },
          },
        }),
        3,
      ),
    );
    expect(changed).toEqual({
      ...made,
      title: 'Untitled Quiz',
      quiz_settings: {
        ...everySetting,
        allow_backtracking: true,
        multiple_attempts: { ...everySetting.multiple_attempts, attempt_limit: false, max_attempts: null },
        result_view_settings: null,
      },
    });
    expect(ok(within(await teach().get(at(made.id)), 2))).toEqual(changed);
    expect(ok(await teach().patch(at(made.id), { quiz: changed }))).toEqual(changed);
  });

  test('it is an assignment that is handed in through a tool', async () => {
    const quiz = await make({ points_possible: 5, published: true });
    const assignment = ok(await teach().get(plain(`assignments/${quiz.id}`)));
    expect(assignment).toMatchObject({
      id: Number(quiz.id),
      name: 'Cells',
      points_possible: 5,
      submission_types: ['external_tool'],
      is_quiz_lti_assignment: true,
      is_quiz_assignment: false,
      published: true,
    });
    expect(assignment).not.toHaveProperty('quiz_id');
    const other = ok(await teach().post(plain('assignments'), { assignment: { name: 'Tool', submission_types: ['external_tool'] } }), 201);
    expect(other).not.toHaveProperty('is_quiz_lti_assignment');
    ok(await teach().get(at(other.id)), 404);
    const found = ok(within(await teach().get(plain('assignments'), { new_quizzes: true, per_page: 50 }), 2));
    expect(found.map(({ id }: { id: number }) => id)).toContain(Number(quiz.id));
    expect(found.map(({ id }: { id: number }) => id)).not.toContain(other.id);
    ok(await teach().put(plain(`assignments/${quiz.id}`), { assignment: { name: 'Renamed', due_at: '2031-01-01T12:00:00Z' } }));
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ title: 'Renamed', due_at: '2031-01-01T12:00:00Z' });
    ok(await teach().put(plain(`assignments/${quiz.id}`), { assignment: { submission_types: ['online_upload'] } }));
    ok(await teach().get(at(quiz.id)), 404);
    ok(await teach().patch(at(quiz.id), { quiz: { title: 'No quiz' } }), 404);
    ok(await teach().del(at(quiz.id)), 404);
  });

  test('a duplicate is a New Quiz with the same settings and items', async () => {
    const quiz = await make({ quiz_settings: everySetting, points_possible: 5, published: true });
    const add = async (item: object) => ok(await teach().post(at(`${quiz.id}/items`), { item }));
    const stimulus = await add({ entry_type: 'Stimulus', entry: { title: 'Poem', body: '<p>Text</p>' } });
    const entry = {
      title: 'True?',
      item_body: '<p>It rhymes.</p>',
      interaction_type_slug: 'true-false',
      interaction_data: { true_choice: 'True', false_choice: 'False' },
      scoring_data: { value: true },
      scoring_algorithm: 'Equivalence',
    };
    await add({ entry_type: 'Item', points_possible: 5, stimulus_quiz_entry_id: stimulus.id, entry });
    const copied = ok(within(await teach().post(plain(`assignments/${quiz.id}/duplicate`)), 3));
    expect(copied).toMatchObject({ name: 'Cells Copy', published: false, is_quiz_lti_assignment: true, can_duplicate: true });
    expect(ok(await teach().get(at(copied.id)))).toMatchObject({ title: 'Cells Copy', points_possible: 5, quiz_settings: everySetting });
    const items = ok(await teach().get(at(`${copied.id}/items`)));
    expect(items).toMatchObject([
      { entry_type: 'Stimulus', entry: { title: 'Poem' } },
      { entry_type: 'Item', entry: { title: 'True?' } },
    ]);
    expect(items[1].stimulus_quiz_entry_id).toBe(items[0].id);
    expect(items[0].id).not.toBe(stimulus.id);

    const again = `assignments/${quiz.id}/duplicate`;
    const asQuiz = ok(within(await teach().post(plain(again), { result_type: 'Quiz' }), 3));
    expect(asQuiz).toMatchObject({ title: 'Cells Copy 2', quiz_type: 'quizzes.next', published: false, can_update: true });
    expect(asQuiz).toMatchObject({ points_possible: 5, original_assignment_id: Number(quiz.id), permissions: { manage: true } });
    expect(asQuiz.new_positions).toHaveProperty(String(asQuiz.id));
    expect(asQuiz).not.toHaveProperty('name');
    expect(ok(await teach().get(at(asQuiz.id)))).toMatchObject({ title: 'Cells Copy 2' });
    const refused = ok(await teach().post(plain(again), { result_type: 'Poem' }), 400);
    expect(JSON.stringify(refused)).toContain('result_type');
  });

  test('deleting it deletes the assignment', async () => {
    const quiz = await make();
    expect(ok(within(await teach().del(at(quiz.id)), 3))).toMatchObject({ id: quiz.id, title: 'Cells' });
    ok(await teach().get(at(quiz.id)), 404);
    ok(await teach().get(plain(`assignments/${quiz.id}`)), 404);
    ok(await teach().del(at(quiz.id)), 404);
  });

  test('settings come from forms too, and filters as JSON text', async () => {
    const quiz = ok(
      await teach().post(at(), {
        'quiz[title]': 'From a form',
        'quiz[quiz_settings][filters]': '{"ips":[["10.0.0.1","10.0.0.2"]]}',
        'quiz[quiz_settings][shuffle_answers]': 'true',
      }),
    );
    expect(quiz.quiz_settings).toMatchObject({
      filters: { ips: [['10.0.0.1', '10.0.0.2']] },
      shuffle_answers: true,
      calculator_type: 'none',
    });
  });

  test('wrong input is refused by field', async () => {
    const quiz = await make();
    for (const [given, field] of [
      [{ title: 'x'.repeat(256) }, 'title'],
      [{ points_possible: 0.0 - 1 }, 'points_possible'],
      [{ due_at: '2030-01-10', lock_at: '2030-01-05' }, 'due_at'],
      [{ quiz_settings: { filters: 'x' } }, 'filters'],
      [{ quiz_settings: { filters: { ips: [['home']] } } }, 'filters'],
      [{ quiz_settings: { filters: { ips: 'x' } } }, 'filters'],
      [{ quiz_settings: { has_time_limit: true } }, 'session_time_limit_in_seconds'],
      [{ quiz_settings: { session_time_limit_in_seconds: -1 } }, 'session_time_limit_in_seconds'],
      [{ quiz_settings: { require_student_access_code: true } }, 'student_access_code'],
      [{ quiz_settings: { multiple_attempts: { max_attempts: 0 } } }, 'max_attempts'],
    ] as const) {
      expect(ok(await teach().post(at(), { quiz: given }), 400).errors).toHaveProperty(field);
      expect(ok(await teach().patch(at(quiz.id), { quiz: given }), 400).errors).toHaveProperty(field);
    }
    for (const given of [{ grading_type: 'not_graded' }, { quiz_settings: { calculator_type: 'abacus' } }, { due_at: 'soon' }])
      expect(ok(await teach().post(at(), { quiz: given }), 400).errors[0].message).toContain('quiz[');
    ok(await teach().post(at(), {}), 400);
    expect(await make({ title: null, quiz_settings: null, due_at: '' })).toMatchObject({ title: 'Untitled Quiz', points_possible: 0 });
  });

  test('students neither create, change nor delete New Quizzes, and strangers see none', async () => {
    const quiz = await make({ published: true });
    ok(await learn().post(at(), { quiz: { title: 'Mine' } }), 401);
    ok(await learn().patch(at(quiz.id), { quiz: { title: 'Mine' } }), 401);
    ok(await learn().del(at(quiz.id)), 401);
    ok(await as(scene.stranger).get(at()), 401);
    ok(await as(scene.stranger).get(at(quiz.id)), 401);
    ok(await teach().get(at(999_999)), 404);
    ok(await teach().patch(at(999_999), { quiz: {} }), 404);
  });
});

describe('who sees a New Quiz', () => {
  test('students see published ones that are assigned to them, without access code and addresses', async () => {
    const secret = { ...everySetting, student_access_code: secretText('code') };
    const hidden = await make({ title: 'Draft', quiz_settings: secret });
    const shown = await make({ title: 'Open', published: true, quiz_settings: secret });
    const theirs = await make({ title: 'For the other', published: true, quiz_settings: secret });
    const { student2 } = scene;
    ok(
      await teach().put(plain(`assignments/${theirs.id}`), {
        assignment: {
          only_visible_to_overrides: true,
          assignment_overrides: [{ student_ids: [student2.id], due_at: '2032-01-01T12:00:00Z' }],
        },
      }),
    );
    const listed = within(await learn().get(at(), { per_page: 50 }), 2);
    expectNoQuizSecrets(listed);
    const ids = ok(listed).map(({ id }: { id: string }) => id);
    expect(ids).toContain(shown.id);
    expect(ids).not.toContain(hidden.id);
    expect(ids).not.toContain(theirs.id);
    ok(await learn().get(at(hidden.id)), 404);
    ok(await learn().get(at(theirs.id)), 404);
    const seen = within(await learn().get(at(shown.id)), 2);
    expectNoQuizSecrets(seen);
    expect(ok(seen).quiz_settings).toMatchObject({ require_student_access_code: true, filters: {} });
    expect(ok(await as(student2).get(at(theirs.id)))).toMatchObject({ due_at: '2032-01-01T12:00:00Z' });
    expect(ok(await teach().get(at(theirs.id)))).toMatchObject({ due_at: null });
    for (const address of [plain('assignments'), plain('assignment_groups?include[]=assignments'), '/users/self/todo', '/planner/items'])
      expectNoQuizSecrets(await learn().get(address), address);
  });

  test('a locked one conceals its instructions from students', async () => {
    const quiz = await make({ published: true, unlock_at: '2035-01-01T00:00:00Z', instructions: 'Later' });
    expect(ok(await learn().get(at(quiz.id)))).toMatchObject({ instructions: null });
    expect(ok(await teach().get(at(quiz.id)))).toMatchObject({ instructions: 'Later' });
  });

  test('lists are paged by links below the address of New Quizzes', async () => {
    const first = await teach().get(at(), { per_page: 1 });
    expect(ok(first)).toHaveLength(1);
    expect(first.headers.get('link')).toContain(`<https://carrel.test${at()}?`);
  });
});

describe('accommodations', () => {
  const inCourse = () => `/api/quiz/v1/courses/${scene.course.id}/accommodations`;
  const shown = (quiz: { id: string }, rest = '') => plain(`assignments/${quiz.id}/accommodations${rest}`);
  const send = (path: string, body: unknown) => teach().post(path, body as object, { json: true });

  test('students get more time in one New Quiz or all of the course, and a later one replaces an earlier', async () => {
    const [quiz, other] = [await make(), await make()];
    const { student, student2 } = scene;
    const first = [
      { user_id: student.id, extra_time: 10, extra_attempts: 2, reduce_choices_enabled: true },
      { user_id: student2.id, extra_time: 5 },
    ];
    expect(ok(within(await send(at(`${quiz.id}/accommodations`), first), 3))).toEqual({
      message: 'Accommodations processed',
      successful: [{ user_id: student.id }, { user_id: student2.id }],
      failed: [],
    });
    ok(await send(at(`${quiz.id}/accommodations`), [{ user_id: student.id, extra_time: 20 }]));
    ok(await send(inCourse(), [{ user_id: student.id, extra_time: 30 }]));
    const ofStudent = { user_id: student.id, extra_time: 20, extra_attempts: 0, reduce_choices_enabled: false };
    const ofStudent2 = { user_id: student2.id, extra_time: 5, extra_attempts: 0, reduce_choices_enabled: false };
    expect(ok(within(await teach().get(shown(quiz)), 2))).toEqual({ accommodations: [ofStudent, ofStudent2] });
    expect(ok(await teach().get(shown(other)))).toEqual({ accommodations: [{ ...ofStudent, extra_time: 30 }] });
    expect(ok(within(await teach().get(shown(quiz, `/${student.id}`)), 2))).toEqual({ accommodation: ofStudent });
    expect(ok(await teach().get(shown(other, `/${student.id}`)))).toEqual({ accommodation: { ...ofStudent, extra_time: 30 } });
    ok(await teach().get(shown(other, `/${student2.id}`)), 404);
  });

  test('users who are no students of the course, and numbers out of range, are listed as failed', async () => {
    const quiz = await make();
    const { student, stranger, teacher } = scene;
    const given = [
      { user_id: stranger.id, extra_time: 1 },
      { user_id: 999_999, extra_time: 1 },
      { user_id: teacher.id, extra_time: 1 },
      { user_id: student.id, extra_time: 10_081 },
    ];
    const answered = ok(await send(at(`${quiz.id}/accommodations`), given));
    expect(answered.successful).toEqual([]);
    expect(answered.failed.map(({ user_id }: { user_id: number }) => user_id)).toEqual(given.map(({ user_id }) => user_id));
    const none = ok(await teach().get(shown(quiz))).accommodations;
    expect(none.filter(({ extra_time }: { extra_time: number }) => extra_time === 10_081)).toEqual([]);
  });

  test('a body that is no list of users is refused, and so are students', async () => {
    const quiz = await make();
    for (const path of [inCourse(), at(`${quiz.id}/accommodations`)]) {
      for (const body of [[], {}, [{ extra_time: 1 }], [{ user_id: 'x' }], [{ user_id: scene.student.id, extra_time: 'long' }]])
        ok(await send(path, body), 400);
      ok(await learn().post(path, [{ user_id: scene.student.id }], { json: true }), 401);
    }
    ok(await send(at('999999/accommodations'), [{ user_id: scene.student.id }]), 404);
    const task = ok(await teach().post(plain('assignments'), { assignment: { name: 'Essay' } }), 201);
    ok(await teach().get(shown(task)), 422);
    ok(await teach().get(shown(task, `/${scene.student.id}`)), 422);
    ok(await teach().get(shown({ id: '999999' })), 404);
    ok(await learn().get(shown(quiz)), 401);
    ok(await learn().get(shown(quiz, `/${scene.student.id}`)), 401);
  });
});

describe('reports', () => {
  const ask = (quiz: { id: string }, report_type: string, format: string) =>
    teach().post(at(`${quiz.id}/reports`), { quiz_report: { report_type, format } });

  /** The file of a report, as text. */
  async function written(quiz: { id: string }, type: string, format: string): Promise<string> {
    const { id, ...begun } = ok(within(await ask(quiz, type, format), 3));
    expect(begun).toMatchObject({ context_type: 'Assignment', context_id: Number(quiz.id), results: null });
    ok(await ask(quiz, type, format), 409);
    // The queue delivers at least once.
    for (const _ of [1, 2]) await writeNewQuizReport({ job: 'new_quiz_report', progress_id: id }, env as unknown as Platform);
    const ended = ok(await teach().get(`/progress/${id}`));
    expect(ended).toMatchObject({ workflow_state: 'completed', completion: 100, results: { url: expect.any(String) } });
    const headers = { Authorization: `Bearer ${scene.teacher.token}` };
    const file = await SELF.fetch(ended.results.url, { headers });
    expect(file.status).toBe(200);
    expect((await SELF.fetch(ended.results.url, { headers: { Authorization: `Bearer ${scene.student.token}` } })).status).toBe(401);
    return file.text();
  }

  test('students and items of a New Quiz as CSV and as JSON', async () => {
    const quiz = await make({ points_possible: 10, published: true });
    const { student } = scene;
    ok(await teach().put(plain(`assignments/${quiz.id}/submissions/${student.id}`), { submission: { posted_grade: 7 } }));
    const essay = { interaction_type_slug: 'essay', interaction_data: {}, scoring_data: { value: '' }, scoring_algorithm: 'None' };
    for (const title of ['First', 'Second'])
      ok(
        await teach().post(
          at(`${quiz.id}/items`),
          { item: { entry_type: 'Item', entry: { title, item_body: title, ...essay } } },
          { json: true },
        ),
      );
    const students = JSON.parse(await written(quiz, 'student_analysis', 'json'));
    expect(students.map(({ id }: { id: number }) => id)).toEqual([student.id, scene.student2.id]);
    expect(students).toMatchObject([
      { name: expect.any(String), section_id: scene.course.section_id, score: 7, points_possible: 10 },
      { score: null, submitted: null },
    ]);
    const lines = (await written(quiz, 'item_analysis', 'csv')).trim().split('\r\n');
    expect(lines[0]).toContain('position,item_id');
    expect(lines.slice(1).map((line) => line.split(',')[4])).toEqual(['First', 'Second']);
    expect(JSON.parse(await written(await make(), 'item_analysis', 'json'))).toEqual([]);
  });

  test('students who are anonymous are not named', async () => {
    const quiz = await make({ published: true });
    ok(await teach().put(plain(`assignments/${quiz.id}`), { assignment: { anonymous_grading: true } }));
    ok(await ask(quiz, 'student_analysis', 'csv'), 403);
    const open = await make({ published: true });
    const { id } = ok(await ask(open, 'student_analysis', 'csv'));
    ok(await teach().put(plain(`assignments/${open.id}`), { assignment: { anonymous_grading: true } }));
    await writeNewQuizReport({ job: 'new_quiz_report', progress_id: id }, env as unknown as Platform);
    expect(ok(await teach().get(`/progress/${id}`))).toMatchObject({ workflow_state: 'failed', results: null });
  });

  test('an unknown type or format is refused by name, and so are students', async () => {
    const quiz = await make();
    expect(ok(await ask(quiz, 'summary', 'csv'), 400).errors[0].message).toContain('quiz_report[report_type]');
    expect(ok(await ask(quiz, 'item_analysis', 'pdf'), 400).errors[0].message).toContain('quiz_report[format]');
    ok(await teach().post(at(`${quiz.id}/reports`), {}), 400);
    ok(await ask({ id: '999999' }, 'item_analysis', 'csv'), 404);
    ok(await learn().post(at(`${quiz.id}/reports`), { quiz_report: { report_type: 'item_analysis', format: 'csv' } }), 401);
  });
});
