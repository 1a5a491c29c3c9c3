// The administrators' console, and the sign-in of the first administrator.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groundOf } from '../support/ground';
import { type Server, startServer, withDatabase } from '../support/server';
import { openBrowser, openPage } from './support/browser';

const SETUP_SECRET = 'only for tests, and long enough';
let persist: string;
let tomsToken: string;
let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'carrel-console-'));
  await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    tomsToken = (await ground.person({ name: 'Tom Teacher', login: 'tom', password: 'open sesame' })).token;
    await ground.course({ name: 'Marine Biology' });
    // Those of the server are written once no request has come for a while.
    const hour = `${new Date().toISOString().slice(0, 13)}:00:00Z`;
    await d1
      .prepare("insert into request_counts (hour, route, status_class, requests, ms, slowest_ms) values (?, 'GET /courses', 2, 5, 100, 40)")
      .bind(hour)
      .run();
  });
  [server, browser] = await Promise.all([startServer({ persist, vars: { SETUP_SECRET } }), openBrowser()]);
  page = await openPage(browser);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

async function violations() {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // As one expression, because the page's policy forbids evaluating text as a script.
    const { violations } = (await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ['violations'] })`)) as axe.AxeResults;
    found.push(...violations.map(({ id, nodes }) => `${id} in the ${colorScheme}: ${nodes[0]?.html}`));
  }
  return found;
}

const said = (words: string | RegExp) => page.getByRole('status').filter({ hasText: words }).waitFor();
const goTo = async (name: string) => {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy]') && !document.body.textContent?.includes('Loading …'));
};

test('the first administrator signs in with the secret, and a user without administrator rights is turned away', async () => {
  await page.goto(`${server.url}/setup`);
  expect(await violations()).toEqual([]);
  await page.getByLabel('Setup secret').fill(SETUP_SECRET);
  await page.getByLabel('Institution name').fill('Whitmore College');
  await page.getByLabel('Your name').fill('Ada Lindqvist');
  await page.getByLabel('Your login').fill('ada');
  await page.getByLabel('Password').fill('open sesame');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
  expect((await page.request.get(`${server.url}/setup`)).status()).toBe(404);

  const other = await openPage(browser);
  await other.goto(`${server.url}/admin`);
  await other.getByRole('link', { name: 'Sign in' }).click();
  await other.getByLabel('Login').fill('tom');
  await other.getByLabel('Password').fill('open sesame');
  await other.keyboard.press('Enter');
  await other.waitForURL('**/admin');
  await other.getByText('The admin console of this institution.').waitFor();
  expect(await other.locator('script').count()).toBe(0);
  await other.context().close();
});

test('a user is created, gets a password and a token, and is found again', async () => {
  await goTo('People');
  await page.getByRole('button', { name: 'New person' }).click();
  await page.getByLabel('Name (required)', { exact: true }).fill('Noor Haddad');
  await page.getByLabel('Login (required)').fill('tom');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The login is already taken.').waitFor();
  await page.getByLabel('Login (required)').fill('noor');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Noor Haddad' }).waitFor();

  await page.getByRole('button', { name: 'Set password of noor' }).click();
  await page.getByRole('button', { name: 'Generate' }).click();
  const password = await page.getByLabel('Password (required)').inputValue();
  expect(password).toHaveLength(16);
  const set = page.getByRole('dialog').getByRole('button', { name: 'Set password' });
  await set.click();
  // A new institution first has to allow it.
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await said('can now set passwords');
  await set.click();
  await said('Password of noor set');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('Purpose (required)').fill('Star charts');
  await page.getByRole('button', { name: 'Create token' }).click();
  expect(await page.getByLabel('Token', { exact: true }).inputValue()).toMatch(/^\w{64}$/);
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Pending').waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Unsuspend' }).click();
  await said('can sign in again');

  await goTo('People');
  await page.getByLabel('Find people').fill('haddad');
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
  expect(await violations()).toEqual([]);
  await page.getByLabel('Find people').fill('nobody at all');
  await page.getByText('No results for “nobody at all”').waitFor();

  const theirs = await openPage(browser);
  await theirs.goto(`${server.url}/login?return_to=/docs`);
  await theirs.getByLabel('Login').fill('noor');
  await theirs.getByLabel('Password').fill(password);
  await theirs.keyboard.press('Enter');
  await theirs.waitForURL('**/docs');
  await theirs.context().close();
});

test('a file is imported, and a rejected row gives its reason', async () => {
  await goTo('SIS imports');
  expect(await violations()).toEqual([]);
  const buffer = Buffer.from('user_id,login_id,full_name,status\nS9,zoe,Zoë Young,active\nS10,,Nobody,active\n');
  await page.getByLabel('File (required)').setInputFiles({ name: 'users.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('Imported with messages', { exact: true }).waitFor({ timeout: 20_000 });
  await page.getByRole('row', { name: 'users.csv 3 login_id is missing' }).waitFor();
  expect(await page.getByRole('region', { name: 'Messages' }).getByRole('row').count()).toBe(2);
  expect(await violations()).toEqual([]);
});

test('a course is deleted and restored', async () => {
  await goTo('Courses');
  await page.getByRole('button', { name: 'Delete Marine Biology' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await said('Deleted');
  await page.getByLabel('State').selectOption('Deleted');
  await page.getByRole('button', { name: 'Restore Marine Biology' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await said('Restored Marine Biology');
  await page.getByLabel('State').selectOption('All except deleted');
  await page.getByRole('link', { name: 'Marine Biology' }).click();
  await page.getByRole('heading', { level: 1, name: 'Marine Biology' }).waitFor();
  expect(await violations()).toEqual([]);
});

test('an account, a term and a course are created, and a user is enrolled', async () => {
  await goTo('Accounts');
  await page.getByText('No sub-accounts').waitFor();
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('Name (required)').fill('Faculty of Science');
  await page.keyboard.press('Enter');
  await said('Created Faculty of Science');
  await page.getByRole('link', { name: 'Faculty of Science' }).click();
  await page.getByRole('heading', { level: 2, name: 'Sub-accounts of Faculty of Science' }).waitFor();
  // The new term is in the list; terms belong to the whole institution.
  expect(await page.getByLabel('Account', { exact: true }).locator('option').allTextContents()).toEqual([
    'Whitmore College',
    'Faculty of Science',
  ]);
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Terms' }).count()).toBe(0);
  expect(await violations()).toEqual([]);
  await page.getByLabel('Account', { exact: true }).selectOption('Whitmore College');

  await goTo('Terms');
  await page.getByRole('button', { name: 'New term' }).click();
  await page.getByLabel('Name (required)').fill('Autumn 2026');
  await page.getByLabel('First day').fill('2026-12-20');
  await page.getByLabel('Last day').fill('2026-09-01');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('End dates cannot be before start dates').waitFor();
  await page.getByLabel('First day').fill('2026-09-01');
  await page.getByLabel('Last day').fill('2026-12-20');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row', { name: /^Autumn 2026 1 Sept 2026 20 Dec 2026/ }).waitFor();
  expect(await violations()).toEqual([]);

  await goTo('Courses');
  await page.getByRole('button', { name: 'New course' }).click();
  await page.getByLabel('Name (required)').fill('Tides');
  await page.getByLabel('Term').selectOption('Autumn 2026');
  await page.getByLabel('Publish immediately').check();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  await page.getByRole('button', { name: 'Add a person' }).click();
  await page.getByLabel('Login (required)').fill('nobody');
  await page.getByLabel('Role', { exact: true }).selectOption('Teacher');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
  await page.getByLabel('Login (required)').fill('TOM');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('row', { name: /^Teacher, Tom Teacher Active/ }).waitFor();
  expect(await violations()).toEqual([]);
});

test('an application gets a developer key, whose secret is shown once, and is turned off', async () => {
  await goTo('Developer keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Application name (required)').fill('Star charts');
  await page.getByLabel('Redirect URIs').fill('https://charts.example.edu/back');
  await page.getByLabel('Scopes').fill('url:GET|/api/v1/nothing');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('unknown scopes: url:GET|/api/v1/nothing').waitFor();
  await page.getByLabel('Scopes').fill('url:GET|/api/v1/courses');
  await page.getByRole('button', { name: 'Create' }).click();
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^\w{64}$/);
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row', { name: /^Star charts \d+ On 1 scope/ }).waitFor();
  await page.getByRole('button', { name: 'Turn off Star charts' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('row', { name: /^Star charts \d+ Off/ }).waitFor();
  await page.getByRole('button', { name: 'Turn on Star charts' }).click();
  await said('Star charts turned on');
  expect(await violations()).toEqual([]);
});

test('a permission is set and locked with the keyboard, and a feature flag is set and reset', async () => {
  await goTo('Roles');
  await page.getByLabel('Find permissions').fill('manage grades');
  await page.getByRole('button', { name: /^Account Admin, Manage grades/ }).focus();
  // Students cannot have it, so the arrow key skips them.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Off', { exact: true }).check();
  await page.getByLabel(/^Lock/).check();
  expect(await violations()).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Teacher, Manage grades: off, set here, locked' }).waitFor();

  await goTo('Features');
  const flag = page.getByLabel('Anonymous grading', { exact: true });
  await flag.selectOption('On');
  await said('Anonymous grading: On');
  await page.reload();
  expect(await flag.inputValue()).toBe('on');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Inherit: Anonymous grading' }).click();
  await said('is inherited');
});

test('jobs and figures are shown, also in a small window', async () => {
  await goTo('Jobs');
  await page.getByText('No failed jobs').waitFor();
  await page.getByRole('row', { name: /Course batch update/ }).waitFor();
  expect(await violations()).toEqual([]);
  // A small laptop at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  await goTo('Activity');
  await page.getByRole('img', { name: /^Requests per hour/ }).waitFor();
  expect(await violations()).toEqual([]);
  const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(await isTooWide()).toBe(false);
  await goTo('Roles');
  expect(await isTooWide()).toBe(false);
});

test('the API reference sends requests with the session or a token, and contacts no other host', { timeout: 120_000 }, async () => {
  const hosts = new Set<string>();
  const reader = await page.context().newPage();
  reader.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  await reader.goto(`${server.url}/docs`);
  await reader.getByRole('button', { name: 'Open Group - Courses' }).click();
  await reader.getByRole('link', { name: /^List your courses/ }).click();
  const open = reader.getByRole('button', { name: /Test Request.*\/api\/v1\/courses\)?$/i });
  await open.first().click();
  const answer = async () => {
    const response = reader.waitForResponse(`${server.url}/api/v1/courses`);
    await reader.getByRole('button', { name: /^Send/ }).first().click();
    return (await response).status();
  };
  expect(await answer()).toBe(200);
  await reader.context().clearCookies();
  expect(await answer()).toBe(401);
  await reader.getByRole('textbox', { name: /token/i }).or(reader.getByPlaceholder('Token')).last().fill(tomsToken);
  expect(await answer()).toBe(200);
  expect([...hosts]).toEqual([new URL(server.url).host]);
  await reader.close();
});
