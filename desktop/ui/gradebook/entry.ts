// What a grader types into a cell, by the grading type: as a grade for the server, and as the cell looks until the server has it.

import type { GradebookCell, GradebookColumn, GradeEntry, UnsentGrade } from '../../contract/gradebook.ts';
import { inLocale, type MessageKey, t } from '../../language/texts.ts';

const decimals = inLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
export const decimalIn = (value: number) => decimals().format(value);

export const isGradable = ({ may_grade, is_anonymous, grading_type }: GradebookColumn) =>
  may_grade && !is_anonymous && grading_type !== 'not_graded';

/** The choices of a grading type; empty where any number may be typed. */
export function gradeChoicesOf({ grading_type, letters }: GradebookColumn): readonly { readonly grade: string; readonly says: string }[] {
  if (grading_type === 'pass_fail')
    return [
      { grade: 'complete', says: t('book.complete') },
      { grade: 'incomplete', says: t('book.incomplete') },
    ];
  return letters.map((letter) => ({ grade: letter, says: letter }));
}

/** The grade as the cell shows it. */
export function gradeWords(column: GradebookColumn, { grade, score }: Pick<GradebookCell, 'grade' | 'score'>): string {
  if (grade === null && score === null) return '';
  if (column.grading_type === 'pass_fail') return gradeChoicesOf(column).find((choice) => choice.grade === grade)?.says ?? grade ?? '';
  if (column.grading_type === 'percent') return grade === null ? '' : percentWords(grade);
  if (column.grading_type === 'points' || column.grading_type === 'not_graded') return score === null ? (grade ?? '') : decimalIn(score);
  return grade ?? (score === null ? '' : decimalIn(score));
}

const percentWords = (grade: string) => {
  const share = Number.parseFloat(grade);
  return Number.isFinite(share) ? t('book.percent', { share: decimalIn(share) }) : grade;
};

/** The grade as it is edited. */
export function editedWords(column: GradebookColumn, cell: Pick<GradebookCell, 'grade' | 'score' | 'excused'>): string {
  if (cell.excused) return '';
  return column.grading_type === 'percent' ? gradeWords(column, cell).replace(/\s*%$/, '') : gradeWords(column, cell);
}

export type TypedEntry = { readonly entry: GradeEntry } | { readonly problem: MessageKey };

/** Short words that every grading type takes, as in other gradebooks. */
const shortcuts: Readonly<Record<string, GradeEntry>> = { ex: { excused: true }, mi: { status: 'missing' } };

export function entryOf(column: GradebookColumn, typed: string): TypedEntry {
  const text = typed.trim();
  if (text === '') return { entry: { grade: null } };
  const choice = choiceFor(column, text);
  if (choice !== undefined) return { entry: { grade: choice } };
  const short = Object.hasOwn(shortcuts, text.toLowerCase()) ? shortcuts[text.toLowerCase()] : undefined;
  if (short) return { entry: short };
  if (column.grading_type === 'pass_fail') return { problem: 'book.badChoice' };
  const number = /^(-?\d*[.,]?\d+)\s*(%?)$/.exec(text);
  if (!number) return { problem: column.letters.length > 0 ? 'book.badLetter' : 'book.badNumber' };
  const value = String(Number(number[1]?.replace(',', '.')));
  return { entry: { grade: number[2] || column.grading_type === 'percent' ? `${value}%` : value } };
}

/** Whole, whatever its case; the words of the language too. */
function choiceFor(column: GradebookColumn, text: string): string | undefined {
  const same = (one: string) => one.localeCompare(text, undefined, { sensitivity: 'accent' }) === 0;
  return gradeChoicesOf(column).find(({ grade, says }) => same(grade) || same(says))?.grade;
}

const scoreOf = ({ grading_type, points_possible }: GradebookColumn, grade: string): number | null => {
  if (grading_type === 'pass_fail') return grade === 'complete' ? points_possible : 0;
  const value = Number.parseFloat(grade);
  if (!/^-?[\d.]+%?$/.test(grade) || !Number.isFinite(value)) return null;
  if (!grade.endsWith('%')) return value;
  return points_possible === null ? null : Math.round(value * points_possible) / 100;
};

/** Shown until the view has it. */
export function enteredCell(column: GradebookColumn, before: GradebookCell, entry: GradeEntry): GradebookCell {
  const unsent: UnsentGrade = before.unsent ?? { id: '', hold: null, refused: null };
  const { grade, excused, status } = entry;
  const comments = before.comments + (entry.comment ? 1 : 0);
  const cell = { ...before, unsent: { ...unsent, hold: null, refused: null }, comments };
  if (excused) return { ...cell, excused, score: null, grade: null, missing: false, needs_grading: false };
  const open = excused === false || grade !== undefined ? { ...cell, excused: false } : cell;
  const marked = status === undefined ? open : { ...open, late: status === 'late', missing: status === 'missing' };
  if (grade === undefined) return marked;
  if (grade === null) return { ...marked, score: null, grade: null };
  const score = scoreOf(column, grade);
  const isOfLetters = column.letters.length > 0 && score !== null;
  return { ...marked, score, grade: isOfLetters ? null : grade, missing: false, needs_grading: false };
}

/** Enters what was there before, in the fields that the entry changed. */
export const formerEntry = (before: GradebookCell, { grade, excused, status }: GradeEntry): GradeEntry => ({
  ...((grade !== undefined || excused) &&
    !before.excused && { grade: before.grade ?? (before.score === null ? null : String(before.score)) }),
  ...((excused !== undefined || before.excused) && { excused: before.excused }),
  ...(status !== undefined && { status: enteredStatusOf(before) }),
});

export const enteredStatusOf = ({ late, missing }: Pick<GradebookCell, 'late' | 'missing'>): NonNullable<GradeEntry['status']> =>
  missing ? 'missing' : late ? 'late' : 'none';
