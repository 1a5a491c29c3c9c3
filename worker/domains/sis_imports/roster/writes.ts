// Statements that apply SIS rows to a course's enrollments.

import { sql } from 'drizzle-orm';
import { insertMany, updateMany } from '../../../database/many_rows';
import type { Database, Statement } from '../../../database/open';
import { staffTypes } from '../../enrollments/table';
import { followEnrollments } from '../../users/observers/following';
import { remembered } from '../work';
import type { SisPlan } from './decide';

interface Around {
  readonly course_id: number;
  readonly sis_import_id: number;
  readonly now: string;
  readonly name: string;
  readonly notesSeen: boolean;
  readonly isObserved: boolean;
}

export function sisWrites(
  db: Database,
  { course_id, sis_import_id, now, name, notesSeen, isObserved }: Around,
  { inserts, updates, kept }: SisPlan,
): Statement[] {
  const { build } = db;
  const defaultSection = sql`(select id from sections where course_id = ${course_id} and is_default = 1 and nonxlist_course_id is null and workflow_state = 'active' limit 1)`;
  const section = sql`coalesce(j.value ->> 'section_id', ${defaultSection})`;
  const keys = inserts.map(({ user_id, section_id, type, role_id, observed_user_id, notifies }) => ({
    user_id,
    section_id,
    type,
    role_id,
    observed_user_id,
    ...(notifies && { notifies: 1 }),
  }));
  const made = (select: string) =>
    sql`select ${sql.raw(select)} from json_each(${JSON.stringify(keys)}) j cross join enrollments e on e.user_id = j.value ->> 'user_id' and e.course_section_id = ${section} and e.role_id = j.value ->> 'role_id' and e.type = j.value ->> 'type' and e.observed_user_id = j.value ->> 'observed_user_id'`;
  const changed = updates.map(({ id }) => id);
  const touched = sql`select e.id from enrollments e where e.id in (select value from json_each(${JSON.stringify(changed)})) ${keys.length > 0 ? sql`union ${made('e.id')}` : sql``}`;
  const turned = updates.filter(({ before, enrollment_state }) => before !== enrollment_state);
  return [
    ...(inserts.some(({ section_id }) => section_id === null)
      ? [
          build.run(
            sql`insert into sections (course_id, name, is_default, workflow_state, sis_import_id, created_at, updated_at) select ${course_id}, ${name || 'Section'}, 1, 'active', null, ${now}, ${now} where not exists (select 1 from sections where sections.course_id = ${course_id} and sections.is_default = 1 and sections.nonxlist_course_id is null and sections.workflow_state = 'active')`,
          ),
        ]
      : []),
    ...insertMany(
      db,
      'enrollments',
      {
        user_id: true,
        course_id: sql`${course_id}`,
        course_section_id: section,
        type: true,
        role_id: true,
        observed_user_id: true,
        enrollment_state: true,
        sortable_name: true,
        // Otherwise a trigger would copy it in a second write, after the row is already in every index.
        sort_email: true,
        sort_sis_id: true,
        sort_course: sql`coalesce((select coalesce(friendly_name, name) from courses where id = ${course_id}), '')`,
        limit_privileges_to_course_section: sql.raw("j.value ->> 'limited'"),
        temporary_enrollment_source_user_id: true,
        start_at: true,
        end_at: true,
        completed_at: sql`case j.value ->> 'enrollment_state' when 'completed' then ${now} end`,
        sis_import_id: sql`${sis_import_id}`,
        created_at: sql`${now}`,
        updated_at: sql`${now}`,
      },
      inserts,
    ),
    ...updateMany(
      db,
      'enrollments',
      {
        enrollment_state: true,
        start_at: true,
        end_at: true,
        limit_privileges_to_course_section: true,
        temporary_enrollment_source_user_id: true,
        stuck_sis_fields: true,
        completed_at: sql`case j.value ->> 'enrollment_state' when 'completed' then coalesce(enrollments.completed_at, ${now}) end`,
        sis_import_id: sql`${sis_import_id}`,
        updated_at: sql`${now}`,
      },
      updates,
    ),
    ...(isObserved && (inserts.length > 0 || updates.length > 0) ? followEnrollments(db, touched, now) : []),
    ...(inserts.some(({ type }) => staffTypes.has(type))
      ? [
          build.run(
            sql`update courses set workflow_state = 'claimed', updated_at = ${now} where id = ${course_id} and workflow_state = 'created'`,
          ),
        ]
      : []),
    ...(inserts.length > 0
      ? [remembered(db, sis_import_id, { model: 'Enrollment', select: made('e.id, null as before, e.enrollment_state as after') }, now)]
      : []),
    ...(turned.length > 0
      ? [
          remembered(
            db,
            sis_import_id,
            { model: 'Enrollment', items: turned.map(({ id, before, enrollment_state }) => [id, before, enrollment_state] as const) },
            now,
          ),
        ]
      : []),
    ...(inserts.some(({ notifies }) => notifies) || updates.some(({ notifies }) => notifies)
      ? [
          build.run(
            sql`insert or ignore into notification_queue (notification, item_id, not_before) select 'enrollment_notification', s.id, ${now} from (
              ${sql`${made('e.id')} where j.value ->> 'notifies' = 1`} union select value as id from json_each(${JSON.stringify(updates.filter(({ notifies }) => notifies).map(({ id }) => id))})) s`,
          ),
        ]
      : []),
    ...(notesSeen
      ? [
          build.run(
            sql`insert into sis_import_seen (sis_import_id, model, item_id) select ${sis_import_id}, 'Enrollment', s.id from (${touched} union select value as id from json_each(${JSON.stringify(kept)})) s where true on conflict do nothing`,
          ),
        ]
      : []),
  ];
}
