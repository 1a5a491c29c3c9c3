// The desk in its own window, where Electron is installed. Only the test build can be driven; the fuses of shipped builds prevent it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { _electron } from 'playwright-core';
import { expect, test } from 'vitest';

const desktop = join(import.meta.dirname, '../../desktop');
const require = createRequire(join(desktop, 'package.json'));
const electron = dirname(require.resolve('electron/package.json'));
const pathFile = join(electron, 'path.txt');
const program = existsSync(pathFile) ? join(electron, 'dist', readFileSync(pathFile, 'utf8')) : undefined;
const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;
const absent =
  !program || !existsSync(program) ? 'Electron’s runtime is not installed here' : hasDisplay ? undefined : 'there is no display here';

/** A release must not skip this test: it sets the variable, and a missing runtime is a failure. */
const isRequired = process.env.CARREL_NEEDS_ELECTRON === '1';

test('the desk opens in a window that has no way out', { timeout: 180_000 }, async ({ skip }) => {
  if (isRequired) expect(absent).toBeUndefined();
  skip(absent !== undefined, absent);
  const vite = join(dirname(require.resolve('electron-vite/package.json')), 'bin/electron-vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: desktop });
  const home = mkdtempSync(join(tmpdir(), 'carrel-window-'));
  const app = await _electron.launch({
    executablePath: program,
    args: [join(desktop, 'dist/electron/main/main.js'), `--user-data-dir=${home}`],
    env: { ...process.env, CARREL_DATA: home } as Record<string, string>,
  });
  try {
    const window = await app.firstWindow();
    await window.getByRole('heading', { name: 'Sign in to your server' }).waitFor();
    expect(window.url()).toMatch(/^app:\/\/desk\//);
    expect(await window.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined');
    expect(await window.evaluate(() => Object.keys((window as unknown as { carrel: object }).carrel).sort())).toEqual([
      'attach',
      'attachToLetter',
      'call',
      'onNotice',
      'opensBrowser',
      'readingsAt',
    ]);
    await window.evaluate(() => {
      location.href = 'https://example.org/';
    });
    expect(window.url()).toMatch(/^app:\/\/desk\//);
    expect(app.windows()).toHaveLength(1);
  } finally {
    await app.close();
    rmSync(home, { recursive: true, force: true });
  }
});
