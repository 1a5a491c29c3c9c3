// The one writer of CSV: RFC 4180, and no cell that a spreadsheet would run as a formula (OWASP, CSV injection).

/** How a cell begins that a spreadsheet may run: full-width signs and leading blanks count, and so do the marks put before them here. */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/;
const plainNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A formula is marked with an apostrophe, which spreadsheets read as "this is text"; a number such as -3.5 stays a number. */
const marked = (value: string) => (formula.test(value) && !plainNumber.test(value) ? `'${value}` : value);

/** The exact inverse of the mark: what is exported and imported again is unchanged. */
export const withoutMark = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

const quoted = (value: string) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A row of CSV with its line end. */
export const csvLine = (values: readonly (string | number | null | undefined)[]): string =>
  `${values.map((value) => quoted(marked(String(value ?? '')))).join(',')}\r\n`;
