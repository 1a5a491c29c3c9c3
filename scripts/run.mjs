// Runs one task with a fitting Node and pnpm: those present when they fit, else the ones npx brings.
// Plain JavaScript without imports from the project, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);

const tasks = {
  start: 'scripts/start.ts',
  api: 'scripts/start.ts --api-only',
  test: 'scripts/check.ts',
  check: 'scripts/check.ts --static',
  carrel: 'desktop/cli/main.ts',
  bench: 'test/bench/main.ts',
  nightly: 'scripts/nightly.ts',
  desk: 'scripts/desk.ts',
  package: 'scripts/package.ts',
  console: 'scripts/console.ts',
  openapi: 'scripts/openapi.ts',
  migrations: 'scripts/migrations.ts',
};

if (!(task in tasks)) {
  console.error(`Unknown task ${task ?? ''}. One of: ${Object.keys(tasks).join(', ')}`);
  process.exit(64);
}

const major = Number(process.versions.node.split('.')[0]);
const pnpmFits = spawnSync('pnpm', ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' }).stdout?.startsWith('12.');
const isInstalled = () => {
  const mark = join(root, 'node_modules', '.modules.yaml');
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(root, 'pnpm-lock.yaml')).mtimeMs;
};

const quote = (word) => `'${String(word).replaceAll("'", "'\\''")}'`;
const install = isInstalled() ? [] : ['pnpm install --frozen-lockfile --reporter=append-only 1>&2'];
const command = [...install, `exec node --import tsx ${tasks[task]} ${rest.map(quote).join(' ')}`].join(' && ');
const brought = [...(major >= 24 ? [] : ['node@24']), ...(pnpmFits || install.length === 0 ? [] : ['pnpm@12'])];
const [program, args] =
  brought.length === 0 ? ['sh', ['-c', command]] : ['npx', ['-y', ...brought.flatMap((name) => ['-p', name]), '-c', command]];

// A file that is being made durable holds a thread; with the usual four, downloads would wait for the disk. Node reads this
// when it touches its first file, which is before any line of the program runs: so it comes from outside.
const threads = { UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16' };
// What stays running has a group of its own, so that whoever ends this program ends all of it: npx passes no signal on.
const stays = ['start', 'api'].includes(task) && process.platform !== 'win32';
const env = { ...threads, ...process.env, CARREL_CWD: process.cwd() };
const child = spawn(program, args, { cwd: root, stdio: 'inherit', detached: stays, env });
const end = (signal) => (stays ? process.kill(-child.pid, signal) : child.kill(signal));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
// npm, when it is ended, ends the shell between and not this program.
const parent = process.ppid;
if (stays && process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end('SIGTERM'), 500).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
