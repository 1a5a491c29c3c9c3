// The desk without a mouse.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label'));

test('the first tab stop skips to the content', async () => {
  const { visit } = await room.library();
  const page = await visit();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  expect(page.url()).toMatch(/#\/today$/);
});

test('two keys open any screen; its title gets the focus', async () => {
  const { visit } = await room.library();
  const page = await visit();
  for (const [key, title] of [
    ['c', 'Courses'],
    ['f', 'Files'],
    ['a', 'Announcements'],
    ['i', 'Inbox'],
    ['s', 'Sync'],
    ['t', 'Today'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await expect.poll(() => focused(page)).toBe(title);
  }
});

test('j and k move through a list, x marks, Enter opens, u goes up', async () => {
  const { visit } = await room.library();
  const page = await visit();
  await page.getByRole('heading', { name: 'Overdue' }).waitFor();
  await page.keyboard.press('j');
  // The list of changes comes first.
  expect(await focused(page)).toBe('Lab report: tidal zones');
  await page.getByRole('button', { name: 'Mark as seen' }).press('Enter');
  await page.getByRole('button', { name: 'Mark as seen' }).waitFor({ state: 'detached' });
  // The focused element is gone, so the nearest remaining one has the focus.
  await expect.poll(() => focused(page)).toBe('Plankton field notes');
  await page.keyboard.press('j');
  expect(await focused(page)).toBe('Problem set 6: eigenvalues');
  await page.keyboard.press('x');
  await page.getByText('“Problem set 6: eigenvalues” is done.').waitFor();
  await moveTo(page, '#/read/page/11/203');
  await page.getByRole('heading', { name: 'How to keep a field notebook', level: 1 }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('tab', { name: 'Pages', selected: true }).waitFor();
});

test('arrow keys move through the tabs of a course and the days of the next two weeks', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/11/modules');
  await page.getByRole('tab', { name: 'Modules' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Syllabus', selected: true }).waitFor();
  await expect.poll(() => focused(page)).toBe('Syllabus');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('tab', { name: 'Grades', selected: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('button', { name: /^Fri 20 November/ }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toContain('Tomorrow');
});

test('a dialog traps the focus, closes on Escape, and returns the focus', async () => {
  const { visit } = await room.library();
  const page = await visit();
  await page.getByRole('button', { name: 'Add a note', exact: true }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('title');
  await page.keyboard.type('n?gs');
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('n?gs');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Add a note');
});

test('? lists the shortcuts, / focuses the filter', async () => {
  const { visit } = await room.library();
  const page = await visit('#/files');
  await page.getByLabel('Filter by name').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).press('Enter');
  await page.getByLabel('Single-letter shortcuts').press('Space');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  expect(page.url()).toMatch(/#\/files$/);
});

test('a conversation is archived and moved back by keys, with the focus on the next one; Enter chooses a recipient', async () => {
  const { visit } = await room.library();
  const page = await visit('#/inbox');
  await page.locator('.letter').first().waitFor();
  const titles = await page.locator('.letter-title').allTextContents();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect.poll(() => focused(page)).toBe(titles[1]);
  await page.keyboard.press('z');
  await expect.poll(() => page.locator('.letter').count()).toBe(titles.length);
  await page.keyboard.press('n');
  await page.keyboard.type('jonas');
  await page.getByRole('button', { name: 'Jonas Lindqvist', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Jonas Lindqvist' }).waitFor();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('search');
});

test('arrow keys leave the month, months keep the focus, and arrow keys highlight words', async () => {
  const { visit } = await room.library();
  const page = await visit('#/calendar/month');
  const day = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.day);
  await page.locator('[data-day="2026-11-20"]').focus();
  await page.keyboard.press('PageDown');
  await expect.poll(day).toBe('2026-12-20');
  for (let week = 0; week < 3; week++) await page.keyboard.press('ArrowUp');
  await expect.poll(day).toBe('2026-11-29');
  await page.getByRole('link', { name: 'Next month' }).press('Enter');
  await page.getByRole('heading', { name: 'December 2026', level: 1 }).waitFor();
  expect(await focused(page)).toBe('Next month');
  await moveTo(page, '#/read/page/11/201');
  const words = () => page.evaluate(() => document.querySelector('iframe')?.contentDocument?.getSelection()?.toString());
  await page.frameLocator('iframe').getByRole('link', { name: 'how to keep a field notebook' }).waitFor();
  await page.keyboard.press('h');
  await expect.poll(words).not.toBe('');
  const first = await words();
  await page.keyboard.press('Shift+ArrowRight');
  expect(await words()).toMatch(new RegExp(`^${first}\\s`));
  await page.keyboard.press('Enter');
  await page.getByText('Highlighted.').waitFor();
  await expect.poll(() => focused(page)).toBe('Choose words to highlight');
});

test('keys pressed in a reading reach the desk', async () => {
  const { visit } = await room.library();
  const page = await visit('#/read/page/11/201');
  await page.frameLocator('iframe').getByRole('link', { name: 'how to keep a field notebook' }).focus();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
});
