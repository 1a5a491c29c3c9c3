// Separated values as a table.

import { escaped } from './code';

const mostRows = 2000;

/** Commas or semicolons, as the first line has more of; quotes around what holds them. */
export function rowsOf(text: string, separator = separatorOf(text)): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < mostRows; at++) {
    const letter = text[at] as string;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (letter === '"' && cell === '') isQuoted = true;
    else if (letter === separator) {
      row.push(cell);
      cell = '';
    } else if (letter === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else if (letter !== '\r') cell += letter;
  }
  if (rows.length < mostRows && (cell !== '' || row.length > 0)) rows.push([...row, cell]);
  return rows;
}

function separatorOf(text: string): string {
  const first = text.slice(0, 10_000).split('\n', 1)[0] ?? '';
  const many = (separator: string) => first.split(separator).length;
  return many(';') > many(',') ? ';' : many('\t') > many(',') ? '\t' : ',';
}

export function table(text: string, separator?: string): string {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''), separator);
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    row.map((cell) => `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${escaped(cell)}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('');
  return `<div class="wide"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`;
}
