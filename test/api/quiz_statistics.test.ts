// What the attempts at a quiz say together: statistics, reports, and regrading after a key has changed.

import { env, SELF } from 'cloudflare:test';
import { CsvReader } from '@carrel/shared/csv/reader';
import { progress } from '@carrel/worker/domains/progress/table';
import { quiz_question_versions, quiz_questions } from '@carrel/worker/domains/quiz_questions/table';
import { writeQuizReport } from '@carrel/worker/domains/quiz_reports/job';
import { regradeQuestion } from '@carrel/worker/domains/quiz_submissions/regrading/job';
import { quiz_answers, quiz_attempts, quiz_submissions } from '@carrel/worker/domains/quiz_submissions/table';
import type { Platform } from '@carrel/worker/platform';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { inBulk } from '../support/budgets';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';
import { metered } from '../support/metered';
import { expectNoQuizSecrets, secretText } from '../support/quiz_secrets';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
type Scene = Awaited<ReturnType<typeof aCourse>>;

const choice = {
  question_name: 'Capital',
  question_text: 'The capital of France?',
  question_type: 'multiple_choice_question',
  points_possible: 2,
  correct_comments: secretText('correct'),
  answers: [
    { answer_text: 'Paris', answer_weight: 100 },
    { answer_text: 'Lyon', answer_weight: 0 },
  ],
};
const short = { question_type: 'short_answer_question', points_possible: 3, answers: [{ answer_text: secretText('word') }] };
const essay = { question_text: 'Discuss.', question_type: 'essay_question', points_possible: 5 };

let scene: Scene;
beforeAll(async () => {
  scene = await aCourse(ground);
});

interface Quiz {
  readonly id: number;
  readonly path: string;
  readonly assignment_id: number;
  readonly asked: { id: number; answers: { id: number; weight: number; text: string }[] }[];
}

async function aQuiz(questions: readonly object[], given: object = {}): Promise<Quiz> {
  const { course, teacher } = scene;
  const made = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Test', quiz_type: 'assignment', ...given } }));
  const path = `/courses/${course.id}/quizzes/${made.id}`;
  const asked: Quiz['asked'] = [];
  for (const question of questions) asked.push(ok(await as(teacher).post(`${path}/questions`, { question })));
  const { assignment_id } = ok(await as(teacher).put(path, { quiz: { published: true } }));
  return { id: made.id, path, asked, assignment_id };
}

/** An attempt with answers to the questions in order; undefined leaves one out. */
async function take(quiz: Quiz, person: Person, answers: readonly unknown[]): Promise<Body> {
  const [attempt] = ok(await as(person).post(`${quiz.path}/submissions`)).quiz_submissions;
  const at = { attempt: attempt.attempt, validation_token: attempt.validation_token };
  const quiz_questions = answers.flatMap((answer, nth) => (answer === undefined ? [] : { id: quiz.asked[nth]?.id, answer }));
  if (quiz_questions.length > 0) ok(await as(person).post(`/quiz_submissions/${attempt.id}/questions`, { ...at, quiz_questions }));
  return ok(await as(person).post(`${quiz.path}/submissions/${attempt.id}/complete`, at)).quiz_submissions[0];
}

async function newStudent(name = 'Student', section?: number): Promise<Person> {
  const person = await ground.person({ name });
  await ground.enroll(scene.course, person, 'student', { section_id: section });
  return person;
}

const statistics = async (quiz: Quiz, by = scene.teacher, query: object = {}): Promise<Body> =>
  ok(within(await as(by).get(`${quiz.path}/statistics`, query), 2)).quiz_statistics[0];
const answerId = (quiz: Quiz, question: number, text: string) => quiz.asked[question]?.answers.find((one) => one.text === text)?.id;

describe('statistics', () => {
  test('count the newest attempt of each student, or all', async () => {
    const quiz = await aQuiz([choice, short, essay], { allowed_attempts: 2 });
    const [paris, lyon] = [answerId(quiz, 0, 'Paris'), answerId(quiz, 0, 'Lyon')];
    expect(await statistics(quiz)).toMatchObject({
      question_statistics: [],
      submission_statistics: { unique_count: 0, score_average: null },
    });
    const [ann, ben] = [await newStudent('Ann'), await newStudent('Ben')];
    await take(quiz, ann, [lyon]);
    await take(quiz, ann, [paris, secretText('word'), 'An essay']);
    await take(quiz, ben, [lyon, 'wrong']);
    // Neither previews nor running attempts count.
    ok(await as(scene.teacher).post(`${quiz.path}/submissions`, { preview: true }));
    ok(await as(scene.student2).post(`${quiz.path}/submissions`));
    const shown = await statistics(quiz);
    expect(shown).toMatchObject({
      id: String(quiz.id),
      quiz_id: quiz.id,
      multiple_attempts_exist: true,
      includes_all_versions: false,
      anonymous_survey: false,
      points_possible: 10,
      submission_statistics: { unique_count: 2, score_average: 2.5, score_high: 5, score_low: 0, scores: { 0: 1, 50: 1 } },
    });
    expect(shown.links.quiz).toContain(`/api/v1${quiz.path}`);
    expect(shown.speed_grader_url).toContain(`assignment_id=${quiz.assignment_id}`);
    const [first, second, third] = shown.question_statistics;
    expect(first).toMatchObject({ id: String(quiz.asked[0]?.id), position: 1, responses: 2, correct_student_count: 1 });
    expect(first.answers).toEqual([
      { id: String(paris), text: 'Paris', correct: true, responses: 1, user_ids: [ann.id], user_names: ['Ann'] },
      { id: String(lyon), text: 'Lyon', correct: false, responses: 1, user_ids: [ben.id], user_names: ['Ben'] },
    ]);
    expect(second).toMatchObject({ full_credit: 1, answers: [{ responses: 1 }, { id: 'other', responses: 1 }] });
    expect(third).toMatchObject({ responses: 1, graded: 1, full_credit: 0 });
    const all = await statistics(quiz, scene.teacher, { all_versions: true });
    expect(all).toMatchObject({ includes_all_versions: true, submission_statistics: { unique_count: 2, scores: { 0: 2, 50: 1 } } });
    expect(all.question_statistics[0].answers[1]).toMatchObject({ responses: 2, user_names: ['Ann', 'Ben'] });
  });

  test('count the sections that were asked for, and only those that the caller sees', async () => {
    const quiz = await aQuiz([choice], { quiz_type: 'practice_quiz' });
    const section = await ground.section(scene.course);
    const [here, there] = [await newStudent('Here'), await newStudent('There', section)];
    await take(quiz, here, [answerId(quiz, 0, 'Paris')]);
    await take(quiz, there, [answerId(quiz, 0, 'Lyon')]);
    const names = ({ question_statistics: [one] }: Body) => one.answers.flatMap((answer: Body) => answer.user_names);
    expect(names(await statistics(quiz))).toEqual(['Here', 'There']);
    expect(names(await statistics(quiz, scene.teacher, { section_ids: [section] }))).toEqual(['There']);
    const limited = await ground.person();
    await ground.enroll(scene.course, limited, 'teacher', { section_id: section, limited: true });
    expect(names(await statistics(quiz, limited))).toEqual(['There']);
    expect(await statistics(quiz, limited, { section_ids: [scene.course.section_id] })).toMatchObject({ question_statistics: [] });
    expect(await statistics(quiz, scene.teacher, { section_ids: [999_999] })).toMatchObject({ submission_statistics: { unique_count: 0 } });
  });

  test('of anonymous surveys name no one', async () => {
    const survey = await aQuiz([choice], { quiz_type: 'survey', anonymous_submissions: true });
    await take(survey, await newStudent('Secretive'), [answerId(survey, 0, 'Paris')]);
    const shown = await statistics(survey);
    expect(shown).toMatchObject({ anonymous_survey: true, question_statistics: [{ answers: [{ responses: 1, user_names: [] }, {}] }] });
    expect(JSON.stringify(shown)).not.toMatch(/Secretive|user_ids/);
  });

  test('are for graders, and contain the text of questions that were deleted since', async () => {
    const quiz = await aQuiz([choice]);
    await take(quiz, await newStudent(), [answerId(quiz, 0, 'Paris')]);
    ok(await as(scene.teacher).del(`${quiz.path}/questions/${quiz.asked[0]?.id}`), 204);
    expect((await statistics(quiz)).question_statistics).toMatchObject([{ question_text: 'The capital of France?', responses: 1 }]);
    const refused = await as(scene.student).get(`${quiz.path}/statistics`);
    ok(refused, 401);
    expectNoQuizSecrets(refused);
    ok(await as(scene.teacher).get(`${quiz.path}/statistics`, { section_ids: ['x'] }), 400);
    ok(await as(scene.teacher).get(`/courses/${scene.course.id}/quizzes/999999/statistics`), 404);
  });
});

const platform = env as unknown as Platform;
const deliver = (progress_url: string, to = platform) =>
  writeQuizReport({ job: 'quiz_report', progress_id: Number(progress_url.split('/').at(-1)) }, to);
const request = (quiz: Quiz, report_type: string, given: object = {}, by = scene.teacher) =>
  as(by).post(`${quiz.path}/reports`, { quiz_report: { report_type, ...given } });
const report = async (quiz: Quiz, id: number, by = scene.teacher): Promise<Body> =>
  ok(within(await as(by).get(`${quiz.path}/reports/${id}`, { include: ['file', 'progress'] }), 2));

/** The file of a report, as rows of cells. */
async function cellsOf({ file }: Body): Promise<string[][]> {
  const response = await SELF.fetch(file.url);
  const reader = new CsvReader(0);
  return [...reader.push(new Uint8Array(await response.arrayBuffer())), ...reader.finish()].map(({ cells }) => [...cells]);
}

describe('reports', () => {
  test('a student analysis is generated, read, returned again while it is current, and deleted', async () => {
    const quiz = await aQuiz([choice, short], { allowed_attempts: 2 });
    const student = await newStudent('=Formula');
    await take(quiz, student, [answerId(quiz, 0, 'Paris'), '=1+1']);
    await take(quiz, student, [answerId(quiz, 0, 'Lyon'), '=2+2']);
    const listed = ok(within(await as(scene.teacher).get(`${quiz.path}/reports`), 2));
    expect(listed).toMatchObject([
      {
        report_type: 'student_analysis',
        readable_type: 'Student Analysis',
        includes_all_versions: false,
        generatable: true,
        anonymous: false,
      },
      { report_type: 'item_analysis', readable_type: 'Item Analysis', includes_all_versions: true, generatable: true },
    ]);
    expect(listed[0]).not.toHaveProperty('progress_url');
    // A report is current only from the second after the last change.
    await new Promise((resume) => setTimeout(resume, 1000));
    const begun = ok(within(await request(quiz, 'student_analysis'), 3));
    expect(begun).toMatchObject({ id: listed[0].id, quiz_id: quiz.id, progress_url: expect.stringContaining('/api/v1/progress/') });
    expect(ok(await request(quiz, 'student_analysis'), 409)).toMatchObject({ message: 'report is already being generated' });
    await deliver(begun.progress_url);
    // The queue delivers at least once.
    await deliver(begun.progress_url);
    const done = await report(quiz, begun.id);
    expect(done).toMatchObject({ progress: { workflow_state: 'completed', completion: 100 }, file: { 'content-type': 'text/csv' } });
    const [head, ...lines] = await cellsOf(done);
    expect(head).toEqual([
      ...['name', 'id', 'sis_id', 'section', 'section_id', 'section_sis_id', 'submitted', 'attempt'],
      ...[`${quiz.asked[0]?.id}: The capital of France?`, '2', `${quiz.asked[1]?.id}: Question text`, '3'],
      ...['n correct', 'n incorrect', 'score'],
    ]);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.slice(0, 2)).toEqual(['=Formula', String(student.id)]);
    expect(await (await SELF.fetch(done.file.url)).text()).toMatch(/\n'=Formula,.*,Lyon,0,'=2\+2,0,0,2,0\r\n$/);
    expect(lines[0]?.slice(7)).toEqual(['2', 'Lyon', '0', '=2+2', '0', '0', '2', '0']);
    expect(ok(await request(quiz, 'student_analysis'))).toMatchObject({ progress_url: begun.progress_url });

    const all = ok(await request(quiz, 'student_analysis', { includes_all_versions: true }));
    expect(all.id).not.toBe(begun.id);
    await deliver(all.progress_url);
    expect((await cellsOf(await report(quiz, all.id))).map((row) => row[7])).toEqual(['attempt', '1', '2']);
    ok(within(await as(scene.teacher).del(`${quiz.path}/reports/${all.id}`), 3), 204);
    expect(await report(quiz, all.id)).not.toHaveProperty('file');
    ok(await as(scene.teacher).del(`${quiz.path}/reports/${all.id}`), 422);

    await take(quiz, await newStudent('Late'), []);
    const again = ok(await request(quiz, 'student_analysis'));
    expect(again.progress_url).not.toBe(begun.progress_url);
    ok(await as(scene.teacher).del(`${quiz.path}/reports/${again.id}`), 204);
    expect(ok(await as(scene.teacher).get(again.progress_url))).toMatchObject({ workflow_state: 'failed', message: 'canceled' });
    await deliver(again.progress_url);
    expect(await report(quiz, again.id)).not.toHaveProperty('file');
  });

  test('an item analysis has a line for each choice; surveys have none', async () => {
    const quiz = await aQuiz([choice, short]);
    await take(quiz, await newStudent(), [answerId(quiz, 0, 'Paris')]);
    const begun = ok(await request(quiz, 'item_analysis'));
    await deliver(begun.progress_url);
    const [head, ...lines] = await cellsOf(await report(quiz, begun.id));
    expect(head?.slice(0, 3)).toEqual(['Question Id', 'Question Title', 'Answered Student Count']);
    expect(lines.map((row) => row.slice(0, 3))).toEqual([[String(quiz.asked[0]?.id), 'The capital of France?', '1']]);
    const survey = await aQuiz([choice], { quiz_type: 'survey', anonymous_submissions: true });
    ok(await request(survey, 'item_analysis'), 400);
    await take(survey, await newStudent('Nameless'), [answerId(survey, 0, 'Paris')]);
    const named = ok(await request(survey, 'student_analysis'));
    expect(named).toMatchObject({ anonymous: true, generatable: true });
    await deliver(named.progress_url);
    const rows = await cellsOf(await report(survey, named.id));
    expect(rows[0]?.slice(0, 2)).toEqual(['submitted', 'attempt']);
    expect(JSON.stringify(rows)).not.toContain('Nameless');
  });

  test('each grader has reports of their own, with the students they see', async () => {
    const quiz = await aQuiz([choice]);
    const section = await ground.section(scene.course);
    await take(quiz, await newStudent('Hidden'), []);
    await take(quiz, await newStudent('Seen', section), []);
    const limited = await ground.person();
    await ground.enroll(scene.course, limited, 'teacher', { section_id: section, limited: true });
    const whole = ok(await request(quiz, 'student_analysis'));
    await deliver(whole.progress_url);
    expect(await report(quiz, whole.id, limited)).not.toHaveProperty('file');
    const theirs = ok(await request(quiz, 'student_analysis', {}, limited));
    await deliver(theirs.progress_url);
    expect((await cellsOf(await report(quiz, theirs.id, limited))).map(([name]) => name)).toEqual(['name', 'Seen']);
    expect((await cellsOf(await report(quiz, whole.id))).map(([name]) => name)).toEqual(['name', 'Hidden', 'Seen']);
  });

  test('wrong requests are refused, and students have no reports', async () => {
    const quiz = await aQuiz([choice]);
    expect(ok(await request(quiz, 'constructor'), 400)).toEqual({ status: 'bad_request', message: 'invalid quiz report type' });
    ok(await as(scene.teacher).post(`${quiz.path}/reports`, {}), 400);
    const [{ id }] = ok(await as(scene.teacher).get(`${quiz.path}/reports`));
    ok(await as(scene.teacher).get(`${quiz.path}/reports/${id + 3}`), 404);
    ok(await as(scene.teacher).get(`/courses/${scene.course.id}/quizzes/999999/reports`), 404);
    for (const refused of [
      await as(scene.student).get(`${quiz.path}/reports`),
      await as(scene.student).get(`${quiz.path}/reports/${id}`),
      await request(quiz, 'student_analysis', {}, scene.student),
      await as(scene.student).del(`${quiz.path}/reports/${id}`),
    ])
      ok(refused, 401);
  });
});

/** The queue delivers, too, so another delivery may make the last steps. */
async function finished(id: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (ok(await as(scene.teacher).get(`/progress/${id}`)).workflow_state === 'completed') return;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error('the job does not end');
}

/** Updates the first question, and delivers the job that regrades it. */
async function regrade(quiz: Quiz, regrade_option: string, right: string, to: Platform = platform): Promise<Body> {
  const answers = quiz.asked[0]?.answers.map((one) => ({ ...one, weight: one.text === right ? 100 : 0 }));
  const path = `${quiz.path}/questions/${quiz.asked[0]?.id}`;
  const changed = ok(within(await as(scene.teacher).put(path, { question: { answers, regrade_option } }), 3));
  const [job] = await ground.db.select().from(progress).where(eq(progress.tag, 'quiz_regrade')).orderBy(desc(progress.id)).limit(1);
  if (!job) return changed;
  await regradeQuestion({ job: 'quiz_regrade', progress_id: job.id }, to);
  await finished(job.id);
  return changed;
}

const submissionOf = async (quiz: Quiz, id: number, by: Person, attempt?: number): Promise<Body> =>
  ok(await as(by).get(`${quiz.path}/submissions/${id}`, { attempt })).quiz_submissions[0];
const gradeOf = async (quiz: Quiz, person: Person): Promise<Body> =>
  ok(await as(scene.teacher).get(`/courses/${scene.course.id}/assignments/${quiz.assignment_id}/submissions/${person.id}`));

describe('a changed key', () => {
  test('regrades all attempts; the kept score and the grade follow', async () => {
    const quiz = await aQuiz([choice, short], { allowed_attempts: 2 });
    const [ann, ben, cy] = [await newStudent('Ann'), await newStudent('Ben'), await newStudent('Cy')];
    const [paris, lyon] = [answerId(quiz, 0, 'Paris'), answerId(quiz, 0, 'Lyon')];
    await take(quiz, ann, [lyon, secretText('word')]);
    const anns = await take(quiz, ann, [paris]);
    const bens = await take(quiz, ben, [lyon]);
    const cys = await take(quiz, cy, [lyon]);
    // A grader has given half of the points.
    ok(
      await as(scene.teacher).put(`${quiz.path}/submissions/${cys.id}`, {
        quiz_submissions: [{ attempt: 1, questions: { [String(quiz.asked[0]?.id)]: { score: 1 } } }],
      }),
    );
    expect(await gradeOf(quiz, ann)).toMatchObject({ score: 3 });
    expect(await regrade(quiz, 'current_correct_only', 'Lyon')).toMatchObject({ regrade_option: 'current_correct_only' });
    expect(await submissionOf(quiz, anns.id, ann)).toMatchObject({
      ...{
        attempt: 2,
        score: 0,
        score_before_regrade: 2,
        kept_score: 5,
        workflow_state: 'complete',
        questions_regraded_since_last_attempt: 1,
      },
    });
    expect(await submissionOf(quiz, anns.id, scene.teacher, 1)).toMatchObject({ score: 5, score_before_regrade: 3 });
    expect(await submissionOf(quiz, bens.id, ben)).toMatchObject({ score: 2, score_before_regrade: 0, kept_score: 2 });
    expect(await submissionOf(quiz, cys.id, cy)).toMatchObject({ score: 1, score_before_regrade: null });
    expect(await gradeOf(quiz, ann)).toMatchObject({ score: 5, grader_id: -quiz.id });
    expect(await gradeOf(quiz, ben)).toMatchObject({ score: 2 });
    // The results show the key by which they were scored.
    const shown = ok(await as(ben).get(`/quiz_submissions/${bens.id}/questions`)).quiz_submission_questions[0];
    expect(shown).toMatchObject({
      correct: true,
      answers: [
        { id: paris, weight: 0 },
        { id: lyon, weight: 100 },
      ],
    });
    expect((await statistics(quiz)).question_statistics[0].answers).toMatchObject([{ correct: false }, { correct: true, responses: 2 }]);

    await regrade(quiz, 'full_credit', 'Lyon');
    expect(await submissionOf(quiz, anns.id, ann)).toMatchObject({ score: 2, score_before_regrade: 2, kept_score: 5 });
    expect(await submissionOf(quiz, cys.id, cy)).toMatchObject({ score: 1 });
  });

  test('counts for attempts that end later, and not for those that start later', async () => {
    const quiz = await aQuiz([choice], { allowed_attempts: 2 });
    const student = await newStudent();
    const [attempt] = ok(await as(student).post(`${quiz.path}/submissions`)).quiz_submissions;
    const at = { attempt: 1, validation_token: attempt.validation_token };
    const quiz_questions = [{ id: quiz.asked[0]?.id, answer: answerId(quiz, 0, 'Paris') }];
    ok(await as(student).post(`/quiz_submissions/${attempt.id}/questions`, { ...at, quiz_questions }));
    await regrade(quiz, 'current_and_previous_correct', 'Lyon');
    expect(ok(await as(student).post(`${quiz.path}/submissions/${attempt.id}/complete`, at)).quiz_submissions).toMatchObject([
      { score: 2 },
    ]);
    expect(await take(quiz, student, [answerId(quiz, 0, 'Paris')])).toMatchObject({ score: 0, kept_score: 2 });
    const other = await aQuiz([choice]);
    const [running] = ok(await as(student).post(`${other.path}/submissions`)).quiz_submissions;
    await regrade(other, 'full_credit', 'Lyon');
    const ended = { attempt: 1, validation_token: running.validation_token };
    expect(ok(await as(student).post(`${other.path}/submissions/${running.id}/complete`, ended)).quiz_submissions).toMatchObject([
      { score: 2 },
    ]);
  });

  test('without an option regrades nothing, and is refused for answers that no key scores', async () => {
    const quiz = await aQuiz([choice, essay]);
    const student = await newStudent();
    const taken = await take(quiz, student, [answerId(quiz, 0, 'Lyon')]);
    expect(await regrade(quiz, 'no_regrade', 'Lyon')).toMatchObject({ regrade_option: null });
    expect(await submissionOf(quiz, taken.id, student)).toMatchObject({ score: 0, score_before_regrade: null });
    const put = (nth: number, question: object) => as(scene.teacher).put(`${quiz.path}/questions/${quiz.asked[nth]?.id}`, { question });
    ok(await put(1, { regrade_option: 'full_credit' }), 400);
    ok(await put(0, { regrade_option: 'full_credit', question_type: 'essay_question' }), 400);
    ok(await put(0, { regrade_option: 'some' }), 400);
  });
});

const attempts = 1000;
const questions = 100;

/** A quiz of 100 questions that 1000 students have taken. */
async function aLargeQuiz(): Promise<Quiz> {
  const quiz = await aQuiz([essay], { quiz_type: 'practice_quiz' });
  const crowd = 5_000_000;
  const first = 6_000_000;
  const type = sql<string>`iif(n % 4 = 0, 'short_answer_question', 'multiple_choice_question')`;
  const answers = "json_array(json_object('id', 1, 'text', 'Right', 'weight', 100), json_object('id', 2, 'text', 'Wrong', 'weight', 0))";
  const ofAttempt = (value: string) =>
    sql.raw(
      `(with recursive q(k) as (select 1 union all select k + 1 from q where k < ${questions}) select json_group_array(json_object(${value})) from q)`,
    );
  await inBulk(async () => {
    await manyStudents(attempts, scene.course, crowd, nth('Crowd '));
    await many(questions, quiz_questions, {
      id: sql`${first} + n`,
      course_id: scene.course.id,
      quiz_id: quiz.id,
      position: sql`n + 1`,
      root_position: sql`n + 1`,
      question_name: nth('Q'),
      question_type: type,
      question_text: nth('Text '),
      points_possible: 1,
      data: sql.raw(`json_object('answers', ${answers})`),
    });
    await many(questions, quiz_question_versions, {
      question_id: sql`${first} + n`,
      version: 1,
      content: sql`json_object('question_name', 'Q' || n, 'question_type', ${type}, 'question_text', 'Text ' || n, 'data', json_object('answers', ${sql.raw(answers)}))`,
      created_at: '2026-09-01T08:00:00Z',
    });
    await many(attempts, quiz_submissions, {
      id: sql`${crowd} + n`,
      quiz_id: quiz.id,
      course_id: scene.course.id,
      user_id: sql`${crowd} + n`,
      attempt: 1,
      validation_token: nth('x'),
      workflow_state: 'complete',
    });
    await many(attempts, quiz_attempts, {
      quiz_submission_id: sql`${crowd} + n`,
      attempt: 1,
      presented: ofAttempt(`'id', ${first} + k, 'version', 1, 'points', 1, 'quiz_group_id', null, 'order', json_array(2, 1)`),
      results: ofAttempt(
        `'question_id', ${first} + k, 'correct', json(iif((n + k) % 3 = 0, 'false', 'true')), 'points', iif((n + k) % 3 = 0, 0, 1)`,
      ),
      started_at: '2026-09-01T08:00:00Z',
      finished_at: '2026-09-01T09:00:00Z',
      score: sql`n % 100`,
      quiz_version: 1,
      quiz_points_possible: questions,
      workflow_state: 'complete',
    });
    await many(attempts * questions, quiz_answers, {
      quiz_submission_id: sql`${crowd} + 1 + (n - 1) / ${sql.raw(String(questions))}`,
      attempt: 1,
      question_id: sql`${first} + 1 + (n - 1) % ${sql.raw(String(questions))}`,
      answer: sql.raw(
        `iif((1 + (n - 1) / ${questions} + 1 + (n - 1) % ${questions}) % 3 = 0, iif(((n - 1) % ${questions} + 1) % 4 = 0, '"wrong"', '2'), iif(((n - 1) % ${questions} + 1) % 4 = 0, '"right"', '1'))`,
      ),
      saved_at: '2026-09-01T08:30:00Z',
    });
  });
  return quiz;
}

describe('a quiz of 100 questions with 1000 attempts', () => {
  let quiz: Quiz;
  beforeAll(async () => {
    quiz = await aLargeQuiz();
  }, 120_000);

  test('has its statistics in five round trips, which read each answer once', async () => {
    const response = await as(scene.teacher).get(`${quiz.path}/statistics`);
    const [shown] = ok(response).quiz_statistics;
    expect(shown.submission_statistics).toMatchObject({ unique_count: attempts, score_high: 99, score_average: 49.5 });
    expect(shown.question_statistics).toHaveLength(questions);
    for (const one of shown.question_statistics) expect(one.responses).toBe(attempts);
    const [first] = shown.question_statistics;
    expect(first.answers[0].responses + first.answers[1].responses).toBe(attempts);
    // The context, the first 250 attempts with the list of all, and three pages.
    expect(response.cost.d1_trips).toBe(5);
    expect(response.cost.rows_read).toBeLessThan(4 * attempts * questions);
  });

  test('has its report in steps of 50 attempts, which go on where they were stopped', async () => {
    const begun = ok(await request(quiz, 'student_analysis'));
    await expect(deliver(begun.progress_url, dyingAfter(20))).rejects.toThrow('killed');
    const { platform: counted, cost } = metered();
    await deliver(begun.progress_url, counted);
    await finished(Number(begun.progress_url.split('/').at(-1)));
    const rows = await cellsOf(await report(quiz, begun.id));
    expect(rows).toHaveLength(attempts + 1);
    expect(new Set(rows.map((row) => row[1])).size).toBe(attempts + 1);
    for (const row of rows) expect(row).toHaveLength(8 + 2 * questions + 3);
    // A batch reads 50 attempts with their 5,000 answers.
    expect(cost.rows).toBeLessThan(10_000);
  });

  test('is regraded 50 students at a time; a step whose attempts change meanwhile is made again', async () => {
    const asked = ok(await as(scene.teacher).get(`${quiz.path}/questions`, { per_page: 3 }))[1];
    const large = { ...quiz, asked: [asked] };
    let disturbed = 0;
    // Another request changes an attempt between reading and writing.
    const { platform: counted, cost } = metered(async (batch) => {
      if (batch !== 9) return;
      disturbed += 1;
      await ground.db.run(
        sql`update quiz_submissions set kept_score = 1 where id > 5000000 and quiz_id = ${quiz.id} and kept_score is null`,
      );
    });
    await regrade(large, 'full_credit', 'Wrong', counted);
    expect(disturbed).toBe(1);
    const [sums] = await ground.db.all<{ right: number; kept: number }>(
      sql`select sum(tried.results like ${`%"question_id":${asked.id},"correct":true%`}) as right, sum(own.kept_score = tried.score) as kept
        from quiz_submissions own join quiz_attempts tried on tried.quiz_submission_id = own.id where own.quiz_id = ${quiz.id}`,
    );
    expect(sums).toEqual({ right: attempts, kept: attempts });
    expect(cost.rows).toBeLessThan(12_000);
  }, 60_000);
});
