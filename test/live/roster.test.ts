// Enrollments under load: the runtime is killed amid hundreds of calls, and calls sent again change nothing twice.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Answer, clientOf, type Fetch } from '../support/client';
import { aCourse, groundOf, type Person } from '../support/ground';
import { fetchPatiently, type Server, startServer, withDatabase } from '../support/server';

const persist = await mkdtemp(join(tmpdir(), 'carrel-roster-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

interface Shot {
  readonly who: Person;
  readonly method: 'post' | 'del';
  readonly path: string;
  readonly body?: object;
  readonly key: string;
}

const fire = (url: string, { who, method, path, body, key }: Shot, fetching: Fetch = (to, init) => fetch(to, init)): Promise<Answer> =>
  clientOf(fetching, url, who.token)[method](path, body, { headers: { 'Idempotency-Key': key } });

const legalEnds = new Set(['active', 'completed']);

test('300 enrollment calls, interrupted by a kill and sent again, end in valid states only', async () => {
  const scene = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const { course, teacher } = await aCourse(ground);
    const newcomers: Person[] = [];
    const invited: { person: Person; id: number }[] = [];
    for (let n = 0; n < 10; n++) newcomers.push(await ground.person());
    for (let n = 0; n < 10; n++) {
      const person = await ground.person();
      invited.push({ person, id: await ground.enroll(course, person, 'student', { enrollment_state: 'invited' }) });
    }
    return { course, teacher, newcomers, invited };
  });
  const { course, teacher, newcomers, invited } = scene;
  const at = `/courses/${course.id}/enrollments`;
  const shots = Array.from({ length: 100 }, (_, n): Shot[] => {
    const newcomer = newcomers[n % 10] as Person;
    const { person, id } = invited[n % 10] as (typeof invited)[number];
    const enrollment = { user_id: newcomer.id, enrollment_state: 'active' };
    return [
      { who: teacher, method: 'post', path: at, body: { enrollment }, key: `enroll-${n}` },
      { who: person, method: 'post', path: `${at}/${id}/accept`, key: `accept-${n}` },
      // Half of the invited users are also concluded, at any time.
      n % 2 === 0
        ? { who: teacher, method: 'del', path: `${at}/${id}`, body: { task: 'conclude' }, key: `conclude-${n}` }
        : { who: person, method: 'post', path: `${at}/${id}/accept`, key: `accept-again-${n}` },
    ];
  }).flat();

  server = await startServer({ persist });
  const port = Number(new URL(server.url).port);
  const { url } = server;
  const first = new Map<string, Answer>();
  const volley = Promise.all(
    shots.map((shot) =>
      fire(url, shot).then(
        (answer) => first.set(shot.key, answer),
        () => undefined,
      ),
    ),
  );
  while (first.size < 60) await new Promise((resume) => setTimeout(resume, 5));
  await server.kill();
  await volley;
  expect(first.size, 'the kill came in the middle').toBeLessThan(shots.length);

  server = await startServer({ persist, port });
  const second = new Map<string, Answer>();
  const again = server.url;
  for (let from = 0; from < shots.length; from += 50)
    await Promise.all(shots.slice(from, from + 50).map(async (shot) => second.set(shot.key, await fire(again, shot, fetchPatiently))));

  for (const { key } of shots) {
    const [before, after] = [first.get(key), second.get(key)];
    expect([200, 400], `${key}: ${JSON.stringify(after?.body)}`).toContain(after?.status);
    if (before?.status !== 200) continue;
    expect(after?.status, key).toBe(200);
    expect(after?.body.id, key).toBe(before.body.id);
    expect(after?.body.success, key).toBe(before.body.success);
  }

  const asTeacher = clientOf(fetchPatiently, server.url, teacher.token);
  const states = ['active', 'invited', 'completed', 'rejected', 'inactive', 'creation_pending', 'deleted'];
  const roster = await asTeacher.pages(at, { type: ['StudentEnrollment'], state: states, per_page: 100 });
  for (const person of newcomers) {
    const theirs = roster.filter((one) => one.user_id === person.id);
    expect(theirs.map((one) => one.enrollment_state)).toEqual(['active']);
  }
  for (const [n, { person, id }] of invited.entries()) {
    const theirs = roster.filter((one) => one.user_id === person.id);
    expect(theirs.map((one) => one.id)).toEqual([id]);
    expect(legalEnds).toContain(theirs[0].enrollment_state);
    expect(theirs[0].enrollment_state).toBe(n % 2 === 0 ? 'completed' : 'active');
  }

  // Sent once more, all calls change nothing.
  await Promise.all(shots.slice(0, 60).map((shot) => fire(again, shot, fetchPatiently)));
  expect(await asTeacher.pages(at, { type: ['StudentEnrollment'], state: states, per_page: 100 })).toEqual(roster);
});
