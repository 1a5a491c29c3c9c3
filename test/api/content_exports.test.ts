// Content exports: quizzes as QTI packages, and files as zip archives; courses are in cartridges.test.ts.

import { env, SELF } from 'cloudflare:test';
import { readManifest } from '@carrel/worker/cartridge/manifest';
import { qtiDocumentsOf } from '@carrel/worker/cartridge/qti/package';
import { readQti } from '@carrel/worker/cartridge/qti/read';
import { readQuizSettings } from '@carrel/worker/cartridge/settings/quiz';
import { newMeter, open } from '@carrel/worker/database/open';
import { expireExports } from '@carrel/worker/domains/content_exports/forget';
import { exportContent } from '@carrel/worker/domains/content_exports/job';
import type { Platform } from '@carrel/worker/platform';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';
import { expectNoQuizSecrets, secretText } from '../support/quiz_secrets';
import { upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
const platform = env as unknown as Platform;

let scene: Awaited<ReturnType<typeof aCourse>>;
let elsewhere: typeof scene;
let at: string;

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Physics: Part 1' });
  elsewhere = await aCourse(ground);
  at = `/courses/${scene.course.id}`;
});

const run = (id: number, on: Platform = platform) => exportContent({ job: 'content_export', progress_id: id }, on);
const progressOf = (made: Body) => Number(made.progress_url.split('/').at(-1));

/** The queue may have delivered the job first. */
async function finished(by: Person, id: number): Promise<void> {
  await expect.poll(async () => ok(await as(by).get(`/progress/${id}`)).workflow_state, { timeout: 8000 }).toBe('completed');
}

async function exported(by: Person, place: string, params: object): Promise<Body> {
  const made = ok(within(await as(by).post(`${place}/content_exports`, params), 3));
  expect(['created', 'exporting', 'exported']).toContain(made.workflow_state);
  await run(progressOf(made));
  await finished(by, progressOf(made));
  const done = ok(within(await as(by).get(`${place}/content_exports/${made.id}`), 2));
  expect(done).toMatchObject({ id: made.id, user_id: by.id, workflow_state: 'exported' });
  return done;
}

/** The entries of the archive by path, through the address of the attachment, without a token. */
async function entriesOf(made: Body): Promise<Record<string, string>> {
  const answer = await SELF.fetch(made.attachment.url);
  expect(answer.status).toBe(200);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(bytes.length).toBe(made.attachment.size);
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]));
}

describe('a QTI export', () => {
  const choice = {
    question_name: 'Capital',
    question_text: '<p>The capital of France?</p>',
    question_type: 'multiple_choice_question',
    points_possible: 2,
    correct_comments: secretText('correct'),
    answers: [
      { answer_text: 'Paris', answer_weight: 100 },
      { answer_text: 'Lyon', answer_weight: 0, answer_comments: secretText('comment') },
    ],
  };
  let graded: Body;
  let practice: Body;
  let bank: number;

  beforeAll(async () => {
    const teaches = as(scene.teacher);
    graded = ok(
      await teaches.post(`${at}/quizzes`, {
        quiz: { title: 'Final', quiz_type: 'assignment', access_code: secretText('code'), allowed_attempts: 3, time_limit: 20 },
      }),
    );
    practice = ok(await teaches.post(`${at}/quizzes`, { quiz: { title: 'Practice & more', quiz_type: 'practice_quiz' } }));
    ok(await teaches.post(`${at}/quizzes/${graded.id}/questions`, { question: choice }));
    bank = await ground.questionBank('Course', scene.course, { title: 'Shared questions' });
    await ground.bankQuestion(bank, { question_name: 'From the bank' });
    const group = { name: 'Drawn', pick_count: 1, question_points: 4, assessment_question_bank_id: bank };
    ok(await teaches.post(`${at}/quizzes/${graded.id}/groups`, { quiz_groups: [group] }), 201);
    ok(await as(elsewhere.teacher).post(`/courses/${elsewhere.course.id}/quizzes`, { quiz: { title: 'Not this course' } }));
  });

  test('contains the quizzes and banks of the course, as they are', async () => {
    const made = await exported(scene.teacher, at, { export_type: 'qti' });
    expect(made).toMatchObject({ export_type: 'qti', course_id: scene.course.id });
    expect(made.attachment).toMatchObject({ display_name: 'physics-part-1-quiz-export.zip', 'content-type': 'application/zip' });
    const entries = await entriesOf(made);
    const manifest = readManifest(entries['imsmanifest.xml'] ?? '');
    expect(manifest.title).toBe('Physics: Part 1');
    const documents = qtiDocumentsOf(manifest, Object.keys(entries));
    const contents = documents.map(({ path, meta }) => ({
      ...readQti(entries[path] ?? ''),
      settings: meta === undefined ? undefined : readQuizSettings(entries[meta] ?? ''),
    }));
    expect(contents.flatMap(({ assessments }) => assessments.map(({ title }) => title)).sort()).toEqual(['Final', 'Practice & more']);
    expect(contents.flatMap(({ issues }) => issues)).toEqual([]);
    const final = contents.find(({ assessments }) => assessments[0]?.title === 'Final');
    expect(final?.settings).toMatchObject({
      quiz_type: 'assignment',
      access_code: secretText('code'),
      time_limit: 20,
      allowed_attempts: 3,
      available: false,
      assignment: { title: 'Final', submission_types: ['online_quiz'], workflow_state: 'unpublished' },
    });
    expect(final?.assessments[0]?.entries).toEqual([
      {
        question: expect.objectContaining({
          question_name: 'Capital',
          question_text: '<p>The capital of France?</p>',
          points_possible: 2,
          data: {
            correct_comments: secretText('correct'),
            answers: [
              expect.objectContaining({ text: 'Paris', weight: 100 }),
              expect.objectContaining({ text: 'Lyon', weight: 0, comments: secretText('comment') }),
            ],
          },
        }),
      },
      { group: expect.objectContaining({ name: 'Drawn', pick_count: 1, question_points: 4, questions: [] }) },
    ]);
    const banks = contents.flatMap((one) => one.banks);
    expect(banks).toContainEqual(
      expect.objectContaining({ title: 'Shared questions', questions: [expect.objectContaining({ question_name: 'From the bank' })] }),
    );
    const [, group] = final?.assessments[0]?.entries ?? [];
    expect(group && 'group' in group && group.group.bank?.identifier).toBe(
      banks.find(({ title }) => title === 'Shared questions')?.identifier,
    );
  });

  test('contains only the quizzes that are selected, and the banks from which they draw', async () => {
    const made = await exported(scene.teacher, at, { export_type: 'qti', select: { quizzes: [practice.id] } });
    const entries = await entriesOf(made);
    const documents = qtiDocumentsOf(readManifest(entries['imsmanifest.xml'] ?? ''), Object.keys(entries));
    expect(documents).toHaveLength(1);
    expect(readQti(entries[documents[0]?.path ?? ''] ?? '').assessments).toMatchObject([{ title: 'Practice & more', entries: [] }]);
  });

  test('is refused to students and for quizzes of other courses, and others do not see it', async () => {
    expect((await as(scene.student).post(`${at}/content_exports`, { export_type: 'qti' })).status).toBe(401);
    expect((await as(elsewhere.teacher).post(`${at}/content_exports`, { export_type: 'qti' })).status).toBe(401);
    const other = ok(await as(elsewhere.teacher).get(`/courses/${elsewhere.course.id}/quizzes`))[0];
    const refused = await as(scene.teacher).post(`${at}/content_exports`, { export_type: 'qti', select: { quizzes: [other.id] } });
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('select[quizzes]')]);
    const made = await exported(scene.teacher, at, { export_type: 'qti' });
    const seen = (person: Person, place = at) => as(person).get(`${place}/content_exports/${made.id}`);
    expect((await seen(scene.student)).status).toBe(404);
    expect((await seen(elsewhere.teacher)).status).toBe(401);
    expect((await seen(elsewhere.teacher, `/courses/${elsewhere.course.id}`)).status).toBe(404);
    expect((await as(scene.student).get(`/progress/${progressOf(made)}`)).status).toBe(404);
    expect(ok(await seen(scene.designer)).attachment.url).toBe(made.attachment.url);
    const listed = await as(scene.student).get(`${at}/content_exports`);
    expect(ok(listed)).toEqual([]);
    expectNoQuizSecrets(listed, 'the list of exports');
    expect(ok(within(await as(scene.teacher).get(`${at}/content_exports`), 2))[0]).toMatchObject({
      id: made.id,
      workflow_state: 'exported',
    });
  });

  test('is the same when the job is stopped at any time and delivered again', async () => {
    const made = ok(await as(scene.teacher).post(`${at}/content_exports`, { export_type: 'qti' }));
    const id = progressOf(made);
    for (let batches = 1; batches < 30; batches += 1) await run(id, dyingAfter(batches)).catch(() => undefined);
    await finished(scene.teacher, id);
    const done = ok(await as(scene.teacher).get(`${at}/content_exports/${made.id}`));
    const whole = await entriesOf(await exported(scene.teacher, at, { export_type: 'qti' }));
    const found = await entriesOf(done);
    const identifier = /<manifest identifier="[^"]*"/;
    expect(Object.keys(found).sort()).toEqual(Object.keys(whole).sort());
    for (const [name, text] of Object.entries(whole)) expect(found[name]?.replace(identifier, '')).toBe(text.replace(identifier, ''));
  });
});

describe('a zip export', () => {
  let week: Body;
  let locked: Body;
  let plain: Body;

  beforeAll(async () => {
    const teaches = as(scene.teacher);
    week = ok(await teaches.post(`${at}/folders`, { name: 'Week 1' }));
    plain = await upload(scene.teacher, `${at}/files`, { name: 'Plan.txt' }, 'The plan');
    await upload(scene.teacher, `/folders/${week.id}/files`, { name: 'Übung.txt' }, 'The exercise');
    locked = await upload(scene.teacher, `/folders/${week.id}/files`, { name: 'Solution.txt' }, 'The solution');
    ok(await teaches.put(`/files/${locked.id}`, { locked: true }));
    const hidden = ok(await teaches.post(`${at}/folders`, { name: 'Staff', hidden: true }));
    await upload(scene.teacher, `/folders/${hidden.id}/files`, { name: 'Marks.txt' }, 'The marks');
    const held = await upload(scene.teacher, `${at}/files`, { name: 'Later.txt' }, 'In a locked module');
    const module = ok(await teaches.post(`${at}/modules`, { module: { name: 'Later', unlock_at: '2099-01-01T00:00:00Z' } }));
    ok(await teaches.put(`${at}/modules/${module.id}`, { module: { published: true } }));
    ok(await teaches.post(`${at}/modules/${module.id}/items`, { module_item: { type: 'File', content_id: held.id } }));
  });

  test('has all files of the course in their folders, for staff', async () => {
    const made = await exported(scene.teacher, at, { export_type: 'zip' });
    expect(made.attachment.display_name).toBe('physics-part-1_export.zip');
    expect(await entriesOf(made)).toEqual({
      'unfiled/Plan.txt': 'The plan',
      'unfiled/Week 1/Übung.txt': 'The exercise',
      'unfiled/Week 1/Solution.txt': 'The solution',
      'unfiled/Staff/Marks.txt': 'The marks',
      'unfiled/Later.txt': 'In a locked module',
    });
  });

  test('leaves out for a student what is hidden, or locked by itself, its folder or a module', async () => {
    const made = await exported(scene.student, at, { export_type: 'zip' });
    expect(await entriesOf(made)).toEqual({ 'unfiled/Plan.txt': 'The plan', 'unfiled/Week 1/Übung.txt': 'The exercise' });
    expect((await as(scene.teacher).get(`${at}/content_exports/${made.id}`)).status).toBe(404);
    expect(ok(await as(scene.student).get(`${at}/content_exports`))).toMatchObject([{ id: made.id, user_id: scene.student.id }]);
  });

  test('has only the folders and files that are selected', async () => {
    const folder = await exported(scene.teacher, at, { export_type: 'zip', select: { folders: [week.id] } });
    expect(folder.attachment.display_name).toBe('week-1_export.zip');
    expect(Object.keys(await entriesOf(folder)).sort()).toEqual(['unfiled/Week 1/Solution.txt', 'unfiled/Week 1/Übung.txt']);
    const files = await exported(scene.teacher, at, { export_type: 'zip', select: { files: [plain.id], attachments: [locked.id] } });
    expect(Object.keys(await entriesOf(files)).sort()).toEqual(['unfiled/Plan.txt', 'unfiled/Week 1/Solution.txt']);
  });

  test('refuses files and folders that the caller may not know', async () => {
    const foreign = await upload(elsewhere.teacher, `/courses/${elsewhere.course.id}/files`, { name: 'Other.txt' });
    const refused = async (person: Person, select: object) =>
      (await as(person).post(`${at}/content_exports`, { export_type: 'zip', select })).status;
    expect(await refused(scene.teacher, { files: [foreign.id] })).toBe(400);
    expect(await refused(scene.teacher, { attachments: [foreign.id, plain.id] })).toBe(400);
    expect(await refused(scene.teacher, { folders: [foreign.folder_id] })).toBe(400);
    expect(await refused(scene.student, { files: [locked.id] })).toBe(400);
    expect(await refused(scene.student, { files: [plain.id] })).toBe(200);
  });

  test('is for the files of groups and users, too, and only for themselves', async () => {
    const { id: category } = ok(await as(scene.teacher).post(`${at}/group_categories`, { name: 'Teams' }));
    const group = ok(await as(scene.teacher).post(`/group_categories/${category}/groups`, { name: 'Team' }));
    ok(await as(scene.teacher).put(`/groups/${group.id}`, { members: [scene.student.id] }));
    await upload(scene.student, `/groups/${group.id}/files`, { name: 'Notes.txt' }, 'Ours');
    expect(await entriesOf(await exported(scene.student, `/groups/${group.id}`, { export_type: 'zip' }))).toEqual({
      'unfiled/Notes.txt': 'Ours',
    });
    await upload(scene.student, '/users/self/files', { name: 'Diary.txt' }, 'Mine');
    const own = `/users/${scene.student.id}`;
    const made = await exported(scene.student, own, { export_type: 'zip' });
    expect(made).not.toHaveProperty('course_id');
    expect(await entriesOf(made)).toEqual({ 'unfiled/Diary.txt': 'Mine' });
    expect(ok(await as(scene.student).get(`${own}/content_exports`))).toHaveLength(1);
    expect((await as(scene.teacher).post(`${own}/content_exports`, { export_type: 'zip' })).status).toBe(401);
    expect((await as(elsewhere.student).post(`/groups/${group.id}/content_exports`, { export_type: 'zip' })).status).toBe(401);
    for (const place of [own, `/groups/${group.id}`])
      expect((await as(scene.student).post(`${place}/content_exports`, { export_type: 'qti' })).status).toBe(400);
  });

  test('is an empty archive without files, and its file is deleted after 30 days', async () => {
    const made = await exported(elsewhere.student, `/users/${elsewhere.student.id}`, { export_type: 'zip' });
    expect(await entriesOf(made)).toEqual({});
    await env.DB.prepare("update content_exports set created_at = '2026-01-01T00:00:00Z' where id = ?").bind(made.id).run();
    const place = `/users/${elsewhere.student.id}/content_exports/${made.id}`;
    expect(ok(await as(elsewhere.student).get(place))).not.toHaveProperty('attachment');
    expect(await expireExports(open(env.DB, newMeter(), 'first-primary'), '2026-11-23T08:00:00Z')).toBe(0);
    expect((await SELF.fetch(made.attachment.url)).status).not.toBe(200);
  });
});

test.each([
  [{}],
  [{ export_type: '' }],
  [{ export_type: 'user_data' }],
  [{ export_type: 'constructor' }],
  [{ export_type: 'quizzes2' }],
  [{ export_type: 'common_cartridge', select: 'all' }],
  [{ export_type: 'zip', select: 'all' }],
  [{ export_type: 'zip', select: { files: ['x'] } }],
])('%j is refused', async (params) => {
  const refused = await as(scene.teacher).post(`${at}/content_exports`, params);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toMatch(/export_type|select/);
});

test('null and blank selections are none', async () => {
  for (const select of [null, '', {}, { files: null }, { files: [] }])
    ok(await as(scene.student).post(`${at}/content_exports`, { export_type: 'zip', select, skip_notifications: null }));
});
