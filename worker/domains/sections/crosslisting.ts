// Moves a section with its enrollments to another course and back. Runs inside the Durable Object of the course that the section leaves.

import { and, eq, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { claimRow } from '../../http/idempotency';
import type { RowOf } from '../../http/listing';
import { found } from '../../http/problem';
import type { RosterRequest } from '../enrollments/roster/roster';
import { enrollments } from '../enrollments/table';
import { unmarked } from '../sis_imports/work';
import { sections } from './table';

export interface CrosslistRequest extends RosterRequest {
  readonly section_id: number;
  readonly to_course_id: number;
  /** The original course while the section is cross-listed; null when it returns. */
  readonly home_course_id: number | null;
  /** Moved by an SIS import, which does not count as a change by hand. */
  readonly isByImport?: boolean;
}

export async function crosslist(db: Database, request: CrosslistRequest): Promise<RowOf<typeof sections>> {
  const { course_id, section_id, to_course_id, home_course_id, actor_id, now, idempotency, isByImport } = request;
  const it = and(eq(sections.id, section_id), eq(sections.course_id, course_id), eq(sections.workflow_state, 'active'));
  const moves: Statement[] = [
    // Enrollments first: after the section has moved, they would no longer be found here.
    db.build
      .update(enrollments)
      .set({ course_id: to_course_id, updated_at: now })
      .where(
        sql`${enrollments.course_section_id} = ${section_id} and ${enrollments.course_id} = ${course_id} and exists (select 1 from sections where ${it})`,
      ),
    db.build.update(sections).set({ course_id: to_course_id, nonxlist_course_id: home_course_id, updated_at: now }).where(it),
  ];
  const results = await db.perform([
    db.build.select().from(sections).where(it),
    ...(isByImport ? unmarked(db, moves) : moves),
    ...(idempotency ? [claimRow(db, { user_id: actor_id, idempotency, now, row_ids: [section_id] })] : []),
  ]);
  const left = found((results[0] as RowOf<typeof sections>[])[0]);
  return { ...left, course_id: to_course_id, nonxlist_course_id: home_course_id, updated_at: now };
}
