// The budgets of lists at a chosen size: the tables that the suite checks at 10,000 rows, in the same runtime.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from './scratch';
import { print, type Table } from './table';

const root = join(import.meta.dirname, '../..');

interface Result {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
  readonly meta: { readonly rows_read?: number };
}

interface Report {
  readonly testResults: readonly { readonly startTime: number; readonly endTime: number; readonly assertionResults: readonly Result[] }[];
}

function resultsOf(file: string, rows: number): { results: readonly Result[]; seconds: number } {
  const result = join(scratchFolder(), 'budgets.json');
  const started = performance.now();
  const arguments_ = ['run', '--config', 'test/api/vitest.config.ts', '--reporter=json', `--outputFile=${result}`, `test/api/${file}`];
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...arguments_], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, BUDGET_ROWS: String(rows) },
  });
  const { testResults } = JSON.parse(readFileSync(result, 'utf8')) as Report;
  return { results: testResults.flatMap(({ assertionResults }) => assertionResults), seconds: (performance.now() - started) / 1000 };
}

/** @throws Error, after the table, that names every list over its budget */
export function budgetTables(rows: number, isMarkdown: boolean): Table[] {
  const files = readdirSync(join(root, 'test/api')).filter((name) => /^budgets_\w+\.test\.ts$/.test(name));
  const over: string[] = [];
  const lines = files.map((file) => {
    console.error(`  ${file} …`);
    const { results, seconds } = resultsOf(file, rows);
    const broken = results.filter(({ status }) => status !== 'passed');
    over.push(...broken.map(({ title, failureMessages: [why = ''] }) => `${title}\n    ${why.split('\n')[0] ?? ''}`));
    if (results.length === 0) over.push(`${file}: nothing was measured`);
    const read = results.flatMap(({ meta }) => meta.rows_read ?? []);
    return [
      file.replace(/^budgets_|\.test\.ts$/g, ''),
      results.length,
      results.length - broken.length,
      Math.min(...read),
      Math.max(...read),
      Math.round(seconds),
    ];
  });
  const table: Table = {
    title: `Budgets of lists at ${rows.toLocaleString('en-US')} rows`,
    columns: ['Lists of', 'Requests', 'Within budget', 'Least rows of a page of 100', 'Most', 'Seconds'],
    rows: lines,
    notes: ['Each request costs as many D1 trips as at 10 rows, and reads rows in proportion to its page of 10 or 100, not to the table.'],
    only: `budgets --rows ${rows}`,
  };
  if (over.length === 0) return [table];
  console.log(print(table, isMarkdown));
  throw new Error(`over budget at ${rows} rows:\n${over.join('\n')}`);
}
