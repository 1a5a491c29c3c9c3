// `grades.csv`: what spreadsheets make of it, and what a grader has changed in it.

import { defaultScheme } from '@carrel/shared/grading/score_to_grade';
import { describe, expect, test } from 'vitest';
import type { GradedWork } from './grade_entry';
import {
  attemptOfBase,
  BadSheet,
  baseOfState,
  type RowState,
  readEdits,
  readSheet,
  type SheetLine,
  sheetText,
  type TakenCells,
} from './grade_sheet';

const work = (more: Partial<GradedWork> = {}): GradedWork => ({
  grading_type: 'points',
  points_possible: 10,
  scheme: defaultScheme,
  ...more,
});
const line = (who: string, more: Partial<SheetLine> = {}): SheetLine => ({
  who,
  name: `Student ${who}`,
  section: 'Monday',
  state: 'attempt 1',
  grade: '',
  excused: false,
  said: '',
  base: baseOfState({ attempt: 1 }),
  ...more,
});
const bytes = (text: string) => new TextEncoder().encode(text);
const lines = [line('101', { grade: '8' }), line('102'), line('103', { excused: true })];

/** As the desk knows the rows that it wrote. */
const known =
  (of: readonly SheetLine[] = lines, taken: Record<string, TakenCells> = {}) =>
  (who: string): RowState | undefined => {
    const found = of.find((one) => one.who === who);
    const written = found && { ...found, taken: taken[who] ?? null };
    return found && { now: found, written: (base) => (base === null || base === found.base ? written : undefined) };
  };
const edits = (text: string | Uint8Array, of = known(), graded = work()) =>
  readEdits(readSheet(typeof text === 'string' ? bytes(text) : text), of, graded);
const brief = (found: ReturnType<typeof edits>) => [
  ...found.edits.map(({ row, who, grade, excused, comment }) => ({ row, who, grade, excused, comment })),
  ...found.problems.map(({ row, code }) => ({ row, code })),
];

const saved = sheetText(lines, ',');
/** The file, with a new grade for 102. */
const changed = saved.replace('Student 102,Monday,attempt 1,,,,', 'Student 102,Monday,attempt 1,7.5,,"Well done, you",');
const one = [{ row: 3, who: '102', grade: '7.5', excused: undefined, comment: 'Well done, you' }];
const withSemicolons = (text: string) =>
  text.replace('"Well done, you"', '@').replaceAll(',', ';').replace('7.5', '7,5').replace('@', 'Well done, you');
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text.replace('\ufeff', '')}`, 'utf16le'));

describe('what spreadsheets save is read as the same', () => {
  test.each<[string, string | Uint8Array]>([
    ['as it was written', changed],
    ['without a byte order mark', changed.replace('\ufeff', '')],
    ['with line feeds only', changed.replaceAll('\r\n', '\n')],
    ['with carriage returns only, as on an old Mac', changed.replaceAll('\r\n', '\r')],
    ['with semicolons and decimal commas', withSemicolons(changed)],
    ['with tabs, as “Unicode text” in UTF-16', utf16(withSemicolons(changed).replaceAll(';', '\t'))],
    ['with a first line that names the delimiter', `sep=;\r\n${withSemicolons(changed).replace('\ufeff', '')}`],
    ['with quotes around everything', quotedAll(changed)],
    ['without a line end at the end', changed.trimEnd()],
    ['with empty rows', `${changed}\r\n,,,,,,,,\r\n`],
    [
      'with ids as decimals, and grades with more decimals',
      changed
        .replace(/^(10\d),/gm, '$1.00,')
        .replace(',8,', ',8.0,')
        .replace('7.5', '7.50'),
    ],
    ['with columns in another order, and one of the user', reordered(changed)],
    ['with headers in capitals', changed.replace('id,name', 'ID,Name').replace(',grade,', ',Grade,')],
  ])('%s', (_, text) => {
    const found = brief(edits(text));
    expect(found.map((edit) => ('grade' in edit ? { ...edit, grade: edit.grade?.replace('7.50', '7.5') } : edit))).toEqual(one);
  });

  test('a name in the code page of Windows does not make the file unreadable', () => {
    const latin = Buffer.from(changed.replace('\ufeff', '').replace('Student 101', 'Zoë'), 'latin1');
    expect(brief(edits(new Uint8Array(latin)))).toEqual(one);
  });
});

function quotedAll(text: string): string {
  const rows = text.replace('\ufeff', '').trimEnd().split('\r\n');
  return rows.map((row) => row.replace(/(?<=^|,)(?!")([^,"]*)(?=,|$)/g, '"$1"')).join('\r\n');
}

function reordered(text: string): string {
  const rows = text.replace('\ufeff', '').trim().split('\r\n');
  return rows
    .map((row, nth) => {
      const cells = row.replace('"Well done, you"', 'Well done@ you').split(',');
      return [nth === 0 ? 'my notes' : 'private', ...cells.reverse()]
        .map((cell) => (cell.includes('@') ? `"${cell.replace('@', ',')}"` : cell))
        .join(',');
    })
    .join('\r\n');
}

const typed = (grade: string, excused = '', comment = '') =>
  saved.replace('102,Monday,attempt 1,,,,', `102,Monday,attempt 1,${grade},${excused},${comment},`);

test.each([
  ['nothing', '', '', '', []],
  ['a grade', '9', '', '', [{ grade: '9' }]],
  ['a share', '85 %', '', '', [{ grade: '85%' }]],
  ['an excuse', '', 'yes', '', [{ excused: true }]],
  ['an excuse as spreadsheets in German write it', '', 'WAHR', '', [{ excused: true }]],
  ['Canvas’ word for an excuse', 'EX', '', '', [{ excused: true }]],
  ['no excuse, in words', '', 'FALSE', '', []],
  ['a comment', '', '', 'See me', [{ comment: 'See me' }]],
  ['no grade', 'very good', '', '', [{ code: 'why.sheetGrade' }]],
  ['neither yes nor no', '', 'perhaps', '', [{ code: 'why.sheetExcused' }]],
  ['a grade and an excuse', '9', 'yes', '', [{ code: 'why.sheetBoth' }]],
])('%s in the row of a student without a grade', (_, grade, excused, comment, expected) => {
  const found = brief(edits(typed(grade, excused, comment)));
  expect(found).toEqual(expected.map((one) => expect.objectContaining({ row: 3, ...one })));
});

test('an emptied grade is no grade, an emptied excuse ends it, and an excuse replaces a grade', () => {
  const of = (from: string, to: string) => brief(edits(saved.replace(from, to)));
  expect(of('101,Monday,attempt 1,8,', '101,Monday,attempt 1,,')).toMatchObject([{ who: '101', grade: null }]);
  expect(of('103,Monday,attempt 1,,yes,', '103,Monday,attempt 1,,,')).toMatchObject([{ who: '103', excused: false, grade: undefined }]);
  expect(of('103,Monday,attempt 1,,yes,', '103,Monday,attempt 1,6,,')).toMatchObject([{ who: '103', grade: '6' }]);
  expect(of('101,Monday,attempt 1,8,,', '101,Monday,attempt 1,8,x,')).toMatchObject([{ who: '101', excused: true, grade: undefined }]);
});

test('an unknown student, a row that is there twice, and a file that is no table are reported', () => {
  const row = (id: string, grade: string) => `${id},,,,${grade},,,,\r\n`;
  expect(brief(edits(saved + row('999', '3') + row('998', '')))).toEqual([{ row: 5, code: 'why.sheetUnknown' }]);
  expect(brief(edits(saved + row('102', '3')))).toEqual([{ row: 5, code: 'why.sheetTwice' }]);
  expect(() => readSheet(bytes('name,grade\r\nAda,3\r\n'))).toThrow(BadSheet);
  expect(() => readSheet(bytes('id,grade\r\n1,a"b\r\n'))).toThrow('why.sheetNotCsv');
  expect(() => readSheet(new Uint8Array())).toThrow('why.sheetNoId');
});

test('what was sent, and what the server has already, is no change; a comment that was sent is not sent again', () => {
  const taken = { '102': { grade: '9', excused: false, comment: 'See me' } };
  expect(brief(edits(typed('9', '', 'See me'), known(lines, taken)))).toEqual([]);
  expect(brief(edits(typed('9', '', 'See me again'), known(lines, taken)))).toMatchObject([{ comment: 'See me again', grade: undefined }]);
  expect(brief(edits(typed('7'), known(lines, taken)))).toMatchObject([{ grade: '7' }]);
  const now = known([line('101', { grade: '8' }), line('102', { grade: '9', base: 'a1-00000000' }), line('103', { excused: true })]);
  expect(brief(edits(typed('9'), now))).toEqual([]);
});

test('a row says which state it was made from', () => {
  const [edit] = edits(typed('9')).edits;
  expect(edit).toMatchObject({ base: lines[1]?.base, before: { grade: '' } });
  expect(attemptOfBase(edit?.base ?? '')).toBe(1);
  expect(edits(typed('9').replaceAll(/,a1-[0-9a-f]+/g, ',')).edits).toMatchObject([{ base: lines[1]?.base }]);
  const foreign = edits(typed('9').replaceAll(/a1-[0-9a-f]+/g, 'a2-12345678')).edits.find(({ who }) => who === '102');
  expect(foreign).toMatchObject({ base: 'a2-12345678', before: undefined });
  const states = [{}, { attempt: 1 }, { attempt: 1, score: 5, grade: '5' }, { attempt: 1, excused: true }, { attempt: 2 }];
  expect(new Set(states.map(baseOfState)).size).toBe(states.length);
});

test('grades of every type are understood, and refused where they are none', () => {
  const of = (grade: string, graded: Partial<GradedWork>) => brief(edits(typed(grade), known(), work(graded)))[0];
  expect(of('B+', { grading_type: 'letter_grade' })).toMatchObject({ grade: 'B+' });
  expect(of('complete', { grading_type: 'pass_fail' })).toMatchObject({ grade: 'complete' });
  expect(of('5', { grading_type: 'pass_fail' })).toMatchObject({ code: 'why.sheetGrade' });
  expect(of('5', { grading_type: 'not_graded' })).toMatchObject({ code: 'why.sheetGrade' });
});

test('formulas in names and comments are neutralised, and decimals are written as the spreadsheet reads them', () => {
  const text = sheetText(
    [line('1', { name: '=HYPERLINK("http://x")', said: '@SUM(A1)', grade: '8.5' }), line('2', { name: '+1', grade: '-1.5' })],
    ';',
  );
  expect(text.startsWith('\ufeffid;name;')).toBe(true);
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(text).toContain(`'@SUM(A1)`);
  expect(text).toContain(';8,5;');
  expect(text).toContain(';-1,5;');
  expect(sheetText([line('1', { grade: '8.5' })], ',')).toContain(',8.5,');
});

test('rows and columns of the user stay, and so do rows that have to', () => {
  const mine = `${changed.replace('\r\n', ',my notes\r\n').replace(/^101(.*)$/m, '101$1,careful')}x,,,,,,,,,of mine\r\n`;
  const sheet = readSheet(bytes(mine));
  const next = [line('101', { grade: '9', base: 'a2-1' }), line('102', { grade: '3' }), line('104')];
  const text = sheetText(next, sheet.delimiter, { sheet, staysAsIs: ({ who }) => who === '102' || who === 'x' });
  const rows = readSheet(bytes(text)).rows.map(({ who, cells }) => [who, cells[4], cells[6], cells[9]]);
  expect(rows).toEqual([
    ['101', '9', '', 'careful'],
    ['102', '7.5', 'Well done, you', ''],
    ['x', '', '', 'of mine'],
    ['104', '', '', ''],
  ]);
});
