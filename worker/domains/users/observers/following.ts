// Keeps observer enrollments in step with those of the observed students: statements for the batch that changes the students'.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';

/** `stateOfFollower` of enrollments/roster/lifecycle.ts in SQL, for an enrollment `s`. */
export const followed = sql.raw("case s.enrollment_state when 'invited' then 'active' else s.enrollment_state end");

/**
 * Observers of the students in these enrollments take over their states.
 * @param ids a select of enrollment ids
 */
export const following = (db: Database, ids: SQL, now: string): Statement[] => [
  db.build.run(sql`update enrollments set
      enrollment_state = (select ${followed} from enrollments s where s.user_id = enrollments.observed_user_id and s.course_section_id = enrollments.course_section_id and s.type = 'StudentEnrollment' and s.id in (${ids})),
      completed_at = (select s.completed_at from enrollments s where s.user_id = enrollments.observed_user_id and s.course_section_id = enrollments.course_section_id and s.type = 'StudentEnrollment' and s.id in (${ids})),
      updated_at = ${now}
    where id in (select o.id from enrollments s join enrollments o on o.course_id = s.course_id and o.type = 'ObserverEnrollment' and o.observed_user_id = s.user_id and o.course_section_id = s.course_section_id
      where s.id in (${ids}) and s.type = 'StudentEnrollment' and o.enrollment_state <> ${followed})`),
];

/** The same, and enrolls observers who are not in the course yet. */
export const followEnrollments = (db: Database, ids: SQL, now: string): Statement[] => [
  db.build.run(sql`insert into enrollments (user_id, course_id, course_section_id, type, role_id, observed_user_id, enrollment_state, sortable_name, created_at, updated_at)
    select u.id, s.course_id, s.course_section_id, 'ObserverEnrollment', (select id from roles where workflow_state = 'built_in' and name = 'ObserverEnrollment'), s.user_id, ${followed}, u.sort_name, ${now}, ${now}
    from enrollments s join observers l on l.student_id = s.user_id join users u on u.id = l.observer_id and u.workflow_state <> 'deleted'
    where s.id in (${ids}) and s.type = 'StudentEnrollment' and s.enrollment_state in ('active', 'invited')
    on conflict do nothing`),
  ...following(db, ids, now),
];
