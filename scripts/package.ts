// `npm run package`: builds the installer of the desk for this system, in desktop/dist/packages; with `cli`, the command line alone.

import './usage.ts';
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageCommandLine } from './package_cli.ts';

/** Downloaded on demand, because only packaging needs it. */
const builder = 'electron-builder@26.17.0';

if (process.argv[2] === 'cli') {
  await packageCommandLine();
  process.exit(0);
}

const desktop = join(import.meta.dirname, '../desktop');
const require = createRequire(join(desktop, 'package.json'));
const { version } = require('electron/package.json') as { version: string };
const vite = join(dirname(require.resolve('electron-vite/package.json')), 'bin/electron-vite.js');

const built = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: desktop, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);

const options = ['--config', 'electron-builder.mjs', '--publish', 'never', `-c.electronVersion=${version}`, ...process.argv.slice(2)];
// A workflow sets every variable, blank where the repository has no such secret; the packager takes a blank one for a path.
const env = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
const packed = spawnSync('npx', ['-y', builder, ...options], { cwd: desktop, stdio: 'inherit', shell: process.platform === 'win32', env });
if (packed.status !== 0)
  console.error(`
The desk was built, but not packed. Packing needs a network: it fetches ${builder} from npm, and Electron ${version} for this system
(about 110 MB) with the tools that make installers. CARREL_RELEASE=1 refuses a program without a signature; docs/deploying.md names the
certificates and the address of updates.`);
process.exit(packed.status ?? 1);
