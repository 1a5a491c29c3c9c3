// Today: overdue, due and upcoming items, and notes.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskRoom } from './support/desk';

const room = deskRoom();

const day = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
const titles = (page: Page, name: string) => day(page, name).locator('.entry-title').allTextContents();

test('items are listed under overdue, today and their day', async () => {
  const { visit } = await room.library();
  const page = await visit();
  expect(await titles(page, 'Overdue')).toEqual(['Plankton field notes', 'Problem set 6: eigenvalues']);
  expect(await titles(page, 'Today')).toHaveLength(4);
  expect(await titles(page, 'Tomorrow')).toEqual(['Ask about the translation of ch. 4', 'Problem set 7: orthogonality']);
  await page.getByText(/^Earlier: 1 item/).click();
  await page.getByText('Reading response: the codex').waitFor();
});

test('a note is added, edited, deleted, and restored', async () => {
  const { visit } = await room.library();
  const page = await visit();
  await page.getByRole('button', { name: 'Add a note', exact: true }).click();
  await page.getByLabel('Title', { exact: true }).fill('Learn the star signs');
  await page.getByLabel('Time', { exact: true }).fill('19:30');
  await page.getByRole('combobox', { name: 'Course' }).selectOption({ label: 'Marine Biology' });
  await page.getByRole('button', { name: 'Save' }).click();
  const entry = day(page, 'Today').locator('.entry', { hasText: 'Learn the star signs' });
  await entry.getByText('Saved, not sent yet').waitFor();
  expect(await entry.getByText('19:30').isVisible()).toBe(true);

  await page.getByRole('button', { name: 'Edit note: Learn the star signs' }).click();
  await page.getByLabel('Day', { exact: true }).fill('2026-11-21');
  await page.getByRole('button', { name: 'Save' }).click();
  await day(page, 'Tomorrow').getByText('Learn the star signs').waitFor();

  await page.getByRole('button', { name: 'Edit note: Learn the star signs' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('“Learn the star signs” was deleted.').waitFor();
  expect(await page.locator('.entry', { hasText: 'Learn the star signs' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await day(page, 'Tomorrow').getByText('Learn the star signs').waitFor();
});

test('an item is marked as done, and as not done', async () => {
  const { visit, desk } = await room.library();
  const page = await visit();
  const mark = page.getByRole('checkbox', { name: 'Done: Return “The Printing Revolution” to the library' });
  await mark.click();
  await page.locator('.entry[data-done=true]', { hasText: 'Printing Revolution' }).waitFor();
  expect((await desk['sync.status'](undefined)).pending_edits).toBe(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('.entry[data-done=false]', { hasText: 'Printing Revolution' }).waitFor();
});

test('the unsent label disappears as soon as the server confirms', async () => {
  const { visit, desk } = await room.library();
  const page = await visit();
  const pending = page.getByText('Saved, not sent yet');
  await pending.waitFor();
  await desk['sync.now'](undefined);
  await pending.waitFor({ state: 'detached' });
});

test('an empty planner says what to do', async () => {
  const { visit } = await room.library({ isEmpty: true });
  const page = await visit();
  await page.getByText('Nothing is due today.').waitFor();
  await page.getByText('Add a note for anything you want to remember.').waitFor();
});

test('changes are described, link to their item, and disappear when marked as seen', async () => {
  const { visit } = await room.library();
  const page = await visit();
  const news = page.getByRole('region', { name: /^What changed/ });
  await news.getByText(/^Due date moved by 2 days, later: /).waitFor();
  await news.getByText('New comment on your work by Ingrid Holm').waitFor();
  await news.getByRole('link', { name: 'Plankton field notes' }).click();
  await page.getByRole('heading', { name: 'Plankton field notes', level: 1 }).waitFor();
  await page.goBack();
  await news.getByRole('button', { name: 'Mark as seen' }).click();
  await news.waitFor({ state: 'detached' });
});

test('the calendar shows a month and moves by arrow keys; a day takes a note; the agenda shows the same items', async () => {
  const { visit } = await room.library();
  const page = await visit('#/calendar/month');
  await page.getByRole('heading', { name: 'November 2026', level: 1 }).waitFor();
  const days = page.locator('.month');
  expect(await days.locator('td').count()).toBe(42);
  expect(await days.locator('th').first().textContent()).toBe('Mon');
  await days.getByRole('link', { name: /Lab report: tidal zones/ }).waitFor();
  await page.getByRole('button', { name: /^Friday 20 November: 4 items/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-11-26');
  await page.keyboard.press('Escape');
  await page.getByRole('img', { name: /the busiest week has/ }).waitFor();
  await page.getByRole('link', { name: 'Next month' }).click();
  await page.getByRole('heading', { name: 'December 2026', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Agenda' }).click();
  await day(page, 'Wednesday 2 December').getByText('The reading room closes early').waitFor();
});
