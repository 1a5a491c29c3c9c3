// GraphiQL at /docs/graphql: works with a session and with a token, and needs nothing from another host.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groundOf, type Person } from '../support/ground';
import { type Server, startServer, withDatabase } from '../support/server';
import { openBrowser, openPage } from './support/browser';

let persist: string;
let server: Server;
let browser: Browser;
let teacher: Person;

beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'carrel-explorer-'));
  teacher = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    const person = await ground.person({ name: 'Tom Teacher', login: 'tom', password: 'open sesame' });
    await ground.enroll(await ground.course({ name: 'Marine Biology' }), person, 'teacher');
    return person;
  });
  [server, browser] = await Promise.all([startServer({ persist }), openBrowser()]);
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

/** Opens the explorer, and records what it asks of other hosts and what its policy forbids. */
async function explorer(look: Parameters<typeof openPage>[1] = {}) {
  const page = await openPage(browser, look);
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) problems.push(`asks ${request.url()}`);
  });
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return { page, problems };
}

const run = async (page: Page) => {
  // The button sends what the editor holds, and on a busy machine the editor is shown before it holds the query.
  await page.locator('.graphiql-query-editor').getByText('allCourses').waitFor();
  await page.getByRole('button', { name: /execute query/i }).click();
  await page.locator('.graphiql-response').getByText('Marine Biology').waitFor();
};

test('a user signs in from the explorer and sends a query', async () => {
  const { page, problems } = await explorer();
  await page.goto(`${server.url}/docs/graphql`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Login').fill('tom');
  await page.getByLabel('Password').fill('open sesame');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/graphql');
  await page.getByText('Queries are sent as Tom Teacher.').waitFor();
  await run(page);
  // The schema is there without a query for it.
  await page.getByRole('button', { name: /show documentation explorer/i }).click();
  await page.getByRole('link', { name: 'Query', exact: true }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'explorer.png') });
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a token takes the place of the session, in the dark too', async () => {
  const { page, problems } = await explorer({ colorScheme: 'dark' });
  await page.goto(`${server.url}/docs/graphql`);
  await page.getByText('or enter a token').waitFor();
  await page.getByLabel('Token').fill('no token');
  await page.keyboard.press('Tab');
  await page.getByText('This token is not valid.').waitFor();
  await page.getByLabel('Token').fill(teacher.token);
  await page.keyboard.press('Tab');
  await page.getByText('Queries are sent as Tom Teacher.').waitFor();
  await run(page);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'explorer-dark.png') });
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  expect(stored).not.toContain(teacher.token);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the bar of the explorer is accessible, and the API reference links to it', async () => {
  const { page } = await explorer();
  await page.goto(`${server.url}/docs`);
  await page.getByRole('link', { name: 'GraphQL explorer' }).waitFor();
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'docs.png') });
  await page.getByRole('link', { name: 'GraphQL explorer' }).click();
  await page.locator('.graphiql-container').waitFor();
  // As one expression, because the page's policy forbids evaluating text as a script. GraphiQL's own parts are not ours to mend.
  const found = (await page.evaluate(
    `${axe.source}; axe.run(document.querySelector('header'), { resultTypes: ['violations'] })`,
  )) as axe.AxeResults;
  expect(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  const schema = await (await fetch(`${server.url}/docs/schema.graphql`)).text();
  expect(schema).toContain('type Query {');
  await page.context().close();
});
