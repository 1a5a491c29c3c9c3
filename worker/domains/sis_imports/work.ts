// A running import: each step is one atomic batch with its changes, messages and progress. A step that was already made, or an aborted import, breaks
// the batch, so that nothing is done twice.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { type SQL, sql } from 'drizzle-orm';
import { type Columns, insertMany } from '../../database/many_rows';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import type { Platform } from '../../platform';
import { breath, Overtaken, textOfError } from '../../steps';
import type { sis_imports, Tally } from './table';

export type ImportRow = RowOf<typeof sis_imports>;

/** SIS ids are unique within the root account. */
export const rootId = 1;

/** Data has changed since it was read: read again. */
export class Moved extends Error {}

interface Message {
  readonly message: string;
  readonly row?: number;
  readonly row_info?: string;
  readonly file?: string;
  readonly failure?: boolean;
}

export type RowEnding = keyof Tally;

/** State changes, recorded so that they can be undone. */
type Changed = { readonly model: string; readonly by_batch?: boolean } & (
  | { readonly items: readonly (readonly [id: number | string, before: string | null, after: string])[] }
  /** A select of (id, before, after). */
  | { readonly select: SQL }
);

/** What a step records besides its changes. */
export class Notes {
  /** Number of rows that were not skipped. */
  applied = 0;
  readonly messages: Message[] = [];
  readonly tallies: Record<string, Tally> = {};
  readonly counts: Record<string, number> = {};
  readonly changes: Changed[] = [];
  /** Items named by the import, for batch mode. */
  readonly seen: { readonly model: string; readonly select: SQL }[] = [];

  warn(row: number | undefined, message: string): undefined {
    this.messages.push({ row, message });
  }

  /** The same notes, with additions to each message. */
  beside(more: (message: Message) => Message): Notes {
    return Object.assign(new Notes(), this, { messages: this.messages.map(more) });
  }

  passed(): undefined {
    this.applied += 1;
  }

  tally(model: string, what: RowEnding, count = 1): void {
    if (count === 0) return;
    const tally = lookUp(this.tallies, model) ?? {};
    this.tallies[model] = tally;
    tally[what] = (tally[what] ?? 0) + count;
  }

  count(name: string, by = 1): void {
    this.counts[name] = (lookUp(this.counts, name) ?? 0) + by;
  }

  /** Counts and records a change of state. */
  changed(model: string, what: RowEnding, id: number | string, before: string | null, after: string, by_batch = false): void {
    this.tally(model, what);
    this.changes.push({ model, by_batch, items: [[id, before, after]] });
  }
}

/** Merges the items of each model into one list. */
function gathered(changes: readonly Changed[]): Changed[] {
  const lists = new Map<string, [number | string, string | null, string][]>();
  const selects: Changed[] = [];
  for (const change of changes) {
    if ('select' in change) selects.push(change);
    else {
      const key = `${change.by_batch ? 1 : 0}${change.model}`;
      const list = lists.get(key) ?? [];
      list.push(...(change.items as [number | string, string | null, string][]));
      lists.set(key, list);
    }
  }
  return [...selects, ...[...lists].map(([key, items]) => ({ model: key.slice(1), by_batch: key.startsWith('1'), items }))];
}

export const remembered = (db: Database, sis_import_id: number, change: Changed, now: string): Statement => {
  const by_batch = change.by_batch ? 1 : 0;
  if ('items' in change)
    return db.build.run(
      sql`insert into sis_import_changes (sis_import_id, model, by_batch, items, created_at) values (${sis_import_id}, ${change.model}, ${by_batch}, ${JSON.stringify(change.items)}, ${now})`,
    );
  return db.build.run(
    sql`insert into sis_import_changes (sis_import_id, model, by_batch, items, created_at)
      select ${sis_import_id}, ${change.model}, ${by_batch}, json_group_array(json_array(c.id, c.before, c.after)), ${now} from (${change.select}) c having count(*) > 0`,
  );
};

const summed = (kept: Readonly<Record<string, Tally>>, added: Readonly<Record<string, Tally>>): Record<string, Tally> => {
  const sum: Record<string, Tally> = { ...kept };
  for (const [model, tally] of Object.entries(added)) {
    const one: Tally = { ...lookUp(sum, model) };
    for (const [what, count] of Object.entries(tally) as [RowEnding, number][]) one[what] = (one[what] ?? 0) + count;
    sum[model] = one;
  }
  return sum;
};

export const plus = (kept: Readonly<Record<string, number>>, added: Readonly<Record<string, number>>): Record<string, number> => {
  const sum: Record<string, number> = { ...kept };
  for (const [name, count] of Object.entries(added)) sum[name] = (lookUp(sum, name) ?? 0) + count;
  return sum;
};

/** Wraps statements so that they do not make fields sticky (triggers/sticky.ts). */
export const unmarked = (db: Database, statements: readonly Statement[]): Statement[] =>
  statements.length === 0
    ? []
    : [db.build.run(sql`insert into sis_writing (id) values (1)`), ...statements, db.build.run(sql`delete from sis_writing`)];

const isBroken = (error: unknown) => /NOT NULL constraint failed: sis_imports\.step/.test(textOfError(error));
const isTaken = (error: unknown) => /UNIQUE constraint failed|NOT NULL constraint failed/.test(textOfError(error));

const running = sql.raw("workflow_state in ('initializing', 'created', 'importing', 'cleanup_batch', 'restoring')");

type Set = Partial<Pick<ImportRow, 'workflow_state' | 'phase' | 'progress' | 'started_at' | 'ended_at'>> & {
  readonly diffed_against_import_id?: number | null;
  readonly diffing_threshold_exceeded?: boolean;
  readonly errors_attachment_id?: number | null;
};

export interface ImportStep {
  readonly statements?: readonly Statement[];
  readonly set?: Set;
  readonly notes?: Notes;
  /** The file of the messages. */
  readonly file?: string;
  /** Conditions that are true when data has changed since it was read. */
  readonly moved?: readonly SQL[];
}

const messageColumns: Columns = {
  sis_import_id: true,
  account_id: true,
  file: true,
  message: true,
  row: true,
  row_info: true,
  failure: true,
  created_at: true,
};

export class ImportWork {
  /** Number of calls to D1 and rosters. */
  calls = 0;

  constructor(
    readonly env: Platform,
    readonly db: Database,
    public it: ImportRow,
  ) {}

  now(): string {
    return wireTime(Date.now());
  }

  async read<const S extends readonly Statement[]>(statements: S) {
    this.calls += 1;
    return this.db.perform(statements);
  }

  /**
   * Makes one step.
   * @throws Overtaken, Moved
   */
  async commit({ statements = [], set = {}, notes = new Notes(), file = '', moved = [] }: ImportStep): Promise<void> {
    const { db, it } = this;
    const { build } = db;
    const now = this.now();
    const counts = plus(it.counts, notes.counts);
    const statistics = summed(it.statistics, notes.tallies);
    const errors = notes.messages.filter(({ failure }) => failure).length;
    const after: ImportRow = {
      ...it,
      ...set,
      counts,
      statistics,
      step: it.step + 1,
      crashes: 0,
      error_count: it.error_count + errors,
      warning_count: it.warning_count + notes.messages.length - errors,
      updated_at: now,
    };
    const stands = sql.join([sql`step = ${it.step} and ${running}`, ...moved.map((one) => sql`not ${one}`)], sql` and `);
    const messages = notes.messages.map((one) => ({
      file,
      ...one,
      sis_import_id: it.id,
      account_id: it.account_id,
      failure: one.failure ? 1 : 0,
      created_at: now,
    }));
    const sets = Object.entries(set).map(([name, value]) => sql`${sql.raw(name)} = ${typeof value === 'boolean' ? Number(value) : value}`);
    try {
      this.calls += 1;
      await db.perform([
        build.run(
          sql`update sis_imports set ${sql.join(
            [
              sql`step = case when ${stands} then step + 1 end`,
              sql`crashes = 0, updated_at = ${now}, counts = ${JSON.stringify(counts)}, statistics = ${JSON.stringify(statistics)}`,
              sql`error_count = ${after.error_count}, warning_count = ${after.warning_count}`,
              ...sets,
            ],
            sql`, `,
          )} where id = ${it.id}`,
        ),
        ...unmarked(db, statements),
        ...insertMany(db, 'sis_import_errors', messageColumns, messages),
        ...gathered(notes.changes).map((change) => remembered(db, it.id, change, now)),
        ...notes.seen.map(({ model, select }) =>
          build.run(
            sql`insert into sis_import_seen (sis_import_id, model, item_id) select ${it.id}, ${model}, s.id from (${select}) s where true on conflict do nothing`,
          ),
        ),
        build.run(sql`delete from sis_import_passages where sis_import_id = ${it.id} and step <= ${it.step}`),
      ]);
    } catch (error) {
      if (!isBroken(error) && !isTaken(error)) throw error;
      const [[seen]] = await this.read([
        build.all<{ step: number; workflow_state: string }>(sql`select step, workflow_state from sis_imports where id = ${it.id}`),
      ]);
      if (seen?.step === it.step && seen.workflow_state === it.workflow_state) throw new Moved(textOfError(error));
      throw new Overtaken();
    }
    this.it = after;
    await breath();
  }
}
