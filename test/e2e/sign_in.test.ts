// Coming to the desk: with a token, without one, without the key.

import { expect, test } from 'vitest';
import { deskRoom } from './support/desk';
import { rightToken } from './support/library';

const room = deskRoom();

test('a person signs in with an address and a token', async () => {
  const { visit } = await room.library({ account: null });
  const page = await visit();
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await page.getByLabel('Access token').fill(rightToken);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  expect(page.url()).not.toContain('key=');
});

test('what is wrong is said where it is wrong, in words', async () => {
  const { visit, desk } = await room.library({ account: null });
  const page = await visit();
  const enter = page.getByRole('button', { name: 'Sign in' });
  await enter.click();
  expect(await page.getByRole('alert').textContent()).toContain('That is not a server address');
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await enter.click();
  await page.getByText('A token is needed.').waitFor();
  expect(desk.asked).not.toContain('account.login');
  await page.getByLabel('Access token').fill('wrong');
  await enter.click();
  await page.getByText('The server does not know this token.').waitFor();
  expect(await page.getByLabel('Server address').inputValue()).toBe('canvas.example.edu');
});

test('the desk says where to get a token, on the server that was typed', async () => {
  const { visit } = await room.library({ account: null });
  const page = await visit();
  await page.getByLabel('Server address').fill('canvas.example.edu');
  await page.getByText('Where do I get a token?').click();
  const link = page.getByRole('link', { name: 'Open the settings of canvas.example.edu' });
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

test('an expired token asks for a fresh one and keeps everything readable', async () => {
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

test('signing out asks first, and says what stays', async () => {
  const { visit } = await room.library();
  const page = await visit('#/sync');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Your files stay in their folder').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to your server' }).waitFor();
});
