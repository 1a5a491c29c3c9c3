// The content of reports about a New Quiz, as CSV or JSON, in pieces that make a file one after another.

import { csvLine } from '@carrel/shared/csv/writer';
import { lookUp } from '@carrel/shared/wire/look_up';

export const newQuizReportTypes = ['student_analysis', 'item_analysis'] as const;
export const newQuizReportFormats = ['csv', 'json'] as const;
export type NewQuizReportType = (typeof newQuizReportTypes)[number];
export type NewQuizReportFormat = (typeof newQuizReportFormats)[number];

/** A list or object is JSON in a cell of CSV. */
export type NewQuizReportRow = Readonly<Record<string, string | number | null | object>>;

export const reportColumns: Readonly<Record<NewQuizReportType, readonly string[]>> = {
  student_analysis: [
    'name',
    'id',
    'sis_id',
    'section',
    'section_id',
    'section_sis_id',
    'submitted',
    'attempt',
    'score',
    'points_possible',
    'grade',
  ],
  item_analysis: [
    'position',
    'item_id',
    'entry_type',
    'interaction_type',
    'title',
    'points_possible',
    'scoring_algorithm',
    'bank_entry_id',
    'students',
    'responses',
    'correct',
    'partially_correct',
    'incorrect',
    'average_points',
    'answers',
  ],
};

/** The two columns of a question in the analysis of students. @param id negative for items */
export function responseColumns(id: number, title: string): readonly [response: string, points: string] {
  const name = id < 0 ? String(-id) : `bank entry ${id}`;
  return [`${name}: ${title}`, `${name}: points`];
}

const cell = (value: NewQuizReportRow[string]) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);

/** The start of the file. */
export const openingOf = (columns: readonly string[], format: NewQuizReportFormat): string => (format === 'csv' ? csvLine(columns) : '[');

/** @param isFirst no rows are before these */
export function linesOf(
  columns: readonly string[],
  format: NewQuizReportFormat,
  rows: readonly NewQuizReportRow[],
  isFirst: boolean,
): string {
  if (format === 'csv') return rows.map((row) => csvLine(columns.map((name) => cell(lookUp(row, name) ?? null)))).join('');
  return rows
    .map(
      (row, at) =>
        `${isFirst && at === 0 ? '' : ','}\n${JSON.stringify(Object.fromEntries(columns.map((name) => [name, lookUp(row, name) ?? null])))}`,
    )
    .join('');
}

/** The end of the file. */
export const closingOf = (format: NewQuizReportFormat): string => (format === 'csv' ? '' : '\n]\n');
