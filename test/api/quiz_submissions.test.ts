// Attempts at quizzes: taken by students, completed by hand and by the clock, scored, and what each caller learns of them.

import { env } from 'cloudflare:test';
import { progress } from '@carrel/worker/domains/progress/table';
import { gradeNewAssignment } from '@carrel/worker/domains/quiz_submissions/regrading/scores_for_assignment';
import type { Platform } from '@carrel/worker/platform';
import { submissionId } from '@carrel/worker/rules/submission_ids';
import { tick } from '@carrel/worker/schedule';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { expectNoQuizSecrets } from '../support/quiz_secrets';
import { beginAtOnce, completeAtOnce, crowdedQuiz, expectScoredOnce } from '../support/taken_at_once';
import { sendContent, upload } from '../support/upload';

type Scene = Awaited<ReturnType<typeof aCourse>>;
type Body = Record<string, unknown>;
interface Attempt {
  readonly id: number;
  readonly attempt: number;
  readonly validation_token: string;
  readonly [name: string]: unknown;
}

let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const choice = {
  question_name: 'Capital',
  question_text: 'The capital of France?',
  question_type: 'multiple_choice_question',
  points_possible: 2,
  answers: [
    { answer_text: 'Paris', answer_weight: 100, answer_comments: 'TheKeyComment' },
    { answer_text: 'Lyon', answer_weight: 0 },
  ],
};
const blank = {
  question_text: 'Name a primary colour.',
  question_type: 'short_answer_question',
  points_possible: 3,
  answers: [{ answer_text: 'TheAcceptedText' }],
};
const essay = { question_text: 'Discuss.', question_type: 'essay_question', points_possible: 5 };

async function aQuiz(questions: readonly Body[], given: Body = {}) {
  const { course, teacher } = scene;
  const made = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Test', quiz_type: 'assignment', ...given } }));
  const path = `/courses/${course.id}/quizzes/${made.id}`;
  const asked: { id: number; answers: { id: number; weight: number }[] }[] = [];
  for (const question of questions) asked.push(ok(await as(teacher).post(`${path}/questions`, { question })) as never);
  const quiz = ok(await as(teacher).put(path, { quiz: { published: true } }));
  return { id: made.id as number, path, asked, assignment_id: quiz.assignment_id as number };
}
type Quiz = Awaited<ReturnType<typeof aQuiz>>;

const first = (body: Body) => (body.quiz_submissions as Attempt[])[0] as Attempt;
const start = async (quiz: Quiz, person: Person, given: Body = {}) =>
  first(ok(within(await as(person).post(`${quiz.path}/submissions`, given), 3)));
const save = (attempt: Attempt, person: Person, quiz_questions: Body[], given: Body = {}) => {
  const { validation_token } = attempt;
  return as(person).post(`/quiz_submissions/${attempt.id}/questions`, {
    attempt: attempt.attempt,
    validation_token,
    quiz_questions,
    ...given,
  });
};
const complete = (quiz: Quiz, attempt: Attempt, person: Person, given: Body = {}) => {
  const { validation_token } = attempt;
  return as(person).post(`${quiz.path}/submissions/${attempt.id}/complete`, { attempt: attempt.attempt, validation_token, ...given });
};
const right = (quiz: Quiz, at: number) => quiz.asked[at]?.answers.find(({ weight }) => weight === 100)?.id;
const questionsOf = async (attempt: Attempt, person: Person) =>
  ok(within(await as(person).get(`/quiz_submissions/${attempt.id}/questions`), 2)).quiz_submission_questions as Body[];
const gradeOf = async (quiz: Quiz, person: Person) =>
  ok(await as(scene.teacher).get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}/submissions/${person.id}`));

/** Whether the student is to be notified of the grade. */
async function isNotified({ assignment_id }: Quiz, { id }: Person): Promise<boolean> {
  const queued = await (env as never as { DB: D1Database }).DB.prepare(
    "select 1 from notification_queue where notification = 'submission_graded' and item_id = ?",
  )
    .bind(submissionId(assignment_id, id))
    .all();
  return queued.results.length === 1;
}

async function newStudent(): Promise<Person> {
  const person = await ground.person();
  await ground.enroll(scene.course, person, 'student');
  return person;
}

test('a student starts, saves answers, flags and completes; the score is the grade of the assignment', async () => {
  const { student, teacher } = scene;
  const quiz = await aQuiz([choice, blank]);
  const attempt = await start(quiz, student);
  expect(attempt).toMatchObject({
    attempt: 1,
    workflow_state: 'untaken',
    user_id: student.id,
    score: null,
    finished_at: null,
    attempts_left: 0,
  });
  expect(attempt.validation_token).toMatch(/^[0-9a-f]{64}$/);
  const questions = await questionsOf(attempt, student);
  expect(questions.map(({ question_name, answer }) => [question_name, answer])).toEqual([
    ['Question 1', null],
    ['Question 2', null],
  ]);
  const [one, two] = quiz.asked;
  expect(await isNotified(quiz, student)).toBe(false);
  const saved = within(await save(attempt, student, [{ id: one?.id, answer: right(quiz, 0) }]), 3);
  expect(ok(saved).quiz_submission_questions).toMatchObject([{ id: one?.id, answer: right(quiz, 0) }]);
  ok(
    await save(attempt, student, [
      { id: two?.id, answer: ' theacceptedtext ' },
      { id: 999_999, answer: 1 },
    ]),
  );
  const flag = { attempt: 1, validation_token: attempt.validation_token };
  const flagged = ok(within(await as(student).put(`/quiz_submissions/${attempt.id}/questions/${two?.id}/flag`, flag), 3));
  expect(flagged.quiz_submission_questions).toMatchObject([{ id: two?.id, flagged: true }]);
  expect((await questionsOf(attempt, student)).map((each) => each.flagged)).toEqual([false, true]);
  ok(await as(student).put(`/quiz_submissions/${attempt.id}/questions/${two?.id}/unflag`, flag));
  expect((await questionsOf(attempt, student)).map((each) => each.flagged)).toEqual([false, false]);

  const done = first(ok(within(await complete(quiz, attempt, student), 3)));
  expect(done).toMatchObject({ score: 5, kept_score: 5, workflow_state: 'complete', attempts_left: 0 });
  expect(first(ok(await as(student).get(`${quiz.path}/submission`)))).toMatchObject({ ...done, result_url: done.result_url });
  expect(await isNotified(quiz, student)).toBe(true);
  const grade = await gradeOf(quiz, student);
  expect(grade).toMatchObject({ score: 5, grade: '5', submission_type: 'online_quiz', attempt: 1, workflow_state: 'graded' });
  expect(grade.submitted_at).toBe(done.finished_at);
  expect((await questionsOf(attempt, student)).map(({ correct }) => correct)).toEqual([true, true]);
  expect(ok(await as(teacher).get(`${quiz.path}/submissions`)).quiz_submissions).toMatchObject([{ id: attempt.id, score: 5 }]);
});

/** Moves the end of an attempt into the past. */
const endAgo = (attempt: Attempt, minutes: number) => {
  const end = new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  return (env as never as { DB: D1Database }).DB.batch([
    (env as never as { DB: D1Database }).DB.prepare('update quiz_submissions set end_at = ? where id = ?').bind(end, attempt.id),
    (env as never as { DB: D1Database }).DB.prepare('update quiz_attempts set end_at = ? where quiz_submission_id = ?').bind(
      end,
      attempt.id,
    ),
  ]).then(() => end);
};

test('a repeated save writes nothing, one save writes few rows, and parts of an answer are merged', async () => {
  const student = await newStudent();
  const blanks = {
    question_text: '[a] and [b]',
    question_type: 'fill_in_multiple_blanks_question',
    points_possible: 4,
    answers: [
      { answer_text: 'x', blank_id: 'a', answer_weight: 100 },
      { answer_text: 'y', blank_id: 'b', answer_weight: 100 },
    ],
  };
  const quiz = await aQuiz([choice, blanks]);
  const attempt = await start(quiz, student);
  const answer = [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }];
  const saved = await save(attempt, student, answer);
  expect(ok(saved).quiz_submission_questions).toHaveLength(1);
  expect(saved.cost.rows_written).toBeLessThan(10);
  const again = await save(attempt, student, answer);
  expect(again.cost.rows_written).toBeLessThan(2);
  const id = quiz.asked[1]?.id;
  ok(await save(attempt, student, [{ id, answer: { a: 'X' } }]));
  const merged = ok(await save(attempt, student, [{ id, answer: { b: 'z' } }]));
  expect(merged.quiz_submission_questions).toMatchObject([{ answer: { a: 'X', b: 'z' } }]);
  expect((await questionsOf(attempt, student))[1]).toMatchObject({ answer: { a: 'X', b: 'z' } });
  ok(await save(attempt, student, [{ id, answer: { b: '' } }]));
  expect((await questionsOf(attempt, student))[1]).toMatchObject({ answer: { a: 'X', b: null } });
  expect(first(ok(await complete(quiz, attempt, student)))).toMatchObject({ score: 4 });
});

test('wrong answers, tokens, attempts and codes are refused in the order of the interface', async () => {
  const { student2, observer } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice], { access_code: 'sesame' });
  const refused = async (answer: ReturnType<typeof save>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  expect(await refused(as(student).post(`${quiz.path}/submissions`))).toEqual([403, 'invalid access code']);
  const code = { access_code: 'sesame' };
  const attempt = await start(quiz, student, code);
  expect(await refused(as(student).post(`${quiz.path}/submissions`, code))).toEqual([409, 'a quiz submission already exists']);
  const answer = [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }];
  expect(await refused(save(attempt, student, answer))).toEqual([403, 'invalid access code']);
  expect(await refused(save(attempt, student, answer, { ...code, validation_token: 'x' }))).toEqual([403, 'invalid token']);
  expect(await refused(save(attempt, student, answer, { ...code, attempt: 2 }))).toEqual([400, 'attempt 2 can not be modified']);
  expect(await refused(save(attempt, student, [{ ...answer[0], answer: 12_345 }], code))).toEqual([400, "Unknown answer '12345'"]);
  expect((await save(attempt, student2, answer, code)).status).toBe(404);
  if (observer) expect((await as(observer).post(`${quiz.path}/submissions`, code)).status).toBe(403);
  expect(await refused(complete(quiz, attempt, student))).toEqual([403, 'invalid access code']);
  expect(await refused(complete(quiz, attempt, student, { ...code, attempt: '' }))).toEqual([400, 'invalid attempt']);
  expect(await refused(complete(quiz, attempt, student, { ...code, attempt: 7 }))).toEqual([400, 'attempt 7 can not be modified']);
  expect((await complete(quiz, attempt, student2, code)).status).toBe(403);
  ok(await complete(quiz, attempt, student, code));
  expect(await refused(complete(quiz, attempt, student, code))).toEqual([400, 'quiz submission is already complete']);
  expect(await refused(save(attempt, student, answer, code))).toEqual([400, 'quiz submission is already complete']);
  expect((await as(student).get(`${quiz.path}/submissions/${attempt.id}/time`)).status).toBe(401);
});

test('a locked quiz, a filtered address and a quiz of others cannot be started', async () => {
  const student = await newStudent();
  const locked = await aQuiz([choice], { lock_at: '2020-01-01T00:00:00Z' });
  expect(await as(student).post(`${locked.path}/submissions`)).toMatchObject({
    status: 400,
    body: { status: 'bad_request', message: 'you are not allowed to participate in this quiz' },
  });
  const filtered = await aQuiz([choice], { ip_filter: '192.0.2.0/24' });
  expect(await as(student).post(`${filtered.path}/submissions`)).toMatchObject({ status: 403, body: { message: 'IP address denied' } });
  const stranger = await ground.person();
  const open = await aQuiz([choice]);
  expect((await as(stranger).post(`${open.path}/submissions`)).status).toBe(401);
});

test('later edits of the quiz never change a running attempt', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice, blank]);
  const attempt = await start(quiz, student);
  const before = await questionsOf(attempt, student);
  const [one, two] = quiz.asked;
  const edited = { question_text: 'Another?', answers: [{ answer_text: 'New', answer_weight: 100 }], points_possible: 50 };
  ok(await as(scene.teacher).put(`${quiz.path}/questions/${one?.id}`, { question: edited }));
  ok(await as(scene.teacher).del(`${quiz.path}/questions/${two?.id}`), 204);
  expect(await questionsOf(attempt, student)).toEqual(before);
  ok(await save(attempt, student, [{ id: one?.id, answer: right(quiz, 0) }]));
  expect(first(ok(await complete(quiz, attempt, student)))).toMatchObject({ score: 2, quiz_points_possible: 5 });
});

test('a grader scores an essay, comments and adds fudge points; the kept score is that of the policy', async () => {
  const { teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice, essay], { allowed_attempts: 2, scoring_policy: 'keep_highest' });
  const attempt = await start(quiz, student);
  const [one, two] = quiz.asked;
  ok(
    await save(attempt, student, [
      { id: one?.id, answer: right(quiz, 0) },
      { id: two?.id, answer: '<p>Because</p><script>alert(1)</script>' },
    ]),
  );
  const stored = (await questionsOf(attempt, student))[1]?.answer;
  expect(stored).toContain('Because');
  expect(stored).not.toContain('script');
  expect(first(ok(await complete(quiz, attempt, student)))).toMatchObject({ score: 2, workflow_state: 'pending_review' });
  expect(await gradeOf(quiz, student)).toMatchObject({ score: 2, workflow_state: 'pending_review' });
  const path = `${quiz.path}/submissions/${attempt.id}`;
  const questions = { [two?.id as number]: { score: 4, comment: 'Well argued' } };
  expect((await as(student).put(path, { quiz_submissions: [{ attempt: 1, questions }] })).status).toBe(401);
  expect(await as(teacher).put(path, {})).toMatchObject({ status: 400 });
  expect(await as(teacher).put(path, { quiz_submissions: [{ attempt: 3, questions }] })).toMatchObject({
    status: 400,
    body: { message: 'invalid attempt' },
  });
  const graded = await as(teacher).put(path, { quiz_submissions: [{ attempt: 1, fudge_points: -0.5, questions }] });
  expect(first(ok(within(graded, 3)))).toMatchObject({ score: 5.5, kept_score: 5.5, fudge_points: -0.5, workflow_state: 'complete' });
  expect(await gradeOf(quiz, student)).toMatchObject({ score: 5.5, workflow_state: 'graded', grader_id: teacher.id });
  expect((await questionsOf(attempt, student))[1]).toMatchObject({ correct: 'defined', points: 4, comment: 'Well argued' });

  const second = await start(quiz, student);
  expect(second).toMatchObject({ attempt: 2, score: null, kept_score: 5.5, validation_token: attempt.validation_token });
  expect(ok(await as(student).get(`${quiz.path}/submissions`)).quiz_submissions).toMatchObject([{ attempt: 2, workflow_state: 'untaken' }]);
  expect(first(ok(await complete(quiz, second, student)))).toMatchObject({ score: 0, kept_score: 5.5, attempts_left: 0 });
  expect(ok(within(await as(student).get(`${quiz.path}/submissions`), 2)).quiz_submissions).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(first(ok(within(await as(teacher).get(`${path}?attempt=1&include[]=user&include[]=quiz&include[]=submission`), 2)))).toMatchObject(
    { attempt: 1, score: 5.5 },
  );
  const listed = ok(within(await as(teacher).get(`${quiz.path}/submissions?include[]=user&include[]=quiz&include[]=submission`), 2));
  expect(listed).toMatchObject({
    quiz_submissions: [{ user_id: student.id, attempt: 2 }],
    users: [{ id: student.id }],
    quizzes: [{ id: quiz.id }],
    submissions: [{ user_id: student.id, score: 5.5 }],
    meta: { primaryCollection: 'quiz_submissions' },
  });
  expect(await as(student).post(`${quiz.path}/submissions`)).toMatchObject({ status: 409 });
});

test('a grade that the teacher gives in the gradebook is the score of the latest attempt, reached by fudge points', async () => {
  const { course, teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice, essay], { allowed_attempts: 3 });
  const graded = `/courses/${course.id}/assignments/${quiz.assignment_id}/submissions`;
  const attempt = await start(quiz, student);
  const [one, two] = quiz.asked;
  ok(
    await save(attempt, student, [
      { id: one?.id, answer: right(quiz, 0) },
      { id: two?.id, answer: 'Because' },
    ]),
  );
  expect(first(ok(await complete(quiz, attempt, student)))).toMatchObject({ score: 2, workflow_state: 'pending_review' });
  const seen = async (person = teacher) => first(ok(await as(person).get(`${quiz.path}/submissions/${attempt.id}?attempt=1`)));
  const give = (posted_grade: string) => as(teacher).put(`${graded}/${student.id}`, { submission: { posted_grade } });

  expect(ok(within(await give('6.1'), 3))).toMatchObject({ score: 6.1, workflow_state: 'graded' });
  const adjusted = { score: 6.1, kept_score: 6.1, fudge_points: 4.1, workflow_state: 'complete' };
  expect(await seen()).toMatchObject(adjusted);
  expect(await seen(student)).toMatchObject(adjusted);
  ok(await as(teacher).put(`${graded}/${student.id}`, { comment: { text_comment: 'Good' } }));
  ok(await give(''));
  expect(await seen()).toMatchObject(adjusted);

  // While another attempt runs, the one that was turned in is adjusted.
  const second = await start(quiz, student);
  ok(await as(teacher).post(`${graded}/update_grades`, { grade_data: { [student.id]: { posted_grade: '50%' } } }));
  expect(await seen()).toMatchObject({ attempt: 1, score: 3.5, fudge_points: 1.5 });
  expect(first(ok(await as(student).get(`${quiz.path}/submissions`)))).toMatchObject({ attempt: 2, score: null, kept_score: 3.5 });
  expect(first(ok(await complete(quiz, second, student)))).toMatchObject({ score: 0, fudge_points: null, kept_score: 3.5 });
  expect(await gradeOf(quiz, student)).toMatchObject({ score: 3.5 });
});

test('time ends an attempt: answers are late after five minutes, and the clock completes it with what was saved', async () => {
  const { teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice], { time_limit: 30, allowed_attempts: 2 });
  const attempt = await start(quiz, student);
  const time = ok(within(await as(student).get(`${quiz.path}/submissions/${attempt.id}/time`), 2));
  expect(time.end_at).toBe(attempt.end_at);
  expect(time.time_left).toBeGreaterThan(1790);
  const answer = [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }];
  await endAgo(attempt, 2);
  ok(await save(attempt, student, answer));
  const end = await endAgo(attempt, 6);
  expect(await save(attempt, student, [{ ...answer[0], answer: '' }])).toMatchObject({
    status: 400,
    body: { message: 'quiz submission is overdue' },
  });
  const outstanding = ok(within(await as(teacher).get(`${quiz.path}/outstanding_quiz_submissions`), 2));
  expect(outstanding.quiz_submissions).toMatchObject([{ id: attempt.id, overdue_and_needs_submission: true }]);
  await tick(env as unknown as Platform, Math.floor(Date.now() / 60_000) * 60_000 + 60_000);
  expect(first(ok(await as(student).get(`${quiz.path}/submission`)))).toMatchObject({
    workflow_state: 'complete',
    score: 2,
    finished_at: end,
  });
  expect(await gradeOf(quiz, student)).toMatchObject({ score: 2, submitted_at: end });

  const second = await start(quiz, student);
  await endAgo(second, 1);
  ok(await as(teacher).post(`${quiz.path}/outstanding_quiz_submissions`, { quiz_submission_ids: [second.id] }), 204);
  expect(first(ok(await as(teacher).get(`${quiz.path}/submissions/${second.id}`)))).toMatchObject({
    attempt: 2,
    workflow_state: 'complete',
  });
});

test('extensions give attempts and time, in one quiz or in all of the course', async () => {
  const { teacher, course } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice], { time_limit: 30 });
  const extend = (given: Body, path = `${quiz.path}/extensions`) =>
    as(teacher).post(path, { quiz_extensions: [{ user_id: student.id, ...given }] });
  expect(ok(within(await extend({ extra_attempts: 1, extra_time: 15 }), 3)).quiz_extensions).toEqual([
    { quiz_id: quiz.id, user_id: student.id, extra_attempts: 1, extra_time: 15, manually_unlocked: null, end_at: null },
  ]);
  const attempt = await start(quiz, student);
  const minutes = (from: unknown, to: unknown) => (Date.parse(to as string) - Date.parse(from as string)) / 60_000;
  expect(minutes(attempt.started_at, attempt.end_at)).toBe(45);
  expect(attempt.attempts_left).toBe(1);
  ok(await extend({ extra_time: 20 }));
  ok(await extend({ extend_from_end_at: 10 }));
  const now = first(ok(await as(student).get(`${quiz.path}/submission`)));
  expect(now).toMatchObject({ extra_attempts: 1, extra_time: 20 });
  expect(minutes(now.started_at, now.end_at)).toBe(60);
  expect((await extend({ extra_time: 99_999 })).status).toBe(400);
  expect((await extend({ extend_from_now: 1, extend_from_end_at: 1 })).status).toBe(400);
  expect((await as(teacher).post(`${quiz.path}/extensions`, {})).status).toBe(400);
  expect((await extend({ user_id: teacher.id })).status).toBe(404);
  expect(
    (await as(student).post(`${quiz.path}/extensions`, { quiz_extensions: [{ user_id: student.id, extra_attempts: 5 }] })).status,
  ).toBe(401);
  const everywhere = ok(within(await extend({ manually_unlocked: true }, `/courses/${course.id}/quiz_extensions`), 3))
    .quiz_extensions as Body[];
  expect(everywhere.find(({ quiz_id }) => quiz_id === quiz.id)).toMatchObject({
    extra_attempts: 1,
    extra_time: 20,
    manually_unlocked: true,
  });
  expect(everywhere.length).toBeGreaterThan(1);
});

test('events of an attempt are logged for graders', async () => {
  const { teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice]);
  const attempt = await start(quiz, student);
  const path = `${quiz.path}/submissions/${attempt.id}/events`;
  ok(
    within(
      await as(student).post(path, { quiz_submission_events: [{ event_type: 'page_blurred', event_data: { at: 1 } }, 'page_focused'] }),
      3,
    ),
    204,
  );
  expect((await as(student).post(path, {})).status).toBe(400);
  expect((await as(student).post(path, { quiz_submission_events: [{ event_data: 1 }] })).status).toBe(400);
  ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]));
  const logged = ok(within(await as(teacher).get(path), 2)).quiz_submission_events as Body[];
  expect(logged.map(({ event_type }) => event_type)).toEqual(['submission_created', 'page_blurred', 'page_focused', 'question_answered']);
  expect((await as(student).get(path)).status).toBe(401);
  ok(await complete(quiz, attempt, student));
  expect((await as(student).post(path, { quiz_submission_events: ['page_focused'] })).status).toBe(401);
});

test('teachers list the students of a quiz and send them messages', async () => {
  const { teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice]);
  ok(await complete(quiz, await start(quiz, student), student));
  const path = `${quiz.path}/submission_users`;
  const submitted = ok(within(await as(teacher).get(`${path}?submitted=true&include[]=quiz_submissions`), 2));
  expect(submitted).toMatchObject({
    users: [{ id: student.id, quiz_submission_id: submitted.quiz_submissions[0].id }],
    quiz_submissions: [{ user_id: student.id }],
  });
  const others = ok(await as(teacher).get(`${path}?submitted=false&per_page=100`)).users as Body[];
  expect(others.map(({ id }) => id)).not.toContain(student.id);
  expect(others.map(({ id }) => id)).toContain(scene.student.id);
  expect((await as(student).get(path)).status).toBe(401);
  expect((await as(teacher).post(`${path}/message`, {})).status).toBe(400);
  const admin = await ground.admin();
  const mayWrite = (permission: object) => as(admin).put('/accounts/1/roles/4', { permissions: { send_messages: permission } });
  ok(await mayWrite({ explicit: true, enabled: false }));
  expect((await as(teacher).post(`${path}/message`, { conversations: [{ body: 'Hello' }] })).status).toBe(401);
  ok(await mayWrite({ explicit: false }));
  const message = { body: 'Well done', recipients: 'submitted', subject: 'Quiz' };
  expect(ok(within(await as(teacher).post(`${path}/message`, { conversations: [message] }), 3), 201)).toEqual({ status: 'created' });
  await expect
    .poll(async () => (ok(await as(student).get('/conversations')) as unknown as Body[]).map(({ subject }) => subject))
    .toContain('Quiz');
});

test('a teacher previews a quiz, which counts nowhere', async () => {
  const { teacher, ta } = scene;
  const quiz = await aQuiz([choice], { access_code: 'sesame' });
  const preview = await start(quiz, teacher, { preview: true });
  expect(preview.workflow_state).toBe('preview');
  ok(await save(preview, teacher, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }], { access_code: 'sesame' }));
  expect(first(ok(await complete(quiz, preview, teacher, { access_code: 'sesame' })))).toMatchObject({
    workflow_state: 'preview',
    score: 2,
    kept_score: null,
  });
  expect(await start(quiz, teacher, { preview: true })).toMatchObject({ attempt: 2, workflow_state: 'preview' });
  expect(ok(await as(ta).get(`${quiz.path}/submissions`)).quiz_submissions).toEqual([]);
  expect((await as(await newStudent()).post(`${quiz.path}/submissions`, { preview: true })).status).toBe(403);
});

test('a file is uploaded and becomes the answer, which graders open; files of others are refused', async () => {
  const { teacher, ta, student2 } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([{ question_text: 'Upload', question_type: 'file_upload_question', points_possible: 1 }]);
  const attempt = await start(quiz, student);
  const ticket = ok(within(await as(student).post(`${quiz.path}/submissions/self/files`, { name: 'work.txt', size: 4 }), 3));
  expect(ticket.attachments[0].upload_url).toBe(ticket.upload_url);
  const id = quiz.asked[0]?.id;
  const sent = await sendContent(ticket, 'text');
  const mine = sent.body.id as number;
  const theirs = await upload(teacher, '/users/self/files', { name: 'theirs.txt' }, 'text');
  for (const answer of [[theirs.id], [999_999], [mine, theirs.id]])
    expect(await save(attempt, student, [{ id, answer }])).toMatchObject({ status: 400, body: { status: 'bad_request' } });
  expect(ok(await save(attempt, student, [{ id, answer: [mine] }])).quiz_submission_questions).toMatchObject([{ answer: [mine] }]);
  const open = async (person: Person, file = mine) => (await as(person).get(`/files/${file}`)).status;
  expect(await open(teacher), 'while the attempt runs').toBe(404);
  const aside = ok(await as(student).post(`${quiz.path}/submissions/self/files`, { name: 'aside.txt', size: 4 }));
  const unused = (await sendContent(aside, 'text')).body.id as number;
  expect(first(ok(await complete(quiz, attempt, student)))).toMatchObject({ workflow_state: 'pending_review' });
  expect([await open(teacher), await open(ta), await open(student)]).toEqual([200, 200, 200]);
  expect([await open(student2), await open(teacher, unused)]).toEqual([404, 404]);
});

test('graders open files of practice quizzes, but not of anonymous surveys', async () => {
  const { teacher } = scene;
  for (const [quiz_type, anonymous_submissions, status] of [
    ['practice_quiz', false, 200],
    ['survey', true, 404],
  ] as const) {
    const student = await newStudent();
    const upload_question = { question_text: 'Upload', question_type: 'file_upload_question', points_possible: 1 };
    const quiz = await aQuiz([upload_question], { quiz_type, anonymous_submissions });
    const attempt = await start(quiz, student);
    const ticket = ok(await as(student).post(`${quiz.path}/submissions/self/files`, { name: 'work.txt', size: 4 }));
    const { id } = (await sendContent(ticket, 'text')).body as { id: number };
    ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: [id] }]));
    ok(await complete(quiz, attempt, student));
    expect((await as(teacher).get(`/files/${id}`)).status, quiz_type).toBe(status);
  }
});

test('results are hidden, shown once, or shown with the key as the quiz says', async () => {
  const taken = async (given: Body) => {
    const student = await newStudent();
    const quiz = await aQuiz([choice], given);
    const attempt = await start(quiz, student);
    ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]));
    ok(await complete(quiz, attempt, student));
    return { student, read: () => as(student).get(`/quiz_submissions/${attempt.id}/questions`) };
  };
  const hidden = await taken({ hide_results: 'always' });
  expect(await hidden.read()).toMatchObject({ status: 401, body: { message: 'Cannot view questions due to quiz settings' } });
  const once = await taken({ one_time_results: true });
  expect(ok(await once.read()).quiz_submission_questions).toMatchObject([{ correct: true }]);
  expect((await once.read()).status).toBe(401);
  const bare = await taken({ show_correct_answers: false });
  expect(JSON.stringify(ok(await bare.read()))).not.toContain('weight');
  const open = await taken({});
  expect(JSON.stringify(ok(await open.read()))).toContain('"weight":100');
});

test('the score of a quiz whose grades are not posted is in nothing that its student reads', async () => {
  const { course, teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([{ ...choice, points_possible: 7.25 }], { allowed_attempts: 2 });
  ok(await as(teacher).put(`/courses/${course.id}/assignments/${quiz.assignment_id}`, { assignment: { post_manually: true } }));
  for (let turn = 1; turn <= 2; turn += 1) {
    const attempt = await start(quiz, student);
    ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]));
    expect(JSON.stringify(first(ok(await complete(quiz, attempt, student))))).not.toMatch(/"(?:kept_)?score":7.25/);
  }
  const observer = await ground.person();
  await ground.enroll(course, observer, 'observer', { observes: student });
  expect(await isNotified(quiz, student)).toBe(false);
  const [{ id }] = ok(await as(teacher).get(`${quiz.path}/submissions`)).quiz_submissions;
  expect(ok(await as(observer).get(`${quiz.path}/submissions/${id}`)).quiz_submissions).toMatchObject([{ score: null, kept_score: null }]);
  const own = `/courses/${course.id}/assignments/${quiz.assignment_id}/submissions/self?include[]=submission_history`;
  const read = async (person: Person) => ok(await as(person).get(own.replace('self', String(student.id))));
  expect(await read(student)).toMatchObject({ attempt: 2, body: expect.stringMatching(/^user: \d+, quiz: \d+, time: /) });
  for (const path of [
    own,
    `${quiz.path}/submissions?include[]=submission`,
    `/courses/${course.id}/students/submissions?student_ids[]=${student.id}`,
  ])
    expect(JSON.stringify(ok(await as(student).get(path)))).not.toContain('score: 7.25');
  expect(await read(teacher)).toMatchObject({ score: 7.25, body: expect.stringContaining('score: 7.25') });
});

test('of two hundred parallel requests to complete twenty attempts, each attempt ends complete and is scored once', async () => {
  const quiz = await aQuiz([choice]);
  const crowded = crowdedQuiz(quiz.path, quiz.assignment_id, quiz.asked[0]?.id as number, right(quiz, 0));
  const crowd = await Promise.all(Array.from({ length: 20 }, newStudent));
  await completeAtOnce(crowded, await beginAtOnce(crowded, crowd, as), as);
  await expectScoredOnce(crowded, as(scene.teacher), (env as never as { DB: D1Database }).DB, crowd, 2);
});

test('answers that are saved while the attempt is completed are scored, or refused', async () => {
  const quiz = await aQuiz([choice]);
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const student = await newStudent();
      const attempt = await start(quiz, student);
      const [saved, done] = await Promise.all([
        save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]),
        complete(quiz, attempt, student),
      ]);
      return { isSaved: saved.status === 200, score: first(ok(done)).score };
    }),
  );
  for (const { isSaved, score } of outcomes) expect(score).toBe(isSaved ? 2 : 0);
});

test('no response to a student contains keys, unseen questions, codes or the answers of others', async () => {
  const { student2, teacher } = scene;
  const student = await newStudent();
  const secrets = /TheKeyComment|TheAcceptedText|OtherStudentsWords|sesame|"weight"|validation_token":"(?!own)/;
  const quiz = await aQuiz([choice, blank, essay], { access_code: 'sesame', one_question_at_a_time: true, allowed_attempts: 2 });
  const code = { access_code: 'sesame' };
  const theirs = await start(quiz, student2, code);
  ok(await save(theirs, student2, [{ id: quiz.asked[2]?.id, answer: 'OtherStudentsWords' }], code));
  const attempt = await start(quiz, student, code);
  const own = (body: unknown) => JSON.stringify(body).replaceAll(attempt.validation_token, 'own');
  const token = { attempt: 1, validation_token: attempt.validation_token, ...code };
  const id = quiz.asked[0]?.id;
  const responses = [
    await as(student).get(quiz.path),
    await as(student).get(`${quiz.path}/submissions?include[]=quiz&include[]=user&include[]=submission`),
    await as(student).get(`${quiz.path}/submission?include[]=quiz`),
    await as(student).get(`${quiz.path}/submissions/${attempt.id}`),
    await as(student).get(`${quiz.path}/submissions/${theirs.id}`),
    await as(student).get(`${quiz.path}/submissions/${attempt.id}/time`),
    await as(student).get(`/quiz_submissions/${attempt.id}/questions?include[]=quiz_question`),
    await as(student).get(`/quiz_submissions/${theirs.id}/questions`),
    await as(student).get(`/quiz_submissions/${attempt.id}/questions/${id}/formatted_answer?answer=1`),
    await save(
      attempt,
      student,
      quiz.asked.map((one) => ({ id: one.id, answer: '' })),
      code,
    ),
    await as(student).put(`/quiz_submissions/${attempt.id}/questions/${quiz.asked[1]?.id}/flag`, token),
    await as(student).get(`${quiz.path}/submissions/${attempt.id}/events`),
    await as(student).get(`${quiz.path}/questions?quiz_submission_id=${attempt.id}&quiz_submission_attempt=1`),
    await as(student).get(`${quiz.path}/questions?quiz_submission_id=${theirs.id}&quiz_submission_attempt=1`),
    await as(student).get(`${quiz.path}/outstanding_quiz_submissions`),
    await as(student).get(`${quiz.path}/submission_users?include[]=quiz_submissions`),
    await complete(quiz, attempt, student, code),
  ];
  for (const response of responses) expectNoQuizSecrets(response);
  for (const { body } of responses) expect(own(body)).not.toMatch(secrets);
  // Questions that are shown one at a time have no text in any of these.
  for (const { body } of responses) expect(JSON.stringify(body)).not.toMatch(/capital of France|primary colour|Lyon/);
  expect((await as(student).get(`/quiz_submissions/${theirs.id}/questions`)).status).toBe(404);
  const seen = ok(await as(teacher).get(`/quiz_submissions/${theirs.id}/questions`));
  expect(JSON.stringify(seen)).toContain('OtherStudentsWords');
  expect(JSON.stringify(seen)).not.toContain('validation_token');
});

const show = (attempt: Attempt, person: Person, given: Body = {}) => {
  const { validation_token } = attempt;
  return as(person).post(`/quiz_submissions/${attempt.id}/shown_questions`, { attempt: attempt.attempt, validation_token, ...given });
};
const namesOf = (shown: Body) => (shown.quiz_submission_questions as Body[]).map((one) => one.question_name);

test('a quiz that shows one question at a time shows the next one when its student goes on, and those before', async () => {
  const { student2, teacher } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([choice, blank, essay], { one_question_at_a_time: true });
  const attempt = await start(quiz, student);
  const asked = within(await show(attempt, student), 2);
  expectNoQuizSecrets(asked);
  expect(ok(asked)).toMatchObject({ reached: 1, question_count: 3, quiz_submission_questions: [{ position: 1, answer: null }] });
  expect(JSON.stringify(asked.body)).not.toMatch(/primary colour|TheAcceptedText/);
  ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]));
  expect(ok(await show(attempt, student, { position: 3 }), 400)).toMatchObject({ message: 'question 3 can not be shown now' });
  const next = ok(await show(attempt, student, { position: 2 }));
  expect([next.reached, namesOf(next)]).toEqual([2, ['Question 1', 'Question 2']]);
  expect((next.quiz_submission_questions as Body[])[0]?.answer).toBe(right(quiz, 0));
  expect([ok(await show(attempt, student, { position: 1 })).reached, ok(await show(attempt, student)).reached]).toEqual([2, 2]);
  ok(await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: '' }]));
  for (const position of [0, -1, 4, 'x']) ok(await show(attempt, student, { position }), 400);
  ok(await show(attempt, student2, {}), 404);
  ok(await show(attempt, teacher, {}), 403);
  ok(await show({ ...attempt, validation_token: 'x' }, student, {}), 403);
  ok(await complete(quiz, attempt, student));
  ok(await show(attempt, student), 400);
});

test('a question that was left for good is neither shown nor answered again', async () => {
  const student = await newStudent();
  const quiz = await aQuiz([choice, blank, essay], { one_question_at_a_time: true, cant_go_back: true });
  const attempt = await start(quiz, student);
  expect(namesOf(ok(await show(attempt, student)))).toEqual(['Question 1']);
  // Two requests to go on at the same moment do not skip a question.
  const both = await Promise.all([show(attempt, student, { position: 2 }), show(attempt, student, { position: 2 })]);
  expect(both.map((one) => namesOf(ok(one)))).toEqual([['Question 2'], ['Question 2']]);
  ok(await show(attempt, student, { position: 1 }), 400);
  const late = await save(attempt, student, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]);
  expect(ok(late, 400)).toMatchObject({ message: 'question 1 can not be answered now' });
  ok(await save(attempt, student, [{ id: quiz.asked[1]?.id, answer: 'red' }]));
  expect(namesOf(ok(await show(attempt, student, { position: 3 })))).toEqual(['Question 3']);
  const again = await aQuiz([choice, blank]);
  const free = await start(again, student);
  expect(ok(await show(free, student))).toMatchObject({ quiz_submission_questions: [{ position: 1 }, { position: 2 }] });
});

test('the questions of an attempt are listed as it presents them, without keys for its student', async () => {
  const { teacher, student2, observer } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([blank, choice], { hide_results: 'always' });
  const attempt = await start(quiz, student);
  const list = (person: Person, given: Body = {}) =>
    as(person).get(`${quiz.path}/questions`, { quiz_submission_id: attempt.id, quiz_submission_attempt: 1, ...given });
  const asked = within(await list(student), 2);
  expectNoQuizSecrets(asked);
  expect(ok(asked)).toEqual([
    {
      ...{ id: quiz.asked[0]?.id, quiz_id: quiz.id, quiz_group_id: null, assessment_question_id: null },
      ...{ position: 1, question_name: 'Question 1', question_type: 'short_answer_question', question_text: 'Name a primary colour.' },
    },
    expect.objectContaining({
      position: 2,
      question_name: 'Question 2',
      answers: [{ id: right(quiz, 1), text: 'Paris' }, expect.anything()],
    }),
  ]);
  expect(JSON.stringify(asked.body)).not.toContain('TheAcceptedText');
  const graders = ok(within(await list(teacher), 2));
  expect(graders).toMatchObject([
    { position: 1, points_possible: 3, answers: [{ text: 'TheAcceptedText', weight: 100 }], correct_comments: '' },
    { position: 2, question_name: 'Question 2', points_possible: 2, regrade_option: null },
  ]);
  ok(await list(student2), 404);
  ok(await list(observer), 404);
  ok(await list(student, { quiz_submission_attempt: 2 }), 404);
  ok(await list(student, { quiz_submission_attempt: '' }), 401);
  ok(await list(student, { quiz_submission_id: 'x' }), 400);
  const other = await aQuiz([essay]);
  ok(await as(student).get(`${other.path}/questions`, { quiz_submission_id: attempt.id, quiz_submission_attempt: 1 }), 404);
  ok(await complete(quiz, attempt, student));
  ok(await list(student), 401);
  expect(ok(await list(teacher))).toEqual(graders);
});

test('a quiz that becomes graded gives its assignment the scores of those who have taken it', async () => {
  const quiz = await aQuiz([choice, essay], { quiz_type: 'practice_quiz', allowed_attempts: 2 });
  for (const [person, answer] of [
    [scene.student, right(quiz, 0)],
    [scene.student2, 0],
  ] as const) {
    const attempt = await start(quiz, person);
    const answers = [
      { id: quiz.asked[0]?.id, answer },
      { id: quiz.asked[1]?.id, answer: 'Because.' },
    ];
    if (answer) ok(await save(attempt, person, answers));
    ok(await complete(quiz, attempt, person));
  }
  const graded = ok(await as(scene.teacher).put(quiz.path, { quiz: { quiz_type: 'assignment' } }));
  const [job] = await ground.db.select().from(progress).where(eq(progress.tag, 'quiz_scores'));
  await gradeNewAssignment({ job: 'quiz_scores', progress_id: job?.id ?? 0 }, env as unknown as Platform);
  const given = { ...quiz, assignment_id: graded.assignment_id as number };
  expect(await isNotified(given, scene.student2)).toBe(true);
  expect(await gradeOf(given, scene.student)).toMatchObject({
    score: 2,
    attempt: 1,
    submission_type: 'online_quiz',
    workflow_state: 'pending_review',
  });
  expect(await gradeOf(given, scene.student2)).toMatchObject({ score: 0, attempt: 1 });

  // A later attempt is graded by itself.
  const again = await start(quiz, scene.student2);
  ok(await save(again, scene.student2, [{ id: quiz.asked[0]?.id, answer: right(quiz, 0) }]));
  ok(await complete(quiz, again, scene.student2));
  expect(await gradeOf(given, scene.student2)).toMatchObject({ score: 2, attempt: 2 });
});
