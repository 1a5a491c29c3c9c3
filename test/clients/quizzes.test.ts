// A quiz: built with canvas-api-wrapper, taken with @kth/canvas-api and canvas-lms-api, moderated and graded; its statistics and reports are read.

import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor, names, plainly } from './at';
import { wrapperFor } from './graders';

const built = inject('started');
const cast = built.casts.quizzes;
const builder = wrapperFor(cast.teacher);
const teacher = canvasApiFor(cast.teacher);
const [student, student2] = [canvasApiFor(cast.student), canvasApiFor(cast.student2)];
const learns = plainly(cast.student);
const here = `courses/${cast.course.id}`;

const choice = {
  question_name: 'Capital',
  question_type: 'multiple_choice_question',
  question_text: '<p>The capital of France?</p>',
  points_possible: 2,
  answers: [
    { answer_text: 'Paris', answer_weight: 100 },
    { answer_text: 'Lyon', answer_weight: 0 },
  ],
};
const blank = {
  question_name: 'River',
  question_type: 'short_answer_question',
  question_text: '<p>Which river?</p>',
  points_possible: 3,
  answers: [{ answer_text: 'Seine' }],
};
const essay = { question_name: 'Essay', question_type: 'essay_question', question_text: '<p>Why?</p>', points_possible: 5 };

/** A published quiz with three questions, and a group of one. */
async function build(more: object = {}) {
  const course = builder.course(cast.course.id);
  const quiz = await course.quizzes.create({ title: 'France', quiz_type: 'assignment', time_limit: 30, allowed_attempts: 1, ...more });
  const asked: AnyJson[] = [];
  for (const question of [choice, blank, essay]) asked.push(await quiz.questions.create(question));
  const at = `${here}/quizzes/${quiz.id}`;
  const { quiz_groups } = await builder.post(`${at}/groups`, { quiz_groups: [{ name: 'Drawn', pick_count: 1, question_points: 1 }] });
  const inGroup = { question_type: 'true_false_question', question_text: 'True?', quiz_group_id: quiz_groups[0].id };
  await teacher.ask('POST', `${at}/questions`, {
    question: {
      ...inGroup,
      answers: [
        { answer_text: 'True', answer_weight: 100 },
        { answer_text: 'False', answer_weight: 0 },
      ],
    },
  });
  await teacher.ask('PUT', at, { quiz: { published: true } });
  return { at, id: quiz.id as number, asked };
}

const right = ({ answers }: AnyJson): number => answers.find(({ weight }: AnyJson) => weight === 100).id;

async function begin(who: typeof student, at: string): Promise<AnyJson> {
  return (await who.ask('POST', `${at}/submissions`)).quiz_submissions[0];
}

test('a teacher builds a quiz with questions of several types, a group, and another order', async () => {
  const { at, id, asked } = await build({ title: 'Built' });
  const [listed] = (await builder.course(cast.course.id).quizzes.get()).filter((one: AnyJson) => one.id === id);
  expect(listed).toMatchObject({ title: 'Built', question_count: 4, points_possible: 11, published: true });
  expect(names(await listed.questions.get(), 'question_name').slice(0, 3)).toEqual(['Capital', 'River', 'Essay']);
  const [first, second, third] = asked as [AnyJson, AnyJson, AnyJson];
  await teacher.ask('POST', `${at}/reorder`, { order: [third, first, second].map((one) => ({ id: one.id, type: 'question' })) });
  const changed = await teacher.ask('PUT', `${at}/questions/${second.id}`, { question: { points_possible: 4 } });
  expect(changed).toMatchObject({ question_name: 'River', points_possible: 4 });
  expect(await teacher.ask('GET', at)).toMatchObject({ points_possible: 12 });
  expect((await teacher.all(`${at}/questions`)).map((one) => one.question_name).slice(0, 3)).toEqual(['Essay', 'Capital', 'River']);
  const group = (await teacher.all(`${at}/questions`)).at(-1)?.quiz_group_id;
  expect(await teacher.ask('GET', `${at}/groups/${group}`)).toMatchObject({ name: 'Drawn' });
  expect(await student.refusal('GET', `${at}/questions`)).toBe(401);
  await teacher.whole('DELETE', `${at}/questions/${first.id}`);
  await teacher.whole('DELETE', at);
  expect(await teacher.refusal('GET', at)).toBe(404);
});

test('students take it, a teacher moderates and grades it, and the grade is in the gradebook', async () => {
  const { at, id, asked } = await build();
  const [first, second, third] = asked as [AnyJson, AnyJson, AnyJson];
  expect(await learns.get(`${here}/quizzes/${id}`)).toMatchObject({ title: 'France', question_count: 4, time_limit: 30 });
  const attempt = await begin(student, at);
  const token = { attempt: attempt.attempt, validation_token: attempt.validation_token };
  const shown = await student.ask('GET', `quiz_submissions/${attempt.id}/questions`);
  expect(shown.quiz_submission_questions).toHaveLength(4);
  const answers = [
    { id: first.id, answer: right(first) },
    { id: second.id, answer: 'seine' },
    { id: third.id, answer: '<p>Because.</p>' },
  ];
  for (const one of answers) await student.ask('POST', `quiz_submissions/${attempt.id}/questions`, { ...token, quiz_questions: [one] });
  await student.ask('PUT', `quiz_submissions/${attempt.id}/questions/${third.id}/flag`, token);
  const time = await student.ask('GET', `${at}/submissions/${attempt.id}/time`);
  expect(time.time_left).toBeGreaterThan(1700);
  const [done] = (await student.ask('POST', `${at}/submissions/${attempt.id}/complete`, token)).quiz_submissions;
  expect(done).toMatchObject({ workflow_state: 'pending_review', score: 5, attempts_left: 0 });
  expect(await student.refusal('POST', `${at}/submissions`)).toBe(409);

  // Moderation: another attempt and more time for one student.
  const { users } = await teacher.ask('GET', `${at}/submission_users`, { submitted: true });
  expect(users).toMatchObject([{ id: cast.student.id }]);
  await teacher.ask('POST', `${at}/extensions`, { quiz_extensions: [{ user_id: cast.student.id, extra_attempts: 1, extra_time: 10 }] });
  const again = await begin(student, at);
  expect(again).toMatchObject({ attempt: 2, extra_time: 10 });
  expect((Date.parse(again.end_at) - Date.parse(again.started_at)) / 60_000).toBe(40);
  const other = await begin(student2, at);
  const list = (await teacher.ask('GET', `${at}/submissions`)).quiz_submissions as AnyJson[];
  expect(list.map((one) => [one.user_id, one.workflow_state])).toEqual([
    [cast.student.id, 'untaken'],
    [cast.student2.id, 'untaken'],
  ]);
  const events = (await teacher.ask('GET', `${at}/submissions/${attempt.id}/events`, { attempt: 1 })).quiz_submission_events as AnyJson[];
  expect(names(events, 'event_type')).toContain('question_answered');

  // Grading: the essay by hand, with fudge points, in the first attempt.
  const given = { attempt: 1, fudge_points: 1, questions: { [third.id]: { score: 4, comment: 'Clear.' } } };
  await teacher.ask('PUT', `${at}/submissions/${attempt.id}`, { quiz_submissions: [given] });
  await student.ask('POST', `${at}/submissions/${again.id}/complete`, { attempt: 2, validation_token: again.validation_token });
  const [kept] = (await student.ask('GET', `${at}/submission`)).quiz_submissions;
  expect(kept).toMatchObject({ attempt: 2, kept_score: 10 });
  const { assignment_id } = await teacher.ask('GET', at);
  const grade = await learns.get(`${here}/assignments/${assignment_id}/submissions/self`);
  expect(grade).toMatchObject({ score: 10, submission_type: 'online_quiz' });
  expect(await student2.refusal('GET', `${at}/submissions/${attempt.id}`)).toBe(404);
  expect(other.user_id).toBe(cast.student2.id);
  await student2.ask('POST', `${at}/submissions/${other.id}/complete`, { attempt: 1, validation_token: other.validation_token });
});

test('a teacher reads the statistics of a quiz, and has a report made and downloads it', async () => {
  const { at, asked } = await build({ title: 'Counted' });
  const [first, second] = asked as [AnyJson, AnyJson];
  const wrong = first.answers.find(({ weight }: AnyJson) => weight === 0).id;
  for (const [who, answers] of [
    [student, [right(first), 'Seine']],
    [student2, [wrong, 'Rhine']],
  ] as const) {
    const { id, attempt, validation_token } = await begin(who, at);
    const quiz_questions = [first, second].map((one, nth) => ({ id: one.id, answer: answers[nth] }));
    await who.ask('POST', `quiz_submissions/${id}/questions`, { attempt, validation_token, quiz_questions });
    await who.ask('POST', `${at}/submissions/${id}/complete`, { attempt, validation_token });
  }
  const [found] = (await teacher.ask('GET', `${at}/statistics`)).quiz_statistics;
  expect(found.submission_statistics).toMatchObject({ unique_count: 2, score_high: 5, score_low: 0, score_average: 2.5 });
  const of = (id: number) => found.question_statistics.find((one: AnyJson) => one.id === String(id));
  expect(of(first.id)).toMatchObject({ responses: 2, correct_student_count: 1, incorrect_student_count: 1, difficulty_index: 0.5 });
  expect(of(first.id).answers.map((one: AnyJson) => [one.text, one.correct, one.responses])).toEqual([
    ['Paris', true, 1],
    ['Lyon', false, 1],
  ]);
  expect(of(second.id).answers).toContainEqual(expect.objectContaining({ text: 'Seine', correct: true, responses: 1 }));
  expect(await student.refusal('GET', `${at}/statistics`)).toBe(401);

  expect(names(await teacher.all(`${at}/reports`), 'report_type')).toEqual(['student_analysis', 'item_analysis']);
  const started = await teacher.ask('POST', `${at}/reports`, { quiz_report: { report_type: 'student_analysis' }, include: ['progress'] });
  await teacher.ended(started.progress_url);
  const { file } = await teacher.ask('GET', `${at}/reports/${started.id}`, { include: ['file'] });
  const csv = await (await fetch(file.url)).text();
  expect(csv).toContain('Seine');
  expect(csv.trim().split('\n')).toHaveLength(3);
  expect(await student.refusal('GET', `${at}/reports`)).toBe(401);
});
