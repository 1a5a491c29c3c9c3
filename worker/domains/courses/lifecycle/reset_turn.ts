// Resets a course: its users move to a new course without content, and the old one is deleted. Runs inside the roster's Durable Object of the old
// course.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, getTableColumns, ne, type SQL, sql } from 'drizzle-orm';
import { actedBy } from '../../../contexts/acting';
import type { Database } from '../../../database/open';
import { claimRow } from '../../../http/idempotency';
import { notFound } from '../../../http/problem';
import { assignment_groups } from '../../assignment_groups/table';
import type { RosterRequest } from '../../enrollments/roster/roster';
import { enrollments } from '../../enrollments/table';
import { sections } from '../../sections/table';
import { courses } from '../table';

export interface ResetRequest extends RosterRequest {
  /** Of the new course. */
  readonly uuid: string;
  readonly sis_course_id: string | null;
  readonly integration_id: string | null;
}

/** Columns of the new course that differ from the old one. */
const differing = ({ uuid, sis_course_id, integration_id, now }: ResetRequest): Record<string, SQL> => ({
  uuid: sql`${uuid}`,
  sis_course_id: sql`${sis_course_id}`,
  integration_id: sql`${integration_id}`,
  syllabus_body: sql`null`,
  // Images are files of the old course.
  settings: sql`json_remove(settings, '$.image_id', '$.banner_image_id')`,
  replacement_course_id: sql`null`,
  workflow_state: sql`'claimed'`,
  created_at: sql`${now}`,
  updated_at: sql`${now}`,
});

export async function resetContent(db: Database, request: ResetRequest): Promise<null> {
  const { course_id, actor_id, source = 'api', now, uuid, idempotency } = request;
  const { build } = db;
  const old = and(eq(courses.id, course_id), ne(courses.workflow_state, 'deleted'));
  const fresh = sql`(select id from courses where uuid = ${uuid})`;
  const others = differing(request);
  const names = Object.keys(getTableColumns(courses)).filter((name) => name !== 'id');
  const columns = sql.raw(names.join(', '));
  const values = sql.join(
    names.map((name) => lookUp(others, name) ?? sql.raw(name)),
    sql`, `,
  );
  const moving = { course_id: fresh, updated_at: now };
  const statements = [
    ...actedBy(db, { user_id: actor_id, source }, [
      // SIS ids are cleared first, because they are unique.
      build.update(courses).set({ sis_course_id: null, integration_id: null, updated_at: now }).where(old),
      build.run(sql`insert into courses (${columns}) select ${values} from courses where ${old}`),
      build
        .update(courses)
        .set({ self_enrollment_code: null, workflow_state: 'deleted', replacement_course_id: fresh, updated_at: now })
        .where(old),
    ]),
    build.update(sections).set(moving).where(eq(sections.course_id, course_id)),
    build.update(enrollments).set(moving).where(eq(enrollments.course_id, course_id)),
    build.run(sql`update favorites set context_id = ${fresh} where context_type = 'Course' and context_id = ${course_id}`),
    build.run(sql`update course_nicknames set course_id = ${fresh} where course_id = ${course_id}`),
    build.insert(assignment_groups).values({ course_id: fresh, name: 'Assignments', position: 1, created_at: now, updated_at: now }),
    ...(idempotency
      ? [
          claimRow(db, {
            user_id: actor_id,
            idempotency,
            now,
            row_ids: sql`(select json_group_array(id) from courses where uuid = ${uuid})`,
          }),
        ]
      : []),
  ];
  await db.perform(statements).catch((error: unknown) => {
    // While this waited, the course was deleted or reset, so no new course was created.
    if (String(error).includes('NOT NULL constraint failed: assignment_groups.course_id')) throw notFound();
    throw error;
  });
  return null;
}
