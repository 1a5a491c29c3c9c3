// Taking a quiz in the browser, with the real engine and a loopback server.

import { join } from 'node:path';
import { openDesk } from '@carrel/desktop/engine/desk';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from '../sync/support/course';
import { FakeServer } from '../sync/support/fake_server';
import { takesQuizzes } from '../sync/support/takes_quizzes';
import { axeFindings } from './support/axe';
import type { BrowserLook } from './support/browser';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();
let server: FakeServer;
let course: FakeCourse;
let takes: ReturnType<typeof takesQuizzes>;

const questions = [
  {
    id: 11,
    question_type: 'multiple_choice_question',
    question_text: '<p>What moves the <b>tides</b>, for the most part?</p>',
    answers: [
      { id: 1, text: 'The moon' },
      { id: 2, text: 'The wind, which blows from the open sea towards the coast in the morning' },
      { id: 3, text: 'Currents' },
    ],
  },
  {
    id: 12,
    question_type: 'multiple_answers_question',
    question_text: '<p>Which of these animals live in the <i>splash zone</i>?</p>',
    answers: [
      { id: 4, text: 'Periwinkles' },
      { id: 5, text: 'Barnacles' },
      { id: 6, text: 'Tuna' },
    ],
  },
  { id: 13, question_type: 'numerical_question', question_text: '<p>How many high tides are there on most days?</p>' },
  { id: 14, question_type: 'text_only_question', question_text: '<p>The next questions are about your own notes.</p>' },
  { id: 15, question_type: 'essay_question', question_text: '<p>Describe what you saw at low tide.</p>' },
  {
    id: 16,
    question_type: 'fill_in_multiple_blanks_question',
    question_text: '<p>The [upper] zone is dry, the [lower] zone is wet.</p>',
    answer: { upper: null, lower: null },
  },
  {
    id: 17,
    question_type: 'multiple_dropdowns_question',
    question_text: '<p>A limpet eats [food].</p>',
    answers: [
      { id: 7, text: 'algae', blank_id: 'food' },
      { id: 8, text: 'fish', blank_id: 'food' },
    ],
  },
  {
    id: 18,
    question_type: 'matching_question',
    question_text: '<p>Match the zones.</p>',
    answers: [
      { id: 21, text: 'Splash zone' },
      { id: 22, text: 'Low tide zone' },
    ],
    matches: [
      { match_id: 31, text: 'always wet' },
      { match_id: 32, text: 'only spray' },
    ],
  },
  { id: 19, question_type: 'file_upload_question', question_text: '<p>Attach your sketch.</p>' },
];

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server, 'Marine Biology');
  takes = takesQuizzes(server, course);
});
afterEach(() => server.stop());

async function opened(look: BrowserLook = {}) {
  const visited = await room.serve(({ store, folder }) => openDesk({ store, folder }));
  await visited.desk['account.login']({ url: server.url, token: server.token });
  await expect.poll(() => visited.desk['courses.list'](undefined).then((found) => found.length)).toBe(1);
  const page = await visited.visit(`#/courses/${course.id}/quizzes`, { now: undefined, ...look });
  return { page, desk: visited.desk };
}

test('questions come one at a time, and nothing goes back where the quiz allows no way back', async () => {
  takes.quiz('Onwards', questions.slice(0, 3), { one_question_at_a_time: true, cant_go_back: true });
  takes.quiz('One by one', questions.slice(0, 4), { one_question_at_a_time: true });
  const { page } = await opened();
  await page.getByRole('link', { name: 'Onwards' }).click();
  await page.getByText('and you cannot go back').waitFor();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.getByText('1 of 3 questions shown').waitFor();
  await page.getByLabel('The moon').check();
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'onwards.png') });
  await page.getByRole('button', { name: 'Next question' }).click();
  await page.getByLabel('Periwinkles').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('question-12');
  expect((await page.getByLabel('The moon').count()) + (await page.getByRole('button', { name: 'Previous question' }).count())).toBe(0);
  await page.getByRole('button', { name: 'Submit the quiz' }).click();
  await page.getByText('1 question has not been shown yet.').waitFor();
  await page.keyboard.press('Escape');
  await moveTo(page, `#/courses/${course.id}/quizzes`);
  await page.getByRole('link', { name: 'One by one' }).click();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.getByRole('button', { name: 'Next question' }).click();
  await page.getByRole('button', { name: 'Previous question' }).click();
  await page.getByLabel('The moon').check();
  expect(await axeFindings(page)).toEqual([]);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'one-by-one.png') });
  await page.getByRole('navigation', { name: 'Questions' }).getByRole('button', { name: 'Question 2' }).click();
  await page.getByLabel('Periwinkles').waitFor();
});

const ended = (page: Page) => page.getByText('Submitted', { exact: true }).first().waitFor();

test('a student finds a quiz, answers every kind of question, and hands it in', async () => {
  const id = takes.quiz('Tides', questions, { description: '<p>Ten minutes are enough.</p>', due_at: '2030-11-20T12:00:00Z' });
  const { page, desk } = await opened();
  await page.getByRole('link', { name: 'Tides' }).click();
  await page.getByText('Ten minutes are enough.').waitFor();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.getByLabel('The moon').check();
  await page.getByLabel('Periwinkles').check();
  await page.getByLabel('Barnacles').check();
  await page.getByRole('textbox', { name: 'Answer to question 3' }).fill('two');
  await page.getByText('This is not a number').waitFor();
  await page.getByRole('textbox', { name: 'Answer to question 3' }).fill('2');
  await page.getByRole('textbox', { name: 'Answer to question 4' }).fill('Crabs');
  await page.getByRole('textbox', { name: 'upper' }).fill('splash');
  await page.getByRole('combobox', { name: 'food' }).selectOption('algae');
  await page.getByRole('combobox', { name: 'Splash zone' }).selectOption('only spray');
  await page.getByRole('button', { name: 'Mark for later' }).first().click();
  await page.locator('input[type=file]').setInputFiles({ name: 'sketch.txt', mimeType: 'text/plain', buffer: Buffer.from('waves') });
  await page.getByText('sketch.txt').waitFor();
  // Taken back, because the server of this test takes no files.
  await page.getByRole('button', { name: 'Remove sketch.txt' }).click();
  await page.getByText('All answers are saved on the server.').waitFor();
  await page.getByRole('button', { name: 'Submit the quiz' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Question 8 is not answered.').waitFor();
  await dialog.getByText('Question 1 is marked for later.').waitFor();
  await dialog.getByRole('button', { name: 'Submit the quiz' }).click();
  await ended(page);
  expect(takes.answersOf(id)).toMatchObject({
    11: 1,
    12: [4, 5],
    13: '2',
    15: '<p>Crabs</p>',
    16: { upper: 'splash' },
    17: { food: 7 },
    18: [{ answer_id: 21, match_id: 32 }],
  });
  await page.getByRole('heading', { name: 'Results' }).waitFor();
  await page.getByRole('button', { name: /Attempt 1/ }).waitFor();
  expect(await desk['quiz.attempt']({ id })).toBeNull();
});

test('when the network fails, the page says calmly where the answers are, and they survive closing the program', async () => {
  const id = takes.quiz('Tides', questions);
  const { page } = await opened();
  await moveTo(page, `#/quiz/${course.id}/${id}`);
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.getByLabel('The moon').check();
  await page.getByText('All answers are saved on the server.').waitFor();
  server.fault = () => 'cut';
  await page.getByLabel('Currents').check();
  await page.getByText('You are offline. 1 answer is safe on this computer').waitFor();
  await page.reload();
  await expect.poll(() => page.getByLabel('Currents').isChecked()).toBe(true);
  server.fault = () => undefined;
  await page.getByLabel('Periwinkles').check();
  await page.getByText('All answers are saved on the server.').waitFor();
  expect(takes.answersOf(id)).toMatchObject({ 11: 3, 12: [4] });
});

test('when the time is over, the attempt is handed in with everything that was answered', async () => {
  const id = takes.quiz('Tides', questions, { time_limit: 10 });
  const { page } = await opened();
  // Ten minutes by the server, whose clock is far away.
  takes.endAt('2026-11-20T09:10:00Z');
  await moveTo(page, `#/quiz/${course.id}/${id}`);
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.getByLabel('The moon').check();
  await page
    .locator('.quiz-time b')
    .getByText(/^(10:00|9:\d\d)$/)
    .waitFor();
  await page.clock.setFixedTime(Date.now() + 9.5 * 60_000);
  await page.locator('.quiz-time[data-tone=bad]').waitFor();
  await page.clock.setFixedTime(Date.now() + 11 * 60_000);
  await ended(page);
  expect([takes.stateOf(id), takes.answersOf(id)]).toEqual(['complete', { 11: 1 }]);
});

test('a student votes in a poll on the planner, and sees the votes where they are public', async () => {
  const id = server.id();
  const session = { id, poll_id: 5, course_id: course.id, is_published: true, has_submitted: false, poll_submissions: [] };
  server.put('poll_session', id, { ...session, has_public_results: true, results: { 1: 2 } }, course.id);
  const choices = [
    { id: 2, poll_id: 5, text: 'The spring tide, when sun and moon pull together', position: 2 },
    { id: 1, poll_id: 5, text: 'The neap tide', position: 1 },
  ];
  const before = server.besides;
  const votes: string[] = [];
  server.besides = (asked, body) => {
    const { method, path } = asked;
    if (path === '/api/v1/polls/5') return { status: 200, body: { polls: [{ id: 5, question: 'Which tide do you like?' }] } };
    if (path.startsWith('/api/v1/polls/5/poll_choices')) return { status: 200, body: { poll_choices: choices } };
    if (!path.startsWith(`/api/v1/polls/5/poll_sessions/${id}`)) return before(asked, body);
    if (method === 'POST') votes.push(body);
    const now = {
      ...session,
      has_submitted: true,
      poll_submissions: [{ id: 9, poll_choice_id: 2, user_id: 7 }],
      has_public_results: true,
      results: { 1: 2, 2: 1 },
    };
    return { status: 200, body: { poll_sessions: [now], poll_submissions: now.poll_submissions } };
  };
  const { page } = await opened();
  await moveTo(page, '#/today');
  await page.getByRole('button', { name: 'Marine Biology Vote' }).click();
  await page.getByLabel('The spring tide').check();
  expect(await page.locator('.poll-choice').allTextContents()).toEqual([
    'The neap tide2 votes',
    'The spring tide, when sun and moon pull together0 votes',
  ]);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Vote', exact: true }).click();
  await page.getByText('You have voted').waitFor();
  await page.getByText('1 vote', { exact: true }).waitFor();
  expect(await page.getByLabel('The neap tide').isDisabled()).toBe(true);
  expect(votes.map((vote) => JSON.parse(vote))).toEqual([{ poll_submissions: [{ poll_choice_id: 2 }] }]);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'poll.png') });
});

test('a student sees each outcome on a scale and in words, with the assessments that count', async () => {
  const ratings = [
    { description: 'Exceeds', points: 5 },
    { description: 'Meets', points: 3 },
    { description: 'Not yet', points: 0 },
  ];
  const outcome = (title: string, more: object = {}) => {
    const id = server.id();
    const facts = { id, title, display_name: null, calculation_method: 'highest', mastery_points: 3, points_possible: 5, ratings, ...more };
    server.put('outcome_link', server.id(), { outcome: facts, outcome_group: { title: 'Field work' } }, course.id);
    return id;
  };
  const result = (of: number, percent: number, day: number, alignment: string, more: object = {}) => {
    const id = server.id();
    const links = { user: '7', learning_outcome: String(of), alignment, assignment: alignment };
    const submitted_or_assessed_at = `2026-11-0${day}T09:00:00Z`;
    server.put('outcome_result', id, { id, score: percent * 5, percent, submitted_or_assessed_at, links, ...more }, course.id);
  };
  const essay = course.assignment('Essay');
  const observing = outcome('Observes and records', { friendly_description: 'You note what you see before you explain it.' });
  result(observing, 0.4, 1, `assignment_${essay}`);
  result(observing, 0.8, 2, 'quiz_99');
  const naming = outcome('Names what lives in the tidal zones', { calculation_method: 'n_mastery', calculation_int: 2 });
  result(naming, 0.9, 3, `assignment_${essay}`);
  outcome('Reads tide tables');
  const worded = outcome('Works in a team');
  result(worded, 0.2, 4, `assignment_${essay}`, { hide_points: true });
  const { page } = await opened();
  await moveTo(page, `#/courses/${course.id}/outcomes`);
  await page.getByText('You have mastered 1 of 4.').waitFor();
  const shown = (title: string) => page.locator('.outcome').filter({ hasText: title });
  await shown('Observes').getByText('Meets · 4 of 5').waitFor();
  await shown('Observes').getByText('2 results').click();
  await shown('Observes').getByRole('link', { name: 'Essay' }).waitFor();
  await shown('Observes').getByText('Another assessment').waitFor();
  await shown('Names').getByText('Not enough results yet').waitFor();
  await shown('Reads').getByText('Not assessed yet').waitFor();
  expect(await shown('team').textContent()).not.toMatch(/of 5/);
  expect(await axeFindings(page)).toEqual([]);
  for (const [name, width, scheme] of [
    ['light', 1280, 'light'],
    ['dark', 1280, 'dark'],
    ['phone', 390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 860 });
    await page.emulateMedia({ colorScheme: scheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `outcomes-${name}.png`) });
  }
});

test.each([
  ['on a wide screen', {}],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
  ['at 400 % zoom', { viewport: { width: 320, height: 256 } }],
] as const)('axe finds nothing, and nothing scrolls sideways %s', async (_where, look) => {
  const done = takes.quiz('Last week', questions);
  const id = takes.quiz('Tides and what lives between them: a quiz with a very long name, for everyone', questions, { time_limit: 10 });
  const { page } = await opened(look);
  const check = async () => {
    await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  };
  await page.getByRole('link', { name: 'Last week' }).waitFor();
  await check();
  for (const one of [done, id]) {
    await moveTo(page, `#/quiz/${course.id}/${one}`);
    await check();
    await page.getByRole('button', { name: 'Start the quiz' }).click();
    await page.getByLabel('The moon').check();
    await check();
    if (one === id) break;
    await page.getByRole('button', { name: 'Submit the quiz' }).click();
    await page.getByRole('dialog').waitFor();
    await check();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit the quiz' }).click();
    await ended(page);
    await page.getByRole('button', { name: /Attempt 1/ }).waitFor();
    await check();
  }
});
