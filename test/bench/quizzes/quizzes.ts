// What an attempt at a quiz costs, counted rather than timed, in quizzes of different sizes.

import { type Answer, type Client, type Cost, clientOf } from '../../support/client';
import { build, carrelWorker, startRuntime } from '../runtime';
import { scratchFolder } from '../scratch';
import type { Cell, Table } from '../table';
import { buildQuizScene, type QuizScene, type TakenQuiz } from './scene';

/** Repeated by several students: the first change of a second writes a mark, too. */
const repeats = 4;
/** Saving an answer is the most frequent write of a quiz. */
const mostOfAnswer = 9;
/** For each question: its place in the attempt, its version with the row of the index, and the search for a newer key. */
const mostOfComplete = { question: 4, once: 215 };
/** Rows written: D1 bills one like a thousand rows read. */
const mostWritten: Partial<Record<Step | 'Score by hand', number>> = { 'Save an answer': mostOfAnswer, Complete: 45, 'Score by hand': 32 };

const sizeOf = ({ questions, attempts }: TakenQuiz) => `${questions} × ${attempts}`;

interface Attempt {
  readonly id: number;
  readonly attempt: number;
  readonly validation_token: string;
}

/** The requests of one student, in order. */
const steps = [
  'Start',
  'Read the questions',
  'Save an answer',
  'Save the same answer again',
  'Save another ten',
  'Flag',
  'Complete',
  'Read the result',
] as const;
type Step = (typeof steps)[number];

async function takeOnce(client: Client, quiz: TakenQuiz, teacher: Client): Promise<Map<Step | 'Score by hand', Cost>> {
  const at = `/courses/${quiz.course_id}/quizzes/${quiz.id}`;
  const costs = new Map<Step | 'Score by hand', Cost>();
  const count = async (step: Step | 'Score by hand', sent: Promise<Answer>): Promise<Answer['body']> => {
    const answer = await sent;
    if (answer.status >= 300) throw new Error(`${step}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    costs.set(step, answer.cost);
    return answer.body;
  };
  const begun = await count('Start', client.post(`${at}/submissions`));
  const { id, attempt, validation_token } = begun.quiz_submissions[0] as Attempt;
  const questions = `/quiz_submissions/${id}/questions`;
  const save = (numbers: readonly number[], answer: number) =>
    client.post(
      questions,
      { attempt, validation_token, quiz_questions: numbers.map((number) => ({ id: quiz.firstQuestion + number, answer })) },
      { json: true },
    );
  await count('Read the questions', client.get(questions));
  await count('Save an answer', save([0], 1));
  await count('Save the same answer again', save([0], 1));
  await count('Save another ten', save([...Array(10).keys()], 2));
  await count('Flag', client.put(`${questions}/${quiz.firstQuestion + 1}/flag`, { attempt, validation_token }));
  await count('Complete', client.post(`${at}/submissions/${id}/complete`, { attempt, validation_token }));
  await count('Read the result', client.get(`${at}/submission`));
  const quiz_submissions = [{ attempt, questions: { [quiz.firstQuestion]: { score: 1 } } }];
  await count('Score by hand', teacher.put(`${at}/submissions/${id}`, { quiz_submissions }, { json: true }));
  return costs;
}

/** More than another page of an index. */
const grows = (small: number, large: number): boolean => large > small * 1.15 + 5;

export async function quizTables(): Promise<Table[]> {
  const scene = await buildQuizScene(scratchFolder(), repeats);
  const runtime = await startRuntime(scene.persist, [
    await carrelWorker('carrel', await build(scratchFolder(), 'test/bench/recording_worker/worker.ts')),
  ]);
  const url = await runtime.unsafeGetDirectURL('carrel');
  const as = ({ token }: { token: string }) => clientOf((to, init) => fetch(to, init), url.origin, token);
  try {
    const statistics = await statisticsTable(scene, as(scene.teacher));
    return [await attemptTable(scene, as), statistics];
  } finally {
    await runtime.dispose();
  }
}

/** Attempts that one round trip counts. */
const attemptsAtOnce = 250;
/** An answer with its question, and an attempt with its student. */
const mostRowsOf = { answer: 3.5, attempt: 15 };

/** Read before anyone else takes the quizzes, so that the attempts are those of the scene. */
async function statisticsTable({ quizzes }: QuizScene, teacher: Client): Promise<Table> {
  const wrong: string[] = [];
  const rows: Cell[][] = [];
  for (const quiz of quizzes) {
    const path = `/courses/${quiz.course_id}/quizzes/${quiz.id}/statistics`;
    await teacher.get(path);
    const started = performance.now();
    const { status, body, cost } = await teacher.get(path);
    const seconds = (performance.now() - started) / 1000;
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
    const [found] = body.quiz_statistics;
    const [first] = found.question_statistics;
    if (found.question_statistics.length !== quiz.questions || first.responses !== quiz.attempts)
      wrong.push(`the statistics of ${sizeOf(quiz)} count ${first.responses} answers to ${found.question_statistics.length} questions`);
    const answers = quiz.questions * quiz.attempts;
    const mostTrips = 2 + Math.ceil(quiz.attempts / attemptsAtOnce);
    if (cost.d1_trips > mostTrips) wrong.push(`the statistics of ${sizeOf(quiz)} take ${cost.d1_trips} trips`);
    // Small quizzes consist of what is read once.
    if (answers >= 10_000 && cost.rows_read > mostRowsOf.answer * answers + mostRowsOf.attempt * quiz.attempts)
      wrong.push(`the statistics of ${sizeOf(quiz)} read ${cost.rows_read} rows`);
    rows.push([sizeOf(quiz), cost.d1_trips, cost.rows_read, cost.rows_read / answers, seconds]);
  }
  return {
    title: 'Statistics of a quiz',
    columns: ['Questions × attempts', 'Trips', 'Rows read', 'Rows per answer', 'Seconds'],
    rows,
    notes: [
      'Of all newest attempts, counted when they are read; the second request of two.',
      `The benchmark fails if more than a trip per ${attemptsAtOnce} attempts is made besides two, if more rows are read than ${mostRowsOf.answer} per answer and ${mostRowsOf.attempt} per attempt, or if an answer is not counted.`,
    ],
    only: 'quizzes',
    ...(wrong.length > 0 && { wrong: wrong.join('\n') }),
  };
}

/** The cheapest of the repetitions, by step. */
async function leastCosts(quiz: TakenQuiz, { students, teacher }: QuizScene, as: (person: { token: string }) => Client) {
  const least = new Map<string, Cost>();
  for (const student of students)
    for (const [step, cost] of await takeOnce(as(student), quiz, as(teacher))) {
      const before = least.get(step);
      if (!before || cost.rows_read + cost.rows_written < before.rows_read + before.rows_written) least.set(step, cost);
    }
  return least;
}

async function attemptTable(scene: QuizScene, as: (person: { token: string }) => Client): Promise<Table> {
  const all: Map<string, Cost>[] = [];
  for (const quiz of scene.quizzes) all.push(await leastCosts(quiz, scene, as));
  const wrong: string[] = [];
  const rows: Cell[][] = ([...steps, 'Score by hand'] as const).map((step) => {
    const costs = all.map((one) => one.get(step) as Cost);
    const each = (figure: (cost: Cost) => number): Cell => [...new Set(costs.map(figure))].join(' / ');
    const trips = Math.max(...costs.map((cost) => cost.d1_trips));
    // The other attempts must not matter: compared are the quizzes with as many questions.
    for (const nth of [0, 1])
      for (const figure of ['rows_read', 'rows_written'] as const)
        if (grows((costs[nth] as Cost)[figure], (costs[nth + 2] as Cost)[figure]))
          wrong.push(`${step}: ${figure} grow from ${costs[nth]?.[figure]} to ${costs[nth + 2]?.[figure]} with the attempts of others`);
    if (trips > 3) wrong.push(`${step} takes ${trips} trips`);
    if (Math.max(...costs.map((cost) => cost.rows_written)) > (mostWritten[step] ?? Number.POSITIVE_INFINITY))
      wrong.push(`${step} writes ${each((cost) => cost.rows_written)} rows`);
    for (const [nth, { questions }] of scene.quizzes.entries())
      if (step === 'Complete' && (costs[nth] as Cost).rows_read > mostOfComplete.question * questions + mostOfComplete.once)
        wrong.push(`${step} reads ${costs[nth]?.rows_read} rows for ${questions} questions`);
    return [step, trips, ...costs.map((cost) => cost.rows_read), each((cost) => cost.rows_written)];
  });
  return {
    title: 'One attempt at a quiz',
    columns: ['Step', 'Trips', ...scene.quizzes.map((quiz) => `Rows read, ${sizeOf(quiz)}`), 'Rows written'],
    rows,
    notes: [
      `Questions × completed attempts of other students, each with all answers. The least of ${repeats} students. Several numbers of rows written are those of the four sizes that differ.`,
      `The benchmark fails if an answer writes ten rows, if completing reads more than ${mostOfComplete.question} rows per question and ${mostOfComplete.once}, if completing writes more than ${mostWritten.Complete} or a score by hand more than ${mostWritten['Score by hand']}, or if a step reads or writes more with more attempts of others.`,
    ],
    only: 'quizzes',
    ...(wrong.length > 0 && { wrong: wrong.join('\n') }),
  };
}
