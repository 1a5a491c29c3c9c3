// Blueprint syncs as queued work: a sync is split into copies, which are jobs of their own.

import { wireTime } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { newMeter, open } from '../../database/open';
import type { Job, Platform } from '../../platform';
import { mostCrashes, Overtaken, type ResumableWork, textOfError } from '../../steps';
import { exportChanges } from './sync';
import { blueprint_migrations, blueprint_templates } from './table';

export const unfinishedSyncs: ResumableWork = { job: 'blueprint_sync', table: 'blueprint_migrations', unfinished: ['queued', 'exporting'] };

export async function syncBlueprint({ ids: [id = 0] = [] }: Job, env: Platform): Promise<void> {
  const db = open(env.DB, newMeter(), 'first-primary');
  const [[it], [template]] = await db.perform([
    db.build.select().from(blueprint_migrations).where(eq(blueprint_migrations.id, id)),
    db.build
      .select()
      .from(blueprint_templates)
      .where(sql`${blueprint_templates.id} = (select template_id from blueprint_migrations where id = ${id})`),
  ]);
  if (!it || !template || !unfinishedSyncs.unfinished.includes(it.workflow_state)) return;
  try {
    for (const copy_id of await exportChanges(db, it, template.course_id)) await env.WORK.send({ job: 'course_copy', ids: [copy_id] });
  } catch (error) {
    if (error instanceof Overtaken) return;
    const now = wireTime(Date.now());
    const [, [after]] = await db.perform([
      db.build.run(
        sql`update blueprint_migrations set crashes = crashes + 1, updated_at = ${now}, workflow_state = (case when crashes + 1 >= ${mostCrashes} then 'exports_failed' else workflow_state end) where id = ${id} and workflow_state in ('queued', 'exporting')`,
      ),
      db.build.select().from(blueprint_migrations).where(eq(blueprint_migrations.id, id)),
    ]);
    if (after?.workflow_state !== 'exports_failed') throw error;
    console.error(JSON.stringify({ job: 'blueprint_sync', blueprint_migration_id: id, error: textOfError(error) }));
  }
}
