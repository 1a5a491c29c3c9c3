// Restores the workflow states that an import changed: newest change first, and only where the state is still as the import left it.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, sql } from 'drizzle-orm';
import { type Database, newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { Overtaken } from '../../steps';
import type { EnrollmentState } from '../enrollments/table';
import { completeProgress } from '../progress/progress';
import { progress } from '../progress/table';
import { withinRank } from './rank';
import { settleInRosters } from './roster/call_roster';
import { relinkObserver } from './rows/admins_and_observers';
import { groupState } from './state_changes';
import { sis_imports } from './table';
import { type ImportRow, ImportWork, Notes } from './work';

export interface RestoreOptions {
  readonly batch_mode?: boolean;
  readonly undelete_only?: boolean;
  readonly unconclude_only?: boolean;
}

type Item = readonly [id: number | string, before: string | null, after: string];

/** The state to restore for an item; undefined when the request excludes it. */
export function restoredTo([, before, after]: Item, { undelete_only, unconclude_only }: RestoreOptions): string | undefined {
  if (undelete_only) return before !== null && after === 'deleted' ? before : undefined;
  if (unconclude_only) return before !== null && after === 'completed' ? before : undefined;
  return before ?? 'deleted';
}

/** The column with the state of a model. */
interface Place {
  readonly table: string;
  /** SQL to read the state and to set it from `j.value ->> 2`, when it is not `workflow_state` itself. */
  readonly state?: string;
  readonly set?: string;
}

const places: Readonly<Record<string, Place>> = {
  Account: { table: 'accounts' },
  EnrollmentTerm: { table: 'terms' },
  CommunicationChannel: { table: 'communication_channels' },
  AbstractCourse: { table: 'abstract_courses' },
  Course: { table: 'courses' },
  CourseSection: { table: 'sections' },
  GroupCategory: { table: 'group_categories' },
  Group: {
    table: 'groups',
    state: groupState,
    set: `workflow_state = iif(j.value ->> 2 = 'deleted', 'deleted', 'available'), standing = iif(j.value ->> 2 in ('closed', 'completed'), j.value ->> 2, 'open')`,
  },
  GroupMembership: { table: 'group_memberships' },
  Pseudonym: { table: 'logins' },
  AccountUser: { table: 'admins' },
};

/** Restores the items that are still as the import left them; one whose name is used by another item now stays. */
function restoring(
  db: Database,
  { table, state = `${table}.workflow_state`, set = 'workflow_state = j.value ->> 2' }: Place,
  items: object,
  at: string,
) {
  return db.build.run(
    sql`update or ignore ${sql.raw(table)} set ${sql.raw(set)}, updated_at = ${at} from json_each(${JSON.stringify(items)}) j where ${sql.raw(table)}.id = j.value ->> 0 and ${sql.raw(state)} = j.value ->> 1`,
  );
}

interface Change {
  readonly id: number;
  readonly model: string;
  readonly items: string;
}

/** Items per change; those of one course are sent to its roster together. */
const atOnce = 1000;

async function restoreEnrollments(
  work: ImportWork,
  items: readonly (readonly [id: number, after: string, to: string])[],
  notes: Notes,
): Promise<void> {
  const [there] = await work.read([
    work.db.build.all<{ id: number; course_id: number; enrollment_state: string }>(
      sql`select id, course_id, enrollment_state from enrollments where id in (select value from json_each(${JSON.stringify(items.map(([id]) => id))}))`,
    ),
  ]);
  const found = new Map(there.map((one) => [one.id, one]));
  const byCourse = new Map<number, (readonly [number, EnrollmentState])[]>();
  for (const [id, after, to] of items) {
    const it = found.get(id);
    if (it?.enrollment_state !== after) continue;
    const states = byCourse.get(it.course_id) ?? [];
    states.push([id, to as EnrollmentState]);
    byCourse.set(it.course_id, states);
  }
  await settleInRosters(work, byCourse, { by_batch: false, remembers: false }, notes);
}

type Asked = RestoreOptions & { sis_import_id: number; below?: number; total?: number; offset?: number };

/** The next items to restore: those from `offset` on of the newest change with an id less than `below`. */
interface Position {
  readonly below: number;
  readonly offset: number;
}

interface Restoration {
  readonly progress_id: number;
  readonly user_id: number | null;
  readonly given: Asked;
  readonly highest: number;
  readonly total: number;
}

/** Marks the import as being restored. @returns undefined when the request has ended, or the import cannot be restored */
async function begin(db: Database, progress_id: number): Promise<{ it: ImportRow; restoration: Restoration } | undefined> {
  const [[asked]] = await db.perform([db.build.select().from(progress).where(eq(progress.id, progress_id))]);
  if (!asked || asked.workflow_state === 'completed' || asked.workflow_state === 'failed') return undefined;
  const given = asked.arguments as Asked;
  const now = wireTime(Date.now());
  const [, [it], [span]] = await db.perform([
    db.build.run(
      sql`update sis_imports set workflow_state = 'restoring', updated_at = ${now} where id = ${given.sis_import_id} and workflow_state not in ('initializing', 'created', 'importing', 'cleanup_batch', 'restoring', 'restored')`,
    ),
    db.build.select().from(sis_imports).where(eq(sis_imports.id, given.sis_import_id)),
    db.build.all<{ highest: number | null; total: number }>(
      sql`select max(id) as highest, count(*) as total from sis_import_changes where sis_import_id = ${given.sis_import_id}`,
    ),
  ]);
  if (it?.workflow_state !== 'restoring') return undefined;
  return { it, restoration: { progress_id, user_id: asked.user_id, given, highest: span?.highest ?? 0, total: span?.total ?? 1 } };
}

/** The newest change before a position, and the number of changes left. */
async function changeAt(work: ImportWork, { below }: Position, { given }: Restoration) {
  const batchOnly = given.batch_mode ? sql`and by_batch = 1` : sql``;
  const [[change], [left]] = await work.read([
    work.db.build.all<Change>(
      sql`select id, model, items from sis_import_changes where sis_import_id = ${work.it.id} and id < ${below} ${batchOnly} order by id desc limit 1`,
    ),
    work.db.build.all<{ left: number }>(
      sql`select count(*) as left from sis_import_changes where sis_import_id = ${work.it.id} and id < ${below}`,
    ),
  ]);
  return { change, left: left?.left ?? 0 };
}

/** Restores the items at a position as one step. @returns the next position; undefined when no changes are left */
async function restoreAt(work: ImportWork, position: Position, restoration: Restoration): Promise<Position | undefined> {
  const { db } = work;
  const { progress_id, user_id, given, total } = restoration;
  const { change, left } = await changeAt(work, position, restoration);
  if (!change) return undefined;
  const all = JSON.parse(change.items) as Item[];
  const until = position.offset + atOnce;
  const wanted = all.slice(position.offset, until).flatMap((item) => {
    const to = restoredTo(item, given);
    return to === undefined || to === item[2] ? [] : [[item[0], item[2], to] as const];
  });
  const items = await withinRank(work, user_id, change.model, wanted);
  const notes = new Notes();
  if (change.model === 'Enrollment') await restoreEnrollments(work, items as (readonly [number, string, string])[], notes);
  const place = lookUp(places, change.model);
  const next = until >= all.length ? { below: change.id, offset: 0 } : { below: position.below, offset: until };
  const at = work.now();
  const completion = Math.min(99, Math.floor((100 * (total - left)) / Math.max(1, total)));
  await work.commit({
    statements: [
      ...(place && items.length > 0 ? [restoring(db, place, items, at)] : []),
      ...(change.model === 'UserObserver' ? items.flatMap(([id, , to]) => relinkObserver(db, String(id), to === 'active', at)) : []),
      db.build.run(
        sql`update progress set workflow_state = 'running', completion = ${completion}, arguments = json_set(arguments, '$.below', ${next.below}, '$.offset', ${next.offset}), updated_at = ${at} where id = ${progress_id} and workflow_state in ('queued', 'running')`,
      ),
    ],
  });
  return next;
}

const complete = ({ progress_id, given }: Restoration, done: number, work: ImportWork) =>
  work.commit({
    set: { workflow_state: given.batch_mode || given.undelete_only || given.unconclude_only ? 'partially_restored' : 'restored' },
    statements: [
      completeProgress(work.db, progress_id, work.now(), {
        message: done === 1 ? '1 batch of changes restored' : `${done} batches of changes restored`,
      }),
    ],
  });

export async function restoreStates({ progress_id = 0 }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const begun = await begin(db, progress_id);
  if (!begun) return;
  const { it, restoration } = begun;
  const { given, highest } = restoration;
  const work = new ImportWork(env, db, it);
  const started = Date.now();
  let position: Position = { below: given.below ?? highest + 1, offset: given.offset ?? 0 };
  let done = 0;
  try {
    for (;;) {
      const next = await restoreAt(work, position, restoration);
      if (!next) break;
      position = next;
      done += 1;
      if (Date.now() - started > 20_000 || work.calls > 600) {
        await env.WORK.send({ job: 'sis_restore', progress_id });
        return;
      }
    }
    await complete(restoration, done, work);
  } catch (error) {
    // Another delivery continues with it.
    if (!(error instanceof Overtaken)) throw error;
  }
}
