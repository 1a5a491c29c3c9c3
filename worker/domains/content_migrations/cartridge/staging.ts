// The staging course of a cartridge: a deleted course of no account, which no one sees. Rows are inserted in the order of the package, and remembered
// by their identifiers.

import { type SQL, sql } from 'drizzle-orm';
import type { Columns } from '../../../database/many_rows';
import type { Statement } from '../../../database/open';
import { byCopy } from '../../course_copy/work';
import type { ImportedKind } from '../table';
import { addIssue, type MigrationWork, Unimportable } from '../work';

/** Rows of one statement; their text together stays far below the limit of a parameter. */
const most = { rows: 100, length: 200_000 };

export interface StagedRow {
  readonly identifier: string;
}

/** @returns the rows in parts that one statement can take */
export function partsOfRows<R>(rows: readonly R[]): R[][] {
  const parts: R[][] = [];
  let length = 0;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    const last = parts.at(-1);
    if (last && last.length < most.rows && length + size <= most.length) {
      last.push(row);
      length += size;
    } else {
      parts.push([row]);
      length = size;
    }
  }
  return parts;
}

/** Identifiers of other writers may have any length. */
export const shortIdentifier = (identifier: string): string => identifier.slice(0, 400);

/** Of one step: the platform limits the statements of a delivery. */
const mostIssues = 100;
const mostStatements = 900;

export class Staging {
  #issues = 0;
  readonly statements: Statement[] = [];
  readonly now: string;

  constructor(
    readonly work: MigrationWork,
    /** The id of the staging course. */
    readonly course: number,
  ) {
    this.now = work.now();
  }

  run(statement: SQL): void {
    this.statements.push(this.work.db.build.run(statement));
  }

  issue(type: 'warning' | 'error' | 'todo', message: string): void {
    this.#issues += 1;
    if (this.#issues <= mostIssues) this.statements.push(addIssue(this.work.db, this.work.it.id, type, message, this.now));
  }

  /** The item of an identifier. @param identifier SQL */
  found(kind: ImportedKind, identifier: SQL): SQL {
    return sql`(select i.item_id from imported_items i where i.context_type = 'Course' and i.context_id = ${this.course} and i.kind = ${sql.raw(`'${kind}'`)} and i.identifier = ${identifier})`;
  }

  /** The item that a member of the row `j` names. */
  ref(kind: ImportedKind, member: string): SQL {
    return this.found(kind, sql.raw(`j.value ->> '${member}'`));
  }

  /**
   * Inserts one row per item.
   * @param columns value expressions over the row `j`; `true` takes the member of the same name
   * @param kind remembers the rows as items of this kind
   */
  insert(table: string, columns: Columns, rows: readonly StagedRow[], kind?: ImportedKind): void {
    const parts = Object.entries({ ...columns, created_at: sql`${this.now}`, updated_at: sql`${this.now}` });
    const names = sql.raw(parts.map(([name]) => name).join(', '));
    const values = sql.join(
      parts.map(([name, value]): SQL => (typeof value === 'boolean' ? sql.raw(`j.value ->> '${name}'`) : value)),
      sql`, `,
    );
    for (const some of partsOfRows(rows)) {
      this.run(sql`insert into ${sql.raw(table)} (${names}) select ${values} from json_each(${JSON.stringify(some)}) j order by j.key`);
      if (kind) this.remember(kind, some, sql`(select max(id) from ${sql.raw(table)}) - ${some.length - 1} + j.key`);
    }
  }

  /** @param item its id, over the row `j` with the position `j.key` */
  remember(kind: ImportedKind, rows: readonly StagedRow[], item: SQL): void {
    const { id } = this.work.it;
    const identifiers = rows.map(({ identifier }) => shortIdentifier(identifier));
    this.run(
      sql`insert or replace into imported_items (context_type, context_id, kind, identifier, item_id, content_migration_id)
        select 'Course', ${this.course}, ${sql.raw(`'${kind}'`)}, j.value, ${item}, ${id} from json_each(${JSON.stringify(identifiers)}) j`,
    );
  }

  /** Items by identifier, of what was staged in earlier steps. */
  async known(...kinds: readonly ImportedKind[]): Promise<Map<string, number>> {
    const { db } = this.work;
    const [rows] = await db.perform([
      db.build.all<{ kind: string; identifier: string; item_id: number }>(
        sql`select i.kind, i.identifier, i.item_id from imported_items i where i.context_type = 'Course' and i.context_id = ${this.course} and i.kind in (select value from json_each(${JSON.stringify(kinds)}))`,
      ),
    ]);
    return new Map(rows.map(({ kind, identifier, item_id }) => [kinds.length > 1 ? `${kind} ${identifier}` : identifier, item_id]));
  }

  /** One step. @param at how far the import has come with it */
  async commit(at: number, completion: number, more: { readonly is_staged?: boolean } = {}): Promise<void> {
    if (this.#issues > mostIssues) {
      const left = this.#issues - mostIssues;
      this.statements.push(addIssue(this.work.db, this.work.it.id, 'warning', `There are ${left} more problems of this kind.`, this.now));
    }
    this.#issues = 0;
    const statements = this.statements.splice(0);
    if (statements.length > mostStatements) throw new Unimportable('the package has too much content of one kind');
    await this.work.commit(byCopy(this.work.db, statements), { at, ...more }, completion);
  }
}
