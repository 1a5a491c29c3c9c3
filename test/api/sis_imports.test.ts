import { env } from 'cloudflare:test';
import { beforeAll, expect, test } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import type { Client } from '../support/client';
import type { Person } from '../support/ground';
import { csv, formOf, imported, zipped } from '../support/sis';

let admin: Person;
let client: Client;

beforeAll(async () => {
  admin = await ground.admin();
  client = as(admin);
});

const all = <T>(query: string, ...values: unknown[]) =>
  env.DB.prepare(query)
    .bind(...values)
    .all<T>()
    .then(({ results }) => results);

const institution = (prefix: string) =>
  ({
    'accounts.csv': csv(
      'account_id,parent_account_id,name,status',
      [`${prefix}A1`, '', 'Faculty', 'active'],
      [`${prefix}A2`, `${prefix}A1`, 'Chair', 'active'],
    ),
    'terms.csv': csv('term_id,name,status,start_date,end_date', [`${prefix}T1`, 'Autumn', 'active', '2026-09-01', '2027-01-31T23:00:00Z']),
    'courses.csv': csv(
      'course_id,short_name,long_name,account_id,term_id,status',
      [`${prefix}C1`, 'BIO', 'Biology', `${prefix}A2`, `${prefix}T1`, 'active'],
      [`${prefix}C2`, 'CHE', 'Chemistry', '', '', 'published'],
    ),
    'sections.csv': csv('section_id,course_id,name,status', [`${prefix}S1`, `${prefix}C1`, 'Monday', 'active']),
    'users.csv': csv(
      'user_id,login_id,first_name,last_name,email,status',
      [`${prefix}U1`, `${prefix}ann`, 'Ann', 'Lee', `${prefix}ann@example.edu`, 'active'],
      [`${prefix}U2`, `${prefix}bob`, 'Bob', 'Ng', `${prefix}bob@example.edu`, 'active'],
    ),
    'enrollments.csv': csv(
      'course_id,section_id,user_id,role,status',
      [`${prefix}C1`, `${prefix}S1`, `${prefix}U1`, 'student', 'active'],
      [`${prefix}C2`, '', `${prefix}U2`, 'teacher', 'active'],
    ),
  }) as const;

test('an archive of every kind of file is sent as canvasapi sends it, and applied in order', async () => {
  const made = ok(within(await client.post('/accounts/1/sis_imports', formOf(zipped(institution('z')))), 3));
  expect(made).toMatchObject({ workflow_state: 'created', progress: 0, data: { import_type: 'instructure_csv' }, user: { id: admin.id } });
  const done = await imported(client, zipped(institution('y')));
  expect(done).toMatchObject({
    workflow_state: 'imported',
    progress: 100,
    data: {
      supplied_batches: ['account', 'term', 'course', 'section', 'user', 'enrollment'],
      counts: { accounts: 2, terms: 1, courses: 2, sections: 1, users: 2, enrollments: 2, error_count: 0, warning_count: 0 },
    },
    statistics: {
      Account: { created: 2 },
      Course: { created: 2 },
      Enrollment: { created: 2 },
      Pseudonym: { created: 2 },
      CommunicationChannel: { created: 2 },
    },
  });
  expect(done.csv_attachments).toHaveLength(6);
  const course = ok(await client.get('/courses/sis_course_id:yC1'));
  expect(course).toMatchObject({ name: 'Biology', workflow_state: 'unpublished', sis_course_id: 'yC1', sis_import_id: done.id });
  expect(ok(await client.get('/courses/sis_course_id:yC2')).workflow_state).toBe('available');
  const people = ok(await client.get('/courses/sis_course_id:yC1/enrollments'));
  expect(people).toMatchObject([
    {
      type: 'StudentEnrollment',
      enrollment_state: 'active',
      sis_section_id: 'yS1',
      sis_import_id: done.id,
      user: { name: 'Ann Lee', sortable_name: 'Lee, Ann' },
    },
  ]);
});

test('the same files twice change nothing', async () => {
  await imported(client, zipped(institution('x')));
  const seqs = () => all<{ n: number }>('select max(seq) as n from changes');
  const rowsOf = () => all('select * from enrollments union all select * from enrollments where 0');
  const [before, rows] = [await seqs(), await rowsOf()];
  const done = await imported(client, zipped(institution('x')));
  expect(done).toMatchObject({ workflow_state: 'imported', statistics: { total_state_changes: 0 }, data: { counts: { enrollments: 2 } } });
  expect(await all('select * from changes where seq > ?', before[0]?.n)).toEqual([]);
  expect(await seqs()).toEqual(before);
  expect(await rowsOf()).toEqual(rows);
});
