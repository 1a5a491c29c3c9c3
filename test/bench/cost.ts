// The cost of each endpoint, counted rather than timed, in one institution and in another one a hundred times as large.

import type { ChangesPage } from '@carrel/shared/sync/protocol';
import { type BenchAddress, bearer, benchAddresses, hot } from './addresses';
import { type Built, type CallerRole, content, institution, measuredCourses } from './measured';
import type { Recorded } from './recording_worker/worker';
import { build, carrelWorker, type Runtime, startRuntime, type WorkerModule } from './runtime';
import { scratchFolder } from './scratch';
import { type Table, times } from './table';

interface Cost {
  readonly part: CallerRole;
  readonly trips: number;
  readonly rows: number;
  readonly bytes: number;
  readonly statements: readonly (Recorded & { readonly trip: number })[];
}

interface Measured {
  readonly cost?: Cost;
  readonly why?: string;
}

interface Side {
  readonly built: Built;
  readonly costs: ReadonlyMap<string, Measured>;
  planOf(statement: Recorded): Promise<readonly string[]>;
  end(): Promise<void>;
}

async function measure(url: URL, address: BenchAddress): Promise<Measured> {
  let why = '';
  for (const part of address.part ? [address.part] : (['student', 'teacher', 'admin'] as const)) {
    const ask = () => fetch(new URL(address.path, url), { headers: bearer(part), redirect: 'manual' });
    await (await ask()).arrayBuffer();
    const response = await ask();
    const bytes = (await response.arrayBuffer()).byteLength;
    if (response.status >= 400) {
      why ||= `answers ${response.status}`;
      continue;
    }
    const timing = response.headers.get('server-timing') ?? '';
    const figure = (name: string) => Number(new RegExp(`${name};dur=(\\d+)`).exec(timing)?.[1] ?? 0);
    const trips = (await (await fetch(new URL('/bench/trips', url))).json()) as Recorded[][];
    const statements = trips.flatMap((trip, at) => trip.map((one) => ({ ...one, trip: at + 1 })));
    return { cost: { part, trips: figure('d1_trips'), rows: figure('rows_read'), bytes, statements } };
  }
  return { why };
}

/** The feed of a client that is up to date. The first reads evaluate module progress, which the feed then returns once more. */
export async function idleFeed(url: URL): Promise<BenchAddress> {
  let path = '/api/sync/v1/changes?limit=1000';
  for (let asked = 0; asked < 100; asked++) {
    const page = (await (await fetch(new URL(path, url), { headers: bearer('student') })).json()) as ChangesPage;
    if (!page.has_more && page.changes.length === 0) break;
    path = `/api/sync/v1/changes?limit=1000&cursor=${encodeURIComponent(page.cursor)}`;
  }
  return { name: 'GET /api/sync/v1/changes, nothing new', path, part: 'student' };
}

async function side(modules: readonly WorkerModule[], courses: number): Promise<Side> {
  const { persist, built } = await institution(courses);
  const runtime: Runtime = await startRuntime(persist, [await carrelWorker('carrel', modules)]);
  const url = await runtime.unsafeGetDirectURL('carrel');
  const costs = new Map<string, Measured>();
  for (const address of benchAddresses(built).found) costs.set(address.name, await measure(url, address));
  // Last, because reads evaluate module progress and thereby change the feed.
  const idle = await idleFeed(url);
  costs.set(idle.name, await measure(url, idle));
  return {
    built,
    costs,
    end: () => runtime.dispose(),
    async planOf({ sql, params }) {
      const response = await fetch(new URL('/bench/plan', url), { method: 'POST', body: JSON.stringify({ sql, params }) });
      return ((await response.json()) as { detail: string }[]).map(({ detail }) => detail);
    },
  };
}

/** A non-empty page of the feed needs a third trip: the changes determine what is read. */
const budgetOf = (name: string): number => (name.startsWith('GET /api/sync/v1/changes, first') ? 3 : 2);

/** Small growth is only another page of an index. */
const grows = (small: Cost, large: Cost): boolean => large.rows > small.rows * 1.15 + 5 || large.trips > small.trips;

export async function costTables(sizes: readonly [number, number], isBrief: boolean): Promise<Table[]> {
  const modules = await build(scratchFolder(), 'test/bench/recording_worker/worker.ts');
  const small = await side(modules, sizes[0]);
  await small.end();
  const large = await side(modules, sizes[1]);
  try {
    const rows: (string | number)[][] = [];
    const unmeasured = [...benchAddresses(small.built).unmeasured];
    const grown: string[] = [];
    for (const [name, { cost: a, why }] of small.costs) {
      const b = large.costs.get(name)?.cost;
      if (!a || !b) {
        unmeasured.push({ name, why: why ?? large.costs.get(name)?.why ?? '' });
        continue;
      }
      const isGrown = grows(a, b);
      const said = [...(isGrown ? ['grows'] : []), ...(b.trips > budgetOf(name) ? [`over ${budgetOf(name)} trips`] : [])].join(', ');
      rows.push([name, a.part, a.trips, b.trips, a.rows, b.rows, times(b.rows / a.rows), a.bytes, b.bytes, said]);
      if (isGrown) grown.push(...(await explain(name, a, b, large)));
    }
    const flagged = rows.filter((row) => String(row.at(-1)).startsWith('grows')).length;
    const counted = (built: Built) => Object.values(built.rows).reduce((sum, count) => sum + count, 0);
    const result = (built: Built) =>
      Object.entries(built.rows)
        .filter(([, count]) => count >= sizes[1] / 2 || count >= sizes[0] * 50)
        .map(([name, count]) => `${name} ${count.toLocaleString('en-US')}`)
        .join(', ');
    for (const line of grown) console.error(line);
    return [
      {
        title: `Cost per endpoint at ${sizes[0].toLocaleString('en-US')} and ${sizes[1].toLocaleString('en-US')} courses`,
        columns: ['Endpoint', 'Caller', 'Trips', 'Trips ×100', 'Rows read', 'Rows ×100', 'Ratio', 'Bytes', 'Bytes ×100', ''],
        rows: isBrief ? rows.filter(([name, , , , , , , , , said]) => hot.has(String(name)) || said !== '') : rows,
        notes: [
          `The caller has ${measuredCourses} courses, each with ${content.students} students, ${content.assignments} assignments, ${content.pages} pages, ${content.topics} topics, ${content.modules} modules of ${content.items} items and ${content.files} files: the same at both sizes, in the middle of the rows of others.`,
          `Rows in the database: ${counted(small.built).toLocaleString('en-US')} (made in ${small.built.seconds.toFixed(0)} s) and ${counted(large.built).toLocaleString('en-US')} (${large.built.seconds.toFixed(0)} s): ${result(large.built)}.`,
          `${rows.length} addresses were measured; rows read grow for ${flagged} of them. At most ${Math.max(...rows.map((row) => Number(row[3])))} D1 trips.`,
          ...(unmeasured.length > 0 && !isBrief
            ? [`Not measured: ${unmeasured.map((one) => `${one.name.replace('GET ', '')} (${one.why})`).join(', ')}.`]
            : []),
        ],
        only: 'cost',
      },
    ];
  } finally {
    await large.end();
  }
}

/** The statements that read more, and their query plans. */
async function explain(name: string, small: Cost, large: Cost, { planOf }: Side): Promise<string[]> {
  const lines = [`\n${name} reads ${small.rows} rows, then ${large.rows}:`];
  for (const [at, statement] of large.statements.entries()) {
    const before = small.statements[at]?.rows_read ?? 0;
    if (statement.rows_read <= before * 1.15 + 2) continue;
    lines.push(`  trip ${statement.trip}: ${before} → ${statement.rows_read} rows: ${statement.sql.slice(0, 3000)}`);
    lines.push(...(await planOf(statement)).map((detail) => `      ${detail}`));
  }
  return lines;
}
