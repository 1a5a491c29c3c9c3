// Quizzes in the lists of other domains: planner, to-do, calendar, missing submissions, modules, activity stream and search.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { module_progressions } from '@carrel/worker/domains/modules/table';
import { closeOverdueAttempts } from '@carrel/worker/domains/quiz_submissions/overdue';
import type { Platform } from '@carrel/worker/platform';
import { tick } from '@carrel/worker/schedule';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { expectNoQuizSecrets, questionsOfEveryType, secretText } from '../support/quiz_secrets';

type Scene = Awaited<ReturnType<typeof aCourse>>;
type Body = Record<string, unknown>;
interface Quiz {
  readonly id: number;
  readonly assignment_id: number;
  readonly path: string;
  readonly essay: number;
}

const inDays = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 11)}12:00:00Z`;
const points = { question_type: 'essay_question', points_possible: 4 };

let scene: Scene;
let graded: Quiz;
let survey: Quiz;
beforeAll(async () => {
  scene = await aCourse(ground);
  graded = await make({ title: 'Cells', due_at: inDays(2) });
  survey = await make({ title: 'Survey', quiz_type: 'survey', due_at: inDays(1) });
  await make({ title: 'Draft', due_at: inDays(2), published: false });
  await make({ title: 'Undated', quiz_type: 'practice_quiz' });
});

async function make(given: Body, { course, teacher } = scene): Promise<Quiz> {
  const at = `/courses/${course.id}/quizzes`;
  const { id } = ok(await as(teacher).post(at, { quiz: { quiz_type: 'assignment', ...given } }));
  const { id: essay } = ok(await as(teacher).post(`${at}/${id}/questions`, { question: points }));
  const { assignment_id } = ok(await as(teacher).put(`${at}/${id}`, { quiz: { published: given.published ?? true } }));
  return { id, assignment_id, path: `${at}/${id}`, essay };
}

async function take({ path, essay }: Quiz, person: Person): Promise<number> {
  const [{ id, attempt, validation_token }] = ok(await as(person).post(`${path}/submissions`)).quiz_submissions;
  const quiz_questions = [{ id: essay, answer: 'Mine' }];
  ok(await as(person).post(`/quiz_submissions/${id}/questions`, { attempt, validation_token, quiz_questions }));
  ok(await as(person).post(`${path}/submissions/${id}/complete`, { attempt, validation_token }));
  return id;
}
const grade = async ({ path, essay }: Quiz, submission: number, score: number, { teacher } = scene) =>
  ok(await as(teacher).put(`${path}/submissions/${submission}`, { quiz_submissions: [{ attempt: 1, questions: { [essay]: { score } } }] }));

describe('the planner', () => {
  type Item = { plannable_type: string; plannable_id: number; plannable: Body; submissions: unknown; html_url: string };
  const planner = async (person: Person, query: Body = {}) => ok(within(await as(person).get('/planner/items', query), 2)) as Item[];
  const quizzes = async (person: Person, query: Body = {}) =>
    (await planner(person, query)).filter((one) => one.plannable_type === 'quiz').map((one) => one.plannable_id);

  test('has graded quizzes instead of their assignments, and others with a due date', async () => {
    const { student, stranger, observer, course } = scene;
    const items = await planner(student);
    expect(items.map((one) => [one.plannable_type, one.plannable_id])).toEqual([
      ['quiz', survey.id],
      ['quiz', graded.id],
    ]);
    expect(items[1]).toMatchObject({
      plannable_date: inDays(2),
      html_url: `/courses/${course.id}/quizzes/${graded.id}`,
      submissions: { submitted: false, graded: false, missing: false },
      plannable: { id: graded.id, title: 'Cells', assignment_id: graded.assignment_id, points_possible: 4, due_at: inDays(2) },
    });
    expect(items[0]).toMatchObject({ submissions: false, plannable: { title: 'Survey', assignment_id: null, due_at: inDays(1) } });
    const codes = { observed_user_id: student.id, context_codes: [`course_${course.id}`] };
    expect(await quizzes(observer, codes)).toEqual([survey.id, graded.id]);
    expect(await quizzes(stranger)).toEqual([]);
    expect(await quizzes(student, { filter: 'ungraded_todo_items' })).toEqual([]);
  });

  test('is paged by bookmarks with quizzes on the same date', async () => {
    const there = await aCourse(ground);
    const due_at = inDays(3);
    const expected: number[] = [];
    for (const quiz_type of ['assignment', 'survey', 'practice_quiz', 'assignment'])
      expected.push((await make({ title: 'Q', quiz_type, due_at }, there)).id);
    for (const order of ['asc', 'desc'] as const) {
      const found = await as(there.student).pages('/planner/items', { per_page: 1, order });
      const ids = (found as Item[]).map((one) => one.plannable_id);
      expect(ids).toEqual(order === 'asc' ? expected : expected.toReversed());
    }
  });

  test('a mark on the assignment of a quiz is stored for the quiz, and decides what is complete', async () => {
    const { student, student2, teacher } = scene;
    const mark = { plannable_type: 'assignment', plannable_id: graded.assignment_id, marked_complete: true };
    const made = ok(within(await as(student).post('/planner/overrides', mark), 3), 201);
    expect(made).toMatchObject({
      plannable_type: 'quiz',
      plannable_id: graded.id,
      assignment_id: graded.assignment_id,
      workflow_state: 'active',
    });
    ok(await as(student).post('/planner/overrides', { ...mark, plannable_type: 'quiz', plannable_id: graded.id }), 400);
    expect(await quizzes(student, { filter: 'complete_items' })).toEqual([graded.id]);
    expect(await quizzes(student, { filter: 'incomplete_items' })).toEqual([survey.id]);
    const undone = ok(await as(student).put(`/planner/overrides/${made.id}`, { marked_complete: false }));
    expect(undone).toMatchObject({ marked_complete: false });
    expect(await quizzes(student, { filter: 'complete_items' })).toEqual([]);
    const ungraded = { plannable_type: 'Quizzes::Quiz', plannable_id: survey.id, marked_complete: true };
    expect(ok(await as(student2).post('/planner/overrides', ungraded), 201)).toMatchObject({
      plannable_id: survey.id,
      assignment_id: null,
    });
    const other = await make({ title: 'Draft', quiz_type: 'survey', published: false });
    ok(await as(student).post('/planner/overrides', { ...ungraded, plannable_id: other.id }), 404);
    expect(ok(await as(teacher).post('/planner/overrides', { ...ungraded, plannable_id: other.id }), 201)).toMatchObject({
      workflow_state: 'unpublished',
    });
    ok(await as(scene.stranger).post('/planner/overrides', ungraded), 404);
    ok(await as(student).del(`/planner/overrides/${made.id}`));
  });

  test('a note links to a quiz', async () => {
    const { student, course } = scene;
    const note = { todo_date: inDays(5), course_id: course.id, linked_object_type: 'quiz', linked_object_id: graded.id };
    expect(ok(await as(student).post('/planner_notes', note), 201)).toMatchObject({
      title: 'Cells',
      linked_object_html_url: `https://carrel.test/courses/${course.id}/quizzes/${graded.id}`,
    });
  });

  test('a quiz for others, or in a module for others, is in no planner and no to-do list', async () => {
    const there = await aCourse(ground);
    const { course, teacher, student, student2 } = there;
    const only = await make({ title: 'For one', due_at: inDays(1), only_visible_to_overrides: true }, there);
    const override = { assignment_override: { student_ids: [student2.id], due_at: inDays(4) } };
    ok(await as(teacher).post(`/courses/${course.id}/assignments/${only.assignment_id}/overrides`, override), 201);
    const inModule = await make({ title: 'In a module', quiz_type: 'practice_quiz', due_at: inDays(1) }, there);
    const modules = `/courses/${course.id}/modules`;
    const { id } = ok(await as(teacher).post(modules, { module: { name: 'For one' } }));
    ok(await as(teacher).post(`${modules}/${id}/items`, { module_item: { type: 'Quiz', content_id: inModule.id } }));
    ok(await as(teacher).put(`${modules}/${id}`, { module: { published: true } }));
    ok(await as(teacher).put(`${modules}/${id}/assignment_overrides`, { overrides: [{ student_ids: [student2.id] }] }), 204);
    expect(await quizzes(student)).toEqual([]);
    expect(await quizzes(student2)).toEqual([inModule.id, only.id]);
    const todo = async (person: Person) => ok(await as(person).get('/users/self/todo', { include: ['ungraded_quizzes'] })).length;
    expect([await todo(student), await todo(student2)]).toEqual([0, 2]);
    ok(await as(student).post('/planner/overrides', { plannable_type: 'quiz', plannable_id: inModule.id }), 404);

    const soon = await make({ title: 'Graded, in the module', due_at: inDays(2) }, there);
    const late = await make({ title: 'Late, in the module', due_at: inDays(-2) }, there);
    for (const quiz of [soon, late])
      ok(await as(teacher).post(`${modules}/${id}/items`, { module_item: { type: 'Quiz', content_id: quiz.id, published: true } }));
    const both = [late.assignment_id, soon.assignment_id];
    const named = async (person: Person, path: string, query: Body = {}): Promise<number[]> => {
      const rows = ok(within(await as(person).get(path, { ...query, per_page: 50 }), 2)) as (Body & { assignment?: Body })[];
      return rows.map((one) => (one.assignment?.id ?? one.id) as number).filter((one) => both.includes(one));
    };
    const events = { type: 'assignment', all_events: true, context_codes: [`course_${course.id}`] };
    const lists: readonly [path: string, query: Body, seen: number[]][] = [
      [`/courses/${course.id}/assignments`, { order_by: 'due_at' }, both],
      ['/users/self/missing_submissions', {}, [late.assignment_id]],
      ['/users/self/todo', {}, both],
      ['/calendar_events', events, both],
    ];
    for (const [path, query, seen] of lists) {
      expect(await named(student, path, query), path).toEqual([]);
      expect(await named(student2, path, query), path).toEqual(seen);
    }
    const total = async (person: Person) => {
      const [{ grades }] = ok(within(await as(teacher).get(`/courses/${course.id}/enrollments`, { user_id: person.id }), 2));
      return grades.final_score;
    };
    expect([await total(student), await total(student2)], 'it counts for those who have it').toEqual([null, 0]);
    const expected = async (person: Person) => {
      const [row] = ok(within(await as(teacher).get(`/courses/${course.id}/analytics/student_summaries`, { student_id: person.id }), 2));
      return row.tardiness_breakdown;
    };
    expect(await expected(student)).toMatchObject({ missing: 0, total: 0 });
    expect(await expected(student2)).toMatchObject({ missing: 1 });
  });
});

describe('to-do lists', () => {
  interface Todo {
    readonly type: string;
    readonly assignment?: Body;
    readonly quiz?: Body;
  }
  const todo = async (person: Person, query: Body = {}, at = '/users/self/todo') =>
    (ok(within(await as(person).get(at, query), 2)) as Todo[]).map((one) => [one.type, (one.assignment ?? one.quiz)?.id]);
  const ungraded = { include: ['ungraded_quizzes'] };

  test('have graded quizzes as assignments, and others on request, until they are turned in', async () => {
    const { student, course } = scene;
    const [first, second] = ok(within(await as(student).get('/users/self/todo', ungraded), 2));
    expect(second).toMatchObject({
      type: 'submitting',
      assignment: { id: graded.assignment_id, quiz_id: graded.id, submission_types: ['online_quiz'] },
    });
    expect(first).toMatchObject({
      type: 'submitting',
      context_name: course.name,
      html_url: `https://carrel.test/courses/${course.id}/quizzes/${survey.id}#submit`,
      ignore: `https://carrel.test/api/v1/users/self/todo/quiz_${survey.id}/submitting?permanent=0`,
      quiz: { id: survey.id, title: 'Survey', permissions: { submit: true, update: false } },
    });
    expect(first).not.toHaveProperty('assignment');
    expect(await todo(student)).toEqual([['submitting', graded.assignment_id]]);
    const both = [
      ['submitting', survey.id],
      ['submitting', graded.assignment_id],
    ];
    expect(await todo(student, ungraded, `/courses/${course.id}/todo`)).toEqual(both);
    const paged = (await as(student).pages('/users/self/todo', { ...ungraded, per_page: 1 })) as Todo[];
    expect(paged.map((one) => (one.assignment ?? one.quiz)?.id)).toEqual([survey.id, graded.assignment_id]);
    const count = async (query: Body) =>
      ok(within(await as(student).get('/users/self/todo_item_count', query), 2)).assignments_needing_submitting;
    expect([await count({}), await count(ungraded)]).toEqual([1, 2]);
  });

  test('a survey that is ignored or turned in is no longer to do', async () => {
    const there = await aCourse(ground);
    const [one, two] = [
      await make({ quiz_type: 'survey', due_at: inDays(1) }, there),
      await make({ quiz_type: 'survey', due_at: inDays(2) }, there),
    ];
    const locked = await make({ quiz_type: 'survey', due_at: inDays(-2), lock_at: inDays(-1) }, there);
    await make({ quiz_type: 'survey', due_at: inDays(20) }, there);
    const { student, student2 } = there;
    expect(await todo(student, ungraded)).toEqual([
      ['submitting', one.id],
      ['submitting', two.id],
    ]);
    ok(await as(student).del(`/users/self/todo/quiz_${one.id}/submitting`));
    await take(two, student);
    expect(await todo(student, ungraded)).toEqual([]);
    expect((await todo(student2, ungraded)).map(([, id]) => id)).not.toContain(locked.id);
  });

  test('have the essays of quizzes for graders', async () => {
    const there = await aCourse(ground);
    const essay = await make({ title: 'Essay', due_at: inDays(3) }, there);
    const { student, teacher, course } = there;
    const submission = await take(essay, student);
    expect(await todo(student)).toEqual([]);
    const [item] = ok(within(await as(teacher).get(`/courses/${course.id}/todo`), 2));
    expect(item).toMatchObject({ type: 'grading', needs_grading_count: 1, assignment: { quiz_id: essay.id } });
    await grade(essay, submission, 3, there);
    expect(await todo(teacher)).toEqual([]);
  });
});

test('calendars and upcoming events have the assignment of a quiz on the date of the student', async () => {
  const { student, course } = scene;
  const asked = { type: 'assignment', all_events: true, context_codes: [`course_${course.id}`] };
  const events = ok(within(await as(student).get('/calendar_events', asked), 2));
  const expected = { id: `assignment_${graded.assignment_id}`, title: 'Cells', assignment: { quiz_id: graded.id } };
  expect(events).toMatchObject([expected]);
  expect(ok(within(await as(student).get('/users/self/upcoming_events'), 2))).toMatchObject([expected]);
});

test('a quiz that was not taken in time is a missing submission, with its mark in the planner', async () => {
  const there = await aCourse(ground);
  const late = await make({ title: 'Late', due_at: inDays(-1) }, there);
  const { student, student2 } = there;
  const mark = { plannable_type: 'quiz', plannable_id: late.id, dismissed: true };
  ok(await as(student).post('/planner/overrides', mark), 201);
  const missed = async (person: Person) =>
    ok(within(await as(person).get('/users/self/missing_submissions', { include: ['planner_overrides'] }), 2));
  expect(await missed(student)).toMatchObject([{ id: late.assignment_id, quiz_id: late.id, planner_override: { dismissed: true } }]);
  await take(late, student2);
  expect(await missed(student2)).toEqual([]);
});

test('a New Quiz is to do until it is taken, and missing after its due date; other tools are not', async () => {
  const { course, teacher, student, student2 } = await aCourse(ground);
  const at = `/api/quiz/v1/courses/${course.id}/quizzes`;
  const made = async (title: string, due_at: string) =>
    Number(ok(await as(teacher).post(at, { quiz: { title, due_at, points_possible: 4, published: true } })).id);
  const soon = await made('Soon', inDays(2));
  const late = await made('Late', inDays(-1));
  const tool = { submission_types: ['external_tool'], published: true, points_possible: 4 };
  for (const due_at of [inDays(2), inDays(-1)])
    ok(await as(teacher).post(`/courses/${course.id}/assignments`, { assignment: { name: 'Tool', due_at, ...tool } }), 201);
  const found = async (person: Person, path: string, query: Body = {}) =>
    (ok(within(await as(person).get(path, query), 2)) as Body[]).map((one) => ((one.assignment ?? one) as Body).id);
  const todo = (person: Person) => found(person, '/users/self/todo');
  const missing = (person: Person) => found(person, '/users/self/missing_submissions');
  const bucket = (person: Person, name: string) => found(person, `/courses/${course.id}/assignments`, { bucket: name, order_by: 'due_at' });
  expect(await todo(student)).toEqual([late, soon]);
  expect(ok(await as(student).get('/users/self/todo_item_count'))).toMatchObject({ assignments_needing_submitting: 2 });
  expect(await missing(student)).toEqual([late]);
  expect(await bucket(student, 'unsubmitted')).toEqual([late, soon]);
  expect(await bucket(student, 'overdue')).toEqual([late]);
  for (const quiz of [soon, late]) {
    const { id, attempt, validation_token } = ok(await as(student2).post(`${at}/${quiz}/sessions`));
    ok(await as(student2).post(`${at}/${quiz}/sessions/${id}/complete`, { attempt, validation_token }));
  }
  expect(await todo(student2)).toEqual([]);
  expect(await missing(student2)).toEqual([]);
  expect(await bucket(student2, 'overdue')).toEqual([]);
  expect(await bucket(student2, 'unsubmitted')).toEqual([]);
});

test('quizzes fulfil requirements of modules: viewed, submitted, with a minimum score, graded or not', async () => {
  const there = await aCourse(ground);
  const { course, teacher, student } = there;
  const modules = `/courses/${course.id}/modules`;
  const [viewed, submitted, scored, ofSurvey] = [
    await make({ title: 'Viewed' }, there),
    await make({ title: 'Submitted' }, there),
    await make({ title: 'Scored' }, there),
    await make({ title: 'Practice', quiz_type: 'practice_quiz' }, there),
  ];
  const { id } = ok(await as(teacher).post(modules, { module: { name: 'Quizzes' } }));
  const add = async (content_id: number, completion_requirement: object) =>
    ok(await as(teacher).post(`${modules}/${id}/items`, { module_item: { type: 'Quiz', content_id, completion_requirement } }));
  expect(await add(viewed.id, { type: 'must_view' })).toMatchObject({ type: 'Quiz', completion_requirement: { type: 'must_view' } });
  await add(submitted.id, { type: 'must_submit' });
  await add(scored.id, { type: 'min_score', min_score: 3 });
  await add(ofSurvey.id, { type: 'must_submit' });
  await add(ofSurvey.id, { type: 'min_score', min_score: 2 });
  ok(await as(teacher).put(`${modules}/${id}`, { module: { published: true } }));
  const done = async () =>
    (ok(await as(student).get(`${modules}/${id}/items`)) as { completion_requirement: { completed: boolean } }[]).map(
      (one) => one.completion_requirement.completed,
    );
  const state = async () => ok(await as(student).get(`${modules}/${id}`)).state;
  expect([await done(), await state()]).toEqual([[false, false, false, false, false], 'unlocked']);
  ok(await as(student).post(`${viewed.path}/submissions`));
  await take(submitted, student);
  expect([await done(), await state()]).toEqual([[true, true, false, false, false], 'started']);
  const low = await take(scored, student);
  await grade(scored, low, 2, there);
  expect((await done())[2]).toBe(false);
  await grade(scored, low, 3, there);
  expect((await done())[2]).toBe(true);
  const practice = await take(ofSurvey, student);
  expect(await done()).toEqual([true, true, true, true, false]);
  await grade(ofSurvey, practice, 4, there);
  expect([await done(), await state()]).toEqual([[true, true, true, true, true], 'completed']);

  const { student2 } = there;
  const [late] = ok(await as(student2).post(`${submitted.path}/submissions`)).quiz_submissions;
  await ground.endAttempt(late);
  const stored = async () => {
    const [progress] = await ground.db
      .select()
      .from(module_progressions)
      .where(and(eq(module_progressions.module_id, id), eq(module_progressions.user_id, student2.id)));
    return progress && [progress.state, progress.requirements_met.map(({ type }) => type)];
  };
  expect((await stored())?.[0]).not.toBe('started');
  await closeOverdueAttempts(open(env.DB, newMeter(), 'first-primary'), new Date().toISOString());
  expect(await stored(), 'no one has read the module since').toEqual(['started', ['must_submit']]);
});

test('no list tells a student the secrets of a quiz', async () => {
  const there = await aCourse(ground);
  const { course, teacher, student, student2, observer } = there;
  const admin = await ground.admin();
  const [channel] = ok(await as(student).get('/users/self/communication_channels'));
  for (const notification of ['assignment_created', 'assignment_changed', 'submission_graded']) {
    const preferences = `/users/self/communication_channels/${channel.id}/notification_preferences/${notification}`;
    ok(await as(student).put(preferences, { notification_preferences: { frequency: 'immediately' } }));
  }
  const given = { published: true, due_at: inDays(1), hide_results: 'always', description: '<p>Public</p>' };
  const modules = `/courses/${course.id}/modules`;
  const module = ok(await as(teacher).post(modules, { module: { name: 'Quizzes' } }));
  for (const quiz_type of ['assignment', 'survey']) {
    const quiz = ok(await as(teacher).post(`/courses/${course.id}/quizzes`, { quiz: { title: 'Everything', quiz_type, ...given } }));
    const path = `/courses/${course.id}/quizzes/${quiz.id}`;
    for (const question of questionsOfEveryType())
      ok(await as(teacher).post(`${path}/questions`, { question: { ...question, question_text: secretText('unseen question') } }));
    const [attempt] = ok(await as(student).post(`${path}/submissions`)).quiz_submissions;
    const { id, attempt: number, validation_token } = attempt;
    if (quiz_type === 'assignment') {
      ok(await as(student).post(`${path}/submissions/${id}/complete`, { attempt: number, validation_token }));
      const quiz_submissions = [{ attempt: number, fudge_points: 1 }];
      ok(await as(teacher).put(`${path}/submissions/${id}`, { quiz_submissions }));
    }
    ok(await as(teacher).put(path, { quiz: { access_code: secretText('code') } }));
    ok(await as(teacher).post(`${modules}/${module.id}/items`, { module_item: { type: 'Quiz', content_id: quiz.id } }));
  }
  ok(await as(teacher).put(`${modules}/${module.id}`, { module: { published: true } }));
  const lists: [string, Body?][] = [
    ['/planner/items'],
    ['/users/self/todo', { include: ['ungraded_quizzes'] }],
    [`/courses/${course.id}/todo`, { include: ['ungraded_quizzes'] }],
    ['/users/self/upcoming_events'],
    ['/calendar_events', { type: 'assignment', all_events: true, context_codes: [`course_${course.id}`] }],
    ['/users/self/missing_submissions'],
    [modules, { include: ['items', 'content_details'] }],
    ['/users/self/activity_stream'],
    [`/courses/${course.id}/activity_stream`],
    [`/courses/${course.id}/smartsearch`, { q: 'everything question secret' }],
    ['/search/recipients', { search: 'QUIZ' }],
    [`/courses/${course.id}/assignments`, { include: ['submission', 'all_dates'] }],
    [`/courses/${course.id}/students/submissions`, { include: ['submission_history', 'submission_comments'] }],
    ['/comm_messages', { user_id: student.id }],
    ['/conversations'],
    ['/api/sync/v1/changes'],
  ];
  let told = '';
  for (const [path, query] of lists)
    for (const person of [student, student2, observer]) {
      const answer = await as(person).get(path, query);
      expectNoQuizSecrets(answer, path);
      told += JSON.stringify(answer.body);
    }
  expect(told).toContain('Everything');
  await tick(env as Platform, Date.now() + 60_000);
  await tick(env as Platform, Date.now() + 120_000);
  const messages = await as(admin).get('/comm_messages', { user_id: student.id, per_page: 100 });
  expect(JSON.stringify(ok(messages))).toContain('Everything');
  expectNoQuizSecrets(messages, 'notifications');
});
