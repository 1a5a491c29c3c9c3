// Grading in folders: students' work as plain files, `grades.csv` and feedback as a plan, and nothing sent before it is agreed on, lost or
// sent twice.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readArguments } from '@carrel/desktop/cli/arguments';
import { gradeByWords } from '@carrel/desktop/cli/grade';
import type { FolderChoices, FolderGradePlan } from '@carrel/desktop/contract/grading_folders';
import { removeFiles } from '@carrel/desktop/engine/accounts/leaving';
import { diskAt, type Net } from '@carrel/desktop/engine/disk/disk';
import type { Disk } from '@carrel/desktop/engine/model/ports';
import { planFolderGrades, sendFolderGrades, switchGradingFolders } from '@carrel/desktop/engine/sync/graded_folders/send_folders';
import { planPublishing, switchPublishing } from '@carrel/desktop/engine/sync/uploads/publish';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { aFakeCourse, type FakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { carrel, runCarrel } from './support/program';
import { filesBelow, Student } from './support/student';
import { takesGrades } from './support/takes_grades';

let server: FakeServer;
let course: FakeCourse;
let grades: ReturnType<typeof takesGrades>;
let teacher: Student;
let essay: number;
const [ada, ben, cleo] = [101, 102, 103];
let files = 5000;

const at = (...names: string[]) => teacher.path('Algebra', 'Submissions', ...names);
const below = (...names: string[]) =>
  filesBelow(at(...names))
    .map((path) => path.slice(at().length + 1).replaceAll('\\', '/'))
    .sort();
const write = (text: string | Buffer, ...names: string[]) => {
  mkdirSync(dirname(at(...names)), { recursive: true });
  writeFileSync(at(...names), text);
};
const sheet = (name = 'Essay') => readFileSync(at(name, 'grades.csv'), 'utf8');
/** Writes cells of one row, as a spreadsheet would. */
function enter(who: number | string, cells: Record<string, string>, name = 'Essay'): void {
  const rows = sheet(name).replace('\ufeff', '').trimEnd().split('\r\n');
  const header = rows[0]?.split(',') ?? [];
  const changed = rows.map((row) => {
    if (!row.startsWith(`${who},`)) return row;
    const old = row.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? [];
    return header.map((column, nth) => cells[column] ?? old[nth] ?? '').join(',');
  });
  write(`\ufeff${changed.join('\r\n')}\r\n`, name, 'grades.csv');
}
const cellsOf = (who: number | string, name = 'Essay') =>
  sheet(name)
    .split('\r\n')
    .find((row) => row.replace('\ufeff', '').startsWith(`${who},`))
    ?.split(',');

function file(name: string, content: string) {
  const id = files++;
  // In a course that the desk does not have: only the submission links to it.
  server.put('file', id, { id, display_name: name, size: content.length }, 999_999);
  server.bytes.set(id, Buffer.from(content));
  return { id, display_name: name, size: content.length, url: `${server.url}/files/${id}/download?verifier=v${id}` };
}
const handIn = (user: number, attempt: number, ...attachments: ReturnType<typeof file>[]) =>
  grades.change(essay, user, {
    attempt,
    workflow_state: 'submitted',
    submission_type: 'online_upload',
    submitted_at: `2026-11-1${attempt}T08:00:00Z`,
    attachments,
    submission_history: [],
  });
const plan = () => planFolderGrades(teacher.study, course.id);
const brief = ({ assignments }: FolderGradePlan) =>
  assignments.flatMap(({ title, changes, problems }) => [
    ...changes.map(({ name, from, to, comment, files: own, conflict }) => ({
      title,
      name,
      ...(to && { from: from.excused ? 'excused' : from.grade, to: to.excused ? 'excused' : to.grade }),
      ...(comment !== null && { comment }),
      ...(own.length > 0 && { files: own.map((one) => one.name) }),
      ...(conflict && { conflict: conflict.why, now: conflict.grade }),
    })),
    ...problems.map(({ where, row, why }) => ({ title, where, row, why })),
  ]);
const whys = ({ assignments }: FolderGradePlan) => assignments.flatMap(({ problems }) => problems.map(({ why }) => why));
const all = ({ assignments }: FolderGradePlan, choice: FolderChoices[string] = 'send'): FolderChoices =>
  Object.fromEntries(
    assignments.flatMap(({ changes }) => changes).map(({ key, conflict }) => [key, conflict && choice === 'send' ? 'mine' : choice]),
  );
const send = async (planned: FolderGradePlan, choices = all(planned)) =>
  sendFolderGrades(teacher.study, course.id, { plan: planned.id, choices });
const writes = () =>
  server.asked.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
const comments = (user: number) =>
  (grades.at(essay, user)?.submission_comments ?? []) as { comment: string; attachments?: { display_name: string }[] }[];

beforeEach(async () => {
  server = await new FakeServer().start();
  course = aFakeCourse(server);
  grades = takesGrades(server, course);
  const me = server.id();
  server.put('enrollment', me, { id: me, user_id: 7, course_id: course.id, type: 'TeacherEnrollment' }, course.id);
  essay = course.assignment('Essay', { grading_type: 'points', points_possible: 10, published: true });
  server.words.set(`/api/v1/courses/${course.id}/sections`, [{ id: 12, name: 'Monday' }] as never);
  server.words.set(`/api/v1/courses/${course.id}/grading_standards`, [] as never);
  teacher = await Student.at(server);
  await teacher.sync();
  switchGradingFolders(teacher.study, course.id, true);
  grades.student(ada, 'Ada Lovelace');
  grades.student(ben, 'Ben Ng');
  grades.student(cleo, 'Ben Ng');
  handIn(ada, 1, file('essay.txt', 'On tides'), file('CON.txt', 'data'));
  handIn(ben, 1, file('essay.txt', 'On sand'));
  await teacher.sync();
  server.count();
});
afterEach(async () => {
  await teacher.leave();
  await server.stop();
});

test('handed-in files are plain files in a folder of each student, with a place for feedback and a table for grades', async () => {
  expect(below()).toEqual([
    'Essay/Ada Lovelace — attempt 1/_CON.txt',
    'Essay/Ada Lovelace — attempt 1/essay.txt',
    'Essay/Ben Ng — attempt 1/essay.txt',
    'Essay/grades.csv',
  ]);
  expect(readFileSync(at('Essay', 'Ben Ng — attempt 1', 'essay.txt'), 'utf8')).toBe('On sand');
  expect(readdirSync(at('Essay', 'Ada Lovelace — attempt 1'))).toContain('Feedback');
  expect(sheet().replaceAll(/a\d-[0-9a-f]{8}/g, 'base')).toBe(
    [
      '\ufeffid,name,section,state,grade,excused,comment,last comment,base',
      '101,Ada Lovelace,Monday,attempt 1,,,,,base',
      '102,Ben Ng,Monday,attempt 1,,,,,base',
      '103,Ben Ng,Monday,nothing handed in,,,,,base',
      '',
    ].join('\r\n'),
  );
  expect(await teacher.sync()).toMatchObject({ outcome: 'complete', requests: 1 });
});

test('a new attempt has a new folder, names stay when a student is renamed, and nothing of the teacher is touched', async () => {
  write('marked by the teacher', 'Essay', 'Ada Lovelace — attempt 1', 'essay.txt');
  write('of the teacher', 'Essay', 'Ada Lovelace — attempt 2', 'essay.txt');
  handIn(ada, 2, file('essay.txt', 'On tides, better'));
  handIn(cleo, 1, file('essay.txt', 'On wind'));
  const enrolled = server.all('enrollment').find(({ user_id }) => user_id === ben);
  server.change('enrollment', Number(enrolled?.id), { user: { id: ben, name: 'Benedict Ng', sortable_name: 'Ng, Benedict' } });
  await teacher.sync();
  const of = (name: string) => readFileSync(at('Essay', name), 'utf8');
  expect(of('Ada Lovelace — attempt 1/essay.txt')).toBe('marked by the teacher');
  expect(of('Ada Lovelace — attempt 2/essay.txt')).toBe('of the teacher');
  expect(of('Ada Lovelace — attempt 2/essay (handed in).txt')).toBe('On tides, better');
  expect(of('Ben Ng (103) — attempt 1/essay.txt')).toBe('On wind');
  handIn(ben, 2, file('essay.txt', 'On sand, better'));
  await teacher.sync();
  expect(of('Ben Ng — attempt 2/essay.txt')).toBe('On sand, better');
  expect(cellsOf(102)).toMatchObject({ 1: 'Benedict Ng', 3: 'attempt 2' });
  // What the teacher deletes stays deleted; a folder of an assignment that is deleted as a whole is written again.
  rmSync(at('Essay', 'Ben Ng — attempt 2', 'essay.txt'));
  await teacher.sync();
  expect(existsSync(at('Essay', 'Ben Ng — attempt 2', 'essay.txt'))).toBe(false);
  rmSync(at('Essay'), { recursive: true });
  await teacher.sync();
  expect(below()).toContain('Essay/Ben Ng — attempt 2/essay.txt');
});

test('texts and links are files, too, and other work opens in the browser', async () => {
  grades.change(essay, ada, {
    attempt: 2,
    submission_type: 'online_text_entry',
    body: '<p>Tides<script>alert(1)</script></p>',
    attachments: [],
  });
  grades.change(essay, ben, { attempt: 2, submission_type: 'online_url', url: 'https://example.edu/a b', attachments: [] });
  grades.change(essay, cleo, { attempt: 1, submission_type: 'online_quiz' });
  await teacher.sync();
  const of = (name: string) => readFileSync(at('Essay', name), 'utf8');
  expect(of('Ada Lovelace — attempt 2/Text.html')).toMatch(/<p>Tides(?!.*<script>)/s);
  expect(of('Ben Ng — attempt 2/Link.url')).toBe('[InternetShortcut]\r\nURL=https://example.edu/a%20b\r\n');
  expect(of('Ben Ng (103) — attempt 1/Open in the browser.url')).toContain(`speed_grader?assignment_id=${essay}&student_id=${cleo}`);
});

test('nothing is sent before the plan is agreed on; then grades, comments and files are, once', async () => {
  enter(ada, { grade: '8', comment: '"Well done, Ada"' });
  enter(ben, { excused: 'yes' });
  enter(cleo, { grade: '4.5' });
  write('see the margin', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'notes.txt');
  write('junk', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', '~$notes.docx');
  server.count();
  const planned = await plan();
  expect(brief(planned)).toEqual([
    { title: 'Essay', name: 'Ada Lovelace', from: null, to: '8', comment: 'Well done, Ada', files: ['notes.txt'] },
    { title: 'Essay', name: 'Ben Ng', from: null, to: 'excused' },
    { title: 'Essay', name: 'Ben Ng', from: null, to: '4.5' },
  ]);
  await teacher.sync();
  expect(writes()).toEqual([]);
  expect(await send(planned)).toEqual({ instead: null, sent: 3, waiting: 0, issues: [] });
  expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
  expect(comments(ada)).toMatchObject([{ comment: 'Well done, Ada', attachments: [{ display_name: 'notes.txt' }], attempt: 1 }]);
  expect([...grades.uploads.values()]).toEqual([{ name: 'notes.txt', text: 'see the margin' }]);
  expect(grades.at(essay, ben)).toMatchObject({ excused: true });
  expect(grades.at(essay, cleo)).toMatchObject({ score: 4.5 });
  // The table shows what the server has now, and the file counts as sent.
  expect(cellsOf(ada)?.slice(3, 8)).toEqual(['"graded', ' attempt 1"', '8', '', '']);
  expect(cellsOf(ben)?.[5]).toBe('yes');
  expect(brief(await plan())).toEqual([]);
  renameSync(
    at('Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'notes.txt'),
    at('Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'renamed.txt'),
  );
  write('a second thought', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'notes.txt');
  const second = await plan();
  expect(brief(second)).toEqual([{ title: 'Essay', name: 'Ada Lovelace', files: ['notes.txt'] }]);
  await send(second);
  expect(comments(ada)).toHaveLength(2);
  expect(filesBelow(join(teacher.store, '..')).filter((path) => path.includes('/work/'))).toEqual([]);
});

test('only what is chosen is sent; the rest stays in the table, with the columns of the teacher', async () => {
  write(
    sheet()
      .replace('base\r\n', 'base,my notes\r\n')
      .replace(/^(103.*)$/m, '$1,ask'),
    'Essay',
    'grades.csv',
  );
  enter(ada, { grade: '8' });
  enter(ben, { grade: '7' });
  enter(cleo, { grade: 'good' });
  const planned = await plan();
  expect(brief(planned).at(-1)).toEqual({
    title: 'Essay',
    where: 'grades.csv',
    row: 4,
    why: '“good” is not a grade. Enter points, such as 8.5, or a percentage.',
  });
  const [key = ''] = planned.assignments.flatMap(({ changes }) => changes).flatMap((one) => (one.name === 'Ada Lovelace' ? one.key : []));
  expect(await send(planned, { [key]: 'send' })).toMatchObject({ sent: 1 });
  expect([grades.at(essay, ada)?.score, grades.at(essay, ben)?.score]).toEqual([8, null]);
  expect(cellsOf(ben)?.[4]).toBe('7');
  expect(sheet()).toContain('good');
  expect(sheet()).toMatch(/^103.*,ask\r$/m);
  expect(brief(await plan())).toMatchObject([{ name: 'Ben Ng', to: '7' }, { row: 4 }]);
});

test('an outdated plan is not carried out, whichever side has changed', async () => {
  enter(ada, { grade: '8' });
  const first = await plan();
  enter(ada, { grade: '9' });
  const stale = await send(first);
  expect(stale).toMatchObject({ sent: 0, instead: { assignments: [{ changes: [{ to: { grade: '9' } }] }] } });
  write('before', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  const second = await plan();
  write('after!', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  expect((await send(second)).instead).not.toBeNull();
  expect(writes()).toEqual([]);
});

describe('a row whose base has changed on the server', () => {
  test.each([
    ['someone else graded', { score: 3, grade: '3', workflow_state: 'graded', grader_id: 8 }, 'graded meanwhile', '3'],
    ['the student handed in again', { attempt: 2 }, 'newer attempt', null],
  ])('is a conflict if %s: shown, and not sent', async (_, meanwhile, why, now) => {
    enter(ada, { grade: '8', comment: 'Good' });
    grades.change(essay, ada, meanwhile);
    const planned = await plan();
    expect(brief(planned)).toEqual([{ title: 'Essay', name: 'Ada Lovelace', from: null, to: '8', comment: 'Good', conflict: why, now }]);
    const [change] = planned.assignments[0]?.changes ?? [];
    expect(await send(planned, { [change?.key ?? '']: 'send' })).toMatchObject({ sent: 0 });
    expect(writes()).toEqual([]);
    expect(brief(await plan())).toHaveLength(1);
    expect(await send(planned, all(planned))).toMatchObject({ sent: 1, issues: [] });
    expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
    expect(brief(await plan())).toEqual([]);
  });

  test('can be given up: the grade of the server stays, and the comment is sent', async () => {
    enter(ada, { grade: '8', comment: 'Good' });
    write('notes', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
    grades.change(essay, ada, { score: 3, grade: '3', workflow_state: 'graded' });
    const planned = await plan();
    expect(await send(planned, all(planned, 'theirs'))).toMatchObject({ sent: 1 });
    expect(grades.at(essay, ada)).toMatchObject({ score: 3 });
    expect(comments(ada)).toMatchObject([{ comment: 'Good', attachments: [{ display_name: 'a.txt' }] }]);
    expect(cellsOf(ada)?.[5]).toBe('3');
    expect(brief(await plan())).toEqual([]);
  });

  test('is none if both gave the same grade, or if only other rows were changed', async () => {
    enter(ada, { grade: '8' });
    enter(ben, { grade: '7' });
    grades.change(essay, ada, { score: 8, grade: '8', workflow_state: 'graded' });
    grades.change(essay, cleo, { score: 2, grade: '2', workflow_state: 'graded' });
    expect(brief(await plan())).toEqual([{ title: 'Essay', name: 'Ben Ng', from: null, to: '7' }]);
  });

  test('is found by the server as well, if it changes after the plan', async () => {
    enter(ada, { grade: '8' });
    const planned = await plan();
    server.fault = ({ method }) => {
      if (method === 'PUT') {
        server.fault = () => undefined;
        grades.change(essay, ada, { score: 3, grade: '3', workflow_state: 'graded' });
      }
      return undefined;
    };
    expect(await send(planned)).toMatchObject({
      sent: 0,
      issues: [{ where: 'Essay: Ada Lovelace', why: expect.stringContaining('graded') }],
    });
    expect(grades.at(essay, ada)).toMatchObject({ score: 3 });
    // Given up in the outbox, it is a change of the table again.
    const [intent] = teacher.study.outbox.pending();
    expect(teacher.study.outbox.resolveGrade(intent?.id ?? '', 'theirs')).toBe(true);
    expect(brief(await plan())).toMatchObject([{ to: '8', conflict: 'graded meanwhile', now: '3' }]);
  });
});

test('offline, the plan is made from what is here, and sent with the next sync; taken back, it is planned again', async () => {
  enter(ada, { grade: '8' });
  write('notes', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  server.fault = () => 'cut';
  const planned = await plan();
  expect(planned.is_offline).toBe(true);
  expect(await send(planned)).toMatchObject({ sent: 0, waiting: 1, issues: [] });
  expect(brief(await plan())).toEqual([]);
  const [intent] = teacher.study.outbox.pending();
  expect(teacher.study.outbox.takeBack(intent?.id ?? '')).toBe(true);
  const again = await plan();
  expect(brief(again)).toEqual([{ title: 'Essay', name: 'Ada Lovelace', from: null, to: '8', files: ['a.txt'] }]);
  await send(again);
  server.fault = () => undefined;
  await teacher.sync();
  expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
  expect(comments(ada)).toHaveLength(1);
  expect(cellsOf(ada)?.[5]).toBe('8');
  expect(brief(await plan())).toEqual([]);
});

test.each(['cut', 'unanswered'] as const)(
  'grades, comments and files arrive once if the program stops when the connection is %s',
  async (fault) => {
    for (const user of [ada, ben, cleo]) enter(user, { grade: '6', comment: `For ${user}` });
    write('notes', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
    const planned = await plan();
    for (let nth = 0; nth < 8; nth++) {
      let count = 0;
      server.fault = ({ method }) => (method === 'GET' ? undefined : count++ === 0 ? fault : { status: 503 });
      await send(nth === 0 ? planned : await plan()).catch(() => undefined);
      await teacher.restart();
      // One request more than before arrives.
      server.fault = ({ method }) => (method === 'GET' || count++ <= nth ? undefined : 'cut');
      await teacher.sync();
      await teacher.restart();
    }
    server.fault = () => undefined;
    for (const { id } of teacher.study.outbox.pending()) teacher.study.outbox.retry(id);
    await teacher.sync();
    for (const user of [ada, ben, cleo]) {
      expect(grades.at(essay, user)).toMatchObject({ score: 6 });
      expect(comments(user).map(({ comment }) => comment)).toEqual([`For ${user}`]);
    }
    expect(comments(ada)[0]?.attachments).toMatchObject([{ display_name: 'a.txt' }]);
    expect(brief(await plan())).toEqual([]);
  },
);

test('a stale copy that a spreadsheet saves again sends nothing', async () => {
  enter(ada, { grade: '8', comment: 'Good' });
  const saved = sheet();
  const planned = await plan();
  await send(planned);
  grades.change(essay, ben, { score: 2, grade: '2', workflow_state: 'graded' });
  await teacher.sync();
  write(saved, 'Essay', 'grades.csv');
  expect(brief(await plan())).toEqual([]);
  await teacher.sync();
  expect([cellsOf(ada)?.[5], cellsOf(ben)?.[5]]).toEqual(['8', '2']);
});

describe('an anonymous assignment', () => {
  let blind: number;
  beforeEach(async () => {
    blind = course.assignment('Blind', { grading_type: 'points', points_possible: 10, published: true, anonymize_students: true });
    const attachment = file('essay.txt', 'Whose?');
    grades.changeAnonymous(blind, 'aB3x9', {
      attempt: 1,
      submission_type: 'online_upload',
      attachments: [attachment],
      submission_history: [],
    });
    grades.changeAnonymous(blind, '12e45', { attempt: 1, submission_type: 'online_text_entry', body: '<p>Mine</p>' });
    await teacher.sync();
  });

  test('has folders and rows by anonymous ids, never a name, and is graded by them', async () => {
    expect(below('Blind')).toEqual([
      'Blind/Anonymous 12e45 — attempt 1/Text.html',
      'Blind/Anonymous aB3x9 — attempt 1/essay.txt',
      'Blind/grades.csv',
    ]);
    enter('aB3x9', { grade: '6', comment: 'Good' }, 'Blind');
    write('notes', 'Blind', 'Anonymous aB3x9 — attempt 1', 'Feedback', 'a.txt');
    const planned = await plan();
    expect(brief(planned)).toEqual([{ title: 'Blind', name: 'Anonymous aB3x9', from: null, to: '6', comment: 'Good', files: ['a.txt'] }]);
    server.count();
    expect(await send(planned)).toMatchObject({ sent: 1, issues: [] });
    expect(grades.anonymousAt(blind, 'aB3x9')).toMatchObject({
      score: 6,
      submission_comments: [{ comment: 'Good', attachments: [{ display_name: 'a.txt' }] }],
    });
    expect(writes().every((one) => !/\/submissions\/\d/.test(one))).toBe(true);
    const written =
      below('Blind')
        .map((path) => path + readFileSync(at(path), 'utf8'))
        .join() + JSON.stringify(await plan());
    expect(written).not.toMatch(/Lovelace|Ben Ng|\b10[123]\b/);
    expect(cellsOf('aB3x9', 'Blind')?.[5]).toBe('6');
  });

  test('is compared before it is sent, because the server sends no version', async () => {
    enter('aB3x9', { grade: '6' }, 'Blind');
    const planned = await plan();
    server.fault = ({ path }) => {
      if (path.includes('anonymous_submissions')) {
        server.fault = () => undefined;
        grades.changeAnonymous(blind, 'aB3x9', { score: 3, grade: '3' });
      }
      return undefined;
    };
    expect(await send(planned)).toMatchObject({ sent: 0, issues: [{ where: 'Blind: Anonymous aB3x9' }] });
    expect(grades.anonymousAt(blind, 'aB3x9')).toMatchObject({ score: 3 });
  });
});

test('a group that is graded as one has one folder and one row, and its comment is for all', async () => {
  server.words.set('/api/v1/group_categories/70/groups', [{ id: 5, name: 'Red', users: [{ id: ada }, { id: ben }] }] as never);
  const poster = course.assignment('Poster', { published: true, grading_type: 'points', points_possible: 10, group_category_id: 70 });
  grades.team(ada, ben);
  for (const user of [ada, ben])
    grades.change(poster, user, { attempt: 1, submission_type: 'online_url', url: 'https://example.edu/poster', submission_history: [] });
  await teacher.sync();
  expect(below('Poster')).toEqual(['Poster/Red — attempt 1/Link.url', 'Poster/grades.csv']);
  expect(sheet('Poster')).toMatch(/^group 5,Red,"Ada Lovelace, Ben Ng",/m);
  enter('group 5', { grade: '9', comment: 'All of you' }, 'Poster');
  write('notes', 'Poster', 'Red — attempt 1', 'Feedback', 'a.txt');
  const planned = await plan();
  expect(planned.assignments[0]?.changes).toMatchObject([{ name: 'Red', members: 'Ada Lovelace, Ben Ng', to: { grade: '9' } }]);
  expect(await send(planned)).toMatchObject({ sent: 1, issues: [] });
  for (const user of [ada, ben])
    expect(grades.at(poster, user)).toMatchObject({
      score: 9,
      submission_comments: [{ comment: 'All of you', attachments: [{ display_name: 'a.txt' }] }],
    });
  expect(brief(await plan())).toEqual([]);
});

test('work on paper has folders for everyone, so that feedback can be returned', async () => {
  course.assignment('Exam', { published: true, grading_type: 'points', points_possible: 10, submission_types: ['on_paper'] });
  await teacher.sync();
  expect(readdirSync(at('Exam')).sort()).toEqual(['Ada Lovelace', 'Ben Ng', 'Ben Ng (103)', 'grades.csv']);
  write('scan', 'Exam', 'Ben Ng (103)', 'Feedback', 'scan.pdf');
  expect(brief(await plan())).toEqual([{ title: 'Exam', name: 'Ben Ng', files: ['scan.pdf'] }]);
});

test('problems are reported in plain words: folders, files, tables, rights and refusals', async () => {
  write('x', 'Essay', 'Somebody', 'Feedback', 'a.txt');
  write('', 'Essay', 'Ben Ng — attempt 1', 'Feedback', 'empty.txt');
  write('name,grade\r\nAda,3\r\n', 'Essay', 'grades.csv');
  expect(whys(await plan())).toEqual([
    'The first row has no column “id”. Keep the first row of grades.csv as it was.',
    'The file is empty.',
    'The folder “Somebody” belongs to no student. Move the file to the student’s own folder.',
  ]);
  rmSync(at('Essay', 'grades.csv'));
  rmSync(at('Essay', 'Somebody'), { recursive: true });
  await teacher.sync();
  grades.refuse(ada, { status: 413, body: { message: 'The file is too large.' } });
  enter(ada, { grade: '8' });
  enter(ben, { grade: '7' });
  expect(await send(await plan())).toMatchObject({ sent: 1, issues: [{ where: 'Essay: Ada Lovelace', why: 'The file is too large.' }] });
  server.change('assignment', essay, { in_closed_grading_period: true });
  enter(cleo, { grade: '5' });
  expect(whys(await plan())).toContain('You cannot change grades of this assignment now.');
  const me = server.all('enrollment').find(({ user_id }) => user_id === 7);
  server.remove('enrollment', Number(me?.id));
  await expect(plan()).rejects.toThrow('You cannot grade in this course now');
  expect(existsSync(at('Essay', 'Ada Lovelace — attempt 1', 'essay.txt'))).toBe(true);
  expect(() => switchGradingFolders(teacher.study, aFakeCourse(server, 'Other').id, true)).toThrow('You cannot grade');
});

describe('a disk that refuses', () => {
  const refusing = (code: string, isRefused: (path: string) => boolean) => ({
    diskOf: (root: string, net?: Net): Disk => {
      const disk = diskAt(root, { net });
      const place: Disk['place'] = async (placements) => {
        const refused = placements.some(({ path }) => isRefused(path));
        return refused ? placements.map(() => Object.assign(new Error(code), { code })) : disk.place(placements);
      };
      return { ...disk, place };
    },
  });

  test.each([
    ['EBUSY', 'why.openElsewhere'],
    ['EACCES', 'why.notAllowedHere'],
    ['ENAMETOOLONG', 'why.nameTooLong'],
    ['ENOSPC', 'why.diskFull'],
  ])('%s is reported in plain words, and the work arrives later', async (code, reason) => {
    await teacher.restart(refusing(code, (path) => path.includes('attempt 2')));
    handIn(ada, 2, file('essay.txt', 'On tides, better'));
    expect((await teacher.sync()).issues).toMatchObject([{ what: 'submissions', reason: { code: reason } }]);
    await teacher.restart();
    expect(await teacher.sync()).toMatchObject({ outcome: 'complete', issues: [] });
    expect(readFileSync(at('Essay', 'Ada Lovelace — attempt 2', 'essay.txt'), 'utf8')).toBe('On tides, better');
  });

  test('a table that is open in a spreadsheet is written once it is closed; nothing is sent again', async () => {
    enter(ada, { grade: '8', comment: 'Good' });
    const planned = await plan();
    await teacher.restart(refusing('EBUSY', (path) => path.endsWith('grades.csv')));
    expect(await send(planned)).toMatchObject({ sent: 1 });
    expect(teacher.study.status().issues).toMatchObject([{ what: 'submissions', reason: { code: 'why.openElsewhere' } }]);
    expect(brief(await plan())).toEqual([]);
    await teacher.restart();
    await teacher.sync();
    expect(cellsOf(ada)?.slice(5, 8)).toEqual(['8', '', '']);
    expect(comments(ada)).toHaveLength(1);
  });
});

test('a program that is killed while it sends has sent everything once', { timeout: 120_000 }, async () => {
  for (const user of [ada, ben, cleo]) enter(user, { grade: '6', comment: `For ${user}` });
  write('notes', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  const { store } = teacher;
  await teacher.study.close();
  let killed = 0;
  // Killed at each of its writes in turn: before the server carries it out, or right after.
  for (let life = 0; life < 6; life++) {
    const { child, ended } = carrel(['grade', 'Algebra', '--yes', '--json'], { store });
    let seen = 0;
    server.onAsked = ({ method }) => {
      if (method !== 'GET' && seen++ === Math.floor(life / 2)) setTimeout(() => child.kill('SIGKILL'), life % 2 === 0 ? 0 : 15);
    };
    if ((await ended).status === null) killed++;
    server.onAsked = () => {};
  }
  const last = await runCarrel(['grade', 'Algebra', '--yes', '--json'], { store });
  expect(last, last.err).toMatchObject({ status: 0 });
  expect((await runCarrel(['sync', '--json'], { store })).json).toMatchObject({ outcome: 'complete', issues: [] });
  expect(killed).toBeGreaterThan(2);
  for (const user of [ada, ben, cleo]) {
    expect(grades.at(essay, user)).toMatchObject({ score: 6 });
    expect(comments(user).map(({ comment }) => comment)).toEqual([`For ${user}`]);
    expect(cellsOf(user)?.[5]).toBe('6');
  }
  expect(comments(ada)[0]?.attachments).toMatchObject([{ display_name: 'a.txt' }]);
  expect(existsSync(at('Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt'))).toBe(true);
  await teacher.restart();
});

test('students’ work is never published, and turning it off removes only what is unchanged', async () => {
  switchPublishing(teacher.study, course.id, true);
  write('mine', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  write('edited', 'Essay', 'Ben Ng — attempt 1', 'essay.txt');
  expect((await planPublishing(teacher.study, course.id)).changes).toEqual([]);
  switchGradingFolders(teacher.study, course.id, false);
  await teacher.sync();
  expect(below()).toEqual(['Essay/Ada Lovelace — attempt 1/Feedback/a.txt', 'Essay/Ben Ng — attempt 1/essay.txt']);
  expect((await planPublishing(teacher.study, course.id)).changes).toEqual([]);
  await expect(plan()).rejects.toThrow('Grading in folders is off');
  switchGradingFolders(teacher.study, course.id, true);
  await teacher.sync();
  expect(below()).toContain('Essay/Ada Lovelace — attempt 1/essay.txt');
  expect(readFileSync(at('Essay', 'Ben Ng — attempt 1', 'essay.txt'), 'utf8')).toBe('edited');
});

test('signing out with removal takes the work of students away, and leaves what the teacher wrote', async () => {
  write('mine', 'Essay', 'Ada Lovelace — attempt 1', 'Feedback', 'a.txt');
  write('edited', 'Essay', 'Ben Ng — attempt 1', 'essay.txt');
  await removeFiles(teacher.study.user, teacher.study.cache);
  expect(below()).toEqual(['Essay/Ada Lovelace — attempt 1/Feedback/a.txt', 'Essay/Ben Ng — attempt 1/essay.txt']);
  expect(teacher.study.status().recovered.files).toBe(0);
});

test('the folder follows its course, and gives way to no folder of the server', async () => {
  const inode = statSync(at('Essay')).ino;
  course.file('slides.txt', 'slides', course.folder('Submissions'));
  server.change('course', course.id, { name: 'Algebra II' });
  await teacher.sync();
  const moved = teacher.path('Algebra II');
  expect(statSync(join(moved, 'Submissions', 'Essay')).ino).toBe(inode);
  const folders = readdirSync(moved).filter((name) => name.startsWith('Submissions'));
  expect(folders).toEqual(['Submissions', expect.stringMatching(/^Submissions \(\d+\)$/)]);
  expect(readdirSync(join(moved, folders[1] ?? ''))).toEqual(['slides.txt']);
});

test('the command line shows the plan, asks, and sends it; with --plan exactly that one', async () => {
  const run = async (words: string[], answer = false) => {
    const lines: string[] = [];
    const status = await gradeByWords(
      teacher.study,
      readArguments(['grade', ...words], '/'),
      (line) => lines.push(line),
      async (question) => {
        lines.push(question);
        return answer;
      },
    );
    return { status, lines };
  };
  expect(await run(['Algebra'])).toEqual({ status: 0, lines: ['Nothing to send to Algebra.'] });
  enter(ada, { grade: '8', comment: 'Good' });
  enter(ben, { grade: 'x' });
  const asked = await run(['alg', 'Essay']);
  expect(asked.lines).toEqual([
    'Essay:',
    '  Ada Lovelace: no grade → 8; comment “Good”',
    '  grades.csv: row 3: “x” is not a grade. Enter points, such as 8.5, or a percentage.',
    expect.stringMatching(/^Send exactly this: carrel grade alg Essay --plan [0-9a-f]{12}$/),
    'Send to 1 student? [y/N]',
    'Nothing was sent.',
  ]);
  expect(asked.status).toBe(2);
  expect((await run(['Algebra', '--plan', 'another'])).lines[0]).toContain('The changes are different now');
  const { lines } = await run(['Algebra', '--json']);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ plan: { assignments: [{ title: 'Essay' }] } });
  expect(writes()).toEqual([]);
  expect((await run(['Algebra', '--yes'])).lines.at(-1)).toBe('Sent to 1 student of Algebra.');
  expect(grades.at(essay, ada)).toMatchObject({ score: 8 });
  enter(ben, { grade: '7' });
  grades.change(essay, ben, { score: 3, grade: '3', workflow_state: 'graded' });
  const conflict = await run(['Algebra', '--yes']);
  expect(conflict).toMatchObject({ status: 2 });
  expect(conflict.lines[1]).toBe('  Ben Ng: no grade → 7; CONFLICT, not sent: Someone else has graded meanwhile; it is 3 now');
  expect((await run(['Algebra', '--conflicts', 'mine'], true)).lines.at(-1)).toBe('Sent to 1 student of Algebra.');
  await expect(run(['Algebra', 'Nothing'])).rejects.toThrow('no folder for an assignment Nothing');
  await expect(run(['Algebra', '--conflicts', 'both'])).rejects.toThrow('mine or theirs');
  await expect(run([])).rejects.toThrow('Name a course');
  expect((await run(['off', 'Algebra'])).lines[0]).toContain('Grading in folders is off');
});
