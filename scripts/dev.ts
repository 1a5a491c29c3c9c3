// `npm run dev`: the service and the desk, reloaded on change. wrangler rebuilds the Worker and Vite the pages; the API's process restarts
// for a new migration, the desk's process for a change in the engine, its hosts or shared code.

import './usage.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endGroup } from '../test/support/process_group.ts';

const root = join(import.meta.dirname, '..');
const desktop = join(root, 'desktop');
const pagesPort = Number(process.env.DESK_PORT ?? 8788);
const deskPort = pagesPort + 1;
const pages = `http://127.0.0.1:${pagesPort}`;
const desk = `http://127.0.0.1:${deskPort}`;

interface Restarted {
  /** Ends the process if it runs and starts it again. */
  restart(why: string): Promise<void>;
  end(): Promise<void>;
}

/** A script that prints `ready` once it serves, and is started again on demand. A failure waits for the next change. */
function restarted(name: string, args: readonly string[], ready: RegExp, onReady: () => void): Restarted {
  let child: ChildProcess | undefined;
  let queue = Promise.resolve();
  const end = async () => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    if (process.platform === 'win32') endGroup(ending, 'SIGTERM');
    else ending.kill('SIGTERM');
    await ended;
  };
  const start = () => {
    const starting = spawn(process.execPath, ['--import', 'tsx', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    child = starting;
    starting.stdout?.on('data', (chunk: Buffer) => {
      process.stdout.write(chunk);
      if (ready.test(String(chunk))) onReady();
    });
    starting.on('exit', (code) => {
      if (child === starting) console.error(`[dev] ${name} ended with ${code}; it starts again after the next change.`);
    });
  };
  return {
    end,
    restart(why) {
      console.log(`[dev] ${name}: ${why}`);
      queue = queue.then(end).then(start);
      return queue;
    },
  };
}

/** A folder, and the folders below it whose files are written by people. */
const sourcesIn = (folder: string) => [
  { path: join(root, folder), recursive: false },
  ...readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist'].includes(entry.name))
    .map(({ name }) => ({ path: join(root, folder, name), recursive: true })),
];

/** Editors write a file in several steps: changes within a moment count as one. */
function onChange(folder: string, counts: RegExp, act: (file: string) => void): void {
  let timer: NodeJS.Timeout | undefined;
  for (const { path, recursive } of sourcesIn(folder))
    watch(path, { recursive }, (_, file) => {
      if (!file || !counts.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(act, 200, file);
    });
}

/** The pages with hot reload; everything else is asked of the desk's process. */
async function servePages(): Promise<() => Promise<void>> {
  interface Proxy {
    on(
      name: 'proxyReq',
      listener: (out: { setHeader(name: string, value: string): void }, request: { headers: { origin?: string } }) => void,
    ): void;
  }
  const { createLogger, createServer } = (await import(
    pathToFileURL(createRequire(join(desktop, 'package.json')).resolve('vite')).href
  )) as {
    createLogger(level: string): { error(text: string, options?: object): void };
    createServer(options: object): Promise<{ listen(): Promise<unknown>; close(): Promise<void> }>;
  };
  const logger = createLogger('warn');
  const { error } = logger;
  // While the desk's process restarts, requests of its pages fail and are repeated.
  logger.error = (text, options) => (text.includes('proxy error') ? undefined : error(text, options));
  const toDesk = {
    target: desk,
    changeOrigin: true,
    // The desk answers its own page only. A request of another page keeps its origin, and is refused.
    configure: (proxy: Proxy) =>
      proxy.on('proxyReq', (out, { headers: { origin } }) => {
        if (origin === pages) out.setHeader('origin', desk);
      }),
  };
  const server = await createServer({
    configFile: join(desktop, 'vite.config.ts'),
    customLogger: logger,
    clearScreen: false,
    server: {
      host: '127.0.0.1',
      port: pagesPort,
      strictPort: true,
      proxy: Object.fromEntries(
        ['^/session$', '^/channel/', '^/notices$', '^/files/\\d', '^/attach/', '^/pdf/'].map((path) => [path, toDesk]),
      ),
    },
  });
  await server.listen();
  return () => server.close();
}

const deskProcess = restarted('desk', ['scripts/dev_desk.ts', String(deskPort)], /#key=/, () => undefined);
let hasDesk = false;
const api = restarted('api', ['scripts/start.ts', '--api-only', '--log', ...process.argv.slice(2)], /Carrel is running/, () => {
  if (hasDesk) return;
  hasDesk = true;
  void deskProcess.restart('starting');
});

const closePages = await servePages();
void api.restart('starting');

/** wrangler rebuilds when a file of its `watch_dir` changes, which is not all of worker/ because the build writes there. */
function rebuildWorker(file: string): void {
  console.log(`[dev] worker: ${file} changed`);
  utimesSync(join(root, 'worker/site/docs/start.js'), new Date(), new Date());
}
function restartDesk(file: string): void {
  if (hasDesk) void deskProcess.restart(`${file} changed`);
}
onChange('worker', /(?<!\.test)\.(ts|json|css)$/, rebuildWorker);
onChange('worker', /\.sql$/, (file) => void api.restart(`${file} changed`));
onChange('desktop', /(?<!\.test)\.ts$/, restartDesk);
onChange('shared', /(?<!\.test)\.ts$/, (file) => {
  rebuildWorker(file);
  restartDesk(file);
});

let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    await Promise.allSettled([closePages(), deskProcess.end(), api.end()]);
    process.exit(0);
  });
