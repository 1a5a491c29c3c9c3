// QTI packages, imported into a course.

import { env } from 'cloudflare:test';
import { writeManifest } from '@carrel/worker/cartridge/manifest';
import { bankExport, quizExport } from '@carrel/worker/cartridge/qti/package';
import type { QtiAssessment, QtiBank, QtiQuestion } from '@carrel/worker/cartridge/qti/types';
import { migrateContent } from '@carrel/worker/domains/content_migrations/job';
import { qtiStep } from '@carrel/worker/domains/content_migrations/qti/import_qti';
import { question_banks } from '@carrel/worker/domains/question_banks/table';
import { quiz_questions } from '@carrel/worker/domains/quiz_questions/table';
import type { Platform } from '@carrel/worker/platform';
import { and, eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { deliverStepsTwice } from '../support/delivered_twice';
import { aCourse, type BuiltCourse, type Person } from '../support/ground';
import { zipped } from '../support/sis';
import { sendContent } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Told = any;

const platform = env as unknown as Platform;
let teacher: Person;
let scene: Awaited<ReturnType<typeof aCourse>>;

beforeAll(async () => {
  scene = await aCourse(ground);
  teacher = scene.teacher;
});

const question = (identifier: string, question_text: string, more: Partial<QtiQuestion> = {}): QtiQuestion => ({
  identifier,
  question_name: identifier,
  question_type: 'multiple_choice_question',
  question_text,
  points_possible: 2,
  data: {
    answers: [
      { id: 11, text: 'right', weight: 100 },
      { id: 12, text: 'wrong', weight: 0 },
    ],
  },
  ...more,
});

const bank: QtiBank = {
  identifier: 'bank1',
  title: 'Packed bank',
  questions: [question('b1', '<p>In the bank</p>'), question('b2', 'Two')],
};
const quiz: QtiAssessment = {
  identifier: 'quiz1',
  title: 'Packed quiz',
  entries: [
    { question: question('q1', '<p onclick="x()">One</p>') },
    {
      group: {
        identifier: 'g1',
        name: 'Some',
        pick_count: 1,
        question_points: 3,
        questions: [question('q2', 'Two'), question('q3', 'Three')],
      },
    },
    { question: question('q4', 'Essay', { question_type: 'essay_question', data: { answers: [] } }) },
  ],
};
const drawing: QtiAssessment = {
  identifier: 'quiz2',
  title: 'Drawing quiz',
  entries: [
    {
      group: {
        identifier: 'g2',
        name: 'Drawn',
        pick_count: 1,
        question_points: 1,
        bank: { identifier: 'bank1', isExternal: false },
        questions: [],
      },
    },
    { reference: 'b2' },
    { reference: 'gone' },
  ],
};

/** A package as Canvas exports it. @param more further files */
function packed(
  quizzes: readonly QtiAssessment[],
  banks: readonly QtiBank[] = [],
  settings: object = {},
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const parts = [
    ...quizzes.map((one) =>
      quizExport(one, { identifier: one.identifier, title: one.title, quiz_type: 'assignment', available: true, ...settings }),
    ),
    ...banks.map(bankExport),
  ];
  const manifest = {
    identifier: 'm',
    title: 'Package',
    version: '1.1.0',
    items: [],
    resources: parts.flatMap(({ resources }) => resources),
  };
  return zipped({
    'imsmanifest.xml': writeManifest(manifest, '2026-11-23'),
    ...Object.fromEntries(parts.flatMap(({ files }) => files.map(({ path, content }) => [path, content]))),
    ...more,
  });
}

async function aTarget(): Promise<BuiltCourse> {
  const course = await ground.course({ name: 'Target' });
  await ground.enroll(course, teacher, 'teacher');
  return course;
}

const get = async (address: string): Promise<Told> => ok(within(await as(teacher).get(address), 2));

async function sent(target: BuiltCourse, bytes: Uint8Array, given: object = {}): Promise<string> {
  const at = `/courses/${target.id}/content_migrations`;
  const begun = ok(
    within(
      await as(teacher).post(at, {
        migration_type: 'qti_converter',
        pre_attachment: { name: 'quizzes.zip', size: bytes.length },
        ...given,
      }),
      3,
    ),
  );
  expect((await sendContent(begun.pre_attachment, bytes as never)).status).toBe(201);
  return `${at}/${begun.id}`;
}

async function ended(address: string): Promise<Told> {
  for (;;) {
    const it = await get(address);
    if (!['running', 'queued', 'pre_processing'].includes(it.workflow_state)) return it;
    await migrateContent({ job: 'content_migration', ids: [it.id] }, platform);
  }
}

const imported = async (target: BuiltCourse, bytes: Uint8Array, given: object = {}) => ended(await sent(target, bytes, given));
const quizzesIn = (target: BuiltCourse) => get(`/courses/${target.id}/quizzes?per_page=50`);
const issuesOf = async (target: BuiltCourse, { id }: Told) =>
  (await get(`/courses/${target.id}/content_migrations/${id}/migration_issues`)).map(
    ({ issue_type, description }: Told) => `${issue_type}: ${description}`,
  );
const banksOf = (target: BuiltCourse) =>
  ground.db
    .select()
    .from(question_banks)
    .where(and(eq(question_banks.context_id, target.id), eq(question_banks.context_type, 'Course')));

test('quizzes are imported with their questions, groups and settings', async () => {
  const target = await aTarget();
  const it = await imported(
    target,
    packed([quiz], [], { due_at: '2026-01-08T06:59:00Z', allowed_attempts: 3, description: '<p>Read <script>x</script></p>' }),
  );
  expect(it).toMatchObject({ workflow_state: 'completed', migration_type_title: 'QTI', migration_issues_count: 0 });
  const [made, ...others] = await quizzesIn(target);
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    title: 'Packed quiz',
    description: '<p>Read </p>',
    quiz_type: 'assignment',
    published: true,
    allowed_attempts: 3,
    due_at: '2026-01-08T06:59:00Z',
    question_count: 3,
    points_possible: 7,
  });
  expect(await get(`/courses/${target.id}/assignments/${made.assignment_id}`)).toMatchObject({
    name: 'Packed quiz',
    points_possible: 7,
    published: true,
    quiz_id: made.id,
    due_at: '2026-01-08T06:59:00Z',
  });
  const questions = await get(`/courses/${target.id}/quizzes/${made.id}/questions?per_page=50`);
  expect(questions.map((one: Told) => [one.question_name, one.question_type, one.quiz_group_id !== null])).toEqual([
    ['q1', 'multiple_choice_question', false],
    ['q2', 'multiple_choice_question', true],
    ['q3', 'multiple_choice_question', true],
    ['q4', 'essay_question', false],
  ]);
  expect(questions[0]).toMatchObject({ question_text: '<p>One</p>', points_possible: 2 });
  expect(questions[0].answers.map(({ text, weight }: Told) => [text, weight])).toEqual([
    ['right', 100],
    ['wrong', 0],
  ]);
  const [group] = [questions[1].quiz_group_id];
  expect(await get(`/courses/${target.id}/quizzes/${made.id}/groups/${group}`)).toMatchObject({
    name: 'Some',
    pick_count: 1,
    question_points: 3,
  });
  const started = await as(teacher).post(`/courses/${target.id}/quizzes/${made.id}/submissions?preview=1`);
  expect(ok(started).quiz_submissions).toMatchObject([{ workflow_state: 'preview' }]);
});

test('a wrong choice costs what the package says, also after an edit', async () => {
  const target = await aTarget();
  const { student } = scene;
  await ground.enroll(target, student, 'student');
  const answers = [1, 2, 3, 4].map((id) => ({ id, text: `Choice ${id}`, weight: id < 3 ? 100 : 0 }));
  const several = question('q1', 'Which?', { question_type: 'multiple_answers_question', data: { answers, incorrect_dock: 0.25 } });
  await imported(target, packed([{ identifier: 'quiz1', title: 'Docked', entries: [{ question: several }] }]));
  const [made] = await quizzesIn(target);
  const at = `/courses/${target.id}/quizzes/${made.id}`;
  const [asked] = await get(`${at}/questions`);
  ok(await as(teacher).put(`${at}/questions/${asked.id}`, { question: { question_text: 'Which of them?' } }));
  const [attempt] = ok(await as(student).post(`${at}/submissions`)).quiz_submissions;
  const work = { attempt: attempt.attempt, validation_token: attempt.validation_token };
  const [right, , wrong] = asked.answers.map(({ id }: Told) => id);
  const quiz_questions = [{ id: asked.id, answer: [right, wrong] }];
  ok(await as(student).post(`/quiz_submissions/${attempt.id}/questions`, { ...work, quiz_questions }));
  const done = ok(await as(student).post(`${at}/submissions/${attempt.id}/complete`, work));
  // Half of two points, less a quarter.
  expect(done.quiz_submissions).toMatchObject([{ score: 0.75, workflow_state: 'complete' }]);
});

test('banks are imported before the quizzes that draw from them; what is missing is reported', async () => {
  const target = await aTarget();
  const it = await imported(target, packed([drawing], [bank]));
  expect(it.workflow_state).toBe('completed');
  expect(await issuesOf(target, it)).toEqual([
    'warning: A question of the quiz Drawing quiz is in a question bank that the package does not have.',
  ]);
  const [made] = await banksOf(target);
  expect(made).toMatchObject({ title: 'Packed bank', workflow_state: 'active' });
  const inBank = await ground.db
    .select()
    .from(quiz_questions)
    .where(eq(quiz_questions.question_bank_id, made?.id ?? 0));
  expect(inBank.map(({ question_name, quiz_id }) => [question_name, quiz_id])).toEqual([
    ['b1', null],
    ['b2', null],
  ]);
  const [drawn] = await quizzesIn(target);
  expect(drawn).toMatchObject({ title: 'Drawing quiz', question_count: 2, points_possible: 3 });
  const questions = await get(`/courses/${target.id}/quizzes/${drawn.id}/questions`);
  expect(questions.map(({ question_name }: Told) => question_name)).toEqual(['b2']);
});

test('a repeated import makes copies, or replaces the quiz with its place in a module', async () => {
  const target = await aTarget();
  await imported(target, packed([quiz]));
  await imported(target, packed([quiz]));
  const both = await quizzesIn(target);
  expect(both.map(({ title }: Told) => title)).toEqual(['Packed quiz', 'Packed quiz']);
  const module = ok(await as(teacher).post(`/courses/${target.id}/modules`, { module: { name: 'One' } }));
  const newest = Math.max(...both.map(({ id }: Told) => id));
  ok(await as(teacher).post(`/courses/${target.id}/modules/${module.id}/items`, { module_item: { type: 'Quiz', content_id: newest } }));
  await imported(target, packed([{ ...quiz, title: 'Changed' }], [], { title: 'Changed' }), { settings: { overwrite_quizzes: true } });
  const after = await quizzesIn(target);
  expect(after.map(({ title }: Told) => title).sort()).toEqual(['Changed', 'Packed quiz']);
  const changed = after.find(({ title }: Told) => title === 'Changed');
  const items = await get(`/courses/${target.id}/modules/${module.id}/items`);
  expect(items.map(({ type, content_id }: Told) => [type, content_id])).toEqual([['Quiz', changed.id]]);
  expect(await get(`/courses/${target.id}/assignments`)).toHaveLength(2);
});

test('loose questions go into the bank that is named; dates are shifted, and quizzes put into a module and a group', async () => {
  const target = await aTarget();
  const item = `<item ident="l1" title="Loose"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>essay_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material><mattext texttype="text/html">Why?</mattext></material></presentation></item>`;
  const loose = zipped({
    'questions.xml': `<?xml version="1.0"?><questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">${item}</questestinterop>`,
  });
  for (const settings of [{ question_bank_name: 'Mine' }, { question_bank_name: 'Mine' }, {}])
    expect((await imported(target, loose, { settings })).workflow_state).toBe('completed');
  const banks = await banksOf(target);
  expect(banks.map(({ title }) => title)).toEqual(['Mine', 'Unfiled Questions']);
  const own = await ground.questionBank('Course', target, { title: 'Own' });
  await imported(target, loose, { settings: { question_bank_id: own } });
  const counts = await Promise.all(
    [...banks.map(({ id }) => id), own].map((id) => ground.db.select().from(quiz_questions).where(eq(quiz_questions.question_bank_id, id))),
  );
  expect(counts.map(({ length }) => length)).toEqual([2, 1, 1]);
  const other = await ground.questionBank('Course', scene.course, { title: 'Elsewhere' });
  const at = `/courses/${target.id}/content_migrations`;
  const post = (given: object) => as(teacher).post(at, { migration_type: 'qti_converter', pre_attachment: { name: 'a.zip' }, ...given });
  ok(await post({ settings: { question_bank_id: other } }), 400);
  ok(await as(teacher).post(at, { migration_type: 'qti_converter' }), 400);
  ok(await as(scene.student).post(`/courses/${scene.course.id}/content_migrations`, { migration_type: 'qti_converter' }), 401);

  const module = ok(await as(teacher).post(`/courses/${target.id}/modules`, { module: { name: 'One' } }));
  const group = ok(await as(teacher).post(`/courses/${target.id}/assignment_groups`, { name: 'Imported' }));
  await imported(target, packed([quiz], [], { due_at: '2026-01-08T06:59:00Z' }), {
    settings: { insert_into_module_id: module.id, move_to_assignment_group_id: group.id },
    date_shift_options: {
      shift_dates: true,
      old_start_date: '2026-01-05',
      old_end_date: '2026-05-25',
      new_start_date: '2026-08-31',
      new_end_date: '2027-01-18',
      time_zone: 'America/Denver',
    },
  });
  const [made] = await quizzesIn(target);
  expect(made.due_at).toBe('2026-09-03T05:59:00Z');
  expect(await get(`/courses/${target.id}/assignments/${made.assignment_id}`)).toMatchObject({ assignment_group_id: group.id });
  const items = await get(`/courses/${target.id}/modules/${module.id}/items`);
  expect(items.map(({ content_id }: Told) => content_id)).toEqual([made.id]);
});

test('a document that cannot be read is reported and the others are imported; a package without any fails', async () => {
  const target = await aTarget();
  const broken = { 'non_cc_assessments/broken.xml.qti': '<questestinterop><assessment>' };
  const it = await imported(target, packed([quiz], [], {}, broken));
  expect(it.workflow_state).toBe('completed');
  const [issue, ...more] = await issuesOf(target, it);
  expect(more).toEqual([]);
  expect(issue).toMatch(/^error: non_cc_assessments\/broken\.xml\.qti could not be read/);
  expect(await quizzesIn(target)).toHaveLength(1);
  for (const bytes of [zipped({ 'readme.txt': 'x' }), zipped({ 'imsmanifest.xml': '<manifest' }), zipped({ '../a.xml': 'x' })]) {
    const failed = await imported(target, bytes);
    expect(failed).toMatchObject({ workflow_state: 'failed', migration_issues_count: 1 });
  }
  const entity = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><questestinterop>&a;</questestinterop>';
  const refused = await imported(target, zipped({ 'quiz.xml': entity }));
  expect((await issuesOf(target, refused))[0]).toMatch(/^error: quiz\.xml could not be read/);
  expect(await quizzesIn(target)).toHaveLength(1);
});

test('an import that fails half-way says what it has added, and another one completes it', async () => {
  const target = await aTarget();
  const bytes = packed([quiz, drawing], [bank]);
  await env.DB.exec(
    `create trigger boom before insert on quizzes when new.title = 'Drawing quiz' and new.course_id = ${target.id} begin select raise(abort, 'boom'); end`,
  );
  const address = await sent(target, bytes);
  const { id } = await get(address);
  for (let state = ''; state !== 'failed'; state = (await get(address)).workflow_state)
    await migrateContent({ job: 'content_migration', ids: [id] }, platform).catch(() => {});
  await env.DB.exec('drop trigger boom');
  const [reason, added] = await issuesOf(target, await get(address));
  expect(reason).toBe('error: The content could not be imported.');
  expect(added).toMatch(/^error: The import stopped before its end. It has added or changed: .*1 question bank.*1 quiz\b.*Another import/);
  expect((await quizzesIn(target)).map(({ title }: Told) => title)).toEqual(['Packed quiz']);
  expect((await imported(target, bytes, { settings: { overwrite_quizzes: true } })).workflow_state).toBe('completed');
  expect((await quizzesIn(target)).map(({ title }: Told) => title).sort()).toEqual(['Drawing quiz', 'Packed quiz']);
});

test('an import interrupted after every step, with every message delivered twice, imports everything once', async () => {
  const target = await aTarget();
  const address = await sent(target, packed([quiz, drawing], [bank]));
  const { id } = await get(address);
  await deliverStepsTwice(id, qtiStep);
  expect((await ended(address)).workflow_state).toBe('completed');
  expect((await quizzesIn(target)).map(({ title }: Told) => title).sort()).toEqual(['Drawing quiz', 'Packed quiz']);
  expect(await banksOf(target)).toHaveLength(1);
});
