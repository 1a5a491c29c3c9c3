// The main process of the desk as it is built, with a double of Electron in place of the runtime. What only the runtime shows is in electron.test.ts.

import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { aFakeCourse } from '../sync/support/course';
import { FakeServer } from '../sync/support/fake_server';

const desktop = join(import.meta.dirname, '../../desktop');
const require = createRequire(join(desktop, 'package.json'));
const main = join(desktop, 'dist/electron/main/main.js');

/** Resolves `electron` to the double, for imports and requires alike. */
const hooks = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(pathToFileURL(join(desktop, 'hosts/electron/double.ts')).href)}, shortCircuit: true } : next(name, context) });`;

interface Calls {
  readonly child: ChildProcess;
  readonly home: string;
  ask<T = unknown>(asks: string, given?: object): Promise<T>;
  /** A call from a page of the desk. */
  call(channel: string, given?: unknown, from?: { from: string; isSubframe?: boolean }): Promise<{ answer?: unknown; why?: string }>;
}

let home: string;
let server: FakeServer;
let desk: Calls;
let page: number;
let courseId: number;

function start(folder: string, more: NodeJS.ProcessEnv = {}): Calls {
  mkdirSync(folder, { recursive: true });
  const child = fork(main, [], {
    execArgv: ['--import', 'tsx', '--import', `data:text/javascript,${encodeURIComponent(hooks)}`],
    env: { ...process.env, CARREL_DOUBLE_HOME: folder, CARREL_DATA: folder, ...more },
    stdio: 'inherit',
  });
  // What is sent before the double listens may be lost.
  const listens = new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`The desk ended with code ${code}.`)));
  });
  listens.catch(() => undefined);
  let last = 0;
  const ask = async <T>(asks: string, given: object = {}) => {
    await listens;
    return new Promise<T>((resolve, reject) => {
      const id = ++last;
      const hear = (said: { id: number; answer?: T; why?: string }) => {
        if (said.id !== id) return;
        child.off('message', hear);
        if (said.why === undefined) resolve(said.answer as T);
        else reject(new Error(said.why));
      };
      child.on('message', hear);
      child.send({ id, asks, given });
    });
  };
  return {
    child,
    home: folder,
    ask,
    call: (channel, given, { from, isSubframe } = { from: 'app://desk/#/today' }) => ask('call', { channel, given, from, isSubframe }),
  };
}

const callsOf = async (of: string, method: string): Promise<readonly unknown[][]> =>
  (await desk.ask<[string, string, unknown[]][]>('calls'))
    .filter(([one, name]) => one === of && name === method)
    .map(([, , given]) => given);

beforeAll(async () => {
  const vite = join(dirname(require.resolve('electron-vite/package.json')), 'bin/electron-vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], { cwd: desktop, env: { ...process.env, NODE_ENV: 'production' } });
  home = mkdtempSync(join(tmpdir(), 'carrel-main-'));
  server = await new FakeServer().start();
  const course = aFakeCourse(server);
  course.file('plan.txt', 'the plan');
  page = course.page('Powers', '<p>A square is \\(x^2\\).</p>');
  courseId = course.id;
  desk = start(join(home, 'first'));
  await vi.waitUntil(() => desk.ask('window').then((found) => (found as { count: number }).count > 0), 120_000);
}, 240_000);

afterAll(async () => {
  desk?.child.kill('SIGKILL');
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

test('the double has only what Electron declares', async () => {
  const declared = readFileSync(join(dirname(require.resolve('electron/package.json')), 'electron.d.ts'), 'utf8');
  const bodyOf = (name: string): string =>
    new RegExp(`^  (?:class|interface) ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^  \\}`, 'm').exec(declared)?.[1] ?? '';
  const surface = await desk.ask<Record<string, string[]>>('surface');
  for (const [type, members] of Object.entries(surface))
    for (const member of members)
      expect(`${type}: ${bodyOf(type)}`).toMatch(new RegExp(`^    (?:static |readonly )*${member}\\??[(:<]`, 'm'));
  for (const [type, events] of Object.entries(await desk.ask<Record<string, string[]>>('listened')))
    for (const event of events) expect(`${type}: ${bodyOf(type)}`).toContain(`on(event: '${event}'`);
});

test('the built program contains every package that it uses', () => {
  const folder = dirname(main);
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = texts.flatMap((text) => [...text.matchAll(/^import [^;'"]*["']([^"'.][^"']*)["']/gm)].map(([, name]) => name as string));
  expect([...new Set(named)].filter((name) => name !== 'electron' && !isBuiltin(name))).toEqual([]);
  const loaded = texts.flatMap((text) =>
    [...text.matchAll(/createRequire\(import\.meta\.url\)\(["']([^"']+)/g)].map(([, name]) => name as string),
  );
  // pdf.js draws with it where it is installed; reading words draws nothing.
  expect(loaded.filter((name) => name !== '@napi-rs/canvas')).toEqual([]);
});

test('starts once, sandboxed, with its schemes and one window', async () => {
  const order = (await desk.ask<[string, string][]>('calls')).map(([of, method]) => `${of}.${method}`);
  // Schemes and sandbox can only be set before the app is ready.
  expect(order.slice(0, 3)).toEqual(['Protocol.registerSchemesAsPrivileged', 'App.enableSandbox', 'App.setAppUserModelId']);
  const { options } = await desk.ask<{ options: { webPreferences: Record<string, unknown> } }>('window');
  expect(options.webPreferences).toMatchObject({ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false });
  expect(readFileSync(String(options.webPreferences.preload), 'utf8')).toContain('contextBridge');
  expect(await callsOf('BrowserWindow', 'loadURL')).toEqual([['app://desk/']]);
  // A second start ends, and shows the first.
  const second = start(join(home, 'second'), { CARREL_DOUBLE_SECOND: '1' });
  await new Promise((resolve) => second.child.once('exit', resolve));
  const shown = (await callsOf('BrowserWindow', 'show')).length;
  await desk.ask('event', { of: 'app', event: 'second-instance' });
  expect(await callsOf('BrowserWindow', 'show')).toHaveLength(shown + 1);
});

test('answers calls of its own page only', async () => {
  expect(await desk.call('accounts.list')).toEqual({ answer: [] });
  const refused = { why: 'This page may not call the engine.' };
  expect(await desk.call('accounts.list', undefined, { from: 'course://reading/page/1/1' })).toEqual(refused);
  expect(await desk.call('accounts.list', undefined, { from: 'https://example.org/' })).toEqual(refused);
  expect(await desk.call('accounts.list', undefined, { from: 'app://desk/', isSubframe: true })).toEqual(refused);
  expect(await desk.call('constructor')).toEqual({ why: 'Unknown channel.' });
});

test('signs in with a sealed token, syncs, and shows a formula', async () => {
  expect(await desk.call('account.login', { url: server.url, token: server.token })).toMatchObject({ answer: { url: server.url } });
  const stored = readdirSync(join(desk.home, 'desk'), { recursive: true, encoding: 'utf8' });
  const sealed = stored.filter((name) => name.endsWith('token.sealed'));
  expect(sealed).toHaveLength(1);
  expect(stored.some((name) => /token$/.test(name))).toBe(false);
  expect(readFileSync(join(desk.home, 'desk', sealed[0] as string), 'latin1')).not.toContain(server.token);
  const reading = () =>
    desk.ask<{ status: number; headers: Record<string, string>; body: string }>('fetch', {
      url: `course://reading/page/${courseId}/${page}`,
    });
  await vi.waitUntil(async () => (await reading()).status === 200, 60_000);
  const shown = await reading();
  expect(shown.body).toContain('<msup>');
  expect(shown.headers['content-security-policy']).toContain('sandbox');
});

test('serves the pages of the desk and nothing else', async () => {
  const get = (url: string) => desk.ask<{ status: number; headers: Record<string, string>; body: string }>('fetch', { url });
  const index = await get('app://desk/');
  expect(index).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } });
  expect(index.headers['content-security-policy']).toContain("default-src 'none'");
  for (const url of [
    'app://other/',
    'app://desk/../../package.json',
    'app://desk/%2e%2e/%2e%2e/package.json',
    'app://desk/files/999999',
    'course://reading/page/1/x',
  ])
    expect(await get(url)).toMatchObject({ status: 404 });
});

test('no page gets permissions, windows, other addresses or web views', async () => {
  for (const permission of ['media', 'geolocation', 'notifications', 'openExternal'])
    expect(await desk.ask('permission', { permission })).toEqual([false, false, false]);
  expect(await desk.ask('openWindow', { url: 'https://example.org/a' })).toEqual({ action: 'deny' });
  expect(await desk.ask('openWindow', { url: 'file:///etc/passwd' })).toEqual({ action: 'deny' });
  expect(await desk.ask('openWindow', { url: 'javascript:alert(1)' })).toEqual({ action: 'deny' });
  const goes = (url: string, isMainFrame: boolean) => desk.ask('event', { of: 'contents', event: 'will-frame-navigate', url, isMainFrame });
  expect(await goes('https://example.org/b', true)).toBe(true);
  expect(await goes('app://desk/#/today', true)).toBe(false);
  expect(await goes('app://desk/', false)).toBe(true);
  expect(await goes('course://reading/page/1/1', false)).toBe(false);
  expect(await desk.ask('event', { of: 'contents', event: 'will-attach-webview' })).toBe(true);
  expect((await callsOf('Shell', 'openExternal')).flat()).toEqual(['https://example.org/a', 'https://example.org/b']);
});

test('the engine starts again after it has died, and the account is still there', async () => {
  const before = (await callsOf('UtilityProcess', 'fork')).length;
  await desk.ask('killEngine');
  await vi.waitUntil(async () => (await callsOf('UtilityProcess', 'fork')).length === before + 1, 60_000);
  expect(await desk.call('accounts.list')).toMatchObject({ answer: [{ url: server.url }] });
});

test('closing hides the window, and quitting ends the engine first', async () => {
  expect(await desk.ask('event', { of: 'window', event: 'close' })).toBe(true);
  expect(await callsOf('BrowserWindow', 'hide')).toHaveLength(1);
  const gone = new Promise((resolve) => desk.child.once('exit', resolve));
  void desk.ask('quit').catch(() => undefined);
  expect(await gone).toBe(0);
  // The databases were closed: no log of unwritten changes is left.
  const stored = readdirSync(join(desk.home, 'desk'), { recursive: true, encoding: 'utf8' });
  expect(stored.filter((name) => name.endsWith('user.db'))).toHaveLength(1);
  expect(stored.filter((name) => name.endsWith('-wal'))).toEqual([]);
});

test('without a secret store the token is only in memory, and the user learns it', async () => {
  const insecure = start(join(home, 'insecure'), { CARREL_DOUBLE_STORAGE: 'basic_text' });
  try {
    const calls = () => insecure.ask<[string, string][]>('calls');
    await vi.waitUntil(async () => (await calls()).some(([of, method]) => of === 'Dialog' && method === 'showMessageBox'), 60_000);
    expect(await insecure.call('account.login', { url: server.url, token: server.token })).toMatchObject({ answer: { url: server.url } });
    const stored = readdirSync(join(insecure.home, 'desk'), { recursive: true, encoding: 'utf8' });
    expect(stored.filter((name) => name.includes('token'))).toEqual([]);
  } finally {
    insecure.child.kill('SIGKILL');
  }
});
