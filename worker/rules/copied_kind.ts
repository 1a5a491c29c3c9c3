// How a domain declares a kind that course copies and blueprints include, in `copied.ts` beside its table. What a blueprint records and can lock is
// declared in `change_sources.ts`.

import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { shared } from '../database/shared';
import type { CopiedKind } from '../domains/course_copy/table';

/** Source and target course, user and time. */
export interface Route {
  readonly from: number;
  readonly to: number;
  readonly copy_id: number;
  readonly user_id: number;
  /** Whether users are notified of what the copy changes. */
  readonly notifies: boolean;
  readonly now: string;
}

/** Maps the id in column `o.x` to the id of its copy; null without a copy. */
export const copyOf = (kind: CopiedKind | SQL, id: SQL, { to }: Pick<Route, 'to'>): SQL =>
  sql`(select l.item_id from copied_items l where l.course_id = ${shared('course', to)} and l.kind = ${typeof kind === 'string' ? sql.raw(`'${kind}'`) : kind} and l.source_id = ${id})`;

export interface CopiedKindFacts {
  readonly kind: CopiedKind;
  readonly table: SQLiteTable & { id: SQLiteColumn };
  /** The name of the kind in migration ids. */
  readonly asset: string;
  /** The column by which a blueprint's changes name an item. */
  readonly title: string;
  /** Rows `alias` of a course that are not deleted. */
  readonly there: (alias: string, course: SQL) => SQL;
  /** What the plan of a copy needs of the original `o`, besides its id: a list of SQL. */
  readonly planned?: string;
  /** Columns of the copy that differ from the original `o`. */
  readonly differing: (route: Route) => Readonly<Record<string, SQL>>;
  /** Columns that a repeated copy leaves unchanged. */
  readonly kept: readonly string[];
  /** The HTML column, written after all link targets exist. */
  readonly text?: string;
  /** A JSON column with texts that are HTML; its links are rewritten with those of `text`. */
  readonly document?: string;
  /** An existing row with the same value in this column is treated as the copy. */
  readonly adopts?: string;
  /** Also a row that is the copy of another item already: one row can be the copy of several, as of the root folders of two courses. */
  readonly isShared?: true;
  /** Columns that may differ because the name is already used in the target. */
  readonly renamed?: readonly string[];
  /** The item that it is a part of, if its column is not null: edits of the part are edits of that item. */
  readonly partOf?: { readonly kind: CopiedKind; readonly column: string };
  /** A condition on originals that can be copied at all. */
  readonly only?: (route: Route) => SQL;
}

export const ofCourseContext = (alias: string, course: SQL): SQL =>
  sql`${sql.raw(`${alias}.context_type = 'Course' and ${alias}.context_id`)} = ${course}`;
export const notDeletedAs = (alias: string): SQL => sql.raw(`${alias}.workflow_state <> 'deleted'`);
export const randomHex = sql.raw('lower(hex(randomblob(20)))');
