// The lines of a gradebook export: the header, the row with points possible, and the rows of students. Pure.

import { csvLine } from '@carrel/shared/csv/writer';
import type { ScoresWithPoints } from '@carrel/shared/grading/course_scores';
import { type CountedCourses, gradebookScores, letterGradeOf } from '../../enrollments/grades/facts';
import { cellOfGrade, unassignedCell } from '../cells';
import type { GradebookAssignment } from '../columns';
import {
  assignmentHeader,
  gradeHeaders,
  gradeTotals,
  manualPosting,
  overrideHeaders,
  pointsRow,
  readOnly,
  scoreHeaders,
  scoreTotals,
} from '../headers';

type Cell = string | number | null;

/** What the caller may see of students, and asked to be shown. */
export interface ShownColumns {
  readonly splitsNames: boolean;
  readonly sisIds: boolean;
  readonly logins: boolean;
}

export interface HeadColumns {
  readonly shown: ShownColumns;
  readonly assignments: readonly GradebookAssignment[];
  readonly customColumns: readonly { readonly id: number; readonly title: string }[];
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  /** Whether the totals have letter grades. */
  readonly hasGrades: boolean;
  /** Whether the course allows overrides of final grades. */
  readonly hasOverrides: boolean;
}

/** Decided by the first step, so that all lines have the same columns. Ids, in order. */
export interface ExportPlan {
  readonly students: readonly number[];
  readonly assignments: readonly number[];
  readonly customColumns: readonly number[];
  readonly groups: readonly number[];
  readonly hasGrades: boolean;
  readonly hasOverrides: boolean;
}

export interface ExportedStudent {
  readonly id: number;
  readonly sortable_name: string;
  readonly sis_user_id: string | null;
  readonly login: string | null;
  readonly integration_id: string | null;
  /** JSON: names. */
  readonly sections: string;
  /** JSON, from `computedWork`. */
  readonly work: string;
  /** JSON: assignments and displayed grades. */
  readonly grades: string;
  /** JSON: custom columns and texts. */
  readonly texts: string;
}

type StudentCell = readonly [header: string, cell: (one: ExportedStudent) => Cell];

const wholeName: readonly StudentCell[] = [['Student', (one) => one.sortable_name]];
const splitName: readonly StudentCell[] = [
  ['LastName', (one) => one.sortable_name.split(', ', 1)[0] ?? ''],
  ['FirstName', (one) => one.sortable_name.split(', ').slice(1).join(', ')],
];

/** The values of the columns that name a student, in order. */
function studentCells({ splitsNames, sisIds, logins }: ShownColumns): readonly StudentCell[] {
  const sisId: StudentCell = ['SIS User ID', (one) => one.sis_user_id];
  const login: StudentCell = ['SIS Login ID', (one) => one.login];
  const integration: StudentCell = ['Integration ID', (one) => one.integration_id];
  return [
    ...(splitsNames ? splitName : wholeName),
    ['ID', (one) => one.id],
    ...(sisIds ? [sisId] : []),
    ...(logins ? [login] : []),
    ...(sisIds ? [integration] : []),
    ['Section', (one) => asSentence(JSON.parse(one.sections) as string[])],
  ];
}

/** `A`, `A and B`, `A, B, and C`. */
export function asSentence(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  const others = names.slice(0, -1);
  return others.length === 0 ? last : others.length === 1 ? `${others[0]} and ${last}` : `${others.join(', ')}, and ${last}`;
}

const computedHeaders = ({ groups, hasGrades, hasOverrides }: HeadColumns): string[] => [
  ...groups.flatMap(({ name }) => scoreHeaders.map((header) => `${name} ${header}`)),
  ...scoreHeaders,
  ...(hasGrades ? gradeHeaders : []),
  ...(hasOverrides ? overrideHeaders.slice(0, hasGrades ? 2 : 1) : []),
];

/** The header, the row of posting policies if an assignment posts manually, and the row with the points possible. */
export function headLines(columns: HeadColumns): string {
  const { assignments, customColumns } = columns;
  const named = studentCells(columns.shown).map(([header]) => header);
  const computed = computedHeaders(columns);
  const blank = (count: number): string[] => Array.from({ length: count }, () => '');
  const head = [...named, ...customColumns.map(({ title }) => title), ...assignments.map(assignmentHeader), ...computed];
  const before = blank(named.length + customColumns.length);
  const posting = [...before, ...assignments.map((one) => (one.post_manually ? manualPosting : '')), ...blank(computed.length)];
  const points = [
    `    ${pointsRow}`,
    ...before.slice(1),
    ...assignments.map(({ points_possible }) => points_possible),
    ...computed.map(() => readOnly),
  ];
  const rows: (readonly Cell[])[] = [head, ...(assignments.some((one) => one.post_manually) ? [posting] : []), points];
  return rows.map(csvLine).join('');
}

type Done = readonly [assignment_id: number, score: number | null, pending: number, excused: number];

export interface Counting {
  /** The assignments of the gradebook, by id. Grades of others are not shown, even if the plan has them. */
  readonly assignments: ReadonlyMap<number, GradebookAssignment>;
  readonly row: CountedCourses[number];
  /** Assignments that the totals do not count. */
  readonly leftOut: ReadonlySet<number>;
  readonly period: number | undefined;
  readonly course: Parameters<typeof letterGradeOf>[1];
}

const scoreCells = (scores: ScoresWithPoints | undefined): Cell[] => scoreHeaders.map((header) => scores?.[scoreTotals[header]] ?? null);

export function studentLine(student: ExportedStudent, shown: ShownColumns, plan: ExportPlan, counting: Counting): string {
  const { work, others } = JSON.parse(student.work) as { work: readonly Done[]; others: readonly number[] };
  const grades = new Map(JSON.parse(student.grades) as [number, string | null][]);
  const texts = new Map(JSON.parse(student.texts) as [number, string][]);
  const done = new Map(work.map(([id, score, , excused]) => [id, { score, excused: excused === 1, grade: grades.get(id) ?? null }]));
  const unassigned = new Set(others);
  const gradeCell = (id: number): Cell => {
    const [assignment, stored] = [counting.assignments.get(id), done.get(id)];
    const cell = assignment && stored ? cellOfGrade(stored, assignment) : '';
    return cell === '' && unassigned.has(id) ? unassignedCell : cell;
  };
  const scores = gradebookScores(student.work, counting.row, counting.leftOut, counting.period);
  const override = scores.whole.override_score;
  return csvLine([
    ...studentCells(shown).map(([, cell]) => cell(student)),
    ...plan.customColumns.map((id) => texts.get(id) ?? ''),
    ...plan.assignments.map(gradeCell),
    ...plan.groups.flatMap((id) => scoreCells(scores.groups.get(id))),
    ...scoreCells(scores.whole),
    ...(plan.hasGrades ? gradeHeaders.map((header) => letterGradeOf(scores.whole[gradeTotals[header]], counting.course)) : []),
    ...(plan.hasOverrides ? [override, letterGradeOf(override, counting.course)].slice(0, plan.hasGrades ? 2 : 1) : []),
  ]);
}

/** Parts of a text of at most this length, none of which ends within a character. */
export function partsOf(text: string, length: number): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = at + length;
    const isWithin = end < text.length && text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) < 0xdc00;
    parts.push(text.slice(at, isWithin ? end - 1 : end));
    at = isWithin ? end - 1 : end;
  }
  return parts;
}
