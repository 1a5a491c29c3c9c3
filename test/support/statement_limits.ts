// The size of every statement that the suite sends, held far below D1's limits of 100,000 bytes, 100 levels of nested expressions and 100 parameters:
// a feature that adds to a large statement fails here, not in production. The largest are pages that include much of other domains: the planner,
// courses with all includes, assignments in calendars. SQLite adds the depth of an expression to that of each select in it, but not to that of a
// select in `from`, and a table expression counts where it is referred to. The limit of bytes goes down when statements are made smaller; the aim is 30,000.

import type { DatabaseSync } from 'node:sqlite';
import { installation, nothing } from '@carrel/worker/database/install';
import { IndexReads } from './index_reads.ts';
import { migrated } from './migrations.ts';

const mostBytes = 31_000;
export const mostDepth = 60;
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

export interface Examined {
  /** Each text that exceeds a limit, with how. */
  readonly excesses: readonly string[];
  /** The indexes that no text reads. */
  readonly unread: readonly string[];
}

/** Examines texts as they come. */
export class Examination {
  private readonly database = limited();
  private readonly reads = new IndexReads(this.database);
  private readonly excesses: string[] = [];

  add(text: string): void {
    const faults: string[] = [];
    const bytes = Buffer.byteLength(text);
    if (bytes > mostBytes) faults.push(`${bytes.toLocaleString('en-US')} bytes`);
    const parameters = parametersOf(text);
    if (parameters > mostParameters) faults.push(`${parameters} parameters`);
    try {
      this.reads.add(text);
    } catch (error) {
      faults.push((error as Error).message);
    }
    if (faults.length > 0) this.excesses.push(`${faults.join(', ')}: ${text.slice(0, 300)}`);
  }

  end(): Examined {
    const unread = this.reads.unread();
    this.database.close();
    return { excesses: this.excesses, unread };
  }
}
