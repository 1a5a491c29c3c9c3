// Comma-separated values as a table.

import Papa from 'papaparse';
import { escaped } from './code';

const mostRows = 2000;

/** Rows of cells, at most 2000. @param separator detected from the text if missing: a comma, a semicolon or a tab */
export const rowsOf = (text: string, separator?: string): string[][] =>
  Papa.parse<string[]>(text.replaceAll('\r\n', '\n'), {
    delimiter: separator ?? '',
    delimitersToGuess: [',', ';', '\t'],
    newline: '\n',
    preview: mostRows,
    skipEmptyLines: true,
  }).data;

export function tableHtml(text: string, separator?: string): string {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''), separator);
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    row.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${escaped(cell)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<div class="wide"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}
