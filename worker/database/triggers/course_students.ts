// The students of each course, with an active or concluded enrollment: analytics sorts them by counters that the enrollments do not have.

import { columnsDiffer, trigger } from './trigger.ts';

const isStudent = (row: string) => `${row}.type = 'StudentEnrollment' and ${row}.enrollment_state in ('active', 'completed')`;
const keys = ['user_id', 'course_id', 'type', 'enrollment_state'];

const join = `insert into course_students (course_id, user_id, is_student) select new.course_id, new.user_id, 1 where ${isStudent('new')}
    on conflict (course_id, user_id) do update set is_student = 1 where is_student = 0;`;
const leave = `update course_students set is_student = 0 where course_id = old.course_id and user_id = old.user_id and is_student = 1
    and not exists (select 1 from enrollments e where e.user_id = old.user_id and e.course_id = old.course_id and ${isStudent('e')});`;

/** Named `copy_…`, because they copy data. */
export const courseStudentTriggers = [
  trigger({
    on: 'enrollments',
    name: 'copy_student_insert',
    event: 'insert',
    when: isStudent('new'),
    run: [join],
    purpose: 'List a new student for analytics.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_student_update',
    event: 'update',
    of: keys,
    when: `(${columnsDiffer(keys)}) and ((${isStudent('new')}) or (${isStudent('old')}))`,
    run: [leave, join],
    purpose: 'List a student who joins, leaves or moves for analytics.',
  }),
  trigger({
    on: 'enrollments',
    name: 'copy_student_delete',
    event: 'delete',
    when: isStudent('old'),
    run: [leave],
    purpose: 'Take a student whose enrollment is deleted off the list of analytics.',
  }),
];
