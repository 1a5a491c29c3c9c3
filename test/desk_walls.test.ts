// The packaged app against Electron's security checklist: fuses, window, policies, navigation, permissions, senders, external links.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as rules from '@carrel/desktop/hosts/electron/rules';
import { isOfUi } from '@carrel/desktop/hosts/uiFiles';
import { policyFor } from '@carrel/desktop/hosts/web/walls';
import { readingPolicy } from '@carrel/desktop/ui/reader/document';
import { afterEach, expect, test, vi } from 'vitest';

const desktop = join(import.meta.dirname, '../desktop');
const source = (name: string) => readFileSync(join(desktop, 'hosts/electron', name), 'utf8');
const packaging = async (environment: Record<string, string> = {}) => {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const address = `${pathToFileURL(join(desktop, 'electron-builder.mjs'))}?${new URLSearchParams(environment)}`;
  return ((await import(/* @vite-ignore */ address)) as { default: Record<string, unknown> }).default;
};
afterEach(() => vi.unstubAllEnvs());

test('fuses are set before the program is signed; only a test build keeps the inspector', async () => {
  const { electronFuses, asar, asarUnpack, files } = await packaging();
  expect(electronFuses).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  });
  expect([asar, asarUnpack]).toEqual([true, undefined]);
  expect(files).toContain('!**/node_modules/**');
  const tested = await packaging({ CARREL_TEST_BUILD: '1' });
  expect(tested.electronFuses).toMatchObject({ enableNodeCliInspectArguments: true, runAsNode: false });
});

test('packages are built for every system; secrets, signatures and the update address come from the environment', async () => {
  const plain = await packaging({ CARREL_UPDATES: '' });
  expect(plain).toMatchObject({
    publish: null,
    forceCodeSigning: false,
    win: {},
    linux: {},
    mac: { hardenedRuntime: true, notarize: false },
  });
  const release = await packaging({ CARREL_UPDATES: 'https://updates.example/desk', CARREL_RELEASE: '1', APPLE_API_KEY: 'key' });
  expect(release).toMatchObject({
    publish: [{ provider: 'generic', url: 'https://updates.example/desk' }],
    forceCodeSigning: true,
    mac: { notarize: true },
  });
  expect(readFileSync(join(desktop, 'electron-builder.mjs'), 'utf8')).not.toMatch(/password:|PRIVATE KEY/i);
});

test('the window is sandboxed, isolated and without Node', () => {
  expect(rules.webPreferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    spellcheck: false,
  });
  expect(source('window.ts')).toContain('webPreferences: { ...webPreferences, preload');
  expect(source('window.ts').match(/new BrowserWindow/g)).toHaveLength(1);
  expect(source('main.ts')).toMatch(/app\.enableSandbox\(\);\s/);
  expect(source('preload.ts')).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer/);
  expect(rules.schemes.length).toBeGreaterThan(0);
  for (const { scheme, privileges } of rules.schemes) {
    expect(scheme).not.toBe('file');
    expect(privileges).not.toHaveProperty('bypassCSP');
  }
});

test('policies forbid foreign scripts and WebAssembly, and everything inside texts and files', () => {
  expect(rules.policy).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(rules.policy).not.toMatch(/unsafe-eval|wasm|https?:|\*|blob:|script-src[^;]*(unsafe|data:)/);
  expect(rules.policy).toContain('frame-src course:');
  for (const wall of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "connect-src 'self'"])
    expect(rules.policy).toContain(wall);
  expect(readingPolicy('app:')).toMatch(/^default-src 'none'; /);
  expect(readingPolicy('app:')).not.toMatch(/script|https?:|\*/);
  expect(source('schemes.ts')).toContain('; sandbox allow-top-navigation-by-user-activation allow-popups');
  for (const type of ['text/html; charset=utf-8', 'image/svg+xml', 'video/mp4', undefined])
    expect(policyFor(type)).toMatch(/^sandbox; default-src 'none'; /);
  expect(policyFor('application/pdf')).toMatch(/^default-src 'none'; /);
});

test.each([
  ['app://desk/#/today', true, true],
  ['app://desk/files/7/a.html', true, false],
  ['app://desk.evil/', true, false],
  ['course://reading/page/1/2', true, false],
  ['course://reading/page/1/2', false, true],
  ['course://reading.evil/', false, false],
  ['app://desk/', false, false],
  ['https://example.org/', true, false],
  ['file:///etc/passwd', true, false],
  ['javascript:alert(1)', true, false],
  ['data:text/html,x', false, false],
])('navigation to %s in the main frame (%s) is allowed: %s', (url, isMainFrame, may) => {
  expect(rules.mayNavigate(url, isMainFrame)).toBe(may);
});

test('new windows, webviews and devices are refused; external links are web or email', () => {
  expect(source('walls.ts').match(/action: '\w+'/g)).toEqual(["action: 'deny'"]);
  expect(source('walls.ts')).toContain("'will-attach-webview', (event) => event.preventDefault()");
  for (const permission of ['media', 'geolocation', 'notifications', 'openExternal', 'hid', 'clipboard-read'])
    expect(rules.mayUse(permission)).toBe(false);
  expect(rules.outside('https://example.org/a')).toBe('https://example.org/a');
  expect(rules.outside('mailto:a@example.org')).toBe('mailto:a@example.org');
  expect(rules.outside('webcal://example.org/a.ics')).toBe('webcal://example.org/a.ics');
  for (const address of ['http://example.org/', 'file:///bin/sh', 'smb://host/x', 'ms-msdt:/id', 'javascript:1', 'app://desk/', 'x'])
    expect(rules.outside(address)).toBeUndefined();
});

test('only the main frame of the UI may call, and only plain names of the UI are served', () => {
  expect(rules.isOurFrame({ parent: null, url: 'app://desk/#/today' })).toBe(true);
  expect(rules.isOurFrame({ parent: {}, url: 'app://desk/' })).toBe(false);
  expect(rules.isOurFrame({ parent: null, url: 'course://reading/page/1/2' })).toBe(false);
  expect(rules.isOurFrame(null)).toBe(false);
  expect(source('main.ts').match(/ipcMain\.\w+\(/g)).toEqual(['ipcMain.handle(']);
  expect(source('main.ts')).toContain('if (!isOurSender(event)) return');
  for (const name of ['index.html', 'assets/index-1.js', 'pdf/UniJIS-UTF16-H.bcmap']) expect(isOfUi(name)).toBe(true);
  for (const name of ['../package.json', 'assets/../../x', 'assets/a/b.js', '/etc/passwd', 'pdf/..', '']) expect(isOfUi(name)).toBe(false);
});

test('every point of the checklist names where it is enforced', () => {
  const table = readFileSync(join(desktop, '../docs/security.md'), 'utf8');
  const points = [...table.matchAll(/^\| (\d+) \| [^|]+ \| [^|]{2,} \|$/gm)].map(([, number]) => Number(number));
  expect(points).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
