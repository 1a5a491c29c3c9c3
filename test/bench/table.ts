// Tables as text for a terminal, or as Markdown for docs/performance.md; each says when and how it was made.

export type Cell = string | number;

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What a reader needs to know to judge the figures. */
  readonly notes: readonly string[];
  /** The arguments that produce this table again. */
  readonly only: string;
  /** Counts over their limit. */
  readonly wrong?: string;
}

const text = (cell: Cell): string => (typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 2 }) : cell);
const isFigure = (cell: string): boolean => /^[\d.,×+−-]+( ?[a-zA-Z%/]+)?$/.test(cell) || cell === '';

export function print(table: Table, markdown: boolean): string {
  const rows = table.rows.map((row) => row.map(text));
  const widths = table.columns.map((column, at) => Math.max(column.length, ...rows.map((row) => (row[at] ?? '').length)));
  const right = table.columns.map((_, at) => at > 0 && rows.every((row) => isFigure(row[at] ?? '')));
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (right[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))).join(markdown ? ' | ' : '  ');
  const made = `${new Date().toISOString().slice(0, 10)}, npm run bench -- --only ${table.only}`;
  const notes = [...table.notes, `Made ${made}`];
  if (!markdown) {
    const rule = widths.map((width) => '-'.repeat(width)).join('  ');
    return [table.title, '', line(table.columns), rule, ...rows.map(line), '', ...notes.map((note) => `  ${note}`), ''].join('\n');
  }
  const rule = widths.map((width, at) => (right[at] ? `${'-'.repeat(Math.max(2, width - 1))}:` : '-'.repeat(width))).join(' | ');
  const bordered = [line(table.columns), rule, ...rows.map(line)].map((row) => `| ${row.trimEnd()} |`);
  return [`### ${table.title}`, '', ...bordered, '', ...notes.map((note) => `- ${note}`), ''].join('\n');
}

export const times = (ratio: number): string => (Number.isFinite(ratio) ? `${ratio.toFixed(2)}×` : '');
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};
