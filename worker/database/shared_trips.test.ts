import { expect, test } from 'vitest';
import { newMeter } from './open';
import { SharedTrips } from './shared_trips';

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface FakeStatement extends Sent {
  bind(...values: unknown[]): FakeStatement;
}

interface Behaviour {
  readonly fails?: (statement: Sent) => boolean;
  readonly before?: (batch: readonly Sent[]) => Promise<void>;
}

/** A database that answers each statement with its text and values, and keeps the batches that it was sent. */
function fakeD1({ fails = () => false, before = async () => {} }: Behaviour = {}) {
  const batches: Sent[][] = [];
  const statement = (text: string, values: readonly unknown[] = []): FakeStatement => ({
    text,
    values,
    bind: (...given) => statement(text, given),
  });
  const session = {
    prepare: (text: string) => statement(text),
    async batch(all: readonly Sent[]) {
      batches.push([...all]);
      await before(all);
      if (all.some(fails)) throw new Error('no such column');
      return all.map(({ text, values }) => ({
        success: true,
        meta: {},
        results: [{ text, value: values[0] ?? null, nth: batches.length }],
      }));
    },
    getBookmark: () => 'mark',
  };
  return { d1: { withSession: () => session } as unknown as D1Database, batches };
}

const refusal = () => new Error('too many statements');
const tripsOf = (d1: D1Database, most = 1000) => new SharedTrips(d1, newMeter(), most, refusal);

type Trips = ReturnType<typeof tripsOf>;
type Row = { readonly text: string; readonly value: unknown; readonly nth: number };

/** One request: it sends its batches one after another, and ends. */
async function request(trips: Trips, ...batches: readonly (readonly string[])[]): Promise<Row[][]> {
  const { DB, end } = trips.begin();
  const session = DB.withSession();
  const answers: Row[][] = [];
  try {
    // A request reads its headers first, so all that start together have begun.
    await Promise.resolve();
    for (const texts of batches) {
      const results = await session.batch(texts.map((text) => session.prepare(text)));
      answers.push(results.map(({ results: [row] }) => row as Row));
    }
  } finally {
    end();
  }
  return answers;
}

test('what all requests wait for is one round trip, whatever their number', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  const all = await Promise.all(Array.from({ length: 30 }, (_, n) => request(trips, [`select ${n}`], [`select ${n}, 2`])));
  expect(batches.map(({ length }) => length)).toEqual([30, 30]);
  expect(all.map(([first]) => first?.[0]?.text)).toEqual(Array.from({ length: 30 }, (_, n) => `select ${n}`));
});

test('a statement with the same values is sent once, and each request gets rows of its own', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  const [[[one]], [[other]]] = (await Promise.all([request(trips, ['select 1']), request(trips, ['select 1'])])) as [[[Row]], [[Row]]];
  expect(batches).toHaveLength(1);
  expect(one).toEqual(other);
  expect(one).not.toBe(other);
  const session = trips.begin().DB.withSession();
  const values = async (given: unknown) => (await session.batch([session.prepare('select ?').bind(given)]))[0]?.results[0];
  expect(await values(7)).toMatchObject({ value: 7 });
  expect(await values('7')).toMatchObject({ value: '7' });
});

test('a batch has at most 200 statements', async () => {
  const { d1, batches } = fakeD1();
  await request(
    tripsOf(d1),
    Array.from({ length: 450 }, (_, n) => `select ${n}`),
  );
  expect(batches.map(({ length }) => length)).toEqual([200, 200, 50]);
});

test('a request that ends early or throws does not keep the others waiting', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  const thrown = (async () => {
    const participant = trips.begin();
    try {
      await Promise.resolve();
      throw new Error('a fault of its own');
    } finally {
      participant.end();
    }
  })();
  const idle = trips.begin();
  setTimeout(idle.end, 5);
  const [answer, fault] = await Promise.all([request(trips, ['select 1'], ['select 2']), thrown.catch((error: Error) => error.message)]);
  expect(answer.flat().map(({ text }) => text)).toEqual(['select 1', 'select 2']);
  expect(fault).toBe('a fault of its own');
  expect(batches).toHaveLength(2);
});

test('requests of different length share the trips that they have in common', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  await Promise.all([request(trips, ['select 1'], ['select 2']), request(trips, ['select 3'], ['select 4'], ['select 5'])]);
  expect(batches.map((one) => one.map(({ text }) => text))).toEqual([['select 1', 'select 3'], ['select 2', 'select 4'], ['select 5']]);
});

test('a statement that fails is an error of its own request only', async () => {
  const { d1 } = fakeD1({ fails: ({ text }) => text.includes('bad') });
  const trips = tripsOf(d1);
  const found = await Promise.allSettled([
    request(trips, ['select 1']),
    request(trips, ['select bad']),
    request(trips, ['select 3'], ['select 4']),
  ]);
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(found[1]).toMatchObject({ reason: { message: 'no such column' } });
});

test('where the database fails, not every request is tried', async () => {
  const { d1, batches } = fakeD1({ fails: () => true });
  const trips = tripsOf(d1);
  const found = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => request(trips, [`select ${n}`])));
  expect(found.every(({ status }) => status === 'rejected')).toBe(true);
  expect(batches.length).toBeLessThanOrEqual(4);
});

test('more statements than one query may send are refused, for all who wait', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1, 3);
  const found = await Promise.allSettled([request(trips, ['select 1', 'select 2']), request(trips, ['select 3', 'select 4'])]);
  expect(found).toMatchObject([{ reason: { message: 'too many statements' } }, { reason: { message: 'too many statements' } }]);
  expect(batches).toEqual([]);
});

test('a write is sent at once and by itself, and what was read before is read again', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  await request(trips, ['select 1'], ['update t set a = 1', 'select 1'], ['select 1']);
  expect(batches.map((one) => one.map(({ text }) => text))).toEqual([['select 1'], ['update t set a = 1', 'select 1'], ['select 1']]);
});

test('what was read while a write was under way is not remembered', async () => {
  const gate = Promise.withResolvers<void>();
  const { d1, batches } = fakeD1({ before: async ([first]) => (first?.text === 'select slow' ? gate.promise : undefined) });
  const trips = tripsOf(d1);
  const reading = request(trips, ['select slow']);
  await Promise.resolve();
  const writing = trips.begin();
  await writing.DB.withSession().batch([writing.DB.withSession().prepare('insert into t values (1)')]);
  writing.end();
  gate.resolve();
  await reading;
  await request(trips, ['select slow']);
  expect(batches.filter(([first]) => first?.text === 'select slow')).toHaveLength(2);
});

test('two queries share nothing, though they send the same statements', async () => {
  const [one, other] = [fakeD1(), fakeD1()];
  const [mine, theirs] = [tripsOf(one.d1), tripsOf(other.d1)];
  await Promise.all([request(mine, ['select secret']), request(theirs, ['select secret'])]);
  expect([one.batches.length, other.batches.length]).toEqual([1, 1]);
  // A request that waits for ever in one query does not hold up another.
  mine.begin();
  expect((await request(theirs, ['select 2'])).flat()).toHaveLength(1);
});

test('work after a response is sent by itself', async () => {
  const { d1, batches } = fakeD1();
  const trips = tripsOf(d1);
  const participant = trips.begin();
  participant.end();
  trips.begin();
  const session = participant.DB.withSession();
  expect(await session.batch([session.prepare('select late')])).toHaveLength(1);
  expect(batches).toHaveLength(1);
});
