// Requests a second of four hot endpoints, as a part of what the least Worker does with the same statements: the same workerd, the same
// database, in alternating rounds.

import { bearer } from './addresses';
import { idleFeed } from './cost';
import { runLoad } from './load';
import { type CallerRole, institution, measuredCourses } from './measured';
import type { Recorded } from './recording_worker/worker';
import { build, carrelWorker, plainWorker, startRuntime, withDatabaseBinding } from './runtime';
import { scratchFolder } from './scratch';
import { median, type Table, times } from './table';

const atOnce = 8;
const rounds = 6;
const eachTurn = { requests: 200, milliseconds: 1500 };
const courses = 1000;
const part: CallerRole = 'student';

export async function throughputTables(): Promise<Table[]> {
  const scratch = scratchFolder();
  const { persist, built } = await institution(courses);
  const course = built.firsts.courses;
  const hot = [
    { name: 'GET /courses', path: '/api/v1/courses' },
    { name: 'GET /courses/:id/assignments', path: `/api/v1/courses/${course}/assignments` },
    { name: 'GET /courses/:id/modules, with items', path: `/api/v1/courses/${course}/modules?include[]=items` },
  ];

  // Records the statements of each endpoint once.
  const recording = await startRuntime(persist, [
    await carrelWorker('recorder', await build(scratch, 'test/bench/recording_worker/worker.ts')),
  ]);
  const recorder = await recording.unsafeGetDirectURL('recorder');
  const endpoints = [];
  for (const { name, path } of hot) endpoints.push({ name, path, trips: await tripsOf(recorder, path) });
  const idle = (await idleFeed(recorder)).path;
  endpoints.push({ name: 'GET /api/sync/v1/changes, nothing new', path: idle, trips: await tripsOf(recorder, idle) });
  await recording.dispose();

  const result = endpoints.map(({ path, trips }) => ({ path: new URL(path, recorder).pathname, trips }));
  const runtime = await startRuntime(persist, [
    await carrelWorker('carrel', await build(scratch)),
    plainWorker('minimal', await build(scratch, 'test/bench/minimal_worker/worker.ts', true), {
      ...withDatabaseBinding,
      bindings: { TOLD: result },
    }),
  ]);
  try {
    const carrel = await runtime.unsafeGetDirectURL('carrel');
    const minimal = await runtime.unsafeGetDirectURL('minimal');
    const rows: (string | number)[][] = [];
    for (const { name, path, trips } of endpoints) {
      const turn = (base: URL) => runLoad({ url: new URL(path, base), headers: bearer(part), atOnce, ...eachTurn });
      await turn(carrel);
      await turn(minimal);
      const pairs = [];
      // The order alternates every round, so that neither has an advantage.
      for (let round = 0; round < rounds; round++) {
        const first = round % 2 === 0 ? await turn(carrel) : await turn(minimal);
        const second = round % 2 === 0 ? await turn(minimal) : await turn(carrel);
        pairs.push(round % 2 === 0 ? { own: first, least: second } : { own: second, least: first });
      }
      const statements = trips.reduce((sum, trip) => sum + trip.length, 0);
      rows.push([
        name,
        statements,
        Math.round(median(pairs.map(({ own }) => own.perSecond))),
        Math.round(median(pairs.map(({ least }) => least.perSecond))),
        times(median(pairs.map(({ own, least }) => own.perSecond / least.perSecond))),
        pairs.at(-1)?.own.bytes ?? 0,
        pairs.at(-1)?.least.bytes ?? 0,
      ]);
    }
    return [
      {
        title: 'Throughput compared with a minimal Worker that sends the same statements',
        columns: ['Endpoint', 'Statements', 'Carrel /s', 'Minimal /s', 'Ratio', 'Bytes', 'Bytes minimal'],
        rows,
        notes: [
          `The ratio is Carrel's requests per second divided by those of the minimal Worker: the median of ${rounds} alternating rounds of ${eachTurn.requests} requests or ${eachTurn.milliseconds / 1000} s, ${atOnce} at a time.`,
          'Both run in one workerd on one database and are called directly over loopback, without the proxy of wrangler dev. The minimal Worker (test/bench/minimal_worker) returns the rows as they are: it decodes nothing, checks no permissions and serialises nothing.',
          `The caller is a student with ${measuredCourses} courses in an institution with ${courses.toLocaleString('en-US')}.`,
        ],
        only: 'throughput',
      },
    ];
  } finally {
    await runtime.dispose();
  }
}

async function tripsOf(recorder: URL, path: string): Promise<Recorded[][]> {
  for (let nth = 0; nth < 2; nth++) await (await fetch(new URL(path, recorder), { headers: bearer(part) })).arrayBuffer();
  return (await fetch(new URL('/bench/trips', recorder))).json() as Promise<Recorded[][]>;
}
