// Search, messages and grades.

import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();

test('search opens from anywhere by keyboard, filters by kind, opens a result, and goes back to the results', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/courses');
  const found = (words: string) => page.locator('.found').getByText(words, { exact: true });
  await page.keyboard.press('g');
  await page.keyboard.press('/');
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
  await page.keyboard.type('tide');
  await found('2 results').waitFor();
  expect(await page.locator('.hit mark').allTextContents()).toEqual(expect.arrayContaining(['tide']));
  await page.getByLabel('Announcements 1').check({ force: true });
  await found('1 result').waitFor();
  await page.getByLabel('All 2').check({ force: true });
  await found('2 results').waitFor();
  await page.getByRole('combobox', { name: 'Course' }).selectOption({ label: 'Marine Biology' });
  await expect.poll(() => desk.given.get('search.find')).toEqual({ text: 'tide', course_id: 11, kind: null });
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Life between the tide lines', level: 1 }).waitFor();
  await page.goBack();
  expect(await page.getByRole('searchbox').inputValue()).toBe('tide');
  await found('2 results').waitFor();
  await page.getByRole('searchbox').fill('zzz');
  await found('No results for “zzz”.').waitFor();
  await expect.poll(() => page.getByRole('status').allTextContents()).toContain('No results for “zzz”.');
  await page.getByRole('searchbox').fill('whist');
  await page.locator('.hit', { hasText: 'hangs at the left strap' }).getByText('Page 3').waitFor();
  await page.getByRole('link', { name: 'Safety at sea.pdf' }).click();
  expect(page.url()).toContain('#/read/file/11/701/3/whist');
});

test('a conversation is read and replied to, and the reply is undone', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/inbox');
  const counted = page.getByRole('link', { name: /^Inbox/ }).locator('em');
  expect(await counted.textContent()).toBe('1 unread');
  await page.getByRole('link', { name: 'The square at the harbour' }).click();
  await page.getByText('Amara Okafor was added to the conversation.').waitFor();
  await expect.poll(() => counted.count()).toBe(0);
  const chosen = { name: 'frame.txt', mimeType: 'text/plain', buffer: Buffer.from('One metre') };
  await page.getByLabel('Attach files').setInputFiles([chosen]);
  await page.getByRole('button', { name: 'Remove frame.txt' }).waitFor();
  await page.getByLabel('Your reply').fill('Yes, at two.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Saved, not sent yet').waitFor();
  expect(desk.given.get('inbox.reply')).toMatchObject({ id: 801, text: 'Yes, at two.', files: [{ name: 'frame.txt', size: 9 }] });
  expect(await page.locator('.message[data-mine=true]').count()).toBe(2);
  await page.goto(page.url().replace(/#.*/, '#/inbox/803'));
  await page.getByText('You can no longer reply to this conversation.').waitFor();
  // Starred in the list by keyboard, archived in the conversation, found again, and moved back.
  await page.keyboard.press('a');
  await page.getByText('Archived. It moves back to the inbox with the next reply.').waitFor();
  await moveTo(page, '#/inbox');
  const titles = page.locator('.letter h2');
  await expect.poll(() => titles.allTextContents()).toEqual(['The square at the harbour', 'No subject']);
  await page.keyboard.press('j');
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Star: The square at the harbour', pressed: true }).waitFor();
  const shelves = page.getByRole('navigation', { name: 'Mailbox' });
  await shelves.getByRole('link', { name: 'Starred' }).click();
  await expect.poll(() => titles.count()).toBe(2);
  await shelves.getByRole('link', { name: 'Archived' }).click();
  await page.getByRole('button', { name: 'Archive: Study group', pressed: true }).click();
  await page.getByText('No conversations.').waitFor();
});

test('grades show the total, each score, and which do not count', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/11/grades');
  await page.getByText('B+ · 86.25%').waitFor();
  const field = page.getByRole('region', { name: /^Field work/ });
  expect(await field.getByRole('heading').textContent()).toMatch(/60% of the total.*Not counted: the lowest 1/);
  expect(await field.getByRole('row', { name: /Sand, by the spoon/ }).textContent()).toMatch(/Late.*17 of 20/);
  expect(await field.getByRole('row', { name: /Counted so far/ }).textContent()).toMatch(/52 of 60/);
  await page.getByText('Not included in the total').waitFor();
  await page.getByRole('link', { name: 'What did you find under the stones?' }).click();
  await page.getByRole('region', { name: '5 replies' }).waitFor();
});
