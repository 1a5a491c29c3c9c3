// Queues the notifications of a write, in its batch: whether a notification is due is decided in SQL, on the rows that the write finds, so that of
// two concurrent writes exactly one queues it. A notification that is already queued is not queued again.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, is, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database, Statement } from '../database/open';
import { type NotificationEvent, notificationEvents } from './notification_events';

/** The values of an update: what drizzle takes in `set`. Columns that no notification depends on may be absent. */
type Values = Readonly<Record<string, unknown>>;

interface Changing {
  readonly set: Values;
  readonly where: SQL | undefined;
  /** The table, joined with what the values are read from; the table itself when absent. */
  readonly from?: SQL;
  /** The write inserts rows that are not there; `from` has them. */
  readonly inserts?: boolean;
  /** No one is notified of an edit. What becomes visible is still announced. */
  readonly isQuiet?: boolean;
}

const eventsOf = (table: SQLiteTable, on: NotificationEvent['on']) =>
  notificationEvents.filter((event) => event.table === getTableName(table) && event.on === on);

const conditionOf = ({ becomes = {}, when }: NotificationEvent): string =>
  [...Object.entries(becomes).map(([column, value]) => `new.${column} = '${value}'`), ...(when ? [when] : [])].join(' and ') || '1';

const queued = (select: SQL): SQL => sql`insert or ignore into notification_queue (notification, item_id, not_before) ${select}`;

/** Belongs directly after an insert: queues a notification for each row that it added. Afterwards, `last_insert_rowid()` is not the id of the new row. */
export function notifyOfInsert(db: Database, table: SQLiteTable, now: string): Statement[] {
  const events = eventsOf(table, 'insert');
  if (events.length === 0) return [];
  const cases = (of: (event: NotificationEvent) => SQL) =>
    sql`case ${sql.join(
      events.map((event) => sql`when ${sql.raw(conditionOf(event))} then ${of(event)}`),
      sql` `,
    )} end`;
  return [
    db.build.run(sql`with added(last, number) as materialized (select last_insert_rowid(), changes())
    ${queued(sql`select ${cases(({ notification }) => sql.raw(`'${notification}'`))} as notification, new.id, ${cases(({ not_before }) => (not_before ? sql.raw(not_before) : sql`${now}`))}
      from added cross join ${table} as new where new.id > added.last - added.number and new.id <= added.last and notification is not null`)}`),
  ];
}

/** Whether an update may lead to the event. */
function mayFollow({ columns = [], becomes = {} }: NotificationEvent, set: Values): boolean {
  return (
    columns.some((column) => lookUp(set, column) !== undefined) &&
    Object.entries(becomes).every(([column, value]) => {
      const given = lookUp(set, column);
      return typeof given !== 'string' || given === value;
    })
  );
}

/** The columns of the new row that an event reads. */
const readBy = (event: NotificationEvent): string[] => [
  ...new Set([...`${conditionOf(event)} ${event.subject?.join ?? ''}`.matchAll(/\bnew\.(\w+)/g)].map(([, column = '']) => column)),
];

/** Belongs directly before an update: queues a notification for each row that it will change, by the row's values before and after it. */
export function notifyOfUpdate(
  db: Database,
  table: SQLiteTable,
  { set, where, from = sql`${table}`, inserts = false, isQuiet = false }: Changing,
  now: string | SQL,
): Statement[] {
  const columns = getTableColumns(table);
  const newValueOf = (name: string): SQL => {
    const column = lookUp(columns, name);
    const given = lookUp(set, name);
    if (!column) throw new Error(`${getTableName(table)} has no column ${name}`);
    return given === undefined ? sql`${column}` : is(given, SQL) ? given : sql`${sql.param(given, column)}`;
  };
  return eventsOf(table, 'update')
    .filter((event) => !(isQuiet && event.isEdit) && mayFollow(event, set))
    .map((event) => {
      const { notification, subject } = event;
      const after = sql.join(
        [...new Set(['id', ...readBy(event)])].map((name) => sql`${newValueOf(name)} as ${sql.raw(name)}`),
        sql`, `,
      );
      const join = subject ? sql.raw(`join ${subject.join}`) : sql``;
      return db.build.run(
        queued(sql`select ${sql.raw(`'${notification}'`)}, ${sql.raw(subject?.id ?? 'new.id')}, ${now}
          from (select ${after} from ${from} where ${where}) new ${sql.raw(inserts ? 'left join' : 'join')} ${table} old on old.id = new.id ${join} where ${sql.raw(conditionOf(event))}`),
      );
    });
}
