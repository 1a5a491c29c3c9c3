// The content of reports about a New Quiz, as CSV or JSON, in pieces that make a file one after another.

import { csvLine } from '../../../csv/writer';

export const reportTypes = ['student_analysis', 'item_analysis'] as const;
export const reportFormats = ['csv', 'json'] as const;
export type ReportType = (typeof reportTypes)[number];
export type ReportFormat = (typeof reportFormats)[number];

export type ReportRow = Readonly<Record<string, string | number | null>>;

export const reportColumns: Readonly<Record<ReportType, readonly string[]>> = {
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
export const openingOf = (type: ReportType, format: ReportFormat): string => (format === 'csv' ? csvLine(reportColumns[type]) : '[');

/** @param isFirst no rows are before these */
export function linesOf(type: ReportType, format: ReportFormat, rows: readonly ReportRow[], isFirst: boolean): string {
  const columns = reportColumns[type];
  if (format === 'csv') return rows.map((row) => csvLine(columns.map((name) => row[name] ?? null))).join('');
  return rows
    .map(
      (row, at) =>
        `${isFirst && at === 0 ? '' : ','}\n${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))}`,
    )
    .join('');
}

/** The end of the file. */
export const closingOf = (format: ReportFormat): string => (format === 'csv' ? '' : '\n]\n');
