// The upload size, and the cold start of an isolate with Carrel compared with an empty one.

import { gzipSync } from 'node:zlib';
import { build, plainWorker, startRuntime, type WorkerModule } from './runtime';
import { scratchFolder } from './scratch';
import { median, type Table } from './table';

const rounds = 15;

/** Creates a new isolate and calls it. The time is measured outside, because a Worker's own clock stands still. */
const loader = `export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    const code = JSON.parse(env.CODE)[searchParams.get('which')];
    const worker = env.LOADER.get(searchParams.get('id'), () => ({ compatibilityDate: '2026-09-25', ...code }));
    return worker.getEntrypoint().fetch('https://carrel.invalid' + searchParams.get('path'));
  },
};`;

const answer = "export default { fetch: () => new Response('ready') };";
/** `/` is answered as soon as the start is over, other paths by Carrel with a database without rows: it loads and asks, and then refuses. */
const around = `import carrel from './carrel.js';
const statement = { bind: () => statement };
const database = {
  prepare: () => statement,
  batch: async (statements) => statements.map(() => ({ results: [], success: true, meta: {} })),
  withSession: () => database,
  getBookmark: () => null,
};
const env = { DB: database, RATE_LIMIT: 'off', READ_REPLICATION: 'off', SIGNING_SECRET: 'only for the bench' };
export default {
  async fetch(request, _, context) {
    if (new URL(request.url).pathname === '/') return new Response('ready');
    const { status } = await carrel.fetch(request, env, context);
    return new Response(status === 503 ? 'ready' : String(status));
  },
};`;

/** What is requested first of a fresh isolate, and of which. */
const firsts = {
  empty: { which: 'empty', path: '/' },
  start: { which: 'carrel', path: '/' },
  courses: { which: 'carrel', path: '/api/v1/courses' },
  planner: { which: 'carrel', path: '/api/v1/planner/items' },
} as const;
type First = keyof typeof firsts;
const order = Object.keys(firsts) as First[];

const isolateOf = (modules: readonly WorkerModule[]) => ({
  mainModule: 'main.js',
  modules: {
    'main.js': around,
    ...Object.fromEntries(
      modules.map(({ type, path, contents }, at) =>
        at === 0 ? ['carrel.js', contents] : [path, type === 'Text' ? { text: contents } : contents],
      ),
    ),
  },
});

export async function bundleTables(): Promise<Table[]> {
  const modules = await build(scratchFolder());
  const script = modules[0]?.contents ?? '';
  const all = modules.map(({ contents }) => contents);
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  const zipped = (text: string) => gzipSync(text).length;

  // The empty Worker carries as much text, because transferring the code is not part of the start.
  const empty = { mainModule: 'main.js', modules: { 'main.js': answer, 'idle.txt': { text: all.join('') } } };
  const code = JSON.stringify({ carrel: isolateOf(modules), empty });
  const runtime = await startRuntime(undefined, [
    plainWorker('loader', [{ type: 'ESModule', path: 'index.js', contents: loader }], {
      workerLoaders: { LOADER: {} },
      bindings: { CODE: code },
    }),
  ]);
  const taken: Readonly<Record<First, number[]>> = { empty: [], start: [], courses: [], planner: [] };
  try {
    const url = await runtime.unsafeGetDirectURL('loader');
    for (let round = -2; round < rounds; round++)
      for (const first of round % 2 === 0 ? order : order.toReversed()) {
        const { which, path } = firsts[first];
        const started = performance.now();
        const response = await fetch(new URL(`/?which=${which}&path=${path}&id=${first}-${round}`, url));
        const said = await response.text();
        if (said !== 'ready') throw new Error(`the isolate of ${first} answers ${response.status} ${said}`);
        if (round >= 0) taken[first].push(performance.now() - started);
      }
  } finally {
    await runtime.dispose();
  }
  const [nothing, start, courses, planner] = order.map((first) => median(taken[first])) as [number, number, number, number];
  const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;
  return [
    {
      title: 'Size and start of the Worker',
      columns: ['Measure', 'Carrel', 'Compare'],
      rows: [
        ['Script, raw', kib(script.length), 'limit 64 MiB, unpacked'],
        ['Script, gzip', kib(zipped(script)), 'limit 3 MiB on the free plan'],
        ['All modules, raw', kib(sum(all.map((text) => Buffer.byteLength(text)))), `${modules.length} modules`],
        ['All modules, gzip', kib(sum(all.map(zipped))), ''],
        ['First response of a fresh isolate', `${start.toFixed(1)} ms`, `${nothing.toFixed(1)} ms for an empty Worker`],
        ['Start-up (compiling and evaluating)', `${(start - nothing).toFixed(1)} ms`, 'limit 1,000 ms'],
        ['… and then GET /courses, first use', `${(courses - start).toFixed(1)} ms`, 'without the time of D1'],
        ['… or GET /planner/items, first use', `${(planner - start).toFixed(1)} ms`, 'without the time of D1'],
      ],
      notes: [
        `Medians of ${rounds} fresh isolates of each in one workerd, alternating. The empty Worker contains the same amount of text, which it does not evaluate.`,
        'The domain of a request is evaluated when it is requested first. A first use also compiles the functions of the machinery; the caller has no token, and the database no rows.',
        'Built by wrangler deploy --dry-run.',
      ],
      only: 'bundle',
    },
  ];
}
