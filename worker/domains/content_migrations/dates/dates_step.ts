// Shifts or removes the dates of what a migration has imported, some rows at a time.

import { dateOn, startOfDay } from '@carrel/shared/wire/clock';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { atMost } from '../../../database/at_most';
import { theIds } from '../../../database/ids';
import type { Statement } from '../../../database/open';
import { followersOf } from '../../course_copy/step_statements';
import { byCopy } from '../../course_copy/work';
import { importedOf } from '../imported';
import type { ContentMigrationRow } from '../json';
import { courseCopyType } from '../migrators';
import type { DateShift } from '../table';
import { addIssue, type MigrationWork } from '../work';
import { type DatedKind, datedKinds } from './dated_kinds';
import { type CourseDays, completeShift, shiftedDay, shiftedTime } from './shifted_dates';

const perStep = 50;
/** `at` counts the kinds that are done in steps of this number, and below it has the last id. */
const perKind = 1_000_000_000_000;

interface CourseDates {
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** The dates of a course, and of its dated content. */
const selectDates = ({ db }: MigrationWork, course_id: number) =>
  db.build.all<CourseDates>(
    sql`select c.start_at, c.end_at, min(d.at) as first, max(d.at) as last from courses c
      left join (select a.due_at as at from assignments a where a.course_id = ${course_id} and a.workflow_state <> 'deleted' and a.due_at is not null
        union all select e.start_at from calendar_events e where e.context_code = ${`course_${course_id}`} and e.workflow_state <> 'deleted' and e.start_at is not null) d
      where c.id = ${course_id} group by c.id`,
  );

const daysOf = (dates: CourseDates | undefined, zone: string): CourseDays => {
  const day = (time: string | null | undefined) => (time ? dateOn(time, zone) : undefined);
  return { start: day(dates?.start_at ?? dates?.first), end: day(dates?.end_at ?? dates?.last) };
};

/** Completes the shift once, before anything moves, and dates a course without dates by it. */
async function resolve(work: MigrationWork): Promise<DateShift | null> {
  const { db, it } = work;
  if (it.dates.resolved !== undefined) return it.dates.resolved;
  const source = it.migration_type === courseCopyType ? (it.source_course_id ?? 0) : it.context_id;
  const [[old], [target]] = await db.perform([selectDates(work, source), selectDates(work, it.context_id)]);
  const { zone, new_start, new_end } = it.dates;
  const shift = completeShift(it.dates, daysOf(old, zone), daysOf(target && { ...target, first: null, last: null }, zone)) ?? null;
  const now = work.now();
  const at = (day: string | undefined) => (day === undefined ? null : startOfDay(day, zone));
  const dated =
    shift && (new_start || new_end)
      ? [
          db.build.run(
            sql`update courses set start_at = coalesce(start_at, ${at(new_start)}), end_at = coalesce(end_at, ${at(shift.new_end)}), updated_at = ${now}
              where id = ${it.context_id} and (start_at is null or end_at is null)`,
          ),
        ]
      : [];
  const unknown = shift
    ? []
    : [addIssue(db, it.id, 'warning', 'The dates were not shifted, because the start of one of the courses is unknown.', now)];
  await work.commit([...byCopy(db, dated), ...unknown], { dates: JSON.stringify({ ...it.dates, resolved: shift }) });
  return shift;
}

type DatedRow = Readonly<Record<string, string | number | null>>;

/** The new values of a row's dates; null removes them. */
const moved = ({ times, days = [], option }: DatedKind, row: DatedRow, shift: DateShift | null): (string | null)[] => [
  ...[...times, ...(option ? ['option'] : [])].map((name) => {
    const value = lookUp(row, name);
    return shift && typeof value === 'string' ? shiftedTime(value, shift) : null;
  }),
  ...days.map((name) => {
    const value = lookUp(row, name);
    return shift && typeof value === 'string' ? shiftedDay(value, shift) : null;
  }),
];

const names = ({ times, days = [], option }: DatedKind): string[] => [...times, ...(option ? ['option'] : []), ...days];

/** Whether a topic is posted later follows from its date. */
const postings = (now: string) => sql`, workflow_state = case
    when workflow_state = 'post_delayed' and n.value ->> 1 is null then 'active'
    when workflow_state = 'active' and n.value ->> 1 > ${now} then 'post_delayed' else workflow_state end`;

/** Writes the dates of some rows. */
function writeDates({ db }: MigrationWork, it: DatedKind, rows: readonly DatedRow[], shift: DateShift | null, now: string): Statement[] {
  const table = sql.raw(it.table);
  const values = JSON.stringify(rows.map((row) => [row.id, ...moved(it, row, shift)]));
  const plain = names(it).filter((name) => name !== 'option');
  const sets = plain.map((name) => sql.raw(`${name} = n.value ->> ${names(it).indexOf(name) + 1}`));
  const option = it.option
    ? sql.raw(
        `, options = case when ${it.table}.options ->> '$.${it.option}' is null then ${it.table}.options when n.value ->> ${names(it).indexOf('option') + 1} is null then json_remove(${it.table}.options, '$.${it.option}') else json_set(${it.table}.options, '$.${it.option}', n.value ->> ${names(it).indexOf('option') + 1}) end`,
      )
    : sql``;
  return [
    db.build.run(
      sql`update ${table} set ${sql.join(sets, sql`, `)}${option}${it.kind === 'discussion_topic' ? postings(now) : sql``}, updated_at = ${now}
        from json_each(${values}) n where ${table}.id = n.value ->> 0 and ${table}.workflow_state <> 'deleted'`,
    ),
    ...(it.kind === 'assignment' || it.kind === 'discussion_topic'
      ? followersOf(db, it.kind, theIds(rows.map(({ id }) => Number(id))))
      : []),
  ];
}

const touches = ({ dates }: ContentMigrationRow): boolean => dates.remove === true || dates.shift === true;

/** @returns whether all dates are done */
export async function datesStep(work: MigrationWork, mayGoOn: () => boolean): Promise<boolean> {
  if (!touches(work.it) || work.it.context_type !== 'Course') return true;
  const shift = work.it.dates.remove ? null : await resolve(work);
  if (!work.it.dates.remove && shift === null) return true;
  while (mayGoOn()) {
    const { db, it } = work;
    const kind = datedKinds[Math.floor(it.at / perKind)];
    if (!kind) return true;
    const [rows] = await db.perform([
      db.build.all<DatedRow>(
        sql`select o.id, ${sql.raw(
          names(kind)
            .map((name) => (name === 'option' ? `o.options ->> '$.${kind.option}' as option` : `o.${name}`))
            .join(', '),
        )} from ${sql.raw(kind.table)} o
          where o.id in (${importedOf(it, kind.kind)}) and ${sql.raw(kind.only ?? '1')} and o.id > ${it.at % perKind} order by o.id limit ${atMost(perStep)}`,
      ),
    ]);
    const dated = rows.filter((row) => names(kind).some((name) => lookUp(row, name) !== null));
    const last = Number(rows.at(-1)?.id ?? 0);
    const at = rows.length < perStep ? (Math.floor(it.at / perKind) + 1) * perKind : Math.floor(it.at / perKind) * perKind + last;
    const statements = dated.length > 0 ? byCopy(db, writeDates(work, kind, dated, shift, work.now())) : [];
    await work.commit(statements, { at }, 90 + Math.floor(at / perKind));
  }
  return false;
}
