// Moves old rows of the audit logs to R2. A pass first copies the old rows grouped by user, login or course, so that the log of one of them needs few
// objects, and then copies all in order of time and deletes them. Each step writes one object and then, in one batch, its entry in the index, the
// progress, and the deletion. A step that is interrupted is made again under the same key, so no row is lost or duplicated.

import { wireTime } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import { theIds } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { countUpTo } from '../../database/retention';
import type { Platform } from '../../platform';
import { zipLines } from './lines';
import { log_archives } from './table';

const day = 86_400_000;

interface ArchivedLog {
  readonly table: string;
  /** A pass archives what is older. */
  readonly days: number;
  /** The columns that a copy of the rows is grouped by. An index begins with each. */
  readonly columns: readonly string[];
  /** The rows that these copies contain, and their indexes; all when absent. */
  readonly listed?: string;
}

export const archivedLogs: readonly ArchivedLog[] = [
  { table: 'authentication_events', days: 60, columns: ['user_id', 'login_id'] },
  { table: 'course_events', days: 365, columns: ['course_id'] },
  { table: 'grade_changes', days: 365, columns: ['course_id', 'assignment_id', 'student_id', 'grader_id'], listed: 'is_posting = 0' },
  // No endpoint reads it.
  { table: 'masquerades', days: 365, columns: [] },
];

/** A pass starts when the oldest row is older than this by so many days, so that its objects are not tiny. */
const daysOfPass = 30;
/** Consecutive ids that share an object. */
const idsOfBucket = 128;
const mostRows = 5000;
/** Objects written in one run. */
const objectsAtOnce = 10;

export const allRows = 'time';
export const bucketOf = (id: number): number => Math.floor(id / idsOfBucket);

type Progress = typeof log_archives.$inferSelect;
type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly created_at: string };

const rowsOf = (log: ArchivedLog, from: SQL): SQL =>
  sql`select * from ${sql.raw(log.table)} where ${from} order by created_at, id limit ${atMost(mostRows)}`;

/** One step on the state that was read: nothing happens if another run has made it. */
class Step {
  constructor(
    private readonly db: Database,
    private readonly env: Pick<Platform, 'FILES'>,
    private readonly log: ArchivedLog,
    private readonly before: Progress,
  ) {}

  private get isCurrent(): SQL {
    const { log, cut, copy, bucket, after_at, after_id, through_at, through_id } = this.before;
    return sql`log = ${log} and cut is ${cut} and copy = ${copy} and bucket = ${bucket} and after_at = ${after_at} and after_id = ${after_id}
      and through_at = ${through_at} and through_id = ${through_id}`;
  }

  private advance(set: Partial<Progress>): Statement {
    return this.db.build.update(log_archives).set(set).where(this.isCurrent);
  }

  /** Writes the object. @returns the statement of its entry in the index, which does nothing unless the step is current */
  private async store(rows: readonly Row[], grouped_by: string, bucket: number): Promise<{ entry: Statement }> {
    const [first, last] = [rows[0] as Row, rows.at(-1) as Row];
    const { table } = this.log;
    const key = `audit/${table}/${grouped_by}/${bucket}/${first.created_at.slice(0, 10)}-${first.id}-${last.id}.ndjson.gz`;
    const bytes = await zipLines(rows);
    await this.env.FILES.put(key, bytes, { httpMetadata: { contentType: 'application/gzip' } });
    const entry =
      this.db.build.run(sql`insert or ignore into archived_logs (log, grouped_by, bucket, first_at, first_id, last_at, last_id, rows, bytes, key)
      select ${table}, ${grouped_by}, ${bucket}, ${first.created_at}, ${first.id}, ${last.created_at}, ${last.id}, ${rows.length}, ${bytes.byteLength}, ${key}
      from log_archives where ${this.isCurrent}`);
    // Within an object, because a statement that an async function returns would be awaited, and so sent.
    return { entry };
  }

  /** Copies rows of the next bucket of a column. */
  async copyBucket(column: string): Promise<void> {
    const { bucket, after_at, after_id, cut, copy } = this.before;
    const name = sql.raw(column);
    const { build } = this.db;
    const listed = sql.raw(this.log.listed ?? '1');
    const [[found]] = (await this.db.perform([
      build.all(
        sql`select ${name} as id from ${sql.raw(this.log.table)} where ${name} >= ${bucket * idsOfBucket} and ${listed} order by ${name} limit 1`,
      ),
    ])) as [{ id: number }[]];
    if (!found) {
      await this.db.perform([this.advance({ copy: copy + 1, bucket: 0, after_at: '', after_id: 0 })]);
      return;
    }
    const next = bucketOf(found.id);
    const isResumed = next === bucket;
    const [at, id] = isResumed ? [after_at, after_id] : ['', 0];
    const [rows] = (await this.db.perform([
      build.all(
        rowsOf(
          this.log,
          sql`${name} >= ${next * idsOfBucket} and ${name} < ${(next + 1) * idsOfBucket} and ${listed} and created_at < ${cut} and (created_at, id) > (${at}, ${id})`,
        ),
      ),
    ])) as [Row[]];
    const last = rows.at(-1);
    const isWhole = rows.length < mostRows;
    const set =
      isWhole || !last ? { bucket: next + 1, after_at: '', after_id: 0 } : { bucket: next, after_at: last.created_at, after_id: last.id };
    const stored = last ? [(await this.store(rows, column, next)).entry] : [];
    await this.db.perform([...stored, this.advance(set)]);
  }

  /** Copies the oldest rows in order of time, and deletes them. */
  async moveOldest(): Promise<void> {
    const { build } = this.db;
    const [rows] = (await this.db.perform([build.all(rowsOf(this.log, sql`created_at < ${this.before.cut}`))])) as [Row[]];
    const last = rows.at(-1);
    if (!last) {
      await this.db.perform([this.advance({ cut: null, copy: 0 })]);
      return;
    }
    const { entry } = await this.store(rows, allRows, 0);
    const ids = theIds(rows.map(({ id }) => id));
    await this.db.perform([
      entry,
      build.run(
        sql`delete from ${sql.raw(this.log.table)} where id in (${ids}) and exists (select 1 from log_archives where ${this.isCurrent})`,
      ),
      this.advance({ through_at: last.created_at, through_id: last.id }),
    ]);
  }
}

/** The state of a log, after starting a pass if one is due. */
async function progressOf(db: Database, { table, days }: ArchivedLog, now: string): Promise<Progress | undefined> {
  const before = (count: number) => `${wireTime(Date.parse(now) - count * day).slice(0, 10)}T00:00:00Z`;
  const isDue = sql`exists (select 1 from ${sql.raw(table)} old where old.created_at < ${before(days + daysOfPass)})`;
  const [, known] = await db.perform([
    db.build.run(sql`insert into log_archives (log, cut) select ${table}, ${before(days)} where ${isDue}
      on conflict (log) do update set cut = excluded.cut where log_archives.cut is null`),
    db.build.select().from(log_archives).where(sql`log = ${table}`),
  ]);
  return known[0];
}

/** Makes some steps. @returns how many rows are left, as far as they were counted */
export async function archiveLogs(env: Pick<Platform, 'FILES'>, db: Database, now: string): Promise<number> {
  let steps = 0;
  let left = 0;
  for (const log of archivedLogs) {
    let progress = await progressOf(db, log, now);
    for (; progress?.cut && steps < objectsAtOnce; steps++) {
      const step = new Step(db, env, log, progress);
      const column = log.columns[progress.copy];
      await (column === undefined ? step.moveOldest() : step.copyBucket(column));
      progress = await progressOf(db, log, now);
    }
    if (!progress?.cut) continue;
    const [counted] = await db.perform([countUpTo(db, sql`from ${sql.raw(log.table)} where created_at < ${progress.cut}`)]);
    left += counted[0]?.count ?? 0;
  }
  return left;
}
