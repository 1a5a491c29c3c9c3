// The size of every statement that the suite sends, held below D1's limits of 100,000 bytes, 100 levels of nested expressions and 100 parameters: a
// feature that adds to a large statement fails here, not in production. These limits go down as statements are made smaller; they never go up.

import type { DatabaseSync } from 'node:sqlite';
import { installation, nothing } from '@carrel/worker/database/install';
import type { Reporter, TestModule } from 'vitest/node';
import { migrated } from './migrations.ts';

const mostBytes = 80_000;
export const mostDepth = 100;
export const mostParameters = 65;

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

/** Each text that exceeds a limit, with how. */
export function excesses(texts: Iterable<string>): string[] {
  const database = limited();
  const found: string[] = [];
  for (const text of texts) {
    const faults: string[] = [];
    const bytes = Buffer.byteLength(text);
    if (bytes > mostBytes) faults.push(`${bytes.toLocaleString('en-US')} bytes`);
    const parameters = parametersOf(text);
    if (parameters > mostParameters) faults.push(`${parameters} parameters`);
    try {
      database.prepare(text);
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (faults.length > 0) found.push(`${faults.join(', ')}: ${text.slice(0, 300)}`);
  }
  database.close();
  return found;
}

export default class StatementLimits implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    const texts = new Set(modules.flatMap((module) => (module.meta() as { statements?: string[] }).statements ?? []));
    if (texts.size === 0) return;
    const found = excesses(texts);
    if (found.length === 0) return;
    console.error(`\n${found.length} of ${texts.size} statements are too large:\n  ${found.join('\n  ')}`);
    process.exitCode = 1;
  }
}
