// `npm run sql`: the statements of a request, as shown to a developer.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { formatted } from '../../scripts/sql_format';
import { aCourse, groundOf } from '../support/ground';
import { withDatabase } from '../support/server';

const root = join(import.meta.dirname, '../..');

test('a statement is formatted by clauses and brackets, and keeps its text', () => {
  const statement = `select "a"."id", 'x (y)' from "a" left join b on b.id = a.id where a.id in (select id from c) and exists (select 1 from a_table_with_a_long_name where a_column = 1 and another = ?) order by a.id`;
  expect(formatted(statement)).toBe(`select "a"."id", 'x (y)'
from "a"
left join b on b.id = a.id
where a.id in (select id from c)
and exists (
  select 1
  from a_table_with_a_long_name
  where a_column = 1
  and another = ?
)
order by a.id`);
});

test('npm run sql prints the statements of a request with plans, rows read and sizes', async () => {
  const data = await mkdtemp(join(tmpdir(), 'carrel-sql-test-'));
  try {
    const { student, course } = await withDatabase(join(data, 'state'), (d1) => aCourse(groundOf(d1)));
    await writeFile(join(data, 'credentials.json'), JSON.stringify({ users: { student: { token: student.token } } }));
    const command = ['--import', 'tsx', 'scripts/sql.ts', 'GET', `/courses/${course.id}/assignment_groups`, '--as', 'student'];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root, env: { ...process.env, CARREL_DATA: data } });
    expect(stdout).toMatch(/^GET \/api\/v1\/courses\/\d+\/assignment_groups: 200, [\d,]+ bytes, 2 trips, 2 statements, \d+ rows read$/m);
    expect(stdout).toMatch(/^Trip 2, statement 1: \d+ rows? read, 1 row returned \(\d+ bytes\), statement of \d+ bytes$/m);
    expect(stdout).toMatch(/^ {2}from "assignment_groups"$/m);
    expect(stdout).toMatch(/^ {4}SEARCH assignment_groups USING INDEX assignment_groups_in_course/m);
  } finally {
    await rm(data, { recursive: true, force: true, maxRetries: 3 });
  }
});
