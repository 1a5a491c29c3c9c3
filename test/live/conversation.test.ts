// Conversations under load: the runtime is killed amid hundreds of messages, and messages sent again appear once.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Answer, clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { fetchPatiently, type Server, startServer, withDatabase } from '../support/server';

const persist = await mkdtemp(join(tmpdir(), 'carrel-conversation-'));
let server: Server | undefined;
afterAll(async () => {
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

interface Shot {
  readonly who: Person;
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

const clientFor = (url: string, who: Person) => clientOf(fetchPatiently, url, who.token);
/** A connection that was cut stays cut. */
const fire = (url: string, { who, path, body, key }: Shot): Promise<Answer> =>
  clientOf((to, init) => fetch(to, init), url, who.token).post(path, body, { headers: { 'Idempotency-Key': key } });

/** A restarting runtime answers with its own error instead of ours: the request is sent again. */
async function insist(url: string, shot: Shot): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await clientFor(url, shot.who).post(shot.path, shot.body, { headers: { 'Idempotency-Key': shot.key } });
    if (typeof answer.body === 'object' || attempt === 5) return answer;
  }
}

interface Message {
  readonly id: number;
  readonly body: string;
  readonly author_id: number;
}

test('300 messages of ten users, interrupted by a kill and sent again, each appear once, in one order', async () => {
  const people = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const course = await ground.course();
    const all: Person[] = [];
    for (let n = 0; n < 10; n++) {
      const person = await ground.person();
      await ground.enroll(course, person, n === 0 ? 'teacher' : 'student');
      all.push(person);
    }
    return all;
  });
  const [teacher, ...students] = people as [Person, ...Person[]];

  server = await startServer({ persist });
  const port = Number(new URL(server.url).port);
  const { url } = server;
  const everyone = { recipients: students.map(({ id }) => id), group_conversation: true, body: 'Begin' };
  const begun = await clientFor(url, teacher).post('/conversations', everyone);
  expect(begun.status).toBe(201);
  const { id } = begun.body[0];

  const said = Array.from({ length: 300 }, (_, n): Shot => {
    const who = people[n % 10] as Person;
    return { who, path: `/conversations/${id}/add_message`, body: { body: `message ${n}` }, key: `say-${n}` };
  });
  // Pairs of users who write to each other at once, and one who writes to everyone.
  const messages = Array.from({ length: 40 }, (_, n): Shot => {
    const [from, to] = [people[n % 10] as Person, people[9 - (n % 10)] as Person];
    return { who: from, path: '/conversations', body: { recipients: [to.id], body: `letter ${n}` }, key: `letter-${n}` };
  });
  const rounds = Array.from({ length: 2 }, (_, n): Shot => {
    const body = { recipients: students.map((one) => one.id), body: `to each ${n}` };
    return { who: teacher, path: '/conversations', body, key: `round-${n}` };
  });
  const shots = [...said, ...messages, ...rounds];
  shots.sort((a, b) => (a.key.slice(-1) < b.key.slice(-1) ? -1 : a.key.slice(-1) > b.key.slice(-1) ? 1 : 0));

  const first = new Map<string, Answer>();
  const volley = Promise.all(
    shots.map((shot) =>
      fire(url, shot).then(
        (answer) => first.set(shot.key, answer),
        () => undefined,
      ),
    ),
  );
  while (first.size < 100) await new Promise((resume) => setTimeout(resume, 5));
  await server.kill();
  await volley;
  expect(first.size, 'the kill came in the middle').toBeLessThan(shots.length);

  server = await startServer({ persist, port });
  const again = server.url;
  const second = new Map<string, Answer>();
  for (let from = 0; from < shots.length; from += 60)
    await Promise.all(shots.slice(from, from + 60).map(async (shot) => second.set(shot.key, await insist(again, shot))));

  const messageOf = ({ body }: Answer): number[] =>
    [body].flat().flatMap((one) => one.messages?.map(({ id: message }: Message) => message) ?? [one.id]);
  for (const { key } of shots) {
    const [before, after] = [first.get(key), second.get(key)] as [Answer | undefined, Answer];
    expect([200, 201], `${key}: ${JSON.stringify(after.body)}`).toContain(after.status);
    // The response may have been cut off after its headers.
    if (before && before.status < 300 && typeof before.body === 'object') expect(messageOf(after), key).toEqual(messageOf(before));
  }

  const read = async (person: Person, thread: number) =>
    (await clientFor(again, person).get(`/conversations/${thread}`, { auto_mark_as_read: false })).body;
  const readings = await Promise.all(people.map((person) => read(person, id)));
  const order = readings[0].messages.map((message: Message) => message.id);
  expect(order).toHaveLength(301);
  expect(new Set(readings[0].messages.map((message: Message) => message.body)).size).toBe(301);
  for (const [n, reading] of readings.entries()) {
    expect(reading.messages.map((message: Message) => message.id)).toEqual(order);
    expect(reading.message_count).toBe(301);
    expect(reading.workflow_state).toBe(reading.messages[0].author_id === people[n]?.id ? 'read' : 'unread');
  }

  // Every pair has one private conversation, with each message once.
  for (const person of people) {
    const inbox = await clientFor(again, person).pages('/conversations', { per_page: 100 });
    const sent = await clientFor(again, person).pages('/conversations', { per_page: 100, scope: 'sent' });
    const threads = new Map([...inbox, ...sent].filter((one) => one.private).map((one) => [one.id, one]));
    const partners = [...threads.values()].map((one) => one.audience[0]);
    expect(new Set(partners).size).toBe(partners.length);
    const counts = await clientFor(again, person).get('/conversations/unread_count');
    expect(Number(counts.body.unread_count)).toBe(inbox.filter((one) => one.workflow_state === 'unread').length);
    for (const thread of threads.values()) {
      const { messages, message_count } = await read(person, thread.id);
      const bodies = messages.map((message: Message) => message.body);
      const expected = shots.filter(({ who, path, body }) => {
        const { recipients } = body as { recipients?: number[] };
        const [partner] = thread.audience;
        return (
          path === '/conversations' &&
          ((who.id === person.id && recipients?.includes(partner)) || (who.id === partner && recipients?.includes(person.id)))
        );
      });
      expect([...bodies].sort()).toEqual(expected.map(({ body }) => (body as { body: string }).body).sort());
      expect(message_count).toBe(bodies.length);
    }
  }
});
