// Quizzes and New Quizzes that many students take at once: what must hold however their requests meet.

import type { D1Database } from '@cloudflare/workers-types';
import { expect } from 'vitest';
import type { Answer, Client } from './client';
import type { Person } from './ground';

type Body = Record<string, unknown>;

export interface StartedAttempt {
  readonly id: number | string;
  readonly attempt: number;
  readonly validation_token: string;
}

/** How students take a quiz of one question, and how its teacher lists their attempts. */
export interface CrowdedQuiz {
  readonly assignment_id: number;
  start(client: Client): Promise<Answer>;
  begun(answer: Answer): StartedAttempt;
  /** Saves the right answer. */
  save(client: Client, begun: StartedAttempt): Promise<Answer>;
  /** @param key of the request, so that it can be sent again */
  complete(client: Client, begun: StartedAttempt, key?: string): Promise<Answer>;
  listed(teacher: Client): Promise<Body[]>;
}

const keyed = (key: string | undefined) => (key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const workOf = ({ attempt, validation_token }: StartedAttempt) => ({ attempt, validation_token });

/** A quiz of `/api/v1`. @param path of the quiz; @param answer the right answer to the question */
export const crowdedQuiz = (path: string, assignment_id: number, question: number, answer: unknown): CrowdedQuiz => ({
  assignment_id,
  start: (client) => client.post(`${path}/submissions`),
  begun: ({ body }) => body.quiz_submissions[0],
  save: (client, begun) =>
    client.post(`/quiz_submissions/${begun.id}/questions`, { ...workOf(begun), quiz_questions: [{ id: question, answer }] }),
  complete: (client, begun, key) => client.post(`${path}/submissions/${begun.id}/complete`, workOf(begun), keyed(key)),
  listed: async (teacher) => {
    const all: Body[] = [];
    for (let page = 1; ; page += 1) {
      const { quiz_submissions } = (await teacher.get(`${path}/submissions`, { per_page: 100, page })).body;
      all.push(...quiz_submissions);
      if (quiz_submissions.length < 100) return all;
    }
  },
});

/** A New Quiz. @param path of the quiz; @param response the right response to the question */
export const crowdedNewQuiz = (path: string, assignment_id: number, response: unknown): CrowdedQuiz => ({
  assignment_id,
  start: (client) => client.post(`${path}/sessions`),
  begun: ({ body }) => body,
  save: (client, begun) =>
    client.post(`${path}/sessions/${begun.id}/responses`, { ...workOf(begun), responses: [{ position: 1, response }] }, { json: true }),
  complete: (client, begun, key) => client.post(`${path}/sessions/${begun.id}/complete`, workOf(begun), keyed(key)),
  listed: (teacher) => teacher.pages(`${path}/sessions`, { per_page: 100 }) as Promise<Body[]>,
});

export interface BegunBy {
  readonly person: Person;
  readonly begun: StartedAttempt;
}

/** Each student starts, and saves the right answer. @param times each request is sent this often at once */
export async function beginAtOnce(
  quiz: CrowdedQuiz,
  crowd: readonly Person[],
  as: (person: Person) => Client,
  times = 3,
): Promise<BegunBy[]> {
  const nths = Array.from({ length: times });
  return Promise.all(
    crowd.map(async (person) => {
      const client = as(person);
      const starts = await Promise.all(nths.map(() => quiz.start(client)));
      const started = starts.filter(({ status }) => status === 200);
      expect(started.length, JSON.stringify(starts.map(({ body }) => body))).toBe(1);
      const begun = quiz.begun(started[0] as Answer);
      const saves = await Promise.all(nths.map(() => quiz.save(client, begun)));
      expect(saves.map(({ status }) => status)).toEqual(nths.map(() => 200));
      return { person, begun };
    }),
  );
}

/** Every attempt is complete with its points, was scored once, and has the saved answer once in its log. */
export async function expectScoredOnce(quiz: CrowdedQuiz, teacher: Client, d1: D1Database, crowd: readonly Person[], points: number) {
  const listed = await quiz.listed(teacher);
  expect(listed.map(({ user_id }) => Number(user_id)).sort((a, b) => a - b)).toEqual(crowd.map(({ id }) => id).sort((a, b) => a - b));
  expect(listed.map(({ workflow_state, score, attempt }) => [workflow_state, score, attempt])).toEqual(
    crowd.map(() => ['complete', points, 1]),
  );
  const count = async (sql: string, ...values: (number | string)[]) =>
    d1
      .prepare(sql)
      .bind(...values)
      .first<number>('found');
  expect(await count('select count(*) as found from grade_changes where assignment_id = ?', quiz.assignment_id)).toBe(crowd.length);
  const answered = `select count(*) as found from quiz_submission_events where event_type = 'question_answered'
    and quiz_submission_id in (select cast(value as integer) from json_each(?))`;
  expect(await count(answered, JSON.stringify(listed.map(({ id }) => id)))).toBe(crowd.length);
}

/** Sends ten requests to complete each attempt, all at once: one of them completes it. */
export async function completeAtOnce(quiz: CrowdedQuiz, attempts: readonly BegunBy[], as: (person: Person) => Client): Promise<void> {
  const answers = await Promise.all(
    attempts.flatMap(({ person, begun }) => Array.from({ length: 10 }, () => quiz.complete(as(person), begun))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(attempts.length);
  const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.message);
  expect(new Set(refused)).toEqual(new Set(['quiz submission is already complete']));
}
