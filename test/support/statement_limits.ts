// The size of every statement that the suite sends, held below D1's limits of 100,000 bytes, 100 levels of nested expressions and 100 parameters: a
// feature that adds to a large statement fails here, not in production. These limits go down as statements are made smaller; the aim is 30,000
// bytes and 60 levels. The largest are courses with all includes, and missing submissions with filters and planner overrides; SQLite adds the depth
// of an expression to that of each select in it, but not to that of a select in `from`.
// After a full run: some statement reads each index, because D1 bills every write to one.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { installation, nothing } from '@carrel/worker/database/install';
import type { Reporter, TestModule } from 'vitest/node';
import { IndexReads } from './index_reads.ts';
import { migrated } from './migrations.ts';

const mostBytes = 34_000;
export const mostDepth = 82;
export const mostParameters = 40;

/** An empty database of the newest schema, in which no statement may exceed the limits. */
function limited(): DatabaseSync {
  const database = migrated();
  for (const query of installation(nothing)) database.exec(query);
  database.limits.exprDepth = mostDepth;
  return database;
}

const parametersOf = (text: string): number => {
  const found = text.replace(/'(?:[^']|'')*'|"[^"]*"/g, '').match(/\?\d*/g) ?? [];
  return found.filter((one) => one === '?').length + new Set(found.filter((one) => one !== '?')).size;
};

/** Each text that exceeds a limit, with how; and the indexes that no text reads. */
export function examined(texts: Iterable<string>): { readonly excesses: readonly string[]; readonly unread: readonly string[] } {
  const database = limited();
  const reads = new IndexReads(database);
  const excesses: string[] = [];
  for (const text of texts) {
    const faults: string[] = [];
    const bytes = Buffer.byteLength(text);
    if (bytes > mostBytes) faults.push(`${bytes.toLocaleString('en-US')} bytes`);
    const parameters = parametersOf(text);
    if (parameters > mostParameters) faults.push(`${parameters} parameters`);
    try {
      reads.add(text);
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (faults.length > 0) excesses.push(`${faults.join(', ')}: ${text.slice(0, 300)}`);
  }
  const unread = reads.unread();
  database.close();
  return { excesses, unread };
}

/** The number of files in test/api: a partial run does not send every statement. */
const apiFiles = readdirSync(join(import.meta.dirname, '../api')).filter((name) => name.endsWith('.test.ts')).length;

export default class StatementLimits implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: string) {
    const senders = modules.filter((module) => (module.meta() as { statements?: string[] }).statements !== undefined);
    const texts = new Set(senders.flatMap((module) => (module.meta() as { statements: string[] }).statements));
    if (texts.size === 0) return;
    const { excesses, unread } = examined(texts);
    const complain = (found: readonly string[], about: string) => {
      if (found.length === 0) return;
      console.error(`\n${found.length} ${about}:\n  ${found.join('\n  ')}`);
      process.exitCode = 1;
    };
    complain(excesses, `of ${texts.size} statements are too large`);
    if (reason === 'passed' && senders.length >= apiFiles) complain(unread, 'indexes are read by no statement of the suite');
  }
}
