// The feed agrees with GET requests while quizzes are written, taken, moderated and graded, and has none of their secrets.

import { expect, test } from 'vitest';
import { as, ground } from '../support/api';
import { expectNoQuizSecrets, newQuizItemsOfEveryType, questionsOfEveryType, secretText } from '../support/quiz_secrets';
import { aWatchedCourse, wrote } from '../support/watched_course';

const later = '2098-01-01T12:00:00Z';

interface Attempt {
  readonly id: number;
  readonly attempt: number;
  readonly validation_token: string;
}

test('quizzes: their assignments, and the modules that show them', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
  const { at, teacher } = scene;
  const quizzes = `${at}/quizzes`;
  const quiz = wrote(await as(teacher).post(quizzes, { quiz: { title: 'Cells', published: true } }));
  const practice = wrote(await as(teacher).post(quizzes, { quiz: { title: 'Practice', quiz_type: 'practice_quiz', published: true } }));
  const module = wrote(await as(teacher).post(`${at}/modules`, { module: { name: 'Quizzes' } }));
  for (const { id } of [quiz, practice])
    wrote(await as(teacher).post(`${at}/modules/${module.id}/items`, { module_item: { type: 'Quiz', content_id: id } }));
  wrote(await as(teacher).put(`${at}/modules/${module.id}`, { module: { published: true } }));
  await scene.agree('a graded and a practice quiz in a module');
  expect(scene.seenBy('student').has(`quiz ${practice.id}`)).toBe(true);
  const seen = () => scene.seenBy('student').get(`assignment ${quiz.assignment_id}`);
  expect(seen()?.quiz_id).toBe(quiz.id);

  const question = { question_type: 'essay_question', points_possible: 3 };
  const first = wrote(await as(teacher).post(`${quizzes}/${quiz.id}/questions`, { question }));
  const second = wrote(await as(teacher).post(`${quizzes}/${practice.id}/questions`, { question }));
  await scene.agree('questions');
  expect(seen()?.points_possible).toBe(3);
  wrote(await as(teacher).put(`${quizzes}/${quiz.id}/questions/${first.id}`, { question: { points_possible: 5 } }));
  await scene.agree('other points');
  const [group] = wrote(
    await as(teacher).post(`${quizzes}/${quiz.id}/groups`, { quiz_groups: [{ name: 'Group', question_points: 7 }] }),
  ).quiz_groups;
  const [other] = wrote(await as(teacher).post(`${quizzes}/${quiz.id}/groups/new`, { quiz_groups: [{ name: 'Other' }] })).quiz_groups;
  wrote(await as(teacher).post(`${quizzes}/${quiz.id}/groups/${group.id}/reorder`, { order: [{ id: first.id }] }));
  await scene.agree('a group');
  expect(seen()?.points_possible).toBe(7);
  wrote(await as(teacher).put(`${quizzes}/${quiz.id}/groups/${group.id}`, { quiz_groups: [{ question_points: 2 }] }));
  await scene.agree('other points of the group');
  wrote(await as(teacher).post(`${quizzes}/${quiz.id}/reorder`, { order: [{ id: first.id, type: 'question' }] }));
  wrote(await as(teacher).del(`${quizzes}/${quiz.id}/groups/${other.id}`));
  await scene.agree('another order');
  wrote(await as(teacher).del(`${quizzes}/${practice.id}/questions/${second.id}`));
  wrote(await as(teacher).put(`${quizzes}/${quiz.id}`, { quiz: { title: 'Organs', due_at: later } }));
  wrote(await as(teacher).put(`${quizzes}/${practice.id}`, { quiz: { published: false } }));
  await scene.agree('a changed and an unpublished quiz');
  expect(seen()).toMatchObject({ name: 'Organs', due_at: later });
  wrote(await as(teacher).put(`${quizzes}/${quiz.id}`, { quiz: { quiz_type: 'survey' } }));
  await scene.agree('a survey has no assignment');
  wrote(await as(teacher).del(`${quizzes}/${quiz.id}`));
  await scene.agree('a deleted quiz');
  const assignment = { name: 'Tissues', submission_types: ['online_quiz'], published: true };
  const { quiz_id } = wrote(await as(teacher).post(`${at}/assignments`, { assignment }));
  await scene.agree('an assignment that is created as a quiz');
  expect(scene.seenBy('student').get(`quiz ${quiz_id}`)?.title).toBe('Tissues');
});

test('attempts: started, completed, graded, hidden and extended, each for its student', async () => {
  const scene = await aWatchedCourse(['teacher', 'ta', 'student', 'student2', 'observer', 'stranger']);
  const { at, teacher, student, student2 } = scene;
  const make = async (quiz: object) => wrote(await as(teacher).post(`${at}/quizzes`, { quiz: { published: true, ...quiz } }));
  const quiz = await make({ title: 'Cells', allowed_attempts: 2, time_limit: 30 });
  const survey = await make({ title: 'Survey', quiz_type: 'survey' });
  const [path, ofSurvey] = [`${at}/quizzes/${quiz.id}`, `${at}/quizzes/${survey.id}`];
  const question = { question_type: 'essay_question', points_possible: 3 };
  const essay = wrote(await as(teacher).post(`${path}/questions`, { question }));
  const seen = (part: 'student' | 'student2' | 'teacher', id: number) => scene.seenBy(part).get(`quiz_submission ${id}`);
  const start = async (of = path, person = student): Promise<Attempt> =>
    wrote(await as(person).post(`${of}/submissions`)).quiz_submissions[0] as Attempt;
  const complete = async ({ id, attempt, validation_token }: Attempt, of = path) =>
    wrote(await as(student).post(`${of}/submissions/${id}/complete`, { attempt, validation_token }));

  const attempt = await start();
  await scene.agree('a running attempt');
  expect(seen('student', attempt.id)).toMatchObject({ workflow_state: 'untaken', score: null, attempt: 1 });
  expect(seen('student', attempt.id)).not.toHaveProperty('validation_token');
  expect([seen('student2', attempt.id), seen('teacher', attempt.id)]).toEqual([undefined, undefined]);
  expect(scene.seenBy('teacher').get(`quiz ${quiz.id}`)?.can_unpublish).toBe(false);
  const { id, attempt: number, validation_token } = attempt;
  wrote(
    await as(student).post(`/quiz_submissions/${id}/questions`, {
      attempt: number,
      validation_token,
      quiz_questions: [{ id: essay.id, answer: 'Mine' }],
    }),
  );
  await complete(attempt);
  await scene.agree('an essay to be graded');
  expect(seen('student', id)?.workflow_state).toBe('pending_review');

  const graded = { quiz_submissions: [{ attempt: 1, questions: { [essay.id]: { score: 2, comment: 'Good' } } }] };
  wrote(await as(teacher).put(`${path}/submissions/${id}`, graded));
  await scene.agree('a graded attempt');
  expect(seen('student', id)).toMatchObject({ kept_score: 2, workflow_state: 'complete' });

  wrote(await as(teacher).put(path, { quiz: { hide_results: 'always' } }));
  await scene.agree('hidden results');
  expect(seen('student', id)).not.toHaveProperty('result_url');
  wrote(await as(teacher).put(path, { quiz: { allowed_attempts: 3 } }));
  await scene.agree('another attempt');
  expect(seen('student', id)?.attempts_left).toBe(2);

  wrote(await as(teacher).post(`${path}/extensions`, { quiz_extensions: [{ user_id: student2.id, extra_attempts: 2 }] }));
  wrote(
    await as(teacher).post(`${at}/quiz_extensions`, { quiz_extensions: [{ user_id: student.id, extra_time: 5, manually_unlocked: true }] }),
  );
  await scene.agree('extensions');
  wrote(await as(teacher).put(path, { quiz: { lock_at: '2020-01-01T00:00:00Z' } }));
  await scene.agree('a quiz that is locked for others');
  const isLocked = (part: 'student' | 'student2') => scene.seenBy(part).get(`quiz ${quiz.id}`)?.locked_for_user;
  expect([isLocked('student'), isLocked('student2')]).toEqual([false, true]);
  wrote(await as(teacher).post(`${path}/extensions`, { quiz_extensions: [{ user_id: student.id, manually_unlocked: false }] }));
  await scene.agree('locked again');
  expect(isLocked('student')).toBe(true);
  wrote(await as(teacher).put(path, { quiz: { lock_at: null } }));

  const second = await start();
  await ground.endAttempt(second);
  wrote(await as(teacher).post(`${path}/outstanding_quiz_submissions`, { quiz_submission_ids: [second.id] }));
  await scene.agree('an overdue attempt is closed');
  expect(seen('student', id)).toMatchObject({ attempt: 2, finished_at: expect.any(String) });

  const given = await start(ofSurvey);
  await scene.agree('a running survey');
  await complete(given, ofSurvey);
  await scene.agree('a survey that was turned in');
  wrote(
    await as(teacher).post(`${at}/assignments/${quiz.assignment_id}/overrides`, {
      assignment_override: { student_ids: [student2.id], due_at: later },
    }),
  );
  await scene.agree('another due date for one');
  expect(scene.seenBy('student2').get(`quiz ${quiz.id}`)?.due_at).toBe(later);
  wrote(await as(teacher).put(`${at}/assignments/${quiz.assignment_id}`, { assignment: { only_visible_to_overrides: true } }));
  await scene.agree('a quiz for others');
  expect(seen('student', id)).toBe(undefined);
  wrote(await as(teacher).put(`${at}/assignments/${quiz.assignment_id}`, { assignment: { only_visible_to_overrides: false } }));
  await scene.agree('a quiz for everyone');

  wrote(await as(teacher).put(`${at}/tabs/quizzes`, { hidden: true }));
  await scene.agree('a hidden tab');
  expect([scene.seenBy('student').has(`quiz ${quiz.id}`), scene.seenBy('teacher').has(`quiz ${quiz.id}`)]).toEqual([false, true]);
  wrote(await as(teacher).put(`${at}/tabs/quizzes`, { hidden: false }));
  await scene.agree('a tab that is shown');
});

test('sessions of New Quizzes: started, completed, scored, eased, hidden and deleted, each for its student', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'student2', 'observer', 'stranger']);
  const { at, course, teacher, student } = scene;
  const all = `/api/quiz/v1/courses/${course.id}`;
  const json = { json: true } as const;
  const settings = {
    has_time_limit: true,
    session_time_limit_in_seconds: 1800,
    multiple_attempts: {
      multiple_attempts_enabled: true,
      attempt_limit: true,
      max_attempts: 2,
      score_to_keep: 'latest',
      cooling_period: false,
    },
  };
  const items = newQuizItemsOfEveryType();
  const make = async (title: string, given: object = {}) => {
    const quiz = wrote(await as(teacher).post(`${all}/quizzes`, { quiz: { title, published: true, points_possible: 20, ...given } }));
    const path = `${all}/quizzes/${quiz.id}`;
    for (const item of items) wrote(await as(teacher).post(`${path}/items`, { item }, json));
    return { id: Number(quiz.id), path };
  };
  const quiz = await make('Cells', { quiz_settings: settings });
  const start = async ({ path }: { path: string }, person = student) => {
    const { id, attempt, validation_token } = wrote(await as(person).post(`${path}/sessions`));
    return { id: Number(id), attempt, validation_token } as Attempt;
  };
  const complete = async ({ path }: { path: string }, { id, ...work }: Attempt) =>
    wrote(await as(student).post(`${path}/sessions/${id}/complete`, work));
  const seen = (id: number, part: 'student' | 'student2' | 'teacher' | 'observer' = 'student') =>
    scene.seenBy(part).get(`new_quiz_session ${id}`);

  const { id, ...work } = await start(quiz);
  await scene.agree('a running session');
  expect(seen(id)).toMatchObject({ workflow_state: 'untaken', attempt: 1, score: null, item_count: items.length });
  for (const name of ['validation_token', 'time_left', 'position']) expect(seen(id)).not.toHaveProperty(name);
  for (const part of ['student2', 'teacher', 'observer'] as const) expect(seen(id, part)).toBe(undefined);
  const responses = [
    { position: 1, response: true },
    { position: 12, response: 'Mine' },
  ];
  wrote(await as(student).post(`${quiz.path}/sessions/${id}/responses`, { ...work, responses }, json));
  await scene.agree('a saved response');
  const feed = await as(student).get('/api/sync/v1/changes');
  expect(JSON.stringify(feed.body)).toContain('"kind":"new_quiz_session"');
  expect(JSON.stringify(feed.body)).not.toContain(work.validation_token);
  expectNoQuizSecrets(feed, 'the feed');
  const ease = async (path: string, given: object) =>
    wrote(await as(teacher).post(`${path}/accommodations`, [{ user_id: student.id, ...given }] as never, json));
  await ease(all, { extra_attempts: 3 });
  await scene.agree('more attempts in the course');
  expect(seen(id)).toMatchObject({ extra_attempts: 3, attempts_left: 4 });
  await ease(quiz.path, { extra_time: 5, extra_attempts: 1 });
  await scene.agree('more time in the quiz');
  expect(seen(id)).toMatchObject({ extra_time: 5, extra_attempts: 1 });

  await complete(quiz, { id, ...work });
  await scene.agree('a session that was turned in');
  expect(seen(id)).toMatchObject({ workflow_state: 'pending_review', score: 2 });
  const score = { attempt: 1, items: [{ position: 12, score: 1 }] };
  wrote(await as(teacher).put(`${quiz.path}/sessions/${id}`, score, json));
  await scene.agree('a scored session');
  expect(seen(id)).toMatchObject({ workflow_state: 'complete', score: 3, kept_score: 3 });
  const view = { result_view_restricted: true, display_points_awarded: false, display_points_possible: false };
  wrote(await as(teacher).patch(quiz.path, { quiz: { quiz_settings: { result_view_settings: view } } }));
  await scene.agree('hidden points');
  expect(seen(id)).toMatchObject({ score: null, kept_score: null, points_possible: null });
  wrote(await as(teacher).patch(quiz.path, { quiz: { quiz_settings: { result_view_settings: null } } }));
  await scene.agree('shown points');
  expect(seen(id)?.score).toBe(3);
  const again = await start(quiz);
  await scene.agree('a second attempt');
  expect(seen(again.id)).toMatchObject({ attempt: 2, workflow_state: 'untaken', score: null, kept_score: 3 });
  await complete(quiz, again);
  await scene.agree('two attempts');

  const unposted = await make('Hidden');
  wrote(await as(teacher).put(`${at}/assignments/${unposted.id}`, { assignment: { post_manually: true } }));
  const hidden = await start(unposted);
  await complete(unposted, hidden);
  await scene.agree('a score that is not posted');
  expect(seen(hidden.id)).toMatchObject({ score: null, kept_score: null });
  wrote(await as(teacher).post(`${all}/quizzes/${unposted.id}/sessions`, { preview: true }));
  await scene.agree('a preview of the teacher');

  wrote(await as(teacher).put(`${at}/assignments/${quiz.id}`, { assignment: { only_visible_to_overrides: true } }));
  await scene.agree('a quiz for others');
  expect(seen(id)).toBe(undefined);
  wrote(await as(teacher).put(`${at}/assignments/${quiz.id}`, { assignment: { only_visible_to_overrides: false } }));
  await scene.agree('a quiz for everyone');
  expect(seen(id)).toBeDefined();
  wrote(await as(teacher).del(quiz.path));
  await scene.agree('a deleted quiz');
  expect(seen(id)).toBe(undefined);
});

test('modules lock quizzes', async () => {
  const scene = await aWatchedCourse(['teacher', 'student', 'observer']);
  const { at, teacher, student } = scene;
  const make = async (quiz: object) => wrote(await as(teacher).post(`${at}/quizzes`, { quiz: { published: true, ...quiz } })).id;
  const ids: number[] = [await make({ title: 'Graded' }), await make({ title: 'Practice', quiz_type: 'practice_quiz' })];
  const page = wrote(await as(teacher).post(`${at}/pages`, { wiki_page: { title: 'First', body: 'x', published: true } }));
  const add = async (name: string, items: object[], given: object = {}) => {
    const { id } = wrote(await as(teacher).post(`${at}/modules`, { module: { name, ...given } }));
    for (const item of items) wrote(await as(teacher).post(`${at}/modules/${id}/items`, { module_item: item }));
    wrote(await as(teacher).put(`${at}/modules/${id}`, { module: { published: true } }));
    return id as number;
  };
  const before = await add('First', [{ type: 'Page', page_url: page.url, completion_requirement: { type: 'must_view' } }]);
  const quizItems = ids.map((content_id) => ({ type: 'Quiz', content_id }));
  const module = await add('Quizzes', quizItems, { prerequisite_module_ids: [before] });
  await scene.agree('quizzes behind a module');
  const locked = () => ids.map((id) => scene.seenBy('student').get(`quiz ${id}`)?.locked_for_user);
  expect(locked()).toEqual([true, true]);
  wrote(await as(student).get(`${at}/pages/${page.url}`));
  await scene.agree('the page was read');
  expect(locked()).toEqual([false, false]);
  wrote(await as(teacher).put(`${at}/modules/${module}`, { module: { unlock_at: later } }));
  await scene.agree('a module that unlocks later');
  expect(locked()).toEqual([true, true]);
});

test('the feed of a student has no keys, questions and codes, before and after an attempt', async () => {
  const scene = await aWatchedCourse(['student', 'observer']);
  const { at, teacher, student } = scene;
  const secrets = { access_code: secretText('code'), ip_filter: '10.0.0.0/8' };
  const quiz = wrote(await as(teacher).post(`${at}/quizzes`, { quiz: { title: 'Everything', published: true, hide_results: 'always' } }));
  const path = `${at}/quizzes/${quiz.id}`;
  for (const question of questionsOfEveryType())
    wrote(await as(teacher).post(`${path}/questions`, { question: { ...question, question_text: secretText('unseen') } }));
  const [attempt] = wrote(await as(student).post(`${path}/submissions`)).quiz_submissions as [Attempt];
  wrote(await as(teacher).put(path, { quiz: secrets }));
  const check = async () => {
    for (const reader of [student, scene.student2, scene.observer]) {
      const answer = await as(reader).get('/api/sync/v1/changes');
      expect(JSON.stringify(answer.body)).toContain('"kind":"quiz"');
      expectNoQuizSecrets(answer, 'the feed');
      expect(JSON.stringify(answer.body)).not.toContain(attempt.validation_token);
    }
  };
  await check();
  const { id, attempt: number, validation_token } = attempt;
  const asked = { attempt: number, validation_token, access_code: secrets.access_code };
  wrote(await as(teacher).put(path, { quiz: { ip_filter: null } }));
  wrote(await as(student).post(`${path}/submissions/${id}/complete`, asked));
  await check();
});
