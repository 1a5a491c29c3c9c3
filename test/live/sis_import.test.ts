// A SIS import under load: the runtime is killed twice, and the next delivery continues the remaining work.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Client, clientOf } from '../support/client';
import { groundOf } from '../support/ground';
import { fetchPatiently, type Server, startServer, withDatabase } from '../support/server';
import { csv, ending, sent, zipped } from '../support/sis';

const persist = await mkdtemp(join(tmpdir(), 'carrel-sis-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

const [users, courses, each] = [2000, 20, 150];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const enrolled = numbers(courses).flatMap((course) =>
  numbers(each).map((nth) => [`C${course}`, `U${(course * 97 + nth) % users}`, 'student', 'active']),
);

const school = zipped({
  'users.csv': csv(
    'user_id,login_id,full_name,email,status',
    ...numbers(users).map((n) => [`U${n}`, `user${n}`, `Person ${n}`, `u${n}@example.edu`, 'active']),
  ),
  'courses.csv': csv(
    'course_id,short_name,long_name,status',
    ...numbers(courses).map((n) => [`C${n}`, `C${n}`, `Course ${n}`, 'published']),
  ),
  'enrollments.csv': csv('course_id,user_id,role,status', ...enrolled),
});

/** Waits until the import has reached this progress. */
async function reaching(client: Client, id: number, percent: number): Promise<void> {
  for (;;) {
    const { body } = await client.get(`/accounts/1/sis_imports/${id}`);
    expect(body.ended_at, 'the kill came in the middle').toBeNull();
    if (body.progress >= percent) return;
    await new Promise((resume) => setTimeout(resume, 10));
  }
}

test('an import that is killed twice ends correctly, and importing the same file again changes nothing', async () => {
  const admin = await withDatabase(persist, (d1) => groundOf(d1).admin());
  server = await startServer({ persist });
  const port = Number(new URL(server.url).port);
  const speak = () => clientOf(fetchPatiently, (server as Server).url, admin.token);
  const { id } = await sent(speak(), school);
  // The last third is one step, so the import may already have ended.
  for (const percent of [15, 35]) {
    await reaching(speak(), id, percent);
    await server.kill();
    server = await startServer({ persist, port });
    // Any delivery continues the oldest unfinished import.
    await sent(speak(), csv('user_id,login_id,status', ['late', 'late', 'active']));
  }
  const done = await ending(speak(), id, 600);
  expect(done).toMatchObject({
    workflow_state: 'imported',
    data: { counts: { users, courses, enrollments: enrolled.length, error_count: 0, warning_count: 0 } },
    statistics: {
      total_state_changes: 2 * users + courses + enrolled.length,
      Pseudonym: { created: users },
      CommunicationChannel: { created: users },
      Course: { created: courses },
      Enrollment: { created: enrolled.length },
    },
  });
  const roster = await speak().pages('/courses/sis_course_id:C7/enrollments', { per_page: 100 });
  expect(roster.map((one) => one.user.sis_user_id ?? one.sis_user_id).sort()).toEqual(
    enrolled
      .filter(([course]) => course === 'C7')
      .map(([, user]) => user)
      .sort(),
  );
  const again = await ending(speak(), (await sent(speak(), school)).id, 600);
  expect(again).toMatchObject({
    workflow_state: 'imported',
    statistics: { total_state_changes: 0 },
    data: { counts: { enrollments: enrolled.length } },
  });
});
