// A quiz and a New Quiz that a hundred students turn in at once: the runtime is killed amid the requests, and those sent again complete nothing twice.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Answer, type Client, clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { fetchPatiently, type Server, startServer, withDatabase } from '../support/server';
import { type BegunBy, beginAtOnce, type CrowdedQuiz, crowdedNewQuiz, crowdedQuiz, expectScoredOnce } from '../support/taken_at_once';

const persist = await mkdtemp(join(tmpdir(), 'carrel-attempts-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

const patient = (url: string) => (person: Person) => clientOf(fetchPatiently, url, person.token);
/** A connection that was cut stays cut. */
const brittle = (url: string) => (person: Person) => clientOf((to, init) => fetch(to, init), url, person.token);

const made = ({ status, body }: Answer): Answer['body'] => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body;
};

async function makeQuizzes(teacher: Client, course: number): Promise<CrowdedQuiz[]> {
  const at = `/courses/${course}/quizzes`;
  const { id } = made(await teacher.post(at, { quiz: { title: 'Classic', quiz_type: 'assignment' } }));
  const answers = [
    { answer_text: 'Yes', answer_weight: 100 },
    { answer_text: 'No', answer_weight: 0 },
  ];
  const choice = { question_text: 'Is it?', question_type: 'multiple_choice_question', points_possible: 2, answers };
  const question = made(await teacher.post(`${at}/${id}/questions`, { question: choice }));
  const { assignment_id } = made(await teacher.put(`${at}/${id}`, { quiz: { published: true } }));
  const all = `/api/quiz/v1/courses/${course}/quizzes`;
  const quiz = made(await teacher.post(all, { quiz: { title: 'New', published: true, points_possible: 2 } }));
  const entry = {
    title: 'Is it?',
    item_body: '<p>Is it?</p>',
    interaction_type_slug: 'true-false',
    interaction_data: { true_choice: 'Yes', false_choice: 'No' },
    scoring_data: { value: true },
    scoring_algorithm: 'Equivalence',
  };
  made(await teacher.post(`${all}/${quiz.id}/items`, { item: { entry_type: 'Item', points_possible: 2, entry } }, { json: true }));
  const right = question.answers.find(({ weight }: { weight: number }) => weight === 100).id;
  return [crowdedQuiz(`${at}/${id}`, assignment_id, question.id, right), crowdedNewQuiz(`${all}/${quiz.id}`, Number(quiz.id), true)];
}

interface TurnIn extends BegunBy {
  readonly quiz: CrowdedQuiz;
  readonly key: string;
}

test('200 attempts that are completed at once, interrupted by a kill and sent again, are complete and scored once', {
  timeout: 300_000,
}, async () => {
  const { course, teacher, crowd } = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const course = await ground.course();
    const teacher = await ground.person();
    await ground.enroll(course, teacher, 'teacher');
    const crowd: Person[] = [];
    for (let nth = 0; nth < 100; nth++) {
      const person = await ground.person();
      await ground.enroll(course, person, 'student');
      crowd.push(person);
    }
    return { course, teacher, crowd };
  });
  server = await startServer({ persist });
  const { url } = server;
  const port = Number(new URL(url).port);
  const quizzes = await makeQuizzes(patient(url)(teacher), course.id);
  const turnIns: TurnIn[] = [];
  for (const [nth, quiz] of quizzes.entries())
    for (let from = 0; from < crowd.length; from += 25) {
      const begun = await beginAtOnce(quiz, crowd.slice(from, from + 25), patient(url), 1);
      turnIns.push(...begun.map((one) => ({ ...one, quiz, key: `${nth}-${one.person.id}` })));
    }

  const first = new Map<string, Answer>();
  const amid = Promise.withResolvers<void>();
  const volley = Promise.all(
    turnIns.map(({ quiz, person, begun, key }) =>
      quiz.complete(brittle(url)(person), begun, key).then(
        (answer) => {
          first.set(key, answer);
          if (first.size === 10) amid.resolve();
        },
        () => undefined,
      ),
    ),
  );
  // At once: a timer would come after the last answer on a fast machine.
  await amid.promise;
  await server.kill();
  await volley;
  expect(first.size, 'the kill came in the middle').toBeLessThan(turnIns.length);

  server = await startServer({ persist, port });
  const again = patient(server.url);
  const resent = await Promise.all(turnIns.map(({ quiz, person, begun, key }) => quiz.complete(again(person), begun, key)));
  for (const [nth, { key }] of turnIns.entries()) {
    const [before, after] = [first.get(key), resent[nth] as Answer];
    expect(after.status, `${key}: ${JSON.stringify(after.body)}`).toBe(200);
    // What was answered before the kill was kept.
    if (before?.status === 200) expect(after.body, key).toEqual(before.body);
  }
  // Without the key it is another request, which completes nothing.
  const other = await Promise.all(turnIns.slice(0, 20).map(({ quiz, person, begun }) => quiz.complete(again(person), begun)));
  expect(new Set(other.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
    new Set(['400 quiz submission is already complete']),
  );
  const listed = await Promise.all(quizzes.map((quiz) => quiz.listed(again(teacher))));
  await server.stop();
  await withDatabase(persist, async (d1) => {
    for (const [nth, quiz] of quizzes.entries())
      await expectScoredOnce({ ...quiz, listed: async () => listed[nth] ?? [] }, again(teacher), d1, crowd, 2);
  });
});
