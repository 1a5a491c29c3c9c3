// Writes CSV for all exports: RFC 4180, and protected against formula injection (OWASP).

/** Cells that a spreadsheet might run as a formula, including full-width signs, leading blanks and already marked cells. */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/** Formulas get a leading apostrophe, which spreadsheets read as text; numbers like -3.5 stay. */
const marked = (value: string) => (formula.test(value) && !plainNumber.test(value) ? `'${value}` : value);

/** Reverses the mark exactly, so that an export can be imported unchanged. */
export const withoutMark = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

const quotedValue = (value: string, delimiter: string) =>
  /["\n\r]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;

type Cells = readonly (string | number | null | undefined)[];

/** A row of CSV with its line end. */
export const csvLine = (values: Cells): string => delimitedLine(values, ',');

/** The same for spreadsheets of countries where the comma is decimal. */
export const delimitedLine = (values: Cells, delimiter: string): string =>
  `${values.map((value) => quotedValue(marked(String(value ?? '')), delimiter)).join(delimiter)}\r\n`;
