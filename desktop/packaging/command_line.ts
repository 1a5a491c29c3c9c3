// The command line as users install it: a package for npm, and a single executable with Node inside.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { completionFor, shells } from '../cli/completion';
import { manualPage } from '../cli/manual';
import { speak } from '../language/texts';
import { version } from '../package.json' with { type: 'json' };
import { followRequires } from './follow_requires';

const desktop = join(import.meta.dirname, '..');

/** The oldest Node whose SQLite the desk can use. */
const oldestNode = '22.13.0';

/** Writes the program as one file, with everything that it imports. @param format Node reads the main program of an executable as `cjs` */
export async function bundleProgram(folder: string, format: 'es' | 'cjs'): Promise<string> {
  const entryFileNames = format === 'es' ? 'carrel.js' : 'carrel.cjs';
  await build({
    configFile: false,
    root: desktop,
    logLevel: 'error',
    plugins: [followRequires()],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(desktop, 'cli/main.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rollupOptions: { output: { format, entryFileNames, codeSplitting: false } },
    },
  });
  return join(folder, entryFileNames);
}

/** What npm starts: it reports a Node that is too old, and leaves out Node's own warning about its SQLite. Old versions must be able to parse it. */
const starter = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  console.error('carrel: Node 22.13 or newer is needed; this is ' + process.version + '.');
  process.exit(1);
}
const { emitWarning } = process;
process.emitWarning = (warning, ...more) => {
  if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...more);
};
import('../lib/carrel.js');
`;

const manifest = {
  name: 'carrel',
  version,
  description: 'Keeps the courses of a Canvas-compatible service in a folder on this computer',
  license: 'MIT',
  type: 'module',
  engines: { node: `>=${oldestNode}` },
  bin: { carrel: 'bin/carrel.js' },
  man: ['man/carrel.1'],
  files: ['bin', 'lib', 'man', 'completions'],
};

/** Writes the package into a folder of its own, and packs it; returns the path of the archive. Nothing is built when it is installed. */
export async function packForNpm(out: string): Promise<string> {
  const home = join(out, 'package');
  rmSync(home, { recursive: true, force: true });
  for (const folder of ['bin', 'man', 'completions']) mkdirSync(join(home, folder), { recursive: true });
  await bundleProgram(join(home, 'lib'), 'es');
  speak('en');
  const written = {
    'bin/carrel.js': starter,
    'man/carrel.1': manualPage(version),
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  };
  for (const [name, text] of Object.entries(written)) writeFileSync(join(home, name), text);
  for (const shell of shells) writeFileSync(join(home, 'completions', `carrel.${shell}`), `${completionFor(shell)}\n`);
  chmodSync(join(home, 'bin/carrel.js'), 0o755);
  copyFileSync(join(desktop, '../LICENSE'), join(home, 'LICENSE'));
  copyFileSync(join(desktop, '../docs/command-line.md'), join(home, 'README.md'));
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const options = { cwd: home, encoding: 'utf8' as const, shell: process.platform === 'win32' };
  const packed = JSON.parse(execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', '..'], options)) as {
    filename: string;
  }[];
  return join(out, (packed[0] as { filename: string }).filename);
}

/** Where an executable of Node has room for a program. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Runs a program to its end. @throws with what it printed */
function runToEnd(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}:\n${stdout}${stderr}`);
}

/** Makes an executable for this system from the running Node; returns its path. */
export async function makeExecutable(out: string): Promise<string> {
  mkdirSync(out, { recursive: true });
  const main = await bundleProgram(out, 'cjs');
  const [config, blob] = [join(out, 'executable.json'), join(out, 'executable.blob')];
  writeFileSync(config, JSON.stringify({ main, output: blob, disableExperimentalSEAWarning: true }));
  runToEnd(process.execPath, ['--experimental-sea-config', config]);
  const { platform, arch } = process;
  const path = join(out, `carrel-${version}-${platform}-${arch}${platform === 'win32' ? '.exe' : ''}`);
  copyFileSync(process.execPath, path);
  chmodSync(path, 0o755);
  const isMac = platform === 'darwin';
  // A changed program needs another signature; its own would be invalid.
  if (isMac) runToEnd('codesign', ['--remove-signature', path]);
  const postject = join(dirname(createRequire(import.meta.url).resolve('postject/package.json')), 'dist/cli.js');
  const segment = isMac ? ['--macho-segment-name', 'NODE_SEA'] : [];
  runToEnd(process.execPath, [postject, path, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse, ...segment]);
  if (isMac) runToEnd('codesign', ['--sign', '-', path]);
  for (const made of [main, config, blob]) rmSync(made);
  return path;
}
