// Conditional updates of content that several people write. The version is computed from the stored columns that authors decide on, so that no write
// maintains it.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, getTableColumns, getTableName, not, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../database/open';
import { type Condition, failedPrecondition, isMet } from '../http/conditional';
import { Problem } from '../http/problem';
import type { Refusals } from '../http/reply';

type Row = Readonly<Record<string, unknown>>;
type Content<R> = SQLiteTable & { readonly id: SQLiteColumn } & { readonly $inferSelect: R };

/** 64 bits of a text: two rounds of FNV-1a with different starts. Not for secrets: it only tells texts apart. */
function digest(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ (code + at), 0x85ebca6b);
    two ^= two >>> 13;
  }
  const hex = (part: number) => (part >>> 0).toString(16).padStart(8, '0');
  return `${hex(one)}${hex(two)}`;
}

/** Opaque to clients; equal states have equal versions. */
export const authoredVersion = (row: Row, columns: readonly string[]): string =>
  digest(JSON.stringify(columns.map((name) => lookUp<unknown>(row, name) ?? null)));

export interface AuthoredPrecondition<R> {
  /** @param row as clients see it; undefined for a missing one. @throws Problem 412 */
  check(row: R | undefined): Promise<void>;
  /** Breaks the batch if the row has changed since it was read. @param row as it is stored */
  guard(row: R): readonly Statement[];
  readonly refusals: Refusals;
}

interface Authored<R> {
  readonly table: Content<R>;
  readonly columns: readonly (keyof R & string)[];
  /** One of them that cannot be null: the guard breaks the batch by it. */
  readonly required: keyof R & string;
}

/** @param refusal reads the present row for the 412 */
export function authoredPrecondition<R extends Row & { readonly id: number }>(
  db: Database,
  condition: Condition<string> | undefined,
  { table, columns, required }: Authored<R>,
  refusal: () => Promise<Problem>,
): AuthoredPrecondition<R> {
  if (!condition) return { check: async () => {}, guard: () => [], refusals: {} };
  const its = getTableColumns(table);
  const isSame = (row: R, name: string) => {
    const column = lookUp<SQLiteColumn>(its, name);
    return sql`${column} is ${sql.param(lookUp<unknown>(row, name), column)}`;
  };
  return {
    async check(row) {
      if (isMet(condition, row && authoredVersion(row, columns))) return;
      throw row ? await refusal() : new Problem(412, failedPrecondition(undefined));
    },
    guard: (row) => [
      db.build
        .update(table as SQLiteTable)
        .set({ [required]: sql`null` })
        .where(and(eq(table.id, row.id), not(and(...columns.map((name) => isSame(row, name))) as SQL))),
    ],
    refusals: { [`${getTableName(table)}.${required}`]: refusal },
  };
}
