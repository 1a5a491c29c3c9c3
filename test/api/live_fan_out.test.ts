// Whom a write notifies through the live sockets, and what that costs with many connected users.

import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { changes, live_users } from '@carrel/worker/database/housekeeping';
import { newMeter, open } from '@carrel/worker/database/open';
import { everyone, readConcerned } from '@carrel/worker/live/concerned';
import { readFresh } from '@carrel/worker/live/fresh_changes';
import { socketsOf } from '@carrel/worker/live/socket_objects';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, test, vi } from 'vitest';
import { as, ground, many, manyStudents, nth, ok } from '../support/api';
import { aCourse, type Person } from '../support/ground';
import { type HeardSignal, openSocket } from '../support/live_socket';
import { runningWorker } from '../support/running_worker';

const objects = 8;
const numbers = Array.from({ length: objects }, (_, number) => number);
const at = { timeout: 20_000 };

const rowsOf = async () => (await env.DB.prepare('select user_id, object from live_users order by 1').all()).results;

/** What was logged so far is not part of what the next write changes. */
const forgetLog = () => env.DB.prepare('delete from log_marks').run();

const sleep = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));

/** Longer than the lookups of earlier writes wait. */
const quiet = () => sleep(300);

/** The cost after the responses of what `work` does, once `isDone`. */
async function costOf(name: string, work: () => Promise<unknown>, isDone: () => void) {
  await quiet();
  await forgetLog();
  const { afterResponses } = await runningWorker();
  const before = { ...afterResponses };
  const started = Date.now();
  await work();
  await vi.waitFor(isDone, { timeout: 20_000, interval: 5 });
  const { object_calls, d1_trips, d1_statements, rows_read } = afterResponses;
  const ms = Date.now() - started;
  const cost = {
    object_calls: object_calls - before.object_calls,
    d1_trips: d1_trips - before.d1_trips,
    d1_statements: d1_statements - before.d1_statements,
    rows_read: rows_read - before.rows_read,
  };
  console.log(JSON.stringify({ name, ms, ...cost }));
  return cost;
}

const assign = async (teacher: Person, course: number): Promise<{ id: number }> => {
  const assignment = { name: 'Essay', submission_types: ['online_text_entry'], published: true };
  return ok(await as(teacher).post(`/courses/${course}/assignments`, { assignment }), 201);
};

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

test('a write notifies those whose feed contains it, and no one else', async () => {
  const { course, teacher, student, observer, stranger } = scene;
  const here = `/courses/${course.id}`;
  const [classmate, other] = [await ground.person(), await ground.person()];
  for (const person of [classmate, other]) await ground.enroll(course, person, 'student');
  const assignment = ok(
    await as(teacher).post(`${here}/assignments`, {
      assignment: { name: 'Essay', submission_types: ['online_text_entry'], published: true },
    }),
    201,
  );
  const hand = (who: Person) =>
    as(who).post(`${here}/assignments/${assignment.id}/submissions`, {
      submission: { submission_type: 'online_text_entry', body: 'Mine' },
    });
  // The first submission of an assignment is a change for the whole course.
  ok(await hand(other), 201);
  const set = ok(await as(teacher).post(`${here}/group_categories`, { name: 'Sets', self_signup: 'enabled' }));
  const group = ok(await as(teacher).post(`/group_categories/${set.id}/groups`, { name: 'Reds' }));
  const membership = ok(await as(student).post(`/groups/${group.id}/memberships`, { user_id: 'self' }));
  const people = { teacher, student, observer, classmate, stranger };
  const names = Object.keys(people) as (keyof typeof people)[];
  const ears = await Promise.all(names.map((name) => openSocket(people[name])));
  const notified = async (work: () => Promise<unknown>, expected: string[]) => {
    await quiet();
    // Objects that have slept do not know whom they have just sent a signal.
    await Promise.all(numbers.map((number) => evictDurableObject(socketsOf(number, env)).catch(() => undefined)));
    await forgetLog();
    for (const { heard } of ears) heard.length = 0;
    await work();
    const those = () => names.filter((_, nth) => (ears[nth]?.heard.length ?? 0) > 0);
    await vi.waitFor(() => expect(those()).toEqual(expected), at);
    return names.map((name, nth) => [name, ears[nth]?.heard.at(-1)?.bookmark] as const).filter(([, bookmark]) => bookmark);
  };

  let bookmark = '';
  const bookmarks = await notified(async () => {
    const made = await as(teacher).post(`${here}/assignment_groups`, { name: 'Labs' });
    bookmark = made.headers.get('x-d1-bookmark') as string;
  }, ['teacher', 'student', 'observer', 'classmate']);
  for (const [name, heard] of bookmarks) expect(heard && heard >= bookmark, `the signal to the ${name} covers the write`).toBe(true);
  // An observer is notified of the work of the observed student, and of no other.
  await notified(async () => ok(await hand(student), 201), ['teacher', 'student', 'observer']);
  // A comment changes nothing else that staff see.
  const comment = { comment: { text_comment: 'Mine' } };
  const own = `${here}/assignments/${assignment.id}/submissions/self`;
  await notified(async () => ok(await as(student).put(own, comment)), ['teacher', 'student', 'observer']);
  await notified(async () => ok(await as(student).post(`/groups/${group.id}/pages`, { wiki_page: { title: 'Plan' } })), ['student']);
  await notified(async () => ok(await as(student).del(`/groups/${group.id}/memberships/${membership.id}`)), ['student']);
  const [{ id }] = ok(await as(teacher).get(`${here}/enrollments`, { user_id: classmate.id }));
  await notified(async () => ok(await as(teacher).del(`${here}/enrollments/${id}`, { task: 'delete' })), ['classmate']);
  await notified(async () => ok(await as(teacher).put(here, { course: { name: 'Biology' } })), ['teacher', 'student', 'observer']);
  // A queued job changes the course after the lookup of the request.
  const past = await aCourse(ground);
  await ground.enroll(past.course, student, 'student');
  const conclude = { course_ids: [past.course.id], event: 'conclude' };
  const admin = await ground.admin();
  await notified(async () => ok(await as(admin).put('/accounts/1/courses', conclude)), ['student']);
});

test('several writes in a second are one lookup and at most one signal a second, and the last one is never lost', async () => {
  const { course, teacher, student } = scene;
  const { heard } = await openSocket(student);
  const bookmarks: string[] = [];
  const write = async (nth: number) => {
    const made = await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: `Labs ${nth}` });
    bookmarks.push(made.headers.get('x-d1-bookmark') as string);
  };
  const started = Date.now();
  const cost = await costOf(
    'six writes',
    async () => {
      for (const nth of [1, 2, 3, 4, 5, 6]) await write(nth);
    },
    () => expect(heard.at(-1)?.bookmark).toSatisfy((last: string) => last >= (bookmarks.at(-1) as string)),
  );
  const seconds = (Date.now() - started) / 1000;
  for (const [nth, signal] of heard.entries()) if (nth > 0) expect(signal.at - (heard[nth - 1]?.at ?? 0)).toBeGreaterThanOrEqual(950);
  expect(heard.map((signal) => signal.bookmark)).toEqual(heard.map((signal) => signal.bookmark).sort());
  expect(heard[0]).toMatchObject({ type: 'changed', spread: 0 });
  // A lookup is two trips.
  expect(cost.d1_trips).toBeLessThanOrEqual(2 * (1 + 4 * seconds));
});

test('sockets of a user close one by one, and rows that an object has lost are removed', async () => {
  const { course, teacher, student, stranger } = scene;
  const object = (person: Person) => person.id % objects;
  await vi.waitFor(async () => expect(await rowsOf()).toEqual([]), at);
  const [first, second, other] = [await openSocket(student), await openSocket(student), await openSocket(stranger)];
  const both = [student, stranger].map((one) => ({ user_id: one.id, object: object(one) })).sort((a, b) => a.user_id - b.user_id);
  expect(await rowsOf()).toEqual(both);
  first.socket.close();
  await quiet();
  expect(await rowsOf()).toEqual(both);
  // Asleep, the object keeps its sockets.
  await evictDurableObject(socketsOf(object(student), env));
  await forgetLog();
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'While asleep' }));
  await vi.waitFor(() => expect(second.heard.length).toBeGreaterThan(0), at);

  // A reset closes the sockets without an event.
  for (const one of [student, stranger]) await evictDurableObject(socketsOf(object(one), env), { webSockets: 'close' });
  expect(await rowsOf()).toEqual(both);
  ok(await as(teacher).post(`/courses/${course.id}/assignment_groups`, { name: 'After a reset' }));
  await vi.waitFor(async () => expect(await rowsOf()).toEqual(both.filter(({ user_id }) => user_id !== student.id)), at);
  await runDurableObjectAlarm(socketsOf(object(stranger), env));
  expect(await rowsOf()).toEqual([]);

  // A restored database lacks the rows of later connections.
  const again = await openSocket(student);
  await env.DB.prepare('delete from live_users').run();
  await runDurableObjectAlarm(socketsOf(object(student), env));
  expect(await rowsOf()).toEqual([{ user_id: student.id, object: object(student) }]);
  for (const { socket } of [second, other, again]) socket.close();
  await vi.waitFor(async () => expect(await rowsOf()).toEqual([]), at);
});

test('the cost of a write does not grow with users who are connected elsewhere', async () => {
  const { course, teacher, student } = scene;
  const large = await aCourse(ground);
  const [inCourse, all, first] = [5000, 20_000, 1_000_000];
  await manyStudents(inCourse, large.course, first, 'Student');
  const { heard } = await openSocket(student);
  const write = (who: Person, id: number, name: string) => () => as(who).post(`/courses/${id}/assignment_groups`, { name });
  const isHeard = () => expect(heard.length).toBeGreaterThan(0);
  const few = await costOf('few connected', write(teacher, course.id, 'Few'), isHeard);

  const user_id = sql<number>`${first} + n`;
  await many(all, live_users, { user_id, object: sql<number>`(${user_id}) % ${objects}`, connected_at: '2026-09-01T08:00:00Z' });
  const received = new Map<number, HeardSignal>();
  const connect = (state: DurableObjectState, user: number) => {
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    state.acceptWebSocket(server, [String(user)]);
    client.accept();
    client.addEventListener('message', ({ data }) => void received.set(user, JSON.parse(data as string) as HeardSignal));
  };
  await Promise.all(
    numbers.map((number) =>
      runInDurableObject(socketsOf(number, env), (_, state) => {
        for (let user = first + 1; user <= first + all; user++) if (user % objects === number) connect(state, user);
      }),
    ),
  );
  heard.length = 0;
  const crowded = await costOf('20,000 connected elsewhere', write(teacher, course.id, 'Crowded'), isHeard);
  expect(received.size).toBe(0);
  const wide = await costOf('5,000 connected in the course', write(large.teacher, large.course.id, 'Wide'), () =>
    expect(received.size).toBe(inCourse),
  );
  expect(received.get(first + 1)).toMatchObject({ type: 'changed', spread: 10 * inCourse });
  // A comment concerns the student, their observers and the staff, whom an index finds among the members of the course.
  const work = `/courses/${large.course.id}/assignments/${(await assign(large.teacher, large.course.id)).id}/submissions/${large.student.id}`;
  ok(await as(large.teacher).put(work, { comment: { text_comment: 'First' } }));
  const { heard: grader } = await openSocket(large.ta);
  // The signals of these writes, at most one a second, come before the comment that is measured.
  await sleep(1500);
  grader.length = 0;
  const talk = await costOf(
    'a comment with 5,000 connected in the course',
    async () => ok(await as(large.teacher).put(work, { comment: { text_comment: 'Again' } })),
    () => expect(grader.length).toBeGreaterThan(0),
  );
  expect(talk).toMatchObject({ object_calls: 1, d1_trips: 2, d1_statements: 3 });
  expect(talk.rows_read).toBeLessThanOrEqual(50);
  const announcement = { subject: 'Closed', message: 'Closed', start_at: '2020-01-01T00:00:00Z', end_at: '2090-01-01T00:00:00Z' };
  const admin = await ground.admin();
  received.clear();
  const announce = () => as(admin).post('/accounts/1/account_notifications', { account_notification: announcement });
  const institution = await costOf('20,000 connected in the institution', announce, () => expect(received.size).toBe(all));
  expect(received.get(first + all)?.spread).toBeGreaterThan(9 * all);
  expect(crowded).toEqual(few);
  expect(few).toMatchObject({ object_calls: 1, d1_trips: 2, d1_statements: 2 });
  expect(few.rows_read).toBeLessThanOrEqual(50);
  // Each student's enrollment and connection, once.
  expect(wide).toMatchObject({ object_calls: objects, d1_trips: 2, d1_statements: 2 });
  expect(wide.rows_read).toBeLessThanOrEqual(2 * inCourse + 50);
  expect(institution).toMatchObject({ object_calls: objects, d1_trips: 1, d1_statements: 1 });
  expect(institution.rows_read).toBeLessThanOrEqual(50);
});

test('a lookup reads a bounded number of changes, and beyond it everyone is notified', async () => {
  const db = open(env.DB, newMeter(), 'first-primary');
  const then = '2026-08-01T00:00:00Z';
  await env.DB.batch(['delete from changes', 'delete from log_marks'].map((text) => env.DB.prepare(text)));
  const logged = { kind: 'user', item_id: sql<number>`n`, op: 'upsert', changed_at: then } as const;
  await many(1500, changes, { ...logged, seq: sql<number>`n`, scope: nth('user_') });
  const fresh = await readFresh(db, then);
  expect([fresh.scopes.size, fresh.isCut]).toEqual([1500, false]);
  expect(await readConcerned(db, fresh)).toEqual([]);
  expect((await readFresh(db, then)).scopes.size, 'changes that this isolate has looked up').toBe(0);
  await many(20_001, changes, { ...logged, seq: sql<number>`${1500} + n`, scope: 'user_1', item_id: sql<number>`${1500} + n` });
  const most = await readFresh(db, then);
  expect([most.scopes.size, most.isCut]).toEqual([1, true]);
  expect(await readConcerned(db, most)).toBe(everyone);
  const places = (count: number) => new Set(Array.from({ length: count }, (_, nth) => `course_${nth + 1_000_000}`));
  expect(await readConcerned(db, { scopes: places(1000), memberships: [], submissions: [], isCut: false })).toEqual([]);
  expect(await readConcerned(db, { scopes: places(1001), memberships: [], submissions: [], isCut: false })).toBe(everyone);

  // After a restore, numbers start over below those that this isolate has seen.
  await env.DB.prepare('delete from changes where seq > 100').run();
  await many(1, changes, { ...logged, seq: 101, scope: 'user_7' });
  expect((await readFresh(db, then)).scopes.has('user_7')).toBe(true);
});
