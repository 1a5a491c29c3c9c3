// A grade as a cell of a gradebook file, and what a cell changes. Pure.

import { type Graded, gradeFrom, type Scheme, usesScheme } from '@carrel/shared/grading/score_to_grade';
import { overrideFrom } from '../final_grade_overrides/input';

export interface StoredGrade {
  readonly score: number | null;
  readonly grade: string | null;
  readonly excused: boolean;
}

/** Of a student without a submission. */
export const noGrade: StoredGrade = { score: null, grade: null, excused: false };

export const excusedCell = 'EX';
/** Of a student to whom the assignment is not assigned. */
export const unassignedCell = 'N/A';

/** Whether a score says too little, because the grade was given by its name without points. */
export const showsName = ({ grading_type, points_possible }: Graded): boolean =>
  (points_possible ?? 0) === 0 && (usesScheme(grading_type) || grading_type === 'pass_fail');

/** Canvas writes points for every grading type (assumed). */
export function cellOfGrade({ score, grade, excused }: StoredGrade, graded: Graded): string {
  if (excused) return excusedCell;
  if (score === null) return '';
  return showsName(graded) ? (grade ?? String(score)) : String(score);
}

/** A number with a decimal comma, as `1.234,5` or `8,5%`, with a point. */
export const withDecimalPoint = (text: string): string =>
  /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+%?$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;

export interface CellRules {
  readonly clears: boolean;
  readonly hasDecimalComma: boolean;
}

/** What a cell says about the stored grade; undefined when it changes nothing. */
export type Verdict = { readonly from: string; readonly to: string } | { readonly error: string } | undefined;

const isSameNumber = (one: string, other: string) => one !== '' && other !== '' && Number(one) === Number(other);

/** Whether a cell says what is stored: as an export shows it, as the same number, or as the displayed grade. */
const isStored = (text: string, shown: string, { grade, excused }: StoredGrade): boolean =>
  text === shown || isSameNumber(text, shown) || (!excused && grade !== null && text.toLowerCase() === grade.toLowerCase());

export function judgeGrade(
  cell: string,
  stored: StoredGrade,
  graded: Graded,
  scheme: Scheme | undefined,
  { clears, hasDecimalComma }: CellRules,
): Verdict {
  const from = cellOfGrade(stored, graded);
  const given = cell.trim();
  const text = hasDecimalComma ? withDecimalPoint(given) : given;
  if (text.toUpperCase() === unassignedCell) return undefined;
  if (text === '') return clears && from !== '' ? { from, to: '' } : undefined;
  if (text.toUpperCase() === excusedCell) return stored.excused ? undefined : { from, to: excusedCell };
  if (isStored(text, from, stored)) return undefined;
  // Exports write points, so a number is points where a scheme has grades that are numbers, too.
  const { score, grade } = gradeFrom(text, graded, scheme, true);
  if (score === null) return { error: `${given.slice(0, 50)} is not a grade of this assignment` };
  return !stored.excused && score === stored.score && grade === stored.grade ? undefined : { from, to: text };
}

/** The same for the override of a final grade, a percentage: the grade of the scheme follows from it. */
export function judgeOverride(cell: string, stored: number | null, { clears, hasDecimalComma }: CellRules): Verdict {
  const from = stored === null ? '' : String(stored);
  const given = cell.trim();
  if (given === '') return clears && from !== '' ? { from, to: '' } : undefined;
  const score = overrideFrom(hasDecimalComma ? withDecimalPoint(given) : given, null);
  if (typeof score === 'string') return { error: score };
  return score === stored ? undefined : { from, to: String(score) };
}

/** The same for the text of a custom column. */
export function judgeText(cell: string, stored: string, { clears }: CellRules): Verdict {
  if (cell === stored || (cell.trim() === '' && (!clears || stored === ''))) return undefined;
  return { from: stored, to: cell.trim() === '' ? '' : cell };
}
