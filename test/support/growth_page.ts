// The tables of docs/scale.md on the growth of the database.

import { type Growth, growth } from './growth.ts';
import { migrated } from './migrations.ts';
import { bytesOfRow } from './row_sizes.ts';

const begin = '<!-- Written by `npm run growth`; do not edit. -->';
const end = '<!-- End of what `npm run growth` writes. -->';

/** Days of a school year. */
const schoolDays = 250;

const number = (count: number): string => Math.round(count).toLocaleString('en-US');
const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : bytes >= 1e6 ? `${number(bytes / 1e6)} MB` : '< 1 MB';

function amounts({ rows }: Growth, bytes: number): string[] {
  if (!rows) return ['', ''];
  if ('in_all' in rows) return [`${number(rows.in_all)} in all`, size(rows.in_all * bytes)];
  const each = `${number(rows.a_day)} a day`;
  return rows.days === undefined ? [each, `${size(rows.a_day * schoolDays * bytes)} a year`] : [each, size(rows.a_day * rows.days * bytes)];
}

const sorted = Object.entries(growth).sort(([one], [other]) => (one < other ? -1 : 1));

function measured(): string[] {
  const database = migrated();
  const rows = sorted
    .filter(([, one]) => one.rows)
    .map(([table, one]) => {
      const bytes = bytesOfRow(database, table, one);
      return `| \`${table}\` | ${[number(bytes), ...amounts(one, bytes)].join(' | ')} |`;
    });
  database.close();
  return ['| Table | Bytes a row | Rows of 50,000 people (assumed) | Size |', '|---|---:|---|---:|', ...rows];
}

const leaving = ({ leaves, to }: Growth): string =>
  leaves === undefined ? '' : leaves === 'jobs' ? 'deleted by what made it' : `${to ? `to ${to}` : 'deleted'} by \`${leaves}\``;

const listed = (): string[] => [
  '| Table | Grows with | A row for each | Kept | Leaves |',
  '|---|---|---|---|---|',
  ...sorted.map(([table, one]) => `| \`${table}\` | ${one.per} | ${one.row} | ${one.kept} | ${leaving(one)} |`),
];

export const growthPage = (): string => [begin, '', ...measured(), '', ...listed(), '', end].join('\n');

/** The document with what its markers enclose written again. */
export function withGrowth(document: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/scale.md lacks the markers of `npm run growth`');
  return `${document.slice(0, from)}${growthPage()}${document.slice(to + end.length)}`;
}
