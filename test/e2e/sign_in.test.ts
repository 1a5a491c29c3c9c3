// Signing in to the desk: with a token, without one, without the key.

import type { SyncStatus } from '@carrel/desktop/contract/state';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { deskRoom } from './support/desk';
import { elsewhere, rightToken } from './support/library';

const room = deskRoom();

test('a user signs in with a server address and a token', async () => {
  const { visit } = await room.library({ account: null });
  const page = await visit();
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await page.getByLabel('Access token').fill(rightToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  expect(page.url()).not.toContain('key=');
});

test('form errors appear at their field', async () => {
  const { visit, desk } = await room.library({ account: null });
  const page = await visit();
  const enter = page.getByRole('button', { name: 'Sign in' });
  await enter.click();
  expect(await page.getByRole('alert').textContent()).toContain('Enter a server address');
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await enter.click();
  await page.getByText('Enter an access token.').waitFor();
  expect(desk.asked).not.toContain('account.login');
  await page.getByLabel('Access token').fill('wrong');
  await enter.click();
  await page.getByText('The server does not know this token.').waitFor();
  expect(await page.getByLabel('Server address').inputValue()).toBe('canvas.example.edu');
});

test('the form links to the token settings of the entered server', async () => {
  const { visit } = await room.library({ account: null });
  const page = await visit();
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await page.getByText('Where do I get a token?').click();
  const link = page.getByRole('link', { name: 'Open the settings on canvas.example.edu' });
  expect(await link.getAttribute('href')).toBe('https://canvas.example.edu/profile/settings');
});

test('without the key the desk stays locked and says how to open it', async () => {
  const { origin, desk, visit } = await room.library();
  const page = await visit('#/today');
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(origin);
  await page.getByRole('heading', { name: 'This desk is locked' }).waitFor();
  expect(await page.textContent('body')).not.toContain('Noor');
  expect(desk.asked.length).toBeGreaterThan(0);
});

test('with an expired token the desk asks for a new one and everything stays readable', async () => {
  const { visit, desk } = await room.library();
  desk.says({ phase: 'sign in' });
  const page = await visit();
  await page.getByText('The server no longer accepts your token.').waitFor();
  expect(await page.getByRole('heading', { name: 'Overdue' }).isVisible()).toBe(true);
  await page.getByRole('link', { name: 'Sign in again', exact: true }).click();
  await page.getByLabel(/A new access token/).fill(rightToken);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByText('Signed in again.').waitFor();
});

test('signing out asks whether to keep the files, and lists what was never sent', async () => {
  const { visit, desk } = await room.library({ unsentAtLeaving: 3 });
  const page = await visit('#/sync');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('What should happen to the 214 downloaded files?').waitFor();
  await page.getByText('3 of your changes have not been sent').waitFor();
  expect(await page.getByLabel('Keep the files in their folder').isChecked()).toBe(true);
  await page.getByLabel('Remove the files that came from the server').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out anyway' }).click();
  await page.getByRole('heading', { name: 'Sign in to your server' }).waitFor();
  expect(desk.given.get('account.leave')).toMatchObject({ files: 'remove' });
});

test('the sign-in page of the server opens in the browser, and the desk waits for it', async () => {
  const { visit, desk } = await room.library({ account: null });
  const page = await visit();
  await page.context().route('https://canvas.example.edu/**', (route) => route.fulfill({ body: 'the server' }));
  await page.getByLabel('Server address').fill('canvas.example.edu');
  const [opened] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Enter')]);
  expect(opened.url()).toBe('https://canvas.example.edu/login/oauth2/auth?client_id=1');
  await page.getByText('has opened in your browser').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Continue in the browser' }).waitFor();
  expect(desk.given.get('account.browse')).toEqual({ url: 'https://canvas.example.edu' });
});

test('one of several accounts is shown, and the user can switch to the others', async () => {
  const { visit } = await room.library({ others: [elsewhere] });
  const page = await visit('#/courses');
  await page.getByRole('button', { name: /Noor Vermeer.*Meridian University/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Accounts' });
  await dialog.getByText('Sign in again · 2 edits to send').waitFor();
  const { violations } = (await page.evaluate(`${axe.source}; axe.run(document, { resultTypes: ['violations'] })`)) as axe.AxeResults;
  expect(violations.map(({ id }) => id)).toEqual([]);
  await dialog.getByRole('button', { name: /^Switch to/ }).click();
  await page.getByRole('button', { name: /Harbour School of Music Switch accounts/ }).waitFor();
  await page.locator('.heading-above', { hasText: 'Harbour School of Music' }).waitFor();
});

test('a connection problem is explained, with what to do', async () => {
  const { visit, desk } = await room.library();
  const trouble = (kind: NonNullable<SyncStatus['trouble']>['kind'], why: string) => ({ kind, since: '2026-11-20T08:00:00Z', why });
  desk.says({ phase: 'sign in', trouble: trouble('expired', 'Expired access token.') });
  const page = await visit('#/sync');
  await page.getByText('Your token has expired.').waitFor();
  desk.says({ phase: 'sign in', trouble: trouble('revoked', 'Invalid access token.') });
  await page.getByText('Your token was revoked.').waitFor();
  desk.says({ phase: 'idle', way: 'lists', trouble: trouble('gone', 'the response is not JSON'), rebuilt_at: '2026-11-19T08:00:00Z' });
  await page.getByText('A different service responds').waitFor();
  await page.getByText('If the server has moved, add its new address').waitFor();
  await page.getByText('the server was restored from a backup').waitFor();
  await page.getByText('List by list, because this server has no sync feed').waitFor();
});
