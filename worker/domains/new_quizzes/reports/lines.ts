// The content of reports about a New Quiz, as CSV or JSON, in pieces that make a file one after another.

import { lookUp } from '@carrel/shared/wire/look_up';
import { csvLine } from '../../../csv/writer';

export const newQuizReportTypes = ['student_analysis', 'item_analysis'] as const;
export const newQuizReportFormats = ['csv', 'json'] as const;
export type NewQuizReportType = (typeof newQuizReportTypes)[number];
export type NewQuizReportFormat = (typeof newQuizReportFormats)[number];

export type NewQuizReportRow = Readonly<Record<string, string | number | null>>;

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
  item_analysis: ['position', 'item_id', 'entry_type', 'interaction_type', 'title', 'points_possible', 'scoring_algorithm'],
};

/** The start of the file. */
export const openingOf = (type: NewQuizReportType, format: NewQuizReportFormat): string =>
  format === 'csv' ? csvLine(reportColumns[type]) : '[';

/** @param isFirst no rows are before these */
export function linesOf(type: NewQuizReportType, format: NewQuizReportFormat, rows: readonly NewQuizReportRow[], isFirst: boolean): string {
  const columns = reportColumns[type];
  if (format === 'csv') return rows.map((row) => csvLine(columns.map((name) => lookUp(row, name) ?? null))).join('');
  return rows
    .map(
      (row, at) =>
        `${isFirst && at === 0 ? '' : ','}\n${JSON.stringify(Object.fromEntries(columns.map((name) => [name, lookUp(row, name) ?? null])))}`,
    )
    .join('');
}

/** The end of the file. */
export const closingOf = (format: NewQuizReportFormat): string => (format === 'csv' ? '' : '\n]\n');
