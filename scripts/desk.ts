// `npm run desk`: opens the desk in its own window if Electron is installed, else prints what to do.

import './usage.ts';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const desktop = join(import.meta.dirname, '../desktop');
const require = createRequire(join(desktop, 'package.json'));
const electron = dirname(require.resolve('electron/package.json'));

/** Finds Electron's binary without importing the package, which would download it. */
function runtime(): string | undefined {
  const name = join(electron, 'path.txt');
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(electron, 'dist');
  const usual = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string] ?? 'electron';
  const path = join(folder, existsSync(name) ? readFileSync(name, 'utf8') : usual);
  return existsSync(path) ? path : undefined;
}

const found = runtime();
if (!found) {
  console.error(`Electron is not installed. You have two options:

  npm start                                       opens the same desk in your browser
  npx -y pnpm@12 --filter @carrel/desktop exec install-electron
                                                  downloads the runtime (about 110 MB); then npm run desk
`);
  process.exit(1);
}

const builder = join(dirname(require.resolve('electron-vite/package.json')), 'bin/electron-vite.js');
const built = spawnSync(process.execPath, [builder, 'build', '--logLevel', 'warn'], { cwd: desktop, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const child = spawn(found, [join(desktop, 'dist/electron/main/main.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 1));
