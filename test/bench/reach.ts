// How long requests take in twelve cities, from measured D1 trips and public round-trip times; and what one database holds.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Action, type ActionName, actionsOf } from './bill/actions';
import { dayOfSchool } from './bill/day';
import { studentWrites, teacherWrites } from './bill/writes';
import { bytesOfRows, bytesWith } from './capacity';
import { admitCrowd } from './crowd';
import { institution } from './measured';
import { type City, cities, databaseRegions, perKilometre, primaries, roundTrip, toTheEdge } from './reach/cities';
import { type CityTimes, reachPicture } from './reach/picture';
import { build, carrelWorker, repositoryRoot, startRuntime } from './runtime';
import { scratchFolder } from './scratch';
import type { Table } from './table';

const courses = 200;
const crowd = 40;
const readsCounted = 10;
const writesCounted = 5;
const rounds = 6;

/** Several requests, or bytes of files. */
const isLarger = (name: string): boolean => /sign_in|socket|upload|download|submit_file|feed_first/.test(name);
const writeNames = new Set([...Object.keys(studentWrites), ...Object.keys(teacherWrites)].filter((name) => name !== 'conversation_read'));

/** The most used of the day. */
const mostUsed = (isWrite: boolean, count: number): ActionName[] =>
  Object.entries(dayOfSchool)
    .filter(([name]) => !isLarger(name) && writeNames.has(name) === isWrite)
    .toSorted(([, a], [, b]) => b.times - a.times)
    .slice(0, count)
    .map(([name]) => name as ActionName);

interface Trips {
  readonly name: string;
  readonly trips: number;
  /** Milliseconds on this machine, where a trip takes next to nothing: the fastest of several, because the machine may be busy. */
  readonly ms: number;
}

interface Observed {
  readonly trips: number;
  readonly ms: number;
}

async function tripsOf(name: string, { prepare, run }: Action, observed: Observed[]): Promise<Trips> {
  await prepare?.();
  await run(0);
  observed.length = 0;
  for (let nth = 1; nth < rounds; nth++) await run(nth);
  return { name, trips: Math.max(...observed.map(({ trips }) => trips)), ms: Math.min(...observed.map(({ ms }) => ms)) };
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const timeOf = ({ trips, ms }: Trips, roundTripMs: number): number => toTheEdge + ms + trips * roundTripMs;

/** The nearest place with a copy of the database. */
const nearestTo = (from: City, places: readonly City[]) => places.map((to) => roundTrip(from, to)).reduce((a, b) => (b.ms < a.ms ? b : a));

function readingOf(from: City, primary: City, reads: readonly Trips[], writes: readonly Trips[]): CityTimes {
  const far = roundTrip(from, primary);
  const near = nearestTo(from, Object.values(databaseRegions));
  return {
    city: from.name,
    nearest: mean(reads.map((one) => timeOf(one, near.ms))),
    primary: mean(reads.map((one) => timeOf(one, far.ms))),
    write: mean(writes.map((one) => timeOf(one, far.ms))),
    isEstimate: far.isEstimate || near.isEstimate,
  };
}

/** Writes a second, several at a time, for a few seconds. */
async function writesPerSecond({ run }: Action): Promise<number> {
  const milliseconds = 6000;
  const started = performance.now();
  let done = 0;
  const lane = async (first: number) => {
    for (let nth = first; performance.now() - started < milliseconds; nth += 8) {
      await run(nth);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, nth) => lane(nth)));
  return (done * 1000) / (performance.now() - started);
}

const whole = (value: number) => Math.round(value);
const limit = 10_000_000_000;

interface Measurements {
  readonly reads: readonly Trips[];
  readonly writes: readonly Trips[];
  readonly perSecond: number;
}

async function measure(): Promise<Measurements> {
  const built = await institution(courses);
  await admitCrowd(built, crowd);
  const first = built.built.rows.users ?? 0;
  const runtime = await startRuntime(built.persist, [await carrelWorker('carrel', await build(scratchFolder()))]);
  try {
    const url = await runtime.unsafeGetDirectURL('carrel');
    const observed: Observed[] = [];
    const actions = new Map(
      actionsOf({
        url,
        built: built.built,
        ids: Array.from({ length: crowd }, (_, nth) => first + 1 + nth),
        password: '',
        openSocket: async () => {},
        tick: async () => {},
        async fetching(to, init) {
          const started = performance.now();
          const response = await fetch(to, init);
          const trips = Number(/d1_trips;dur=(\d+)/.exec(response.headers.get('server-timing') ?? '')?.[1] ?? 0);
          observed.push({ trips, ms: performance.now() - started });
          return response;
        },
      }),
    );
    const all = async (names: readonly ActionName[]) => {
      const measured: Trips[] = [];
      for (const name of names) measured.push(await tripsOf(name, actions.get(name) as Action, observed));
      return measured;
    };
    const reads = await all(mostUsed(false, readsCounted));
    const writes = await all(mostUsed(true, writesCounted));
    return { reads, writes, perSecond: await writesPerSecond(actions.get('discussion_entry') as Action) };
  } finally {
    await runtime.dispose();
  }
}

const picture = 'docs/reach.svg';
const regionNames: Readonly<Record<(typeof primaries)[number], string>> = {
  weur: 'Primary in Western Europe (weur)',
  enam: 'Primary in North America (enam)',
  apac: 'Primary in Asia (apac)',
};

function timesTable(panels: readonly { readonly title: string; readonly readings: readonly CityTimes[] }[], measured: Measurements): Table {
  const columns = panels.flatMap(({ title }) =>
    ['read', 'without replicas', 'write'].map((kind) => `${/\((\w+)\)/.exec(title)?.[1]}: ${kind}`),
  );
  const trips = (all: readonly Trips[]) => all.map(({ name, trips: count }) => `${name} ${count}`).join(', ');
  return {
    title: 'Milliseconds until the response, by city and place of the primary',
    columns: ['City', ...columns],
    rows: cities.map(({ name }, at) => [
      panels.some(({ readings }) => readings[at]?.isEstimate) ? `${name} *` : name,
      ...panels.flatMap(({ readings }) => {
        const { nearest = 0, primary = 0, write = 0 } = readings[at] ?? {};
        return [whole(nearest), whole(primary), whole(write)];
      }),
    ]),
    notes: [
      `Read: the nearest replica answers. The mean of the ${readsCounted} most used reads and of the ${writesCounted} most used writes of the described day. Measured D1 trips: ${trips(measured.reads)}; ${trips(measured.writes)}.`,
      `A request takes ${toTheEdge} ms to the data centre of its city, the time measured on this machine (${whole(mean(measured.reads.map(({ ms }) => ms)))} ms for a read, ${whole(mean(measured.writes.map(({ ms }) => ms)))} ms for a write), and a round trip to the database for each D1 trip. A read that must see an own write of the last minute may be sent to the primary.`,
      `Round trips: IBM Cloud, August and September 2024 (test/bench/reach/cities.ts). * Without a public figure: ${(perKilometre * 1000).toFixed(1)} ms for 1,000 km of the great circle, the mean of the published pairs.`,
      `The picture is ${picture}.`,
    ],
    only: 'reach',
  };
}

async function capacityTable(perSecond: number): Promise<Table> {
  const each = await bytesOfRows();
  const people = [1000, 10_000, 50_000, 100_000];
  const most = whole(limit / (bytesWith(1000, each) / 1000));
  return {
    title: 'What one database holds',
    columns: ['Measure', 'Value'],
    rows: [
      ['Bytes of a person, with login, address, token, enrollment, notes and conversation', whole(each.person)],
      ['Bytes of a course with its content', whole(each.course)],
      ['Bytes of another enrollment', whole(each.enrollment)],
      ...people.map((students) => [
        `Megabytes of a school of ${students.toLocaleString('en-US')} students`,
        whole(bytesWith(students, each) / 1_000_000),
      ]),
      ['Students whose rows fill 10 GB before they write anything', most],
      ['Discussion entries a second on this machine, 8 at a time', Number(perSecond.toFixed(1))],
    ],
    notes: [
      'Six courses for each student and 40 students in each course, with 30 assignments, 30 pages, 20 topics, 100 files; no file is in D1. Measured in institutions that differ in one of them. What is written during a year is in the bill (`--only bill`).',
      'Writes a second are limited by this machine, which runs Worker and database on shared cores; D1 runs one statement at a time for each database, in its own place.',
    ],
    only: 'reach',
  };
}

export async function reachTables(): Promise<Table[]> {
  const measured = await measure();
  const panels = primaries.map((region) => ({
    title: regionNames[region],
    readings: cities.map((from) => readingOf(from, databaseRegions[region], measured.reads, measured.writes)),
  }));
  await writeFile(join(repositoryRoot, picture), reachPicture(panels));
  return [timesTable(panels, measured), await capacityTable(measured.perSecond)];
}
