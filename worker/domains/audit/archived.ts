// Reads the archive of an audit log for a page that reaches the end of the table: newest first, a few objects per page.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { atMost } from '../../database/at_most';
import { theIds } from '../../database/ids';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import type { Beyond } from '../../http/reply';
import { seenOf } from '../../http/scan_window';
import { type AnySerializer, planRows } from '../../http/serializer';
import { allRows, archivedLogs, bucketOf } from './archive';
import { unzipLines } from './lines';

/** Objects read for one page. A page of a log whose rows are far apart may be short, and still have a next page. */
const mostObjects = 8;

/** A select of the values that the events of a page have in a column. */
export type NamedIds = (ids: SQL, column: string) => SQL;

export interface LogPage {
  readonly log: string;
  readonly table: SQLiteTable;
  /** The column and value that select the events; all of the log when absent. */
  readonly whose?: { readonly column: string; readonly value: number };
  /** Further values that the events have. */
  readonly also?: Readonly<Record<string, number | boolean | null>>;
  /** Values that a column must not have. */
  readonly except?: { readonly column: string; readonly values: readonly number[] };
  /** Restricts a column to the selected ids. */
  readonly among?: { readonly column: string; readonly ids: SQL };
  readonly start_time?: string;
  readonly end_time?: string;
  readonly serializerOf: (named: NamedIds) => AnySerializer;
  readonly wrap?: (page: readonly unknown[]) => object;
}

type ArchiveCall = Pick<Call, 'db' | 'env' | 'meter' | 'page'>;
type Mark = readonly [at: string, id: number];
type EventRow = Readonly<Record<string, unknown>> & { readonly id: number; readonly created_at: string };

interface ArchivedObject {
  readonly key: string;
  readonly first_at: string;
  readonly first_id: number;
  readonly last_at: string;
  readonly last_id: number;
}

const isBefore = ([at, id]: Mark, [otherAt, otherId]: Mark): boolean => at < otherAt || (at === otherAt && id < otherId);
const markOf = ({ created_at, id }: EventRow): Mark => [created_at, id];

/** The page contains events before this. */
function upperMark({ end_time }: LogPage, after: readonly unknown[] | undefined): Mark {
  const end: Mark = [end_time ?? '9999', Number.MAX_SAFE_INTEGER];
  if (!after) return end;
  const mark: Mark = [String(after[0]), Number(after[1])];
  return isBefore(mark, end) ? mark : end;
}

/** How far the archive goes, its objects from the mark on (the one that contains it, and older ones), and the ids that events are restricted to. */
function statementsOf({ db }: ArchiveCall, { log, whose, among, start_time }: LogPage, [at, id]: Mark): readonly Statement[] {
  const isGrouped = whose !== undefined && archivedLogs.some(({ table, columns }) => table === log && columns.includes(whose.column));
  const of = sql`from archived_logs where log = ${log} and grouped_by = ${isGrouped ? whose.column : allRows} and bucket = ${isGrouped ? bucketOf(whose.value) : 0}`;
  const columns = sql.raw('key, first_at, first_id, last_at, last_id');
  const start = start_time ?? '';
  return [
    db.build.all(sql`select through_at, through_id from log_archives where log = ${log}`),
    db.build.all(sql`select * from (select ${columns} ${of} and (last_at, last_id) >= (${at}, ${id}) order by last_at, last_id limit 1)
      union all select * from (select ${columns} ${of} and (last_at, last_id) < (${at}, ${id}) and last_at >= ${start} order by last_at desc, last_id desc limit ${atMost(mostObjects + 1)})`),
    // Read only once there is an archive to restrict.
    ...(among
      ? [db.build.all(sql`select id from (select 1 from log_archives where log = ${log} and through_at <> '') cross join (${among.ids})`)]
      : []),
  ];
}

/** The events of an object that belong to the page, newest first. */
async function eventsIn(
  { key }: ArchivedObject,
  { env, meter }: ArchiveCall,
  page: LogPage,
  mark: Mark,
  through: Mark,
  keeps: (row: EventRow) => boolean,
): Promise<EventRow[]> {
  meter.r2_calls += 1;
  const object = await env.FILES.get(key);
  if (!object) throw new Error(`the archive lacks ${key}`);
  const { start_time = '' } = page;
  const rows = await unzipLines<EventRow>(await object.arrayBuffer());
  const chosen = rows.filter(
    (row) => isBefore(markOf(row), mark) && !isBefore(through, markOf(row)) && row.created_at >= start_time && keeps(row),
  );
  return chosen.reverse();
}

/** Whether an archived event belongs to the list. @param allowed the ids that it is restricted to */
function isListed({ whose, also = {}, except, among }: LogPage, allowed: ReadonlySet<unknown>) {
  const wanted = [...(whose ? [[whose.column, whose.value] as const] : []), ...Object.entries(also)];
  return (row: EventRow): boolean =>
    wanted.every(([column, value]) => lookUp(row, column) === (typeof value === 'boolean' ? Number(value) : value)) &&
    !except?.values.includes(Number(lookUp(row, except.column))) &&
    (!among || allowed.has(lookUp(row, among.column)));
}

/** A row as the database would have returned it. */
function asRead(table: SQLiteTable, row: EventRow): EventRow {
  const columns = Object.entries(getTableColumns(table));
  const values = columns.map(([name, column]) => {
    const value = lookUp(row, name);
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(values) as EventRow;
}

/** What follows the rows of the table. */
export function beyondTable(call: ArchiveCall & Call, page: LogPage): Beyond {
  const { per_page, after, number } = call.page;
  const mark = upperMark(page, after);

  async function read(live: readonly EventRow[], objects: readonly ArchivedObject[], through: Mark, keeps: (row: EventRow) => boolean) {
    const count = per_page - live.length;
    const found: EventRow[] = [];
    let rest: Mark | null = null;
    for (const object of objects.slice(0, mostObjects)) {
      if (found.length > count) break;
      found.push(...(await eventsIn(object, call, page, mark, through, keeps)).map((row) => asRead(page.table, row)));
      rest = object === objects.at(-1) ? null : [object.first_at, object.first_id];
    }
    const rows = [...live, ...found.slice(0, count)];
    const last = rows.at(-1);
    return { rows, next: found.length > count && last ? markOf(last) : rest };
  }

  return {
    statements: statementsOf(call, page, mark),
    async follow(given, results) {
      const [[progress], objects, allowed = []] = results as [
        { through_at: string; through_id: number }[],
        ArchivedObject[],
        { id: number }[]?,
      ];
      const reached = objects.filter(({ last_at }) => last_at >= (page.start_time ?? ''));
      if (!progress || reached.length === 0) return undefined;
      const walked = given as readonly EventRow[];
      // Numbered pages count the rows of the table only; the archive is read by bookmark.
      if (number !== undefined && number > 1) {
        const last = walked.at(-1);
        return last && { next: markOf(last) };
      }
      const through: Mark = [progress.through_at, progress.through_id];
      const live = walked.filter((row) => !seenOf(row).isPassed);
      const { rows, next } = await read(live, reached, through, isListed(page, new Set(allowed.map(({ id }) => id))));
      const plan = planRows(
        page.serializerOf((_, column) => theIds(rows.map((row) => Number(lookUp(row, column))))),
        rows,
        call,
      );
      const jsons = plan.tell(await call.db.perform(plan.statements)).map(({ json }) => json);
      return { body: page.wrap ? page.wrap(jsons) : jsons, next };
    },
  };
}
