// The quizzes of the demo's chemistry course: one of every question type, one that is running, one with results. Also its outcomes, and a poll.

import type { Client } from '../client';
import type { BuiltCourse, Person } from '../ground';
import type { DemoPeople } from './people';
import * as content from './quizzes_content';
import { dueIn, must } from './requests';

interface Quizzing {
  readonly as: (person: Person) => Client;
  readonly teacher: Client;
  readonly people: DemoPeople;
  readonly at: string;
  readonly now: number;
}

interface Asked {
  readonly id: number;
  readonly question_type: string;
  readonly answers: readonly { readonly id: number; readonly weight: number; readonly text?: string }[];
}

interface Made {
  readonly path: string;
  readonly questions: readonly Asked[];
}

export async function keepQuizzes(as: (person: Person) => Client, people: DemoPeople, course: BuiltCourse, now: number): Promise<void> {
  const all: Quizzing = { as, teacher: as(people.teacher), people, at: `/courses/${course.id}`, now };
  await makeQuiz(all, content.practice);
  await runQuiz(all);
  await gradeQuiz(all);
  await addOutcomes(all);
  await askPoll(all, course);
}

interface Planned {
  readonly quiz: object;
  readonly due?: number;
  readonly questions: readonly object[];
}

async function makeQuiz({ teacher, at, now }: Quizzing, { quiz, due, questions }: Planned): Promise<Made> {
  const { id } = must(
    await teacher.post(`${at}/quizzes`, { quiz: { ...quiz, ...(due !== undefined && { due_at: dueIn(due, now) }) } }),
    'a quiz',
  );
  const path = `${at}/quizzes/${id}`;
  const made: Asked[] = [];
  for (const question of questions) made.push(must(await teacher.post(`${path}/questions`, { question }, { json: true }), 'a question'));
  must(await teacher.put(path, { quiz: { published: true } }), 'a published quiz');
  return { path, questions: made };
}

interface Attempt {
  readonly id: number;
  readonly attempt: number;
  readonly validation_token: string;
}

const start = async (client: Client, { path }: Made): Promise<Attempt> =>
  must(await client.post(`${path}/submissions`), 'an attempt').quiz_submissions[0];

/** The answer to a question: right, or a wrong one. */
function answerTo({ question_type, answers }: Asked, isRight: boolean, essay: string): unknown {
  if (question_type === 'essay_question') return essay;
  const [right] = answers.filter(({ weight }) => weight > 0);
  if (question_type === 'short_answer_question') return isRight ? right?.text : 'other';
  return (isRight ? right : answers.find(({ weight }) => weight === 0))?.id;
}

const save = async (client: Client, { id, attempt, validation_token }: Attempt, quiz_questions: readonly object[]) =>
  must(await client.post(`/quiz_submissions/${id}/questions`, { attempt, validation_token, quiz_questions }, { json: true }), 'an answer');

/** Two students have begun; one has answered the first question. */
async function runQuiz(all: Quizzing): Promise<void> {
  const made = await makeQuiz(all, content.runningQuiz);
  for (const [turn, student] of all.people.others.slice(0, 2).entries()) {
    const attempt = await start(all.as(student), made);
    const [first] = made.questions;
    if (turn === 0 && first) await save(all.as(student), attempt, [{ id: first.id, answer: answerTo(first, true, '') }]);
  }
}

/** Ten students have taken it, the demo student among them; the last three essays wait to be graded. */
async function gradeQuiz(all: Quizzing): Promise<void> {
  const { as, teacher, people } = all;
  const made = await makeQuiz(all, content.takenQuiz);
  const { essays } = content.takenQuiz;
  const essay = made.questions.find(({ question_type }) => question_type === 'essay_question') as Asked;
  const takers = [people.student, people.student2, ...people.others.slice(0, 8)];
  for (const [turn, student] of takers.entries()) {
    const attempt = await start(as(student), made);
    const answers = made.questions.map((one, place) => ({
      id: one.id,
      answer: answerTo(one, (turn + place) % 3 !== 2, essays[turn % essays.length] as string),
    }));
    await save(as(student), attempt, answers);
    const { id, attempt: number, validation_token } = attempt;
    must(await as(student).post(`${made.path}/submissions/${id}/complete`, { attempt: number, validation_token }), 'a completed attempt');
    if (turn >= takers.length - 3) continue;
    const comment = turn === 0 ? { comment: 'Good. Name the rate law, too.' } : {};
    const scored = [{ attempt: number, questions: { [essay.id]: { score: 2 + (turn % 3), ...comment } } }];
    must(await teacher.put(`${made.path}/submissions/${id}`, { quiz_submissions: scored }, { json: true }), 'a graded attempt');
  }
}

/** The outcomes of the institution, which the course links to. */
async function addOutcomes({ as, teacher, people, at }: Quizzing): Promise<void> {
  const admin = as(people.admin);
  const rootOf = async (client: Client, place: string): Promise<string> => {
    const [group] = must(await client.get(`${place}/outcome_groups`, { per_page: 1 }), 'outcome groups');
    return `${place}/outcome_groups/${group.id}`;
  };
  // Created with the first request for it.
  await admin.get('/accounts/1/root_outcome_group');
  await teacher.get(`${at}/root_outcome_group`);
  const [ofInstitution, ofCourse] = [await rootOf(admin, '/accounts/1'), await rootOf(teacher, at)];
  for (const { title, outcomes } of content.outcomeTree) {
    const group = must(await admin.post(`${ofInstitution}/subgroups`, { title }), title);
    for (const outcome of outcomes)
      must(await admin.post(`/accounts/1/outcome_groups/${group.id}/outcomes`, outcome, { json: true }), outcome.title);
    must(await teacher.post(`${ofCourse}/import`, { source_outcome_group_id: group.id }), 'imported outcomes');
  }
}

async function askPoll({ as, teacher, people }: Quizzing, { id: course_id }: BuiltCourse): Promise<void> {
  const { question, description, choices } = content.demoPoll;
  const [poll] = must(await teacher.post('/polls', { polls: [{ question, description }] }), 'a poll').polls;
  const at = `/polls/${poll.id}`;
  const ids: number[] = [];
  for (const text of choices) {
    const { poll_choices } = must(await teacher.post(`${at}/poll_choices`, { poll_choices: [{ text }] }), 'a choice');
    ids.push(poll_choices[0].id);
  }
  const asked = { poll_sessions: [{ course_id, has_public_results: true }] };
  const [session] = must(await teacher.post(`${at}/poll_sessions`, asked), 'a poll session').poll_sessions;
  must(await teacher.get(`${at}/poll_sessions/${session.id}/open`), 'an open poll');
  for (const [turn, student] of people.others.slice(0, 12).entries()) {
    const poll_submissions = [{ poll_choice_id: ids[(turn * turn) % ids.length] }];
    must(await as(student).post(`${at}/poll_sessions/${session.id}/poll_submissions`, { poll_submissions }), 'a vote');
  }
}
