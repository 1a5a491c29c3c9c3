// The Test Student of a course, for the student view.

import { sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { made, one, rawResponse } from '../../http/reply';
import { shownUser } from '../users/json';
import { users } from '../users/table';

export const about = { title: 'Student view', description: 'The test student of a course.' };

const name = 'Test Student';
const sortable = 'Student, Test';

const theirs = (course_id: number) =>
  sql`select e.user_id from enrollments e where e.course_id = ${course_id} and e.type = 'StudentViewEnrollment' and e.enrollment_state <> 'deleted'`;
/** Sections without the Test Student. */
const without = (course_id: number) =>
  sql`s.course_id = ${course_id} and s.workflow_state = 'active' and not exists (select 1 from enrollments e where e.course_section_id = s.id and e.type = 'StudentViewEnrollment' and e.enrollment_state <> 'deleted')`;

/** Statements that create the Test Student and enroll them in every section; idempotent. */
function seated({ db, now }: Pick<Call, 'db' | 'now'>, course_id: number): Statement[] {
  const uuid = randomText(40);
  return [
    db.build.run(
      sql`insert into users (name, short_name, sortable_name, uuid, is_test_student, created_at, updated_at) select ${name}, ${name}, ${sortable}, ${uuid}, 1, ${now}, ${now} where not exists (${theirs(course_id)})`,
    ),
    db.build.run(
      sql`insert into enrollments (user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at)
        select coalesce((select min(user_id) from (${theirs(course_id)})), (select id from users where uuid = ${uuid})), ${course_id}, s.id, 'StudentViewEnrollment',
          (select id from roles where workflow_state = 'built_in' and name = 'StudentViewEnrollment'), 'active', ${sortable}, ${now}, ${now} from sections s where ${without(course_id)}`,
    ),
  ];
}

export const studentViewRoutes = [
  get(
    '/courses/:course_id/student_view_student',
    { can: 'use_student_view', returns: shownUser, summary: 'Get the Test Student of a course' },
    (call) => {
      const { course } = call;
      const where = sql`users.id = (select min(user_id) from (${theirs(course.id)})) and not exists (select 1 from sections s where ${without(course.id)})`;
      return made(one(rows(users, { where })), seated(call, course.id));
    },
  ),

  ...absolute(
    post(
      '/courses/:course_id/student_view',
      { can: 'use_student_view', returns: { json: null }, summary: 'Enter student view' },
      async (call) => {
        await call.db.perform(seated(call, call.course.id));
        return rawResponse(new Response(null, { status: 302, headers: { Location: `${call.origin}/courses/${call.course.id}` } }));
      },
    ),
  ),
];
