// Attempts at New Quizzes: taken by students, completed by hand and by the clock, scored, and what each caller learns of them.

import { env, SELF } from 'cloudflare:test';
import { writeNewQuizReport } from '@carrel/worker/domains/new_quizzes/reports/report_job';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { expectNoQuizSecrets, newQuizItemsOfEveryType, secretText } from '../support/quiz_secrets';
import { beginAtOnce, completeAtOnce, crowdedNewQuiz, expectScoredOnce } from '../support/taken_at_once';
import { upload } from '../support/upload';

type Body = Record<string, unknown>;
interface Session {
  readonly id: string;
  readonly attempt: number;
  readonly validation_token: string;
  readonly [name: string]: unknown;
}

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const choices = ['a', 'b', 'c', 'd'].map((id) => ({ id, item_body: `<p>${id}</p>` }));
const item = (slug: string, scoring_algorithm: string, value: unknown, interaction_data: unknown = {}, more: Body = {}) => ({
  entry_type: 'Item',
  points_possible: 2,
  entry: {
    title: slug,
    item_body: `<p>${slug}</p>`,
    interaction_type_slug: slug,
    interaction_data,
    scoring_data: { value },
    scoring_algorithm,
    feedback: { correct: 'Well done', incorrect: 'No' },
    ...more,
  },
});
const choice = item('choice', 'Equivalence', 'b', { choices });
const number = item('numeric', 'Numeric', [{ id: '1', type: 'exactResponse', value: '4' }]);
const essay = item('essay', 'None', '', { rce: true });

const quizzes = () => `/api/quiz/v1/courses/${scene.course.id}/quizzes`;

async function aQuiz(items: readonly object[], quiz_settings: Body = {}, given: Body = {}) {
  const made = ok(
    await as(scene.teacher).post(quizzes(), { quiz: { title: 'Cells', points_possible: 20, published: true, quiz_settings, ...given } }),
  );
  const path = `${quizzes()}/${made.id}`;
  const ids: string[] = [];
  for (const one of items) ids.push(ok(await as(scene.teacher).post(`${path}/items`, { item: one }, { json: true })).id);
  return { id: Number(made.id), path, ids };
}
type Quiz = Awaited<ReturnType<typeof aQuiz>>;

const start = async (quiz: Quiz, person: Person, given: Body = {}): Promise<Session> =>
  ok(within(await as(person).post(`${quiz.path}/sessions`, given), 3));
const work = (one: Session, given: Body) => ({ attempt: one.attempt, validation_token: one.validation_token, ...given });
const respond = (quiz: Quiz, one: Session, person: Person, responses: readonly Body[], given: Body = {}) =>
  as(person).post(`${quiz.path}/sessions/${one.id}/responses`, work(one, { responses, ...given }), { json: true });
const complete = (quiz: Quiz, one: Session, person: Person, given: Body = {}) =>
  as(person).post(`${quiz.path}/sessions/${one.id}/complete`, work(one, given));
const itemsOf = async (quiz: Quiz, one: Session, person: Person): Promise<Body[]> =>
  ok(within(await as(person).get(`${quiz.path}/sessions/${one.id}/items`), 2)).items;
const gradeOf = async (quiz: Quiz, person: Person) =>
  ok(await as(scene.teacher).get(`/courses/${scene.course.id}/assignments/${quiz.id}/submissions/${person.id}`));
const minutesAfter = (time: unknown, minutes: number) => new Date(Date.parse(String(time)) + minutes * 60_000).toISOString().slice(0, 19);

async function newStudent(): Promise<Person> {
  const person = await ground.person();
  await ground.enroll(scene.course, person, 'student');
  return person;
}

test('a student starts, responds, flags and completes; the score is the grade of the assignment', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice, number]);
  const begun = await start(quiz, student);
  expect(begun).toMatchObject({
    quiz_id: String(quiz.id),
    user_id: student.id,
    attempt: 1,
    workflow_state: 'untaken',
    finished_at: null,
    end_at: null,
    score: null,
    points_possible: 4,
    attempts_left: 0,
    item_count: 2,
    position: 1,
  });
  expect(begun.validation_token).toMatch(/^[0-9a-f]{64}$/);
  expect(await itemsOf(quiz, begun, student)).toEqual([
    {
      position: 1,
      entry_type: 'Item',
      points_possible: 2,
      item_body: '<p>choice</p>',
      interaction_type_slug: 'choice',
      interaction_data: { choices },
      calculator_type: 'none',
      stimulus: null,
      flagged: false,
      response: null,
    },
    expect.objectContaining({ position: 2, interaction_type_slug: 'numeric', interaction_data: {} }),
  ]);
  const saved = ok(within(await respond(quiz, begun, student, [{ position: 1, response: 'b', flagged: true }]), 3)).items;
  expect(saved).toMatchObject([{ position: 1, response: 'b', flagged: true }]);
  ok(await respond(quiz, begun, student, [{ position: 2, response: '5' }]));
  ok(await respond(quiz, begun, student, [{ position: 1, flagged: false }]));
  expect(await itemsOf(quiz, begun, student)).toMatchObject([
    { response: 'b', flagged: false },
    { response: '5', flagged: false },
  ]);
  // An edit while the attempt is running changes nothing in it.
  const edit = { entry: { scoring_data: { value: 'a' } } };
  ok(await as(scene.teacher).patch(`${quiz.path}/items/${quiz.ids[0]}`, { item: edit }, { json: true }));
  const done = ok(within(await complete(quiz, begun, student), 3));
  expect(done).toMatchObject({ workflow_state: 'complete', score: 2, kept_score: 2, points_possible: 4, time_left: null });
  expect(ok(await complete(quiz, begun, student), 400).message).toBe('quiz submission is already complete');
  expect(await itemsOf(quiz, begun, student)).toMatchObject([
    { correct: true, points: 2, correct_response: 'b', feedback: ['Well done'] },
    { correct: false, points: 0, feedback: ['No'] },
  ]);
  // Two of four points are ten of twenty.
  expect(await gradeOf(quiz, student)).toMatchObject({
    score: 10,
    grade: '10',
    attempt: 1,
    submission_type: 'basic_lti_launch',
    workflow_state: 'graded',
    submitted_at: done.finished_at,
    grader_id: -quiz.id,
  });
  expect(ok(within(await as(student).get(`${quiz.path}/sessions`), 2))).toEqual([done]);
  expect(ok(within(await as(student).get(`${quiz.path}/sessions/${begun.id}`), 2))).toEqual(done);
});

test('only an attempt submits to a quiz: no launch of a tool takes its place', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice]);
  const begun = await start(quiz, student);
  ok(await respond(quiz, begun, student, [{ position: 1, response: 'b' }]));
  ok(await complete(quiz, begun, student));
  const before = await gradeOf(quiz, student);
  const at = `/courses/${scene.course.id}`;
  const made = { title: 'Classic', quiz_type: 'assignment', published: true };
  const classic = ok(await as(scene.teacher).post(`${at}/quizzes`, { quiz: made }));
  const launch = { submission_type: 'basic_lti_launch', url: 'https://tool.example/launch' };
  for (const assignment of [quiz.id, classic.assignment_id])
    for (const submission_type of ['basic_lti_launch', 'external_tool', 'online_quiz'])
      for (const [person, more] of [
        [student, {}],
        [scene.teacher, { user_id: student.id }],
      ] as const) {
        const submission = { ...launch, ...more, submission_type };
        const refused = await as(person).post(`${at}/assignments/${assignment}/submissions`, { submission });
        expect(ok(within(refused, 3), 400).message).toMatch(/submission.type/);
      }
  expect(await gradeOf(quiz, student)).toEqual(before);
});

/** Right responses to `newQuizItemsOfEveryType`, in their order. */
const rightResponses: readonly unknown[] = [
  true,
  'b',
  'b',
  ['a', 'b'],
  { 1: 'France' },
  { x: ['p'] },
  ['a', 'b'],
  '4',
  '3',
  { o: secretText('blank'), d: 'a', w: 'k' },
  { x: 0.2, y: 0.2 },
];

test('questions of every type are taken and scored, and say nothing of their keys before', async () => {
  const student = await newStudent();
  const all = newQuizItemsOfEveryType();
  const quiz = await aQuiz(all, { require_student_access_code: true, student_access_code: secretText('code') });
  const code = { access_code: secretText('code') };
  const refused = await as(student).post(`${quiz.path}/sessions`, { access_code: 'guess' });
  expect(ok(refused, 403).message).toBe('invalid access code');
  expectNoQuizSecrets(refused);
  const begun = await start(quiz, student, code);
  expect(begun).toMatchObject({ item_count: all.length, points_possible: 2 * all.length });
  for (const path of ['sessions', `sessions/${begun.id}`, `sessions/${begun.id}/items`])
    expectNoQuizSecrets(await as(student).get(`${quiz.path}/${path}`), path);
  const file = await upload(student, `${quiz.path}/sessions/self/files`, { name: 'work.pdf' }, 'content');
  const other = await upload(student, `${quiz.path}/sessions/self/files`, { name: 'work.doc' }, 'content');
  const given: unknown[] = [...rightResponses, '<p>Essay<script>x()</script></p>', [file.id]];
  expect(ok(await respond(quiz, begun, student, [{ position: 1, response: true }]), 403).message).toBe('invalid access code');
  for (const response of [[other.id], [999_999]]) ok(await respond(quiz, begun, student, [{ position: all.length, response }], code), 400);
  const saved = await respond(
    quiz,
    begun,
    student,
    given.map((response, at) => ({ position: at + 1, response })),
    code,
  );
  expect(ok(saved).items).toHaveLength(all.length);
  expect(saved.body.items.at(-2).response).toBe('<p>Essay</p>');
  const own = { ...saved, body: JSON.parse(JSON.stringify(saved.body).replace(secretText('blank'), '')) };
  expectNoQuizSecrets({ body: own.body, headers: saved.headers });
  const done = ok(await complete(quiz, begun, student, code));
  expect(done).toMatchObject({ workflow_state: 'pending_review', score: 2 * rightResponses.length });
  const opened = await Promise.all([file, other].map(({ id }) => as(scene.teacher).get(`/files/${id}`)));
  expect(opened.map(({ status }) => status)).toEqual([200, 404]);
  const graded = ok(within(await as(scene.teacher).get(`${quiz.path}/sessions/${begun.id}/items`), 2)).items;
  expect(graded.map(({ correct }: Body) => correct)).toEqual([...rightResponses.map(() => true), 'undefined', 'undefined']);
  const scored = ok(
    within(
      await as(scene.teacher).put(
        `${quiz.path}/sessions/${begun.id}`,
        {
          attempt: 1,
          fudge_points: 1,
          items: [
            { position: 12, score: 1.5, comment: 'Good' },
            { position: 13, score: 2 },
          ],
        },
        { json: true },
      ),
      3,
    ),
  );
  expect(scored).toMatchObject({ workflow_state: 'complete', score: 26.5, fudge_points: 1 });
  expect((await itemsOf(quiz, begun, student)).at(-2)).toMatchObject({ correct: 'defined', points: 1.5, comment: 'Good' });
  expect((await gradeOf(quiz, student)).score).toBeCloseTo((26.5 * 20) / 26);
  const path = `${quiz.path}/sessions/${begun.id}`;
  ok(await as(scene.teacher).put(path, { attempt: 9 }), 400);
  ok(await as(scene.teacher).put(path, { attempt: 1, items: [{ position: 99, score: 1 }] }, { json: true }), 400);
  ok(await as(student).put(path, { attempt: 1, fudge_points: 5 }), 401);
});

test('wrong input is refused by what is wrong with it', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice, number, essay]);
  const begun = await start(quiz, student);
  expect(ok(await as(student).post(`${quiz.path}/sessions`), 409).message).toBe('a quiz submission already exists');
  for (const [responses, given, status, message] of [
    [[{ position: 1, response: 'z' }], {}, 400, "response to question 1: has no choice 'z'"],
    [[{ position: 2, response: 'four' }], {}, 400, 'response to question 2: must be a decimal number'],
    [[{ position: 4, response: 'x' }], {}, 400, 'question 4 can not be answered now'],
    [[{ position: 0, response: 'x' }], {}, 400, 'question 0 can not be answered now'],
    [[], { position: 9 }, 400, 'question 9 can not be shown now'],
    [[], { validation_token: 'guess' }, 403, 'invalid token'],
    [[], { attempt: 2 }, 400, 'attempt 2 can not be modified'],
    [[], { attempt: 'first' }, 400, 'invalid attempt'],
  ] as const)
    expect(ok(await respond(quiz, begun, student, responses, given), status).message).toBe(message);
  ok(await respond(quiz, begun, student, [{ response: 'b' }]), 400);
  expect(ok(await complete(quiz, begun, student, { validation_token: '' }), 403).message).toBe('invalid token');
  expect(ok(await complete(quiz, begun, student, { attempt: '' }), 400).message).toBe('invalid attempt');
  ok(await respond(quiz, begun, student, [{ position: 1, response: 'b' }]));
  ok(await respond(quiz, begun, student, [{ position: 1, response: '' }]));
  expect((await itemsOf(quiz, begun, student))[0]?.response).toBe(null);
});

test('an attempt is for its student; graders and observers see it, and others do not', async () => {
  const { student, observer, teacher, stranger } = scene;
  const other = await newStudent();
  const quiz = await aQuiz([choice]);
  const begun = await start(quiz, student);
  const path = `${quiz.path}/sessions/${begun.id}`;
  for (const person of [teacher, observer]) {
    expect(ok(within(await as(person).get(path), 2))).not.toHaveProperty('validation_token');
    ok(await respond(quiz, begun, person, [{ position: 1, response: 'b' }]), 403);
    ok(await complete(quiz, begun, person), 403);
  }
  expect((await itemsOf(quiz, begun, observer))[0]).not.toHaveProperty('correct_response');
  expect((await itemsOf(quiz, begun, teacher))[0]).toMatchObject({ correct_response: 'b' });
  for (const person of [other, stranger]) {
    const status = person === other ? 404 : 401;
    for (const rest of ['', '/items']) ok(await as(person).get(`${path}${rest}`), status);
    ok(await respond(quiz, begun, person, [{ position: 1, response: 'b' }]), status);
    ok(await complete(quiz, begun, person), status);
  }
  expect(ok(await as(other).get(`${quiz.path}/sessions`))).toEqual([]);
  expect(ok(within(await as(teacher).get(`${quiz.path}/sessions`), 2))).toMatchObject([{ id: begun.id, user_id: student.id }]);
  const elsewhere = await aQuiz([choice]);
  ok(await as(student).get(`${elsewhere.path}/sessions/${begun.id}`), 404);
  ok(await as(student).get(`${quizzes()}/999999/sessions`), 404);
  // Attempts at New Quizzes are no quiz submissions of classic quizzes.
  ok(await as(student).get(`/quiz_submissions/${begun.id}/questions`), 404);
  ok(await as(observer).post(`${elsewhere.path}/sessions`), 403);
});

test('a quiz that is not open cannot be started', async () => {
  const { student, teacher } = scene;
  const hidden = await aQuiz([choice], {}, { published: false });
  ok(await as(student).post(`${hidden.path}/sessions`), 404);
  const soon = await aQuiz([choice], {}, { unlock_at: '2099-01-01T00:00:00Z' });
  expect(ok(await as(student).post(`${soon.path}/sessions`), 400).message).toBe('you are not allowed to participate in this quiz');
  const filtered = await aQuiz([choice], { filter_ip_address: true, filters: { ips: [['10.0.0.1', '10.0.0.9']] } });
  expect(ok(await as(student).post(`${filtered.path}/sessions`), 403).message).toBe('IP address denied');
  ok(await as(student).post(`${filtered.path}/sessions`, { preview: true }), 403);
  const preview = await start(filtered, teacher, { preview: true });
  expect(preview.workflow_state).toBe('preview');
  expect(ok(await complete(filtered, preview, teacher), 403).message).toBe('IP address denied');
  expect(ok(await as(teacher).get(`${filtered.path}/sessions`))).toEqual([]);
});

const several = (given: Body = {}) => ({
  multiple_attempts: {
    multiple_attempts_enabled: true,
    attempt_limit: true,
    max_attempts: 2,
    score_to_keep: 'average',
    cooling_period: false,
    ...given,
  },
});

test('several attempts count as the settings say, and may have to wait', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice], several());
  const first = await start(quiz, student);
  ok(await respond(quiz, first, student, [{ position: 1, response: 'b' }]));
  expect(ok(await complete(quiz, first, student))).toMatchObject({ score: 2, attempts_left: 1 });
  const again = await start(quiz, student);
  expect(again).toMatchObject({ id: first.id, attempt: 2, attempts_left: 0, validation_token: first.validation_token });
  expect((await itemsOf(quiz, again, student))[0]?.response).toBe(null);
  expect(ok(await complete(quiz, again, student))).toMatchObject({ score: 0, kept_score: 1 });
  expect((await gradeOf(quiz, student)).score).toBe(10);
  ok(await as(student).post(`${quiz.path}/sessions`), 409);
  const attempts = ok(within(await as(student).get(`${quiz.path}/sessions`), 2));
  expect(attempts).toMatchObject([
    { attempt: 1, score: 2 },
    { attempt: 2, score: 0 },
  ]);
  expect(ok(await as(student).get(`${quiz.path}/sessions/${first.id}`, { attempt: 1 }))).toEqual(attempts[0]);
  const shown = ok(await as(student).get(`${quiz.path}/sessions/${first.id}/items`, { attempt: 1 })).items;
  expect(shown).toMatchObject([{ response: 'b', correct: true }]);
  const waiting = await aQuiz([choice], several({ cooling_period: true, cooling_period_seconds: 3600 }));
  ok(await complete(waiting, await start(waiting, student), student));
  expect(ok(await as(student).post(`${waiting.path}/sessions`), 400).message).toContain('the next attempt may start at');
});

test('results show what the settings allow, and nothing of a grade that is not posted', async () => {
  const student = await newStudent();
  const view = {
    result_view_restricted: true,
    display_points_awarded: false,
    display_points_possible: false,
    display_items: true,
    display_item_response: true,
    display_item_response_correctness: false,
    display_item_correct_answer: false,
    display_item_feedback: false,
  };
  const quiz = await aQuiz([choice], { result_view_settings: view });
  const begun = await start(quiz, student);
  ok(await respond(quiz, begun, student, [{ position: 1, response: 'b' }]));
  expect(ok(await complete(quiz, begun, student))).toMatchObject({ score: null, kept_score: null, points_possible: null });
  const [shown = {}] = await itemsOf(quiz, begun, student);
  expect(shown.response).toBe('b');
  for (const name of ['correct', 'points', 'points_possible', 'correct_response', 'feedback']) expect(shown).not.toHaveProperty(name);
  const settings = { quiz_settings: { result_view_settings: { ...view, display_items: false } } };
  ok(await as(scene.teacher).patch(quiz.path, { quiz: settings }));
  expect(ok(await as(student).get(`${quiz.path}/sessions/${begun.id}/items`), 401).message).toContain('quiz settings');
  expect(await itemsOf(quiz, begun, scene.teacher)).toMatchObject([{ correct: true, points: 2, correct_response: 'b' }]);
  const unposted = await aQuiz([choice]);
  ok(await as(scene.teacher).put(`/courses/${scene.course.id}/assignments/${unposted.id}`, { assignment: { post_manually: true } }));
  const other = await start(unposted, student);
  expect(ok(await complete(unposted, other, student))).toMatchObject({ score: null, kept_score: null });
  ok(await as(student).get(`${unposted.path}/sessions/${other.id}/items`), 401);
  const own = `/courses/${scene.course.id}/assignments/${unposted.id}/submissions/self`;
  expect(ok(await as(student).get(own)).body).toMatch(/^user: \d+, quiz: \d+, time: /);
  // Graders who must not know the student do not read who it was.
  const anonymous = await aQuiz([choice]);
  const itself = `/courses/${scene.course.id}/assignments/${anonymous.id}`;
  ok(await as(scene.teacher).put(itself, { assignment: { anonymous_grading: true } }));
  ok(await complete(anonymous, await start(anonymous, student), student));
  const bodies = ok(await as(scene.teacher).get(`${itself}/submissions`)).flatMap(({ body }: { body: string | null }) => body ?? []);
  expect(bodies).toEqual([expect.stringMatching(/^quiz: \d+, score: 0, time: /)]);
});

test('one question at a time shows no other question, and without going back only the current one', async () => {
  const student = await newStudent();
  const items = [choice, number, essay];
  const quiz = await aQuiz(items, { one_at_a_time_type: 'question', allow_backtracking: false });
  const begun = await start(quiz, student);
  const places = async () => (await itemsOf(quiz, begun, student)).map(({ position }) => position);
  expect(await places()).toEqual([1]);
  ok(await respond(quiz, begun, student, [{ position: 2, response: '4' }]), 400);
  ok(await respond(quiz, begun, student, [], { position: 3 }), 400);
  const next = ok(within(await respond(quiz, begun, student, [{ position: 1, response: 'b' }], { position: 2 }), 3)).items;
  expect(next).toMatchObject([{ position: 2, interaction_type_slug: 'numeric' }]);
  expect(await places()).toEqual([2]);
  ok(await respond(quiz, begun, student, [{ position: 1, response: 'a' }]), 400);
  ok(await respond(quiz, begun, student, [], { position: 1 }), 400);
  expect(ok(await as(student).get(`${quiz.path}/sessions/${begun.id}`)).position).toBe(2);
  expect(ok(await complete(quiz, begun, student)).score).toBe(2);
  const back = await aQuiz(items, { one_at_a_time_type: 'question' });
  const other = await start(back, student);
  ok(await respond(back, other, student, [], { position: 2 }));
  ok(await respond(back, other, student, [{ position: 1, response: 'b' }], { position: 1 }));
  expect(await itemsOf(back, other, student)).toHaveLength(2);
});

test('accommodations give time, attempts and fewer choices', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice], { has_time_limit: true, session_time_limit_in_seconds: 600 });
  const ease = (given: Body, of = `${quizzes()}/${quiz.id}`) =>
    as(scene.teacher).post(`${of}/accommodations`, [{ user_id: student.id, ...given }] as never, { json: true });
  ok(await ease({ extra_time: 5, extra_attempts: 1, reduce_choices_enabled: true }));
  const begun = await start(quiz, student);
  expect(begun).toMatchObject({ extra_time: 5, extra_attempts: 1, attempts_left: 1 });
  expect(String(begun.end_at)).toContain(minutesAfter(begun.started_at, 15));
  const [shown] = await itemsOf(quiz, begun, student);
  const kept = ((shown as Body).interaction_data as { choices: { id: string }[] }).choices.map(({ id }) => id);
  expect(kept).toHaveLength(3);
  expect(kept).toContain('b');
  const out = choices.find(({ id }) => !kept.includes(id))?.id;
  ok(await respond(quiz, begun, student, [{ position: 1, response: out }]), 400);
  ok(await ease({ extra_time: 20, extra_attempts: 1 }));
  const running = ok(await as(student).get(`${quiz.path}/sessions/${begun.id}`));
  expect(running).toMatchObject({ extra_time: 20 });
  expect(String(running.end_at)).toContain(minutesAfter(begun.started_at, 30));
  expect(running.time_left).toBeGreaterThan(25 * 60);
  ok(await complete(quiz, begun, student));
  ok(await complete(quiz, await start(quiz, student), student));
  ok(await as(student).post(`${quiz.path}/sessions`), 409);
  const other = await aQuiz([choice], { has_time_limit: true, session_time_limit_in_seconds: 600 });
  const unaided = await start(other, student);
  const course = `/api/quiz/v1/courses/${scene.course.id}`;
  const endOf = async () => String(ok(await as(student).get(`${other.path}/sessions/${unaided.id}`)).end_at);
  ok(await ease({ extra_time: 7 }, course));
  expect(await endOf()).toContain(minutesAfter(unaided.started_at, 10));
  ok(await ease({ extra_time: 8, apply_to_in_progress_quiz_sessions: true }, course));
  expect(await endOf()).toContain(minutesAfter(unaided.started_at, 18));
});

test('an attempt whose time has ended is closed with what was saved, and counts as late after the due date', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice], { has_time_limit: true, session_time_limit_in_seconds: 60 }, { due_at: '2020-01-01T00:00:00Z' });
  const begun = await start(quiz, student);
  ok(await respond(quiz, begun, student, [{ position: 1, response: 'b' }]));
  const afterwards = Date.parse(String(begun.end_at)) + 10 * 60_000;
  await tick(env as unknown as Platform, afterwards);
  const closed = ok(await as(student).get(`${quiz.path}/sessions/${begun.id}`));
  expect(closed).toMatchObject({ workflow_state: 'complete', score: 2, finished_at: begun.end_at });
  expect(await gradeOf(quiz, student)).toMatchObject({ late: true, score: 20, submitted_at: begun.end_at });
});

test('questions of banks are drawn for each attempt, with the points of the item', async () => {
  const student = await newStudent();
  const bank = await ground.questionBank('Course', scene.course);
  const named = await ground.bankQuestion(bank, { question_text: 'Named' });
  for (const position of [2, 3, 4]) await ground.bankQuestion(bank, { position, question_text: `Drawn ${position}` });
  const stimulus = { entry_type: 'Stimulus', entry: { title: 'Read', body: '<p>Text</p>' } };
  const quiz = await aQuiz([
    { entry_type: 'Bank', points_possible: 3, properties: { sample_num: 2 }, entry: { id: bank } },
    { entry_type: 'BankEntry', points_possible: 5, entry: { bank_entry_id: named } },
    stimulus,
  ]);
  const about = { ...choice, stimulus_quiz_entry_id: quiz.ids[2] };
  ok(await as(scene.teacher).post(`${quiz.path}/items`, { item: about }, { json: true }));
  const begun = await start(quiz, student);
  expect(begun).toMatchObject({ item_count: 4, points_possible: 13 });
  const shown = await itemsOf(quiz, begun, student);
  expectNoQuizSecrets({ body: shown, headers: new Headers() });
  expect(shown.map(({ entry_type }) => entry_type)).toEqual(['BankEntry', 'BankEntry', 'BankEntry', 'Item']);
  expect(shown[2]).toMatchObject({
    item_body: 'Named',
    interaction_type_slug: 'true_false_question',
    interaction_data: {
      answers: [
        { id: 1, text: 'True' },
        { id: 2, text: 'False' },
      ],
    },
  });
  expect(new Set(shown.map(({ item_body }) => item_body)).size).toBe(4);
  expect(shown[3]?.stimulus).toMatchObject({ title: 'Read', body: '<p>Text</p>' });
  ok(
    await respond(
      quiz,
      begun,
      student,
      [1, 2, 3].map((position) => ({ position, response: position === 2 ? 2 : 1 })),
    ),
  );
  expect(ok(await respond(quiz, begun, student, [{ position: 1, response: 9 }]), 400).message).toContain('question 1');
  expect(ok(await complete(quiz, begun, student)).score).toBe(8);
  expect((await itemsOf(quiz, begun, student))[2]).toMatchObject({ correct: true, points: 5, response: 1, correct_response: [1] });
});

test('a completed attempt meets a module requirement, and two starts at once make one attempt', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice]);
  const at = `/courses/${scene.course.id}/modules`;
  const module = ok(await as(scene.teacher).post(at, { module: { name: 'First' } }));
  ok(await as(scene.teacher).put(`${at}/${module.id}`, { module: { published: true } }));
  const made = { type: 'Assignment', content_id: quiz.id, completion_requirement: { type: 'must_submit' } };
  ok(await as(scene.teacher).post(`${at}/${module.id}/items`, { module_item: made }));
  const started = await Promise.all([1, 2, 3].map(() => as(student).post(`${quiz.path}/sessions`)));
  expect(started.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const begun = started.find(({ status }) => status === 200)?.body as Session;
  expect(ok(await as(student).get(`${at}/${module.id}`)).state).not.toBe('completed');
  const completions = await Promise.all([1, 2, 3].map(() => complete(quiz, begun, student)));
  expect(completions.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(ok(await as(student).get(`${at}/${module.id}`)).state).toBe('completed');
});

test('of two hundred parallel requests to complete twenty sessions, each session ends complete and is scored once', async () => {
  const quiz = await aQuiz([choice]);
  const crowded = crowdedNewQuiz(quiz.path, quiz.id, 'b');
  const crowd = await Promise.all(Array.from({ length: 20 }, newStudent));
  await completeAtOnce(crowded, await beginAtOnce(crowded, crowd, as), as);
  await expectScoredOnce(crowded, as(scene.teacher), (env as never as { DB: D1Database }).DB, crowd, 2);
});

test('responses that are saved while the session is completed are scored, or refused', async () => {
  const quiz = await aQuiz([choice]);
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const student = await newStudent();
      const begun = await start(quiz, student);
      const [saved, done] = await Promise.all([
        respond(quiz, begun, student, [{ position: 1, response: 'b' }]),
        complete(quiz, begun, student),
      ]);
      return { isSaved: saved.status === 200, score: ok(done).score };
    }),
  );
  for (const { isSaved, score } of outcomes) expect(score).toBe(isSaved ? 2 : 0);
});

/** A report as JSON. */
async function report(quiz: Quiz, report_type: string): Promise<Body[]> {
  const { id } = ok(await as(scene.teacher).post(`${quiz.path}/reports`, { quiz_report: { report_type, format: 'json' } }));
  for (const _ of [1, 2]) await writeNewQuizReport({ job: 'new_quiz_report', progress_id: id }, env as unknown as Platform);
  const { results } = ok(await as(scene.teacher).get(`/progress/${id}`));
  return (await SELF.fetch(results.url, { headers: { Authorization: `Bearer ${scene.teacher.token}` } })).json();
}

test('reports count the responses of students, and list them', async () => {
  const [right, wrong] = [await newStudent(), await newStudent()];
  const bank = await ground.questionBank('Course', scene.course);
  const named = await ground.bankQuestion(bank);
  const quiz = await aQuiz([choice, essay, { entry_type: 'BankEntry', entry: { bank_entry_id: named } }]);
  for (const [person, response] of [
    [right, 'b'],
    [wrong, 'c'],
  ] as const) {
    const one = await start(quiz, person);
    ok(
      await respond(quiz, one, person, [
        { position: 1, response },
        { position: 2, response: '<p>Text</p>' },
        { position: 3, response: 1 },
      ]),
    );
    ok(await complete(quiz, one, person));
  }
  const items = await report(quiz, 'item_analysis');
  expect(items).toMatchObject([
    { position: 1, item_id: Number(quiz.ids[0]), students: 2, responses: 2, correct: 1, incorrect: 1, average_points: 1 },
    { position: 2, students: 2, responses: 2, correct: 0, answers: [] },
    { position: 3, entry_type: 'BankEntry', bank_entry_id: named, correct: 2 },
  ]);
  expect(items[0]?.answers).toEqual([
    { part: '', id: 'a', text: 'a', correct: false, responses: 0 },
    { part: '', id: 'b', text: 'b', correct: true, responses: 1 },
    { part: '', id: 'c', text: 'c', correct: false, responses: 1 },
    { part: '', id: 'd', text: 'd', correct: false, responses: 0 },
  ]);
  const students = await report(quiz, 'student_analysis');
  const of = (person: Person) => students.find(({ id }) => id === person.id);
  const [first, second] = quiz.ids;
  expect(of(right)).toMatchObject({
    attempt: 1,
    [`${first}: choice`]: 'b',
    [`${first}: points`]: 2,
    [`${second}: essay`]: 'Text',
    [`bank entry ${named}: points`]: 1,
  });
  expect(of(wrong)).toMatchObject({ [`${first}: choice`]: 'c', [`${first}: points`]: 0 });
  expect(of(scene.student)).toMatchObject({ attempt: null, [`${first}: choice`]: null });
});

test('the dates of New Quizzes are listed: those that apply to a student, and all for staff', async () => {
  const { student, teacher, course, stranger } = scene;
  const quiz = await aQuiz([], {}, { due_at: '2030-01-10T12:00:00Z' });
  const hidden = await aQuiz([], {}, { published: false });
  const override = { student_ids: [student.id], title: 'Later', due_at: '2030-02-10T12:00:00Z' };
  ok(await as(teacher).post(`/courses/${course.id}/assignments/${quiz.id}/overrides`, { assignment_override: override }), 201);
  const list = (person: Person, quiz_ids: readonly unknown[]) =>
    as(person).get(`/courses/${course.id}/new_quizzes/assignment_overrides`, { quiz_assignment_overrides: [{ quiz_ids }] });
  expect(ok(within(await list(student, [quiz.id, hidden.id]), 2)).quiz_assignment_overrides).toEqual([
    { quiz_id: quiz.id, due_dates: [{ due_at: '2030-02-10T12:00:00Z', unlock_at: null, lock_at: null }] },
  ]);
  const [all, unpublished] = ok(within(await list(teacher, [quiz.id, hidden.id]), 2)).quiz_assignment_overrides;
  expect(all).toMatchObject({
    quiz_id: quiz.id,
    all_dates: [
      { base: true, title: 'Everyone else', due_at: '2030-01-10T12:00:00Z' },
      { due_at: '2030-02-10T12:00:00Z', set_type: 'ADHOC' },
    ],
  });
  expect(all.due_dates).toEqual(all.all_dates);
  expect(unpublished).toMatchObject({ quiz_id: hidden.id, all_dates: [{ base: true, title: 'Everyone' }] });
  const everything = ok(await as(teacher).get(`/courses/${course.id}/new_quizzes/assignment_overrides`, { per_page: 50 }));
  expect(everything.quiz_assignment_overrides.length).toBeGreaterThan(2);
  ok(await list(teacher, ['x']), 400);
  ok(await list(stranger, []), 401);
});
