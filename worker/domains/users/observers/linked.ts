// Observer enrollments that follow from observer links (reference 01 B8): statements for the batch that creates or deletes the link. Batches are
// atomic, so a concurrent enrollment is either found here or finds the link itself (following.ts `joining`); the roster is not involved.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import { followed } from './following';

interface Link {
  /** An id, or a select of it in brackets for a user created in the same batch. */
  readonly observer_id: number | SQL;
  readonly student_id: number;
}

/** Enrolls the observer wherever the student is enrolled or invited. Run after the insert of the link; without the link it does nothing. */
export const observerEnrollments = (db: Database, { observer_id, student_id }: Link, now: string): Statement[] => [
  db.build.run(sql`insert into enrollments (user_id, course_id, course_section_id, type, role_id, observed_user_id, enrollment_state, sortable_name, created_at, updated_at)
    select u.id, s.course_id, s.course_section_id, 'ObserverEnrollment', (select id from roles where workflow_state = 'built_in' and name = 'ObserverEnrollment'), s.user_id, ${followed}, u.sort_name, ${now}, ${now}
    from observers l join users u on u.id = l.observer_id and u.workflow_state <> 'deleted'
    join enrollments s on s.user_id = l.student_id and s.type = 'StudentEnrollment' and s.enrollment_state in ('active', 'invited')
    join courses c on c.id = s.course_id and c.workflow_state <> 'deleted'
    where l.observer_id = ${observer_id} and l.student_id = ${student_id} and l.observer_id <> l.student_id
      and not exists (select 1 from enrollments o where o.user_id = u.id and o.course_section_id = s.course_section_id and o.type = 'ObserverEnrollment' and o.observed_user_id = s.user_id and o.enrollment_state = ${followed})
    on conflict (user_id, course_section_id, role_id, type, observed_user_id)
      do update set enrollment_state = excluded.enrollment_state, completed_at = null, updated_at = excluded.updated_at`),
];

/** Ends the observer's enrollments for the student. Run after the delete of the link; while the link exists it does nothing. */
export const observerEnrollmentsEnded = (db: Database, { observer_id, student_id }: Link, now: string): Statement[] => [
  db.build.run(sql`update enrollments set enrollment_state = 'deleted', completed_at = null, updated_at = ${now}
    where user_id = ${observer_id} and type = 'ObserverEnrollment' and observed_user_id = ${student_id} and enrollment_state <> 'deleted'
      and not exists (select 1 from observers where observers.observer_id = ${observer_id} and observers.student_id = ${student_id})`),
];
