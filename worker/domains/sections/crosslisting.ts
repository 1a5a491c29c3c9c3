// A section moves to another course, with everybody in it, and back. Runs inside the turnstile of the course that it leaves.

import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import { claimRow } from '../../http/idempotency';
import type { RowOf } from '../../http/listing';
import { found } from '../../http/problem';
import type { Errand } from '../enrollments/roster';
import { enrollments } from '../enrollments/table';
import { sections } from './table';

export interface CrosslistErrand extends Errand {
  readonly section_id: number;
  readonly to_course_id: number;
  /** The course that the section keeps as its own while it is elsewhere; null on its way home. */
  readonly home_course_id: number | null;
}

export async function crosslist(db: Database, errand: CrosslistErrand): Promise<RowOf<typeof sections>> {
  const { course_id, section_id, to_course_id, home_course_id, actor_id, now, idempotency } = errand;
  const it = and(eq(sections.id, section_id), eq(sections.course_id, course_id), eq(sections.workflow_state, 'active'));
  const results = await db.perform([
    // The people first: once the section has moved, it is no longer found here.
    db.build
      .update(enrollments)
      .set({ course_id: to_course_id, updated_at: now })
      .where(
        sql`${enrollments.course_section_id} = ${section_id} and ${enrollments.course_id} = ${course_id} and exists (select 1 from sections where ${it})`,
      ),
    db.build.update(sections).set({ course_id: to_course_id, nonxlist_course_id: home_course_id, updated_at: now }).where(it),
    db.build.select().from(sections).where(eq(sections.id, section_id)),
    ...(idempotency ? [claimRow(db, { user_id: actor_id, idempotency, now, row_ids: [section_id] })] : []),
  ]);
  return found((results[2] as RowOf<typeof sections>[])[0]);
}
