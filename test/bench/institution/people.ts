// Courses with sections and enrollments.

import { type Filling, lorem, stamps } from './bulk';

/** The first person of each course is its teacher. */
export async function fillInstitutionPeople({ band: { courses, name }, insert, from, of, uuid, people }: Filling): Promise<void> {
  await insert({
    table: 'courses',
    count: courses,
    columns: {
      account_id: `coalesce((select min(id) from accounts where parent_account_id = 1 and id >= 2 + $id % (select max(id) from accounts)), 1)`,
      root_account_id: '1',
      enrollment_term_id: '1',
      name: `'Course ' || ($id * 7919 % 100003) || ' of ${name}'`,
      course_code: `'C-' || $id`,
      uuid: uuid('course'),
      workflow_state: "'available'",
      syllabus_body: lorem,
      ...stamps,
    },
  });
  await insert({ table: 'sections', count: courses, columns: { course_id: of(1), name: `'Section ' || n`, is_default: '1', ...stamps } });
  await insert({
    table: 'assignment_groups',
    count: courses,
    columns: { course_id: of(1), name: "'Assignments'", position: '1', ...stamps },
  });

  const persons = courses * people;
  const named = (id: string) => `'Person ' || (${id} * 7919 % 100003)`;
  await insert({
    table: 'users',
    count: persons,
    columns: { name: named('$id'), short_name: named('$id'), sortable_name: named('$id'), uuid: uuid('user'), ...stamps },
  });
  const login = `'person-' || (${from('users')} + n) || '@example.edu'`;
  const whose = { user_id: `(${from('users')} + n)` };
  await insert({ table: 'logins', count: persons, columns: { ...whose, account_id: '1', unique_id: login, ...stamps } });
  await insert({
    table: 'communication_channels',
    count: persons,
    columns: { ...whose, address: login, workflow_state: "'active'", ...stamps },
  });
  await insert({
    table: 'tokens',
    count: persons,
    columns: { ...whose, token_hash: uuid('token'), token_hint: "'abcde...'", purpose: "'bench'", ...stamps },
  });
  const isTeacher = `n % ${people} = 0`;
  const enrolled = {
    ...whose,
    course_section_id: `(${from('sections')} + n / ${people})`,
    enrollment_state: "'active'",
    sortable_name: named(`(${from('users')} + n)`),
    ...stamps,
  };
  await insert({
    table: 'enrollments',
    count: persons,
    columns: {
      ...enrolled,
      course_id: of(people),
      type: `case when ${isTeacher} then 'TeacherEnrollment' else 'StudentEnrollment' end`,
      role_id: `case when ${isTeacher} then 4 else 3 end`,
    },
  });
}
