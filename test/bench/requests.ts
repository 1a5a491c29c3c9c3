// The processor time of requests as users cause them: each request comes from another student and in another second, so that nothing is cached
// for it. Beside it, the same request by the same student again, and two Workers written by hand for one job each.

import { type BenchAddress, bearer } from './addresses';
import { admitCrowd, crowdTokenOf } from './crowd';
import { institution, measuredCourses } from './measured';
import { build, carrelWorker, plainWorker, startRuntime, withDatabaseBinding } from './runtime';
import { runtimeProcess } from './runtime_process';
import { scratchFolder } from './scratch';
import { median, type Table, times } from './table';

const courses = 1000;
const crowd = 240;
/** Requests per figure; the clock of the operating system counts in steps of 10 ms. */
const each = 40;
const rounds = 3;

const bearerOf = (nth: number) => ({ authorization: `Bearer ${crowdTokenOf(nth % crowd)}` });

async function ask(base: URL, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(new URL(path, base), { headers });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
}

/** Milliseconds of processor time that the runtime spends on one of these requests. */
async function spent(count: number, request: (nth: number) => Promise<void>): Promise<number> {
  const before = runtimeProcess().seconds;
  for (let nth = 0; nth < count; nth++) await request(nth);
  return ((runtimeProcess().seconds - before) * 1000) / count;
}

const hotOf = (course: number): readonly BenchAddress[] => [
  { name: 'GET /courses', path: '/api/v1/courses' },
  { name: 'GET /courses/:id/assignments', path: `/api/v1/courses/${course}/assignments` },
  { name: 'GET /planner/items', path: '/api/v1/planner/items?start_date=2026-11-01&end_date=2026-11-20' },
  { name: 'GET /users/self/todo', path: '/api/v1/users/self/todo' },
  { name: 'GET /users/self/upcoming_events', path: '/api/v1/users/self/upcoming_events' },
  { name: 'GET /users/self/activity_stream', path: '/api/v1/users/self/activity_stream' },
  { name: 'GET /courses/:id/modules, with items', path: `/api/v1/courses/${course}/modules?include[]=items` },
  { name: 'GET /api/sync/v1/changes, first page', path: '/api/sync/v1/changes' },
];

/** What a student's client asks for in a session. */
const sessionOf = (course: number): readonly string[] => [
  '/api/v1/users/self',
  '/api/v1/users/self/profile',
  '/api/v1/courses?include[]=term&include[]=total_scores',
  '/api/v1/users/self/colors',
  '/api/v1/users/self/favorites/courses',
  '/api/v1/planner/items?start_date=2026-11-01&end_date=2026-11-20',
  '/api/v1/users/self/todo',
  '/api/v1/users/self/upcoming_events',
  '/api/v1/users/self/activity_stream',
  '/api/v1/conversations?per_page=20',
  '/api/v1/conversations/unread_count',
  `/api/v1/courses/${course}`,
  `/api/v1/courses/${course}/tabs`,
  `/api/v1/courses/${course}/modules?include[]=items`,
  `/api/v1/courses/${course}/assignments?include[]=submission`,
  `/api/v1/courses/${course}/assignment_groups?include[]=assignments`,
  `/api/v1/courses/${course}/pages`,
  `/api/v1/courses/${course}/discussion_topics`,
  `/api/v1/courses/${course}/files`,
];

export async function requestTables(): Promise<Table[]> {
  const scratch = scratchFolder();
  const whole = await institution(courses);
  await admitCrowd(whole, crowd);
  const course = whole.built.firsts.courses ?? 0;
  const runtime = await startRuntime(whole.persist, [
    await carrelWorker('carrel', await build(scratch)),
    plainWorker('hand_written', await build(scratch, 'test/bench/hand_written_worker/worker.ts', true), withDatabaseBinding),
  ]);
  try {
    const carrel = await runtime.unsafeGetDirectURL('carrel');
    const byHand = await runtime.unsafeGetDirectURL('hand_written');
    const isByHand = (path: string) => /\/courses(\/\d+\/assignments)?$/.test(path);
    let nth = 0;
    const next = () => nth++;
    const rows: (string | number)[][] = [];
    for (const { name, path } of hotOf(course)) {
      // Compiles the code of the endpoint; the statements of these students are not measured.
      for (let warm = 0; warm < 5; warm++) await ask(carrel, path, bearerOf(next()));
      const [fresh, again, hand]: number[][] = [[], [], []];
      for (let round = 0; round < rounds; round++) {
        fresh?.push(await spent(each, () => ask(carrel, path, bearerOf(next()))));
        again?.push(await spent(each, () => ask(carrel, path, bearer('student'))));
        if (isByHand(path)) hand?.push(await spent(each * 3, () => ask(byHand, path, bearerOf(next()))));
      }
      const byHandCost = hand?.length ? median(hand) : undefined;
      const cost = median(fresh ?? []);
      rows.push([name, median(again ?? []), cost, byHandCost ?? '', byHandCost ? times(byHandCost / cost) : '']);
    }
    const paths = sessionOf(course);
    const session = async (student: number) => {
      for (const path of paths) await ask(carrel, path, bearerOf(student));
    };
    await session(next());
    const students = 6;
    rows.push([`session of ${paths.length} different requests`, '', await spent(students, () => session(next())), '', '']);
    return [
      {
        title: 'Processor time of a request',
        columns: ['Request', 'Same student again, ms', 'Another student, ms', 'By hand, ms', 'Ratio'],
        rows,
        notes: [
          `Milliseconds of processor time of the runtime, with its local database: the median of ${rounds} rounds of ${each} requests. Every request of the second column comes from one of ${crowd} students, in another second.`,
          `The students have ${measuredCourses} courses in an institution with ${courses.toLocaleString('en-US')}. The session is the mean of ${students} students, in one go.`,
          'By hand: test/bench/hand_written_worker, four or five small statements in one trip, without routing, parameters and permissions of roles.',
        ],
        only: 'requests',
      },
    ];
  } finally {
    await runtime.dispose();
  }
}
