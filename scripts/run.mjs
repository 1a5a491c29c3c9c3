// Runs a project command with the project's Node, installing the dependencies first if they are missing or out of date.
// Plain JavaScript, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLists } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task, ...rest] = process.argv.slice(2);

const tasks = new Map([
  ['start', ['scripts/start.ts']],
  ['api', ['scripts/start.ts', '--api-only']],
  ['dev', ['scripts/dev.ts']],
  ['test', ['scripts/check.ts']],
  ['check', ['scripts/check.ts', '--static']],
  ['lint', ['scripts/check.ts', '--lint']],
  ['typecheck', ['scripts/check.ts', '--types']],
  ['carrel', ['desktop/cli/main.ts']],
  ['bench', ['test/bench/main.ts']],
  ['soak', ['test/bench/soak/main.ts']],
  ['fuzz', ['scripts/fuzz.ts']],
  ['nightly', ['scripts/nightly.ts']],
  ['desk', ['scripts/desk.ts']],
  ['package', ['scripts/package.ts']],
  ['console', ['scripts/console.ts']],
  ['openapi', ['scripts/openapi.ts']],
  ['sql', ['scripts/sql.ts']],
  ['migrate', ['scripts/migrate.ts']],
  ['migrations', ['scripts/migrations.ts']],
  ['new', ['scripts/new.ts']],
  ['triggers', ['scripts/triggers.ts']],
  ['growth', ['scripts/growth.ts']],
]);

const words = tasks.get(task);
if (!words) {
  console.error(`Unknown command ${task ?? ''}. One of: ${[...tasks.keys()].join(', ')}`);
  process.exit(64);
}

const isWindows = process.platform === 'win32';
const modules = join(root, 'node_modules');

function isInstalled() {
  const mark = join(modules, '.modules.yaml');
  return existsSync(mark) && statSync(mark).mtimeMs >= statSync(join(root, 'pnpm-lock.yaml')).mtimeMs;
}

/** The only step that needs the network. It installs pnpm if this machine has another version or none. */
function install() {
  const pnpmFits = spawnSync('pnpm', ['--version'], { encoding: 'utf8', shell: isWindows }).stdout?.startsWith('12.');
  const [program, ...brought] = pnpmFits ? ['pnpm'] : ['npx', '-y', 'pnpm@12'];
  const args = [...brought, 'install', '--frozen-lockfile', '--reporter=append-only'];
  // Output goes to standard error, because the command's own output may be parsed.
  const { status } = spawnSync(program, args, { cwd: root, stdio: ['inherit', 2, 2], shell: isWindows });
  if (status !== 0) {
    console.error('The dependencies could not be installed. The first start, and the first after an update, need the npm registry.');
    process.exit(status ?? 1);
  }
}

/** The Node among the dependencies; on systems that it does not support, the running one if it is new enough. */
function fittingNode() {
  const system = isWindows ? 'win' : process.platform;
  const prefix = system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const own = join(modules, `${prefix}-${system}-${process.arch}`, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(`Carrel needs Node 24 or newer on ${process.platform} ${process.arch}; this is ${process.version}.`);
  process.exit(1);
}

if (!isInstalled()) install();
writeLists();
const node = fittingNode();

const env = {
  // fsync occupies a thread; with the default four, downloads would wait for the disk. Node reads this variable
  // at its first file access, before any line of the program runs, so it is set from outside.
  UV_THREADPOOL_SIZE: '16',
  ...process.env,
  PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`,
  CARREL_CWD: process.cwd(),
};
// A long-running command gets its own process group, so that stopping this program stops all of it.
const stays = ['start', 'api', 'dev'].includes(task) && !isWindows;
const child = spawn(node, ['--import', 'tsx', ...words, ...rest], { cwd: root, stdio: 'inherit', detached: stays, env });
const end = (signal) => (stays ? process.kill(-child.pid, signal) : child.kill(signal));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
// When npm is stopped, it stops only the shell between it and this program.
const parent = process.ppid;
if (stays && process.env.npm_lifecycle_event) setInterval(() => process.ppid !== parent && end('SIGTERM'), 500).unref();
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
