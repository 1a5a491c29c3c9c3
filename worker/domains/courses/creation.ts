// Creates a course with its default section and assignment group and, on request, the caller's enrollment as teacher.

import { eq, type SQL, sql } from 'drizzle-orm';
import { actedBy, actorOf } from '../../contexts/acting';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { one, type Reply, write } from '../../http/reply';
import { assignment_groups } from '../assignment_groups/table';
import { enrollments } from '../enrollments/table';
import { sections } from '../sections/table';
import {
  type CourseGiven,
  type CourseRights,
  type CourseRowChange,
  codeFrom,
  columnChanges,
  dateChanges,
  settingsPatch,
  withKeptSyllabus,
} from './input';
import { courseRefusals } from './lifecycle/lifecycle_turn';
import { courses } from './table';

export interface Creation {
  readonly given: CourseGiven;
  readonly rights: CourseRights;
  readonly offer: boolean;
  readonly enrollMe: boolean;
  /** Restores a deleted course with the same SIS id instead. */
  readonly revives: boolean;
}

/** A self-enrollment code. */
export const newCode = () => randomText(6).toUpperCase();

/** @param account a select of the account's id, and the statements that create the account if needed */
export function createCourse(
  call: Call,
  account: { id: SQL; before: readonly Statement[] },
  { given: sent, rights, offer, enrollMe, revives }: Creation,
): Reply {
  const given = withKeptSyllabus(sent, call);
  const { db, me, now } = call;
  const uuid = randomText(40);
  const name = (given.name as string | undefined) || 'Unnamed Course';
  const settings = Object.fromEntries(Object.entries(settingsPatch(given)).filter(([, value]) => value !== null));
  const term = given.enrollment_term_id ?? given.term_id;
  const made = eq(courses.uuid, uuid);
  const id = sql`(select id from courses where uuid = ${uuid})`;
  const values: CourseRowChange & { name: string; updated_at: string } = {
    ...columnChanges(given, { ...rights, terms: term !== undefined && term !== null, rename: true }, sql`(${account.id})`),
    ...dateChanges(given, undefined),
    name,
    course_code: (given.course_code as string | undefined) || codeFrom(name),
    ...(given.self_enrollment === true && { self_enrollment_code: newCode() }),
    settings,
    ...(rights.blueprint && given.blueprint === true && { is_blueprint: true }),
    workflow_state: offer ? 'available' : enrollMe ? 'claimed' : 'created',
    updated_at: now,
  };
  const insert = db.build.insert(courses).values({
    enrollment_term_id: sql`(select id from terms where is_default = 1)`,
    ...values,
    account_id: sql`(${account.id})`,
    root_account_id: 1,
    uuid,
    created_at: now,
  });
  return write(
    [
      ...account.before,
      ...actedBy(db, actorOf(me), [
        revives && rights.sis && given.sis_course_id
          ? insert.onConflictDoUpdate({
              target: courses.sis_course_id,
              targetWhere: sql`sis_course_id is not null`,
              set: { ...values, uuid, workflow_state: offer ? 'available' : 'claimed' },
              setWhere: sql`courses.workflow_state = 'deleted'`,
            })
          : insert,
      ]),
      db.build.insert(sections).values({ course_id: id, name, is_default: true, created_at: now, updated_at: now }),
      db.build.insert(assignment_groups).values({ course_id: id, name: 'Assignments', position: 1, created_at: now, updated_at: now }),
      ...(enrollMe
        ? [
            db.build.insert(enrollments).values({
              user_id: me.id,
              course_id: id,
              course_section_id: sql`(select id from sections where course_id = ${id} and is_default = 1 and workflow_state = 'active')`,
              type: 'TeacherEnrollment',
              role_id: sql`(select id from roles where workflow_state = 'built_in' and name = 'TeacherEnrollment')`,
              enrollment_state: 'active',
              sortable_name: me.user.sort_name,
              created_at: now,
              updated_at: now,
            }),
          ]
        : []),
    ],
    one(rows(courses, { where: made })),
    // A live course with this SIS id is not restored, so no row has the new uuid and the insert fails.
    { ...courseRefusals, 'sections.course_id': courseRefusals['courses.sis_course_id'] },
  );
}
