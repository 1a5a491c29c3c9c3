// Outcomes that quizzes and live assessments assess: alignments of question banks, results of attempts, and checks during a lesson.

import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { aCourse, type Person } from '../support/ground';

type Body = Record<string, unknown>;
interface Scene extends Awaited<ReturnType<typeof aCourse>> {
  readonly at: string;
  readonly outcome: number;
  /** Of the course, and aligned with the outcome. */
  readonly banks: readonly [number, number];
  /** The question of the first bank. */
  readonly copied: number;
}
let scene: Scene;

/** A choice between 1, which is right, and 2. */
const question = (points_possible: number, more: Body = {}) => ({
  question_name: 'Choice',
  question_type: 'multiple_choice_question',
  question_text: 'Which?',
  points_possible,
  data: {
    answers: [
      { id: 1, weight: 100, text: 'Yes' },
      { id: 2, weight: 0, text: 'No' },
    ],
  },
  ...more,
});

beforeAll(async () => {
  const base = await aCourse(ground);
  const { teacher, course } = base;
  const at = `/courses/${course.id}`;
  const [root] = ok(await as(teacher).get(`${at}/outcome_groups`));
  const { outcome } = ok(
    await as(teacher).post(`${at}/outcome_groups/${root.id}/outcomes`, {
      title: 'Adds',
      ratings: [{ points: 4 }, { points: 2 }, { points: 0 }],
      mastery_points: 2,
      calculation_method: 'average',
    }),
  );
  const banks = [await ground.questionBank('Course', course), await ground.questionBank('Course', course)] as const;
  const copied = await ground.bankQuestion(banks[0], question(2) as never);
  await ground.bankQuestion(banks[1], question(6) as never);
  for (const bank of banks)
    ok(await as(teacher).put(`${at}/question_banks/${bank}/outcome_alignments`, { alignments: [{ learning_outcome_id: outcome.id }] }));
  scene = { ...base, at, outcome: outcome.id, banks, copied };
});

/** A published quiz that draws from the banks. */
async function aQuiz(banks: readonly (readonly [bank: number, points: number])[], given: Body = {}) {
  const { at, teacher } = scene;
  const quiz = ok(
    await as(teacher).post(`${at}/quizzes`, { quiz: { title: 'Sums', quiz_type: 'assignment', allowed_attempts: 3, ...given } }),
  );
  for (const [bank, question_points] of banks)
    ok(
      await as(teacher).post(`${at}/quizzes/${quiz.id}/groups`, {
        quiz_groups: [{ name: 'Drawn', pick_count: 1, question_points, assessment_question_bank_id: bank }],
      }),
      201,
    );
  const { assignment_id } = ok(await as(teacher).put(`${at}/quizzes/${quiz.id}`, { quiz: { published: true } }));
  return { id: quiz.id as number, assignment_id: assignment_id as number, path: `${at}/quizzes/${quiz.id}` };
}
type Quiz = Awaited<ReturnType<typeof aQuiz>>;

interface Asked {
  readonly id: number;
}
/** Takes the quiz, with an answer for each question in the order of the groups. */
async function take(quiz: Quiz, person: Person, answers: readonly (number | string)[]) {
  const [{ id, attempt, validation_token }] = ok(await as(person).post(`${quiz.path}/submissions`, {})).quiz_submissions;
  const asked: Asked[] = ok(await as(person).get(`/quiz_submissions/${id}/questions`)).quiz_submission_questions;
  const quiz_questions = answers.map((answer, at) => ({ id: asked[at]?.id, answer }));
  ok(await as(person).post(`/quiz_submissions/${id}/questions`, { attempt, validation_token, quiz_questions }));
  ok(within(await as(person).post(`${quiz.path}/submissions/${id}/complete`, { attempt, validation_token }), 3));
  return { id: id as number, attempt: attempt as number, asked };
}

interface Result {
  readonly score: number;
  readonly links: { readonly user: string; readonly alignment: string; readonly assignment: string | null };
}
const resultsOf = async (by: Person, person: Person, query = '') =>
  ok(within(await as(by).get(`${scene.at}/outcome_results?user_ids[]=${person.id}${query}`), 2)).outcome_results as Result[];
const ofQuiz = (results: readonly Result[], quiz: Quiz) => results.filter(({ links }) => links.alignment === `quiz_${quiz.id}`);

async function newStudent(): Promise<Person> {
  const person = await ground.person();
  await ground.enroll(scene.course, person, 'student');
  return person;
}

test('completing a quiz writes a result for each aligned bank, and a later attempt replaces it', async () => {
  const { at, teacher, outcome, banks } = scene;
  const student = await newStudent();
  const quiz = await aQuiz([
    [banks[0], 1],
    [banks[1], 3],
  ]);
  await take(quiz, student, [1, 2]);
  const first = ofQuiz(await resultsOf(teacher, student), quiz);
  expect(first).toMatchObject([
    {
      score: 1,
      possible: 1,
      percent: 1,
      mastery: true,
      links: {
        user: String(student.id),
        learning_outcome: String(outcome),
        alignment: `quiz_${quiz.id}`,
        assignment: `assignment_${quiz.assignment_id}`,
      },
    },
    { score: 0, possible: 3, percent: 0, mastery: false },
  ]);
  const rollup = async () => ok(within(await as(teacher).get(`${at}/outcome_rollups?user_ids[]=${student.id}`), 2)).rollups[0].scores;
  // One assessment, by the weight of its points: a quarter of four.
  expect(await rollup()).toMatchObject([{ score: 1, count: 1, title: 'Sums' }]);
  await take(quiz, student, [2, 1]);
  const second = ofQuiz(await resultsOf(teacher, student), quiz);
  expect(second).toMatchObject([
    { score: 0, mastery: false },
    { score: 3, mastery: true },
  ]);
  expect(await rollup()).toMatchObject([{ score: 3, count: 1 }]);

  // Students see their own.
  expect(ofQuiz(await resultsOf(student, student), quiz)).toHaveLength(2);
  expect(ok(await as(student).get(`${at}/outcome_alignments?student_id=${student.id}`))).toContainEqual({
    learning_outcome_id: outcome,
    title: 'Sums',
    assignment_id: quiz.assignment_id,
    assessment_id: quiz.id,
    submission_types: 'online_quiz',
    url: `/courses/${scene.course.id}/quizzes/${quiz.id}`,
  });
  const contributing = ok(within(await as(teacher).get(`${at}/outcomes/${outcome}/contributing_scores?user_ids[]=${student.id}`), 2));
  expect(contributing.alignments).toMatchObject([{ alignment_id: `quiz_${quiz.id}`, associated_asset_type: 'Quiz' }]);
  const onlyAssignments = `${at}/outcomes/${outcome}/contributing_scores?user_ids[]=${student.id}&only_assignment_alignments=true`;
  expect(ok(await as(teacher).get(onlyAssignments)).scores).toEqual([]);
  const linked = ok(
    await as(teacher).get(`${at}/outcome_results?user_ids[]=${student.id}&include[]=alignments&include[]=assignments`),
  ).linked;
  expect(linked).toEqual({
    alignments: [{ id: `quiz_${quiz.id}`, name: 'Sums', html_url: `${at}/quizzes/${quiz.id}` }],
    assignments: [],
  });

  // A quiz that hides its results hides these, too; grades that are not posted are hidden, and what is unpublished is gone.
  ok(await as(teacher).put(quiz.path, { quiz: { hide_results: 'always' } }));
  expect(ofQuiz(await resultsOf(student, student), quiz)).toEqual([]);
  expect(ofQuiz(await resultsOf(teacher, student), quiz)).toHaveLength(2);
});

test('essays delay a result until they are scored, previews and surveys write none, and changed scores change it', async () => {
  const { teacher, banks, at } = scene;
  const student = await newStudent();
  const bank = await ground.questionBank('Course', scene.course);
  const alignments = [{ learning_outcome_id: scene.outcome, mastery_score: 0.9 }];
  const aligned = ok(within(await as(teacher).put(`${at}/question_banks/${bank}/outcome_alignments`, { alignments }), 3));
  expect(aligned).toEqual([{ learning_outcome_id: scene.outcome, title: 'Adds', mastery_score: 0.9 }]);
  await ground.bankQuestion(bank, question(5, { question_type: 'essay_question', data: { answers: [] } }) as never);
  const quiz = await aQuiz([[bank, 5]]);
  const { id, attempt, asked } = await take(quiz, student, ['Because it adds up.']);
  expect(ofQuiz(await resultsOf(teacher, student, '&include_hidden=true'), quiz)).toEqual([]);
  const scored = (score: number) =>
    as(teacher).put(`${quiz.path}/submissions/${id}`, { quiz_submissions: [{ attempt, questions: { [asked[0]?.id ?? 0]: { score } } }] });
  ok(within(await scored(4), 3));
  expect(ofQuiz(await resultsOf(teacher, student, '&include_hidden=true'), quiz)).toMatchObject([
    { score: 4, possible: 5, mastery: false },
  ]);
  ok(await scored(5));
  expect(ofQuiz(await resultsOf(teacher, student, '&include_hidden=true'), quiz)).toMatchObject([{ score: 5, mastery: true }]);

  const survey = await aQuiz([[banks[0], 1]], { quiz_type: 'graded_survey' });
  await take(survey, student, [1]);
  expect(ofQuiz(await resultsOf(teacher, student, '&include_hidden=true'), survey)).toEqual([]);
  const practice = await aQuiz([[banks[0], 1]], { quiz_type: 'practice_quiz' });
  await take(practice, student, [1]);
  expect(ofQuiz(await resultsOf(student, student), practice)).toMatchObject([{ score: 1, links: { assignment: null } }]);
  const preview = ok(await as(teacher).post(`${practice.path}/submissions`, { preview: true })).quiz_submissions[0];
  ok(
    await as(teacher).post(`${practice.path}/submissions/${preview.id}/complete`, {
      attempt: preview.attempt,
      validation_token: preview.validation_token,
    }),
  );
  expect(
    ok(await as(teacher).get(`${at}/outcome_results?per_page=100`)).outcome_results.filter(
      (one: Result) => one.links.user === String(teacher.id),
    ),
  ).toEqual([]);
});

test('questions that were copied from a bank count, and the rubric of a quiz has results of its own', async () => {
  const { at, teacher, banks, outcome } = scene;
  const student = await newStudent();
  const quiz = ok(await as(teacher).post(`${at}/quizzes`, { quiz: { title: 'Copied', quiz_type: 'assignment' } }));
  const path = `${at}/quizzes/${quiz.id}`;
  const copied = scene.copied;
  ok(
    await as(teacher).post(`${path}/questions`, {
      existing_questions: true,
      assessment_question_bank_id: banks[0],
      assessment_questions_ids: String(copied),
    }),
  );
  const { assignment_id } = ok(await as(teacher).put(path, { quiz: { published: true } }));
  await take({ id: quiz.id, assignment_id, path }, student, [1]);
  expect(ofQuiz(await resultsOf(teacher, student), { id: quiz.id, assignment_id, path })).toMatchObject([{ score: 2, possible: 2 }]);

  const { rubric, rubric_association } = ok(
    await as(teacher).post(`${at}/rubrics`, {
      rubric: { title: 'Quiz', criteria: [{ description: 'Adds', learning_outcome_id: outcome, ratings: [{ points: 4 }, { points: 0 }] }] },
      rubric_association: { association_id: assignment_id, association_type: 'Assignment', purpose: 'grading' },
    }),
  );
  ok(
    await as(teacher).post(`${at}/rubric_associations/${rubric_association.id}/rubric_assessments`, {
      rubric_assessment: { user_id: student.id, assessment_type: 'grading', [`criterion_${rubric.data[0].id}`]: { points: 3 } },
    }),
  );
  const both = await resultsOf(teacher, student);
  expect(both.map(({ links, score }) => [links.alignment, links.assignment, score])).toEqual([
    [`quiz_${quiz.id}`, `assignment_${assignment_id}`, 2],
    [`assignment_${assignment_id}`, `assignment_${assignment_id}`, 3],
  ]);
});

test('who manages outcomes aligns banks with outcomes of the context, and a needed outcome stays', async () => {
  const { at, teacher, student, course, banks, outcome } = scene;
  const path = `${at}/question_banks/${banks[0]}/outcome_alignments`;
  expect(ok(within(await as(teacher).get(path), 2))).toEqual([{ learning_outcome_id: outcome, title: 'Adds', mastery_score: null }]);
  for (const method of ['get', 'put'] as const) ok(await as(student)[method](path, {}), 401);
  const other = await aCourse(ground);
  ok(await as(other.teacher).get(`/courses/${other.course.id}/question_banks/${banks[0]}/outcome_alignments`), 404);
  const [theirRoot] = ok(await as(other.teacher).get(`/courses/${other.course.id}/outcome_groups`));
  const theirs = ok(
    await as(other.teacher).post(`/courses/${other.course.id}/outcome_groups/${theirRoot.id}/outcomes`, { title: 'Theirs' }),
  );
  for (const alignments of [
    [{ learning_outcome_id: theirs.outcome.id }],
    [{ learning_outcome_id: outcome }, { learning_outcome_id: outcome }],
    [{ learning_outcome_id: outcome, mastery_score: 1.5 }],
  ])
    ok(await as(teacher).put(path, { alignments }), 400);
  const [link] = ok(await as(teacher).get(`${at}/outcome_group_links`));
  expect(link.can_unlink).toBe(false);
  ok(await as(teacher).del(link.url), 400);

  const admin = await ground.admin();
  const bank = await ground.questionBank('Account', { id: 1 });
  const there = `/accounts/1/question_banks/${bank}/outcome_alignments`;
  const top = await as(admin).get('/accounts/1/root_outcome_group');
  const made = ok(
    await as(admin).post(`${(top.headers.get('location') ?? '').replace(/^.*\/api\/v1/, '')}/outcomes`, { title: 'Institution' }),
  );
  ok(within(await as(admin).put(there, { alignments: [{ learning_outcome_id: made.outcome.id }] }), 3));
  expect(ok(within(await as(admin).get(there), 2))).toMatchObject([{ title: 'Institution' }]);
  expect(ok(await as(admin).put(there, {}))).toHaveLength(1);
  expect(ok(await as(admin).put(there, { alignments: [] }))).toEqual([]);
  ok(await as(teacher).get(there), 401);
  expect(course.id).toBeGreaterThan(0);
});

test('a teacher checks students in a live assessment, and its outcome gets the share that they have passed', async () => {
  const { at, teacher, student, outcome, stranger } = scene;
  const learner = await newStudent();
  const live = `${at}/live_assessments`;
  const assessments = [
    { key: 'lesson-1', title: 'Lesson 1', links: { outcome } },
    { key: 'lesson-2', title: 'Lesson 2' },
  ];
  const made = ok(within(await as(teacher).post(live, { assessments }), 3));
  expect(made).toEqual({
    assessments: [
      { id: expect.stringMatching(/^\d+$/), key: 'lesson-1', title: 'Lesson 1' },
      { id: expect.any(String), key: 'lesson-2', title: 'Lesson 2' },
    ],
  });
  // Found by its key.
  expect(ok(await as(teacher).post(live, { assessments: [{ key: 'lesson-1', title: 'Again' }] })).assessments).toEqual([
    made.assessments[0],
  ]);
  expect(ok(within(await as(teacher).get(`${live}?per_page=1`), 2))).toEqual({
    links: { 'assessments.results': expect.stringMatching(/\/live_assessments\/\{assessments\.id\}\/results$/) },
    assessments: [made.assessments[0]],
    meta: {},
  });
  const results = `${live}/${made.assessments[0].id}/results`;
  const check = (passed: boolean, person: Person, assessed_at: string) => ({ passed, assessed_at, links: { user: person.id } });
  const added = ok(
    within(
      await as(teacher).post(results, {
        results: [
          check(true, learner, '2026-09-01T08:00:00Z'),
          check(false, learner, '2026-09-02T08:00:00Z'),
          check(true, student, '2026-09-01T08:00:00Z'),
        ],
      }),
      3,
    ),
  );
  expect(added.results).toHaveLength(3);
  expect(added.results[0]).toEqual({
    id: expect.any(String),
    passed: true,
    assessed_at: '2026-09-01T08:00:00Z',
    links: { user: String(learner.id), assessor: String(teacher.id), assessment: made.assessments[0].id },
  });
  const alignment = `live_assessment_${made.assessments[0].id}`;
  const half = (await resultsOf(learner, learner)).find(({ links }) => links.alignment === alignment);
  expect(half).toMatchObject({
    score: 2,
    possible: 4,
    percent: 0.5,
    mastery: true,
    submitted_or_assessed_at: '2026-09-02T08:00:00Z',
    links: { assignment: null },
  });
  ok(await as(teacher).post(results, { results: [{ passed: false, links: { user: learner.id } }] }));
  const third = (await resultsOf(learner, learner)).find(({ links }) => links.alignment === alignment);
  expect(third).toMatchObject({ percent: 0.3333, mastery: false });
  expect(ok(within(await as(teacher).get(`${results}?user_id=${learner.id}`), 2)).results).toHaveLength(3);
  expect(ok(await as(teacher).get(results))).toMatchObject({ results: [{}, {}, {}, {}], meta: {} });

  for (const [path, body] of [
    [live, {}],
    [live, { assessments: [{ title: 'No key' }] }],
    [live, { assessments: [{ key: 'no title' }] }],
    [live, { assessments: [{ key: 'x', title: 'x', links: { outcome: 99_999_999 } }] }],
    [results, {}],
    [results, { results: [{ passed: true }] }],
    [results, { results: [{ links: { user: learner.id } }] }],
    [results, { results: [{ passed: true, links: { user: stranger.id } }] }],
  ] as const)
    expect(ok(await as(teacher).post(path, body), 400)).toMatchObject({ status: 'bad_request', message: expect.any(String) });
  for (const path of [live, results]) {
    ok(await as(student).get(path), 401);
    ok(await as(student).post(path, {}), 401);
  }
  const other = await aCourse(ground);
  const elsewhere = `/courses/${other.course.id}/live_assessments/${made.assessments[0].id}/results`;
  ok(await as(other.teacher).get(elsewhere), 404);
  ok(await as(other.teacher).post(elsewhere, { results: [{ passed: true, links: { user: other.student.id } }] }), 404);
});
