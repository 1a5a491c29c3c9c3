// Users of a course as clients see them, with `include[]`.

import { CourseUser } from '@carrel/shared/resources/course_user';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { UserRow } from '../../contexts/viewer';
import { rowsAsJson, rowsOfJson } from '../../database/bundle';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { type Beside, besideOf, besidePage, type EnrollmentExtras } from '../enrollments/beside';
import { type CountedBeside, countedBeside, workOfPerson } from '../enrollments/grades/json';
import { enrollmentJson } from '../enrollments/json';
import { mayRemove } from '../enrollments/policy';
import { enrollments } from '../enrollments/table';
import { groupIdsOf } from '../groups/policy';
import { holds, userJson } from '../users/json';
import { communication_channels, logins, users } from '../users/table';

export const include = [
  'enrollments',
  'inactive_enrollments',
  'locked',
  'avatar_url',
  'test_student',
  'bio',
  'custom_links',
  'current_grading_period_scores',
  'uuid',
  'email',
  'group_ids',
  'observed_users',
  'sections',
  'can_be_removed',
  'first_name',
  'last_name',
] as const;

const aboutEnrollments = ['enrollments', 'sections', 'locked', 'can_be_removed'];
const asksAboutEnrollments = (call: Call) => aboutEnrollments.some((word) => call.include.has(word));

const wanted: EnrollmentExtras = { logins: false, emails: false, observed: false };

/** States of users who have accepted; personal data of invited users is hidden. The unary plus keeps SQLite off the index of the whole course. */
const settled = sql.raw("('active', 'completed', 'inactive')");

const columns = (call: Call): Record<string, SQLWrapper> => {
  const course_id = call.course?.id ?? 0;
  const limit = call.course?.sectionLimit;
  // Section-restricted callers see only the enrollments in their sections.
  const reached = limit
    ? sql` and (user_id = ${call.me.id} or course_section_id in (select value from json_each(${JSON.stringify(limit)})))`
    : sql``;
  const theirs = sql`user_id = users.id and +course_id = ${course_id} and enrollment_state not in ('deleted', 'rejected')${reached}`;
  const emails = sql`user_id = users.id and type = 'email' and workflow_state <> 'deleted'`;
  const seesLogins = holds(call, 'view_user_logins') || holds(call, 'read_sis') || holds(call, 'manage_sis');
  return {
    has_come:
      sql<number>`exists (select 1 from enrollments e where e.user_id = users.id and +e.course_id = ${course_id} and e.enrollment_state in ${settled})`.as(
        'has_come',
      ),
    ...(call.include.has('observed_users') && {
      observed:
        sql<string>`(select json_group_array(json_object('id', o.id, 'name', o.name, 'created_at', o.created_at, 'sortable_name', o.sortable_name, 'short_name', o.short_name))
        from (select distinct s.* from enrollments e join users s on s.id = e.observed_user_id where e.user_id = users.id and +e.course_id = ${course_id} and e.type = 'ObserverEnrollment' and e.enrollment_state in ('active', 'invited') order by s.sort_name, s.id) o)`.as(
          'observed',
        ),
    }),
    ...(call.include.has('group_ids') && { group_ids: groupIdsOf(sql`users.id`, sql`${course_id}`).as('group_ids') }),
    ...(asksAboutEnrollments(call) && { theirs: rowsAsJson(enrollments, theirs).as('theirs') }),
    ...(call.include.has('enrollments') && { work: workOfPerson(sql.raw('users.id'), call).as('work') }),
    ...(seesLogins && { their_logins: rowsAsJson(logins, sql`user_id = users.id and workflow_state <> 'deleted'`).as('their_logins') }),
    // Users always see their own email address.
    their_channels: rowsAsJson(
      communication_channels,
      holds(call, 'read_email_addresses') ? emails : sql`users.id = ${call.me.id} and ${emails}`,
    ).as('their_channels'),
  };
};

type Row = UserRow & {
  has_come: number;
  group_ids?: string;
  theirs?: string;
  work?: string | null;
  observed?: string;
  their_logins?: string;
  their_channels?: string;
};

const personal = ['login_id', 'sis_user_id', 'integration_id', 'sis_import_id', 'email', 'avatar_url', 'bio', 'pronouns', 'uuid'];

function told(row: Row, call: Call, page: Beside, counted: CountedBeside): object {
  const { course } = call;
  if (!course) throw new Error('users of a course are serialised within it');
  const has = (word: string) => call.include.has(word);
  const besides = { logins: rowsOfJson(logins, row.their_logins), channels: rowsOfJson(communication_channels, row.their_channels) };
  const theirs = rowsOfJson(enrollments, row.theirs);
  const json: Record<string, unknown> = {
    ...userJson(row, call, besides, (field) => field === 'email' || has(field)),
    ...(has('group_ids') && { group_ids: JSON.parse(row.group_ids ?? '[]') }),
    ...(has('custom_links') && { custom_links: [] }),
    ...(has('observed_users') && { observed_users: JSON.parse(row.observed ?? '[]') }),
    ...(has('uuid') && { past_uuid: null }),
  };
  if (row.has_come !== 1 && row.id !== call.me.id) for (const field of personal) delete json[field];
  const shown = theirs.filter((one) => has('inactive_enrollments') || !['completed', 'inactive'].includes(one.enrollment_state));
  return {
    ...json,
    ...(has('enrollments') && {
      enrollments: shown.map((one) =>
        enrollmentJson(
          { ...one, ...(row.work && { work: row.work }) },
          course,
          { ...page, people: [], logins: besides.logins },
          call,
          counted,
        ),
      ),
    }),
    ...(has('sections') && {
      sections: page.sections
        .filter((section) => theirs.some((one) => one.course_section_id === section.id))
        .map(({ id, name, sis_section_id }) => ({ id, name, ...(course.can('read_sis') && { sis_section_id }) })),
    }),
    ...(has('locked') && { locked: theirs.some((one) => one.sis_import_id !== null) && !course.can('manage_sis') }),
    ...(has('can_be_removed') && { can_be_removed: theirs.every((one) => mayRemove(course, one, call.me.id)) }),
  };
}

const telling = (...always: string[]) =>
  serializer({
    resource: CourseUser,
    table: users,
    columns,
    also: (ids: SQL, call) => ({
      page: asksAboutEnrollments(call) ? besidePage(call.db, ids, call.course?.id, wanted) : undefined,
      counted: call.include.has('enrollments') ? countedBeside(ids, call) : undefined,
    }),
    json: (row: Row, call, { page, counted }) => ({
      ...told(row, call, besideOf(page ?? []), counted ?? []),
      ...(always.includes('last_login') && { last_login: row.last_login }),
    }),
  });

/** A user of a course. */
export const courseUser = telling();
/** A student, with the last sign-in. */
export const recentStudent = telling('last_login');
