// Gradebooks as CSV: exports, and imports with a dry run.

import { env, SELF } from 'cloudflare:test';
import { CsvReader, delimiterOf } from '@carrel/shared/csv/reader';
import { csvLine } from '@carrel/shared/csv/writer';
import { assignments } from '@carrel/worker/domains/assignments/table';
import { exportGradebook } from '@carrel/worker/domains/gradebook_csv/exports/export_job';
import { applyGradebook } from '@carrel/worker/domains/gradebook_csv/uploads/apply_job';
import { checkGradebook } from '@carrel/worker/domains/gradebook_csv/uploads/check_job';
import { submissions } from '@carrel/worker/domains/submissions/table';
import type { Platform } from '@carrel/worker/platform';
import { submissionIdOf } from '@carrel/worker/rules/submission_ids';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { as, ground, many, manyStudents, nth, ok, within } from '../support/api';
import { inBulk } from '../support/budgets';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';
import { metered } from '../support/metered';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
type Scene = Awaited<ReturnType<typeof aCourse>>;
const platform = env as unknown as Platform;

const here = ({ course }: Scene, rest = '') => `/courses/${course.id}${rest}`;

async function task(scene: Scene, name: string, more: object = {}): Promise<number> {
  const assignment = { name, published: true, points_possible: 10, submission_types: ['on_paper'], ...more };
  return ok(await as(scene.teacher).post(here(scene, '/assignments'), { assignment }), 201).id;
}

const grade = async (scene: Scene, id: number, student: Person, submission: object) =>
  ok(await as(scene.teacher).put(here(scene, `/assignments/${id}/submissions/${student.id}`), { submission }));

const gradeOf = async (scene: Scene, id: number, student: Person): Promise<Body> =>
  ok(await as(scene.teacher).get(here(scene, `/assignments/${id}/submissions/${student.id}`)));

/** The file of an export, as text. */
async function exported(scene: Scene, by: Person, params: object = {}): Promise<string> {
  const begun = ok(within(await as(by).post(here(scene, '/gradebook_csv'), params), 3));
  expect(begun).toEqual({
    attachment_id: expect.any(Number),
    progress_id: expect.any(Number),
    filename: expect.stringContaining('Grades-'),
  });
  await exportGradebook({ job: 'gradebook_export', progress_id: begun.progress_id }, platform);
  // The queue delivers at least once.
  await exportGradebook({ job: 'gradebook_export', progress_id: begun.progress_id }, platform);
  expect(ok(await as(by).get(`/progress/${begun.progress_id}`))).toMatchObject({ workflow_state: 'completed', completion: 100 });
  const file = ok(await as(by).get(`/files/${begun.attachment_id}`));
  expect(file.display_name).toContain(begun.filename);
  const response = await SELF.fetch(file.url);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await response.arrayBuffer());
}

function cellsIn(text: string): string[][] {
  const reader = new CsvReader(0, delimiterOf(text));
  return [...reader.push(new TextEncoder().encode(text)), ...reader.finish()].map(({ cells }) => [...cells]);
}

/** The rows after the points possible, by column. */
function table(text: string) {
  const [head = [], ...rows] = cellsIn(text);
  const from = rows.findIndex((row) => row.some((cell) => cell.trim() === 'Points Possible'));
  return { head, rows: rows.slice(from + 1).map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? '']))) };
}

const form = (text: string, name = 'grades.csv') => {
  const sent = new FormData();
  sent.set('attachment', new File([text], name, { type: 'text/csv' }));
  return sent;
};

/** A job without its endpoint, whose message the queue would deliver as well. */
const begun = async ({ course, teacher }: Scene, tag: string, given: object) => {
  const about = { tag, context_type: 'Course', context_id: course.id, user_id: teacher.id };
  return { job: tag, progress_id: await ground.progress({ ...about, arguments: given }) };
};

/** A checked upload, with its rows. */
async function upload(scene: Scene, by: Person, text: string, query = ''): Promise<Body> {
  const made = ok(within(await as(by).post(here(scene, `/gradebook_uploads${query}`), form(text)), 3));
  await checkGradebook({ job: 'gradebook_check', progress_id: made.progress_id }, platform);
  return read(scene, by, made.id);
}

async function read(scene: Scene, by: Person, id: number): Promise<Body> {
  const at = here(scene, `/gradebook_uploads/${id}`);
  const rows = ok(within(await as(by).get(`${at}/rows`, { per_page: 100 }), 2));
  return { ...ok(within(await as(by).get(at), 2)), rows };
}

async function confirm(scene: Scene, by: Person, id: number, params: object = {}): Promise<Body> {
  const begun = ok(within(await as(by).post(here(scene, `/gradebook_uploads/${id}/confirm`), params), 3));
  await applyGradebook({ job: 'gradebook_apply', progress_id: begun.progress_id }, platform);
  await applyGradebook({ job: 'gradebook_apply', progress_id: begun.progress_id }, platform);
  return read(scene, by, id);
}

test('an export has the columns of Canvas, and an import of the same file changes nothing, for every grading type and any name', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, ta } = scene;
  const odd = await ground.person({ name: '=SUM(A1:A9)' });
  const quoted = await ground.person({ name: '@Quo "Q", te' });
  const second = await ground.section(course, { name: '-Second; "B"' });
  for (const one of [odd, quoted]) await ground.enroll(course, one, 'student', { section_id: second });
  await ground.enroll(course, student, 'student', { section_id: second });
  ok(await as(teacher).put(here(scene), { course: { grading_standard_id: 0 } }));
  const ids = {
    points: await task(scene, 'Lab, "one"\nand two'),
    percent: await task(scene, '=1+1', { grading_type: 'percent', points_possible: 40 }),
    letters: await task(scene, 'Essay', { grading_type: 'letter_grade' }),
    gpa: await task(scene, 'Essay', { grading_type: 'gpa_scale' }),
    pass: await task(scene, 'Pass', { grading_type: 'pass_fail' }),
    pointless: await task(scene, 'Pointless', { grading_type: 'pass_fail', points_possible: 0 }),
    named: await task(scene, '-Named', { grading_type: 'letter_grade', points_possible: 0 }),
    manual: await task(scene, 'Final Score', { post_manually: true }),
    some: await task(scene, 'Some', {
      only_visible_to_overrides: true,
      assignment_overrides: [{ student_ids: [student2.id], due_at: '2027-01-01T00:00:00Z' }],
    }),
    hidden: await task(scene, 'Ungraded', { grading_type: 'not_graded' }),
    draft: await task(scene, 'Draft', { published: false }),
  };
  const given: [number, Person, object][] = [
    [ids.points, student, { posted_grade: '-3.5' }],
    [ids.points, odd, { posted_grade: '8.125' }],
    [ids.points, quoted, { excuse: true }],
    [ids.percent, student, { posted_grade: '66.6%' }],
    [ids.letters, student, { posted_grade: 'B+' }],
    [ids.gpa, student, { posted_grade: '9' }],
    [ids.pass, student, { posted_grade: 'complete' }],
    [ids.pass, odd, { posted_grade: 'incomplete' }],
    [ids.pointless, student, { posted_grade: 'complete' }],
    [ids.pointless, odd, { posted_grade: 'incomplete' }],
    [ids.named, student, { posted_grade: 'A-' }],
    [ids.manual, student, { posted_grade: '0' }],
  ];
  for (const [id, person, submission] of given) await grade(scene, id, person, submission);
  const notes = ok(await as(teacher).post(here(scene, '/custom_gradebook_columns'), { column: { title: 'Notes', teacher_notes: true } }));
  const data = here(scene, `/custom_gradebook_columns/${notes.id}/data/${student.id}`);
  ok(await as(teacher).put(data, { column_data: { content: ' =cmd,\n"x" ' } }));

  const text = await exported(scene, teacher);
  const { head, rows } = table(text);
  const [, posting = [], points = []] = cellsIn(text);
  expect(head.slice(0, 7)).toEqual(['Student', 'ID', 'SIS User ID', 'SIS Login ID', 'Integration ID', 'Section', 'Notes']);
  expect(head.slice(7, 16)).toEqual([
    `Lab, "one"\nand two (${ids.points})`,
    `=1+1 (${ids.percent})`,
    `Essay (${ids.letters})`,
    `Essay (${ids.gpa})`,
    `Pass (${ids.pass})`,
    `Pointless (${ids.pointless})`,
    `-Named (${ids.named})`,
    `Final Score (${ids.manual})`,
    `Some (${ids.some})`,
  ]);
  expect(head.slice(16)).toEqual([
    ...['Current Points', 'Final Points', 'Current Score', 'Unposted Current Score', 'Final Score', 'Unposted Final Score'].map(
      (name) => `Assignments ${name}`,
    ),
    ...['Current Points', 'Final Points', 'Current Score', 'Unposted Current Score', 'Final Score', 'Unposted Final Score'],
    ...['Current Grade', 'Unposted Current Grade', 'Final Grade', 'Unposted Final Grade'],
  ]);
  expect(posting[head.indexOf(`Final Score (${ids.manual})`)]).toBe('Manual Posting');
  expect(points[0]).toBe('    Points Possible');
  expect(points[head.indexOf(`=1+1 (${ids.percent})`)]).toBe('40');
  expect(points.at(-1)).toBe('(read only)');
  const sam = rows.find((row) => row.ID === String(student.id));
  expect(sam).toMatchObject({
    Student: 'Student, Sam',
    Section: `-Second; "B" and ${course.name}`,
    Notes: ' =cmd,\n"x" ',
    [`Lab, "one"\nand two (${ids.points})`]: '-3.5',
    [`=1+1 (${ids.percent})`]: '26.64',
    [`Pass (${ids.pass})`]: '10',
    [`Pointless (${ids.pointless})`]: 'complete',
    [`-Named (${ids.named})`]: 'A-',
    [`Final Score (${ids.manual})`]: '0',
    [`Some (${ids.some})`]: 'N/A',
  });
  expect(rows.find((row) => row.ID === String(quoted.id))?.[`Lab, "one"\nand two (${ids.points})`]).toBe('EX');
  // No cell of a name or text can be a formula in a spreadsheet.
  expect(text).toContain("'=SUM(A1:A9)");
  const enrolled = ok(await as(teacher).get(here(scene, '/enrollments'), { user_id: student.id, include: ['current_points'] }))[0].grades;
  expect([sam?.['Current Score'], sam?.['Unposted Final Score'], sam?.['Final Grade']]).toEqual([
    String(enrolled.current_score),
    String(enrolled.unposted_final_score),
    enrolled.final_grade,
  ]);

  const same = await upload(scene, teacher, text, '?clear_blank_cells=true');
  expect(same).toMatchObject({ workflow_state: 'checked', row_count: rows.length, change_count: 0, error_count: 0, ignored_row_count: 0 });
  const { hidden, draft, ...shown } = ids;
  expect(same.columns.flatMap((one: Body) => (one.kind === 'assignment' ? one.assignment_id : []))).toEqual(Object.values(shown));
  expect(head.join()).not.toMatch(new RegExp(`((${hidden}|${draft}))`));
  expect(same.columns.filter((one: Body) => one.kind === 'ignored' || one.kind === 'new_assignment')).toEqual([]);

  const asked = table(
    await exported(scene, ta, {
      show_student_first_last_name: true,
      byte_order_mark: true,
      assignment_order: [ids.pass, ids.points],
      student_order: [student2.id],
    }),
  );
  expect(asked.head.slice(0, 2)).toEqual(['LastName', 'FirstName']);
  expect(asked.head.filter((name) => /\(\d+\)$/.test(name)).slice(0, 3)).toEqual([
    `Pass (${ids.pass})`,
    `Lab, "one"\nand two (${ids.points})`,
    `=1+1 (${ids.percent})`,
  ]);
  expect(asked.rows[0]).toMatchObject({ LastName: 'Student', FirstName: 'Sue' });
});

test('overrides of final grades are exported and imported where the course allows them', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  await grade(scene, await task(scene, 'Essay'), student, { posted_grade: '7' });
  ok(await as(teacher).put(here(scene), { course: { grading_standard_id: 0 } }));
  expect(table(await exported(scene, teacher)).head).not.toContain('Override Score');
  ok(await as(teacher).put(here(scene, '/settings'), { allow_final_grade_override: true }));
  const override_scores = [{ student_id: student.id, override_score: 91 }];
  ok(await as(teacher).put(here(scene, '/gradebook/final_grade_overrides'), { override_scores }));
  const text = await exported(scene, teacher);
  const { rows } = table(text);
  const shown = (person: Person) => {
    const row = rows.find(({ ID }) => ID === String(person.id));
    return [row?.['Final Score'], row?.['Override Score'], row?.['Override Grade']];
  };
  expect([shown(student), shown(student2)]).toEqual([
    ['70', '91', 'A-'],
    ['0', '', ''],
  ]);
  const head = table(text).head.indexOf('Override Score') + 1;
  const dry = await upload(scene, teacher, text.replace(',91,A-', ',12.5%,A-'));
  expect(dry).toMatchObject({
    change_count: 1,
    error_count: 0,
    columns: expect.arrayContaining([expect.objectContaining({ column: head, kind: 'override' })]),
  });
  expect(dry.rows.flatMap((one: Body) => one.changes)).toEqual([{ column: head, from: '91', to: '12.5' }]);
  expect(await upload(scene, teacher, text.replace(',91,A-', ',much,A-'))).toMatchObject({ change_count: 0, error_count: 1 });
  const overrides = async () => ok(await as(teacher).get(here(scene, '/gradebook/final_grade_overrides'))).final_grade_overrides;
  // An override that was set after the dry run stays.
  const late = await upload(scene, teacher, text.replace(',91,A-', ',40,A-'));
  expect(await confirm(scene, teacher, dry.id)).toMatchObject({ applied_count: 1, conflict_count: 0 });
  expect((await overrides())[student.id].course_grade.percentage).toBe(12.5);
  expect(await confirm(scene, teacher, late.id)).toMatchObject({ applied_count: 0, conflict_count: 1 });
  const again = await upload(scene, teacher, text.replace(',91,A-', ',50,A-'));
  ok(await as(teacher).put(here(scene, '/settings'), { allow_final_grade_override: false }));
  const refused = await confirm(scene, teacher, again.id);
  expect(refused.rows.flatMap((one: Body) => one.changes)).toMatchObject([{ result: 'refused' }]);
  expect(await upload(scene, teacher, text)).toMatchObject({ change_count: 0, error_count: 0 });
});

test('a dry run lists every change and what is ignored, and the confirmation keeps a grade that was given meanwhile', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const essay = await task(scene, 'Essay');
  const lab = await task(scene, 'Lab', { grading_type: 'letter_grade' });
  await task(scene, 'Some', { only_visible_to_overrides: true, assignment_overrides: [{ student_ids: [student2.id] }] });
  await task(scene, 'Moderated', { moderated_grading: true, grader_count: 1 });
  const column = ok(await as(teacher).post(here(scene, '/custom_gradebook_columns'), { column: { title: 'Seat' } }));
  ok(await as(teacher).post(here(scene, '/custom_gradebook_columns'), { column: { title: 'Locked', read_only: true } }));
  await grade(scene, essay, student, { posted_grade: '5' });
  await grade(scene, essay, student2, { posted_grade: '6' });
  await grade(scene, lab, student2, { excuse: true });
  const file = [
    [
      'Student',
      'ID',
      'SIS Login ID',
      `Renamed (${essay})`,
      'lab',
      'Some',
      'Moderated',
      'Seat',
      'Locked',
      'Current Score',
      'Oral',
      'Gone (987654)',
    ],
    ['    Points Possible', '', '', '10', '10', '10', '10', '', '', '(read only)', '20', '5'],
    ['Sam', String(student.id), '', '7', 'B', '3', '4', 'Row 1', 'x', '99', '15', '1'],
    ['Sue', '', student2.login.toUpperCase(), '8', '', 'ten', '', 'Row 9', '', '', '', ''],
    ['Nobody', '999999', '', '1', '', '', '', '', '', '', '', ''],
    ['Sam again', String(student.id), '', '1', '', '', '', '', '', '', '', ''],
    ['Both', String(student.id), student2.login, '1', '', '', '', '', '', '', '', ''],
  ]
    .map(csvLine)
    .join('');
  const dry = await upload(scene, teacher, file);
  expect(dry).toMatchObject({
    workflow_state: 'checked',
    row_count: 5,
    ignored_row_count: 3,
    change_count: 6,
    error_count: 2,
    applied_count: 0,
  });
  expect(dry.columns.map((one: Body) => one.kind)).toEqual([
    ...['student', 'student', 'student', 'assignment', 'assignment', 'assignment', 'ignored', 'custom_column', 'read_only', 'read_only'],
    ...['new_assignment', 'ignored'],
  ]);
  const seen = (rows: Body[]) => rows.map(({ row, user_id, ignored, changes, errors }) => ({ row, user_id, ignored, changes, errors }));
  const change = (number: number, from: string, to: string, more: object = {}) =>
    expect.objectContaining({ column: number, from, to, ...more });
  expect(seen(dry.rows)).toEqual([
    {
      row: 3,
      user_id: student.id,
      ignored: null,
      changes: [
        change(4, '5', '7', { assignment_id: essay }),
        change(5, '', 'B', { assignment_id: lab }),
        change(8, '', 'Row 1', { custom_column_id: column.id }),
        change(11, '', '15'),
      ],
      errors: [{ column: 6, message: 'the assignment is not assigned to the student' }],
    },
    {
      row: 4,
      user_id: student2.id,
      ignored: null,
      changes: [change(4, '6', '8'), change(8, '', 'Row 9')],
      errors: [{ column: 6, message: 'ten is not a grade of this assignment' }],
    },
    { row: 5, user_id: null, ignored: 'no student of the course has these ids', changes: [], errors: [] },
    { row: 6, user_id: null, ignored: 'an earlier row has the same student', changes: [], errors: [] },
    { row: 7, user_id: null, ignored: 'the ids of the row name different students', changes: [], errors: [] },
  ]);
  // Nothing is written before the confirmation.
  expect((await gradeOf(scene, essay, student)).score).toBe(5);

  await grade(scene, essay, student, { posted_grade: '9' });
  const seat = here(scene, `/custom_gradebook_columns/${column.id}/data/${student2.id}`);
  ok(await as(teacher).put(seat, { column_data: { content: 'Row 5' } }));
  const done = await confirm(scene, teacher, dry.id, { create_assignments: true });
  expect(done).toMatchObject({ workflow_state: 'applied', applied_count: 4, conflict_count: 2 });
  expect(ok(await as(teacher).get(here(scene, `/custom_gradebook_columns/${column.id}/data`)))).toEqual([
    { user_id: student.id, content: 'Row 1' },
    { user_id: student2.id, content: 'Row 5' },
  ]);
  expect(done.rows[0].changes).toEqual([
    change(4, '5', '7', { result: 'conflict', message: 'the stored value is 9 now' }),
    change(5, '', 'B', { result: 'applied' }),
    change(8, '', 'Row 1', { result: 'applied' }),
    change(11, '', '15', { result: 'applied' }),
  ]);
  expect((await gradeOf(scene, essay, student)).score).toBe(9);
  expect(await gradeOf(scene, essay, student2)).toMatchObject({ score: 8, grader_id: teacher.id, workflow_state: 'graded' });
  expect(await gradeOf(scene, lab, student)).toMatchObject({ grade: 'B' });
  expect(await gradeOf(scene, lab, student2)).toMatchObject({ excused: true });
  const oral = ok(await as(teacher).get(here(scene, '/assignments'), { search_term: 'Oral' }))[0];
  expect(oral).toMatchObject({ name: 'Oral', points_possible: 20, published: true });
  expect((await gradeOf(scene, oral.id, student)).score).toBe(15);
  const log = ok(await as(await ground.admin()).get(`/audit/grade_change/assignments/${essay}`)).events;
  expect(log.map((one: Body) => one.grade_after)).toEqual(['8', '9', '6', '5']);
  expect(ok(await as(teacher).post(here(scene, `/gradebook_uploads/${dry.id}/confirm`)), 409)).toBeTruthy();

  const again = await upload(scene, teacher, file);
  expect(again.rows[0].changes).toEqual([change(4, '9', '7')]);
  const cleared = await upload(scene, teacher, `ID;Essay;Lab\n${student.id};8,5;\n${student2.id};ex;\n`, '?clear_blank_cells=1');
  expect(cleared.rows.map((one: Body) => one.changes)).toEqual([
    [change(2, '9', '8.5'), change(3, '8.6', '')],
    [change(2, '8', 'EX'), change(3, 'EX', '')],
  ]);
  await confirm(scene, teacher, cleared.id);
  expect(await gradeOf(scene, essay, student)).toMatchObject({ score: 8.5 });
  expect(await gradeOf(scene, lab, student)).toMatchObject({ score: null, grade: null });
  expect(await gradeOf(scene, essay, student2)).toMatchObject({ excused: true, score: null });
  expect(await gradeOf(scene, lab, student2)).toMatchObject({ excused: false });
});

test('who may not grade is refused, and a section-restricted grader exports and changes only their students', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2, stranger, observer, ta } = scene;
  const second = await ground.section(course, { name: 'Second' });
  const [sid, limited] = [await ground.person({ name: 'Sid Elsewhere', sis_user_id: 'S-77' }), await ground.person({ name: 'Lim Ited' })];
  await ground.enroll(course, sid, 'student', { section_id: second });
  await ground.enroll(course, limited, 'ta', { section_id: second, limited: true });
  const essay = await task(scene, 'Essay');
  for (const one of [student, observer, stranger]) {
    ok(await as(one).post(here(scene, '/gradebook_csv')), 401);
    ok(await as(one).post(here(scene, '/gradebook_uploads'), form('ID\n1\n')), 401);
  }
  expect(ok(await as(teacher).post(here(scene, '/gradebook_uploads'), new FormData()), 400)).toEqual({ message: 'No file attached' });
  const wrong: [string, RegExp][] = [
    ['Student,Essay\nSam,5\n', /ID, SIS User ID and SIS Login ID are missing/],
    ['', /are missing/],
    ['ID,Essay\n1,"5\n', /not closed/],
    [`ID,Essay\n1,${'x'.repeat(10_001)}\n`, /row 2, column 2 is longer/],
  ];
  for (const [text, message] of wrong)
    expect(ok(await as(teacher).post(here(scene, '/gradebook_uploads'), form(text)), 400).message).toMatch(message);
  const elsewhere = await aCourse(ground);
  const foreign = ok(await as(elsewhere.teacher).get(here(elsewhere, '/assignment_groups')))[0]?.id ?? 1;
  for (const [name, value] of Object.entries({
    grading_period_id: 999_999,
    assignment_group_id: foreign,
    assignment_order: [essay, 999_999],
    student_order: [stranger.id],
  }))
    expect(JSON.stringify(ok(await as(teacher).post(here(scene, '/gradebook_csv'), { [name]: value }), 400))).toContain(name);
  expect(JSON.stringify(ok(await as(limited).post(here(scene, '/gradebook_csv'), { student_order: [student.id] }), 400))).toContain(
    'student_order',
  );

  const { rows } = table(await exported(scene, limited));
  expect(rows.map((row) => row.ID)).toEqual([String(sid.id)]);
  const others = [student, student2].map((one) => [one.id, '', 4]);
  const file = [['ID', 'SIS User ID', 'Essay'], ['', 'S-77', 4], ...others].map(csvLine).join('');
  const dry = await upload(scene, limited, file);
  expect(dry.rows.map((one: Body) => [one.user_id, one.changes.length])).toEqual([
    [sid.id, 1],
    [null, 0],
    [null, 0],
  ]);
  const path = here(scene, `/gradebook_uploads/${dry.id}`);
  for (const one of [teacher, ta]) {
    ok(await as(one).get(path), 404);
    ok(await as(one).get(`${path}/rows`), 404);
    ok(await as(one).post(`${path}/confirm`), 404);
  }
  ok(await as(elsewhere.teacher).get(here(elsewhere, `/gradebook_uploads/${dry.id}`)), 404);
  // A student who leaves before the confirmation is not graded.
  ok(
    await as(teacher).del(
      here(scene, `/enrollments/${(ok(await as(teacher).get(here(scene, '/enrollments'), { user_id: sid.id })) as Body)[0].id}`),
      { task: 'delete' },
    ),
  );
  expect(await confirm(scene, limited, dry.id)).toMatchObject({ workflow_state: 'applied', applied_count: 0 });
});

test('grades of anonymous students are in no export, change by no import, and count in no total of either', async () => {
  const scene = await aCourse(ground);
  const { teacher, student } = scene;
  const admin = await ground.admin();
  const [open, masked] = [await task(scene, 'Open'), await task(scene, 'Masked')];
  for (const id of [open, masked]) await grade(scene, id, student, { posted_grade: '6' });
  await ground.db.run(`update assignments set anonymize_students = 1 where id = ${masked}`);
  const text = await exported(scene, teacher);
  expect(text).not.toContain('Masked');
  expect(table(text).rows.find((row) => row.ID === String(student.id))?.['Unposted Current Score']).toBe('60');
  expect(table(text).rows.find((row) => row.ID === String(student.id))?.['Unposted Final Score']).toBe('60');
  expect(await exported(scene, admin)).toContain(`Masked (${masked})`);
  const file = `ID,Masked (${masked})\n${student.id},1\n`;
  expect((await upload(scene, teacher, file)).columns[1]).toMatchObject({
    kind: 'ignored',
    message: 'the students of the assignment are anonymous',
  });
  const byAdmin = await upload(scene, admin, file);
  expect(byAdmin.change_count).toBe(1);
  // The change was listed before the assignment became anonymous to graders.
  await ground.db.run(`update assignments set anonymize_students = 0 where id = ${masked}`);
  const before = await upload(scene, teacher, file);
  await ground.db.run(`update assignments set anonymize_students = 1 where id = ${masked}`);
  expect((await confirm(scene, teacher, before.id)).rows[0].changes[0]).toMatchObject({ result: 'refused' });
  expect(await ground.db.all(`select score from submissions where assignment_id = ${masked} and score <> 6`)).toEqual([]);
});

test('a killed export and a killed import continue, with every student once and none in part', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  await manyStudents(120, course, 940_000, 'Many');
  const [one, two] = [await task(scene, 'One'), await task(scene, 'Two')];
  const students = Array.from({ length: 120 }, (_, nth) => 940_001 + nth);
  const file = [['ID', 'One', 'Two'], ...students.map((id) => [id, id % 10, id % 7])].map(csvLine).join('');
  const begun = ok(await as(teacher).post(here(scene, '/gradebook_uploads'), form(file)));
  const job = { job: 'gradebook_check', progress_id: begun.progress_id };
  await checkGradebook(job, dyingAfter(9)).catch(() => {});
  await checkGradebook(job, platform);
  expect(await read(scene, teacher, begun.id)).toMatchObject({ workflow_state: 'checked', change_count: 240, row_count: 120 });
  const started = ok(await as(teacher).post(here(scene, `/gradebook_uploads/${begun.id}/confirm`)));
  const applying = { job: 'gradebook_apply', progress_id: started.progress_id };
  await applyGradebook(applying, dyingAfter(6)).catch(() => {});
  const partial = await ground.db.all<{ n: number }>(
    `select count(*) as n from submissions where course_id = ${course.id} and score is not null group by user_id`,
  );
  expect(partial.every(({ n }) => n === 2)).toBe(true);
  await applyGradebook(applying, platform);
  expect(await read(scene, teacher, begun.id)).toMatchObject({ workflow_state: 'applied', applied_count: 240, conflict_count: 0 });
  const stored = await ground.db.all<{ n: number }>(
    `select count(*) as n from submissions where course_id = ${course.id} and score = user_id % case assignment_id when ${one} then 10 when ${two} then 7 end`,
  );
  expect(stored[0]?.n).toBe(240);
  const asked = ok(await as(teacher).post(here(scene, '/gradebook_csv')));
  const exporting = { job: 'gradebook_export', progress_id: asked.progress_id };
  await exportGradebook(exporting, dyingAfter(5)).catch(() => {});
  await exportGradebook(exporting, platform);
  const text = await (await SELF.fetch(ok(await as(teacher).get(`/files/${asked.attachment_id}`)).url)).text();
  expect(
    table(text)
      .rows.map((row) => row.ID)
      .filter((id) => Number(id) > 940_000),
  ).toEqual(students.map(String));
  expect(await ground.db.all('select id from gradebook_csv_pieces')).toEqual([]);
});

test('a grade that changes while a step is made is not overwritten', async () => {
  const scene = await aCourse(ground);
  const { course, teacher, student, student2 } = scene;
  const essay = await task(scene, 'Essay');
  for (const one of [student, student2]) await grade(scene, essay, one, { posted_grade: '5' });
  const file = [['ID', 'Essay'], ...[student, student2].map((one) => [one.id, 7])].map(csvLine).join('');
  const dry = await upload(scene, teacher, file);
  // After the step has read its grades, and before it writes.
  const { platform: raced, cost } = metered(async (batch) => {
    if (batch === 4)
      await ground.db.run(`update submissions set score = 9, grade = '9' where assignment_id = ${essay} and user_id = ${student.id}`);
  });
  await applyGradebook(await begun(scene, 'gradebook_upload_apply', { upload_id: dry.id }), raced);
  expect(cost.batches).toBeGreaterThan(4);
  const done = await read(scene, teacher, dry.id);
  expect(done).toMatchObject({ workflow_state: 'applied', applied_count: 1, conflict_count: 1 });
  const scores = await ground.db.all<{ score: number }>(`select score from submissions where course_id = ${course.id} order by user_id`);
  expect(scores.map(({ score }) => score)).toEqual([9, 7]);
});

test('late work loses points by the late policy, and closed grading periods refuse changes by name', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const admin = await ground.admin();
  const term = await ground.term();
  ok(await as(admin).put(here(scene), { course: { term_id: term.id } }));
  const set = ok(
    await as(admin).post('/accounts/1/grading_period_sets', { grading_period_set: { title: 'Year' }, enrollment_term_ids: [term.id] }),
    201,
  ).grading_period_set;
  const periods = ok(
    await as(admin).patch(`/grading_period_sets/${set.id}/grading_periods/batch_update`, {
      grading_periods: [
        { title: 'Spring', start_date: '2020-01-01T00:00:00Z', end_date: '2020-06-01T00:00:00Z', close_date: '2020-06-15T00:00:00Z' },
        { title: 'Now', start_date: '2020-06-01T00:00:00Z', end_date: '2099-01-01T00:00:00Z' },
      ],
    }),
  ).grading_periods;
  const past = ok(
    await as(admin).post(here(scene, '/assignments'), {
      assignment: { name: 'Past', published: true, points_possible: 10, due_at: '2020-03-01T12:00:00Z', submission_types: ['on_paper'] },
    }),
    201,
  ).id;
  ok(
    await as(teacher).post(here(scene, '/late_policy'), {
      late_policy: { late_submission_deduction_enabled: true, late_submission_deduction: 10, late_submission_interval: 'day' },
    }),
    201,
  );
  const late = await task(scene, 'Late', { due_at: '2030-03-01T12:00:00Z' });
  await grade(scene, late, student, { late_policy_status: 'late', seconds_late_override: 86_400 });
  const file = [['ID', 'Past', 'Late'], ...[student, student2].map((one) => [one.id, 8, 8])].map(csvLine).join('');
  const dry = await upload(scene, teacher, file);
  expect(dry).toMatchObject({ change_count: 2, error_count: 2 });
  expect(dry.rows[0].errors).toEqual([{ column: 2, message: 'the grading period is closed for this student' }]);
  await confirm(scene, teacher, dry.id);
  expect(await gradeOf(scene, late, student)).toMatchObject({ score: 7, entered_score: 8, points_deducted: 1 });
  expect(await gradeOf(scene, late, student2)).toMatchObject({ score: 8 });
  expect(await gradeOf(scene, past, student)).toMatchObject({ score: null });
  const text = await exported(scene, teacher, { grading_period_id: periods[1].id });
  expect(table(text).head.filter((name) => /\(\d+\)$/.test(name))).toEqual([`Late (${late})`]);
  expect((await upload(scene, teacher, text)).change_count).toBe(0);
  expect((await upload(scene, admin, file)).rows[0].changes).toHaveLength(2);
});

test('a student whose grades cannot be stored is reported, and the others are graded', async () => {
  const scene = await aCourse(ground);
  const { teacher, student, student2 } = scene;
  const essay = await task(scene, 'Essay');
  const dry = await upload(scene, teacher, [['ID', 'Essay'], ...[student, student2].map((one) => [one.id, 7])].map(csvLine).join(''));
  await ground.db.run(
    `create trigger refuse_one before insert on submissions when new.user_id = ${student.id} begin select raise(abort, 'refused'); end`,
  );
  const job = await begun(scene, 'gradebook_upload_apply', { upload_id: dry.id });
  for (let deliveries = 0; deliveries < 6; deliveries += 1) await applyGradebook(job, platform).catch(() => {});
  await ground.db.run('drop trigger refuse_one');
  const done = await read(scene, teacher, dry.id);
  expect(done).toMatchObject({ workflow_state: 'applied', applied_count: 1 });
  expect(done.rows.map((one: Body) => [one.workflow_state, one.changes[0].result])).toEqual([
    ['failed', 'failed'],
    ['applied', 'applied'],
  ]);
  expect((await gradeOf(scene, essay, student2)).score).toBe(7);
});

test('a large gradebook costs rows in proportion to its cells, in small steps', async () => {
  const scene = await aCourse(ground);
  const { course, teacher } = scene;
  const [students, columns] = [60, 40];
  const group = ok(await as(teacher).post(here(scene, '/assignment_groups'), { name: 'Work' })).id;
  const [first, crowd] = [700_000, 960_000];
  await inBulk(async () => {
    await manyStudents(students, course, crowd, 'Many');
    await many(columns, assignments, {
      id: sql`${first} + n`,
      course_id: course.id,
      assignment_group_id: group,
      name: nth('Task '),
      position: sql`n`,
      points_possible: 10,
      lti_context_id: nth('lti'),
      workflow_state: 'published',
    });
    const [task_id, user] = [sql.raw(`(${first} + 1 + (n - 1) % ${columns})`), sql.raw(`(${crowd} + 1 + (n - 1) / ${columns})`)];
    await many(students * columns, submissions, {
      id: submissionIdOf(task_id, user),
      course_id: course.id,
      assignment_id: task_id,
      user_id: user,
      score: sql`n % 11`,
      grade: sql`cast(n % 11 as text)`,
      graded_at: '2026-09-02T08:00:00Z',
      workflow_state: 'graded',
    });
  });
  const cells = students * columns;
  const asked = ok(await as(teacher).post(here(scene, '/gradebook_csv')));
  await ground.db.run(`update progress set tag = 'waiting' where id = ${asked.progress_id}`);
  const request = await ground.db.all<{ arguments: string }>(`select arguments from progress where id = ${asked.progress_id}`);
  const exporting = metered();
  await exportGradebook(await begun(scene, 'gradebook_export', JSON.parse(request[0]?.arguments ?? '{}')), exporting.platform);
  const file = ok(await as(teacher).get(`/files/${asked.attachment_id}`));
  const text = await (await SELF.fetch(file.url)).text();
  expect(table(text).rows).toHaveLength(students + 2);
  const sent = ok(within(await as(teacher).post(here(scene, '/gradebook_uploads'), form(text)), 3));
  const checking = metered();
  await checkGradebook(await begun(scene, 'gradebook_upload', { upload_id: sent.id }), checking.platform);
  expect(await read(scene, teacher, sent.id)).toMatchObject({ change_count: 0, error_count: 0, row_count: students + 2 });
  // Measured: 2.9 rows a cell, and 2.3 at 500 by 200. A step has up to 10,000 cells in an export, and 4,000 in a dry run.
  expect(exporting.cost.rows_read).toBeLessThan(3.5 * cells);
  expect(checking.cost.rows_read).toBeLessThan(4 * cells);
  expect(Math.max(exporting.cost.rows, checking.cost.rows)).toBeLessThan(25_000);
  expect(Math.max(exporting.cost.statements, checking.cost.statements)).toBeLessThan(8);
  const names = Array.from({ length: columns }, (_, at) => `Task ${at + 1}`);
  const grades = Array.from({ length: 10 }, (_, at) => [crowd + 1 + at, ...names.map(() => '5.5')]);
  const some = await upload(scene, teacher, [['ID', ...names], ...grades].map(csvLine).join(''));
  expect(some.change_count).toBe(10 * columns);
  const applying = metered();
  await applyGradebook(await begun(scene, 'gradebook_upload_apply', { upload_id: some.id }), applying.platform);
  expect(ok(await as(teacher).get(here(scene, `/gradebook_uploads/${some.id}`))).applied_count).toBe(10 * columns);
  // Two steps of 200 grades, each with four trips.
  expect(applying.cost.batches).toBeLessThan(12);
  expect(applying.cost.statements).toBeLessThan(14);
  expect(applying.cost.rows).toBeLessThan(25_000);
});
