// The result of a query for page views: its format, and where its pieces are.

import { csvLine } from '@carrel/shared/csv/writer';
import { pageViewJson } from '../json';
import type { RecordedView } from '../view';

export type ResultFormat = 'csv' | 'jsonl';

export const resultTypes: Readonly<Record<ResultFormat, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' };

/** The id of the account whose views these are. */
const rootAccount = 1;
export const piecesOf = ({ uuid }: { readonly uuid: string }): string => `page_views/results/${uuid}/`;

/** A view in one level: links have names with the prefix `links_`. */
function flatView(view: RecordedView): Record<string, string | number | boolean | null> {
  const { links, ...rest } = pageViewJson(view, rootAccount);
  return { ...rest, ...Object.fromEntries(Object.entries(links).map(([name, id]) => [`links_${name}`, id])) };
}

const cellOf = (value: string | number | boolean | null) => (typeof value === 'boolean' ? String(value) : value);

export function resultText(views: readonly RecordedView[], format: ResultFormat, isFirst: boolean): string {
  if (format === 'jsonl') return views.map((view) => `${JSON.stringify(pageViewJson(view, rootAccount))}\n`).join('');
  const rows = views.map(flatView);
  const header = isFirst && rows[0] ? csvLine(Object.keys(rows[0])) : '';
  return header + rows.map((row) => csvLine(Object.values(row).map(cellOf))).join('');
}
