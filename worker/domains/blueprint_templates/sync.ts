// Blueprint sync: the changes become one copy job per associated course. One batch creates them all, or none.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, getTableName, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { kindFacts } from '../../rules/copied_kinds';
import { notifyOfUpdate } from '../../rules/notify';
import { Overtaken, textOfError } from '../../steps';
import { copiedKinds } from '../course_copy/table';
import { type Changed, inFives, inSequence, recordsOf, selectChanges } from './changes';
import { chosenFor, type Edited, type Locks } from './choosing';
import { type blueprint_items, blueprint_migrations, blueprint_subscriptions } from './table';

export type MigrationRow = RowOf<typeof blueprint_migrations>;

interface Following {
  readonly id: number;
  readonly course_id: number;
  readonly synced_seq: number | null;
  readonly syllabus_changed: number;
}

const isBroken = (error: unknown) => /NOT NULL constraint failed: blueprint_migrations\.workflow_state/.test(textOfError(error));

/** Copies in the associated courses that differ from the last sync. */
const selectEdited = (db: Database, course_id: number) => {
  const ofKind = copiedKinds.map((kind) => {
    const there = kindFacts[kind];
    const gone = sql`not exists (select 1 from ${sql.raw(getTableName(there.table))} t where t.id = l.item_id and t.workflow_state <> 'deleted')`;
    return sql`select l.course_id, l.kind, l.source_id, l.changed, ${gone} as is_gone from copied_items l
      join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active' join blueprint_templates b on b.id = s.template_id and b.course_id = ${course_id}
      where l.source_course_id = ${course_id} and l.kind = ${sql.raw(`'${kind}'`)} and (l.changed <> '' or ${gone})`;
  });
  return inFives(ofKind).map((some) => db.build.all<Edited & { course_id: number }>(some));
};

const locksOf = (rows: readonly RowOf<typeof blueprint_items>[]): Locks => {
  const byKey = new Map(rows.map((row) => [`${row.kind} ${row.item_id}`, row]));
  return (kind, id) => byKey.get(`${kind} ${id}`);
};

/**
 * Creates the copies of a sync.
 * @returns the ids of the copies to run
 * @throws Overtaken when another delivery of the job has already created them
 */
export async function exportChanges(db: Database, migration: MigrationRow, course_id: number): Promise<number[]> {
  const now = wireTime(Date.now());
  await db.perform([
    db.build.run(
      sql`update blueprint_migrations set workflow_state = 'exporting', exports_started_at = coalesce(exports_started_at, ${now}), updated_at = ${now} where id = ${migration.id} and workflow_state = 'queued'`,
    ),
  ]);
  const [following, locked] = await db.perform([
    db.build.all<Following>(
      sql`select id, course_id, synced_seq, syllabus_changed from ${blueprint_subscriptions} where template_id = ${migration.template_id} and workflow_state = 'active' order by id`,
    ),
    db.build.all<RowOf<typeof blueprint_items>>(sql`select * from blueprint_items where course_id = ${course_id}`),
  ]);
  // Changes are read last, so that every other value read is at most as new as the last change.
  const edited = (await db.perform(selectEdited(db, course_id))).flat();
  const changed = inSequence(await db.perform(selectChanges(db, course_id, sql`0`)));
  const upto = changed.at(-1)?.seq ?? 0;
  const locks = locksOf(locked);
  const synced = following.flatMap(({ synced_seq }) => (synced_seq === null ? [] : [synced_seq]));
  const since = synced.length > 0 ? Math.min(...synced) : 0;
  const result = recordsOf(changed.filter(({ seq }) => seq > since)).slice(0, 5000);
  const imports = following.flatMap((one) => importOf(db, migration, one, { course_id, changed, edited, locks, upto }, now));
  const next = following.length > 0 ? 'imports_queued' : 'completed';
  try {
    await db.perform([
      ...notifyOfUpdate(db, blueprint_migrations, { set: { workflow_state: next }, where: eq(blueprint_migrations.id, migration.id) }, now),
      db.build.run(
        sql`update blueprint_migrations set workflow_state = case when workflow_state = 'exporting' then ${next} end, changes = ${JSON.stringify(result)}, upto_seq = ${upto}, imports_queued_at = ${now}, updated_at = ${now}
          ${next === 'completed' ? sql`, imports_completed_at = ${now}` : sql``} where id = ${migration.id}`,
      ),
      ...imports,
    ]);
  } catch (error) {
    if (isBroken(error)) throw new Overtaken();
    throw error;
  }
  const [copies] = await db.perform([
    db.build.all<{ copy_id: number }>(sql`select copy_id from blueprint_imports where migration_id = ${migration.id} order by id`),
  ]);
  return copies.map(({ copy_id }) => copy_id);
}

interface Around {
  readonly course_id: number;
  readonly changed: readonly Changed[];
  readonly edited: readonly (Edited & { course_id: number })[];
  readonly locks: Locks;
  readonly upto: number;
}

/** The copy into one course, and its blueprint import. */
function importOf(db: Database, migration: MigrationRow, to: Following, around: Around, now: string): Statement[] {
  const follower = {
    synced_seq: to.synced_seq,
    syllabus_changed: Boolean(to.syllabus_changed),
    edited: around.edited.filter(({ course_id }) => course_id === to.course_id),
  };
  const { choice, conflicts } = chosenFor(around.changed, follower, around.locks, migration.options);
  return [
    db.build.run(
      sql`insert into course_copies (course_id, source_course_id, user_id, purpose, choice, created_at, updated_at)
        values (${to.course_id}, ${around.course_id}, ${migration.user_id}, 'blueprint', ${JSON.stringify(choice)}, ${now}, ${now})`,
    ),
    db.build.run(
      sql`insert into blueprint_imports (migration_id, subscription_id, course_id, copy_id, upto_seq, conflicts, created_at, updated_at)
        values (${migration.id}, ${to.id}, ${to.course_id}, last_insert_rowid(), ${around.upto}, ${JSON.stringify(conflicts)}, ${now}, ${now})`,
    ),
  ];
}
