// The files of the courses: their states and actions.

import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();

test('every file state has a label and a reason', async () => {
  const { visit } = await room.library();
  const page = await visit('#/files');
  for (const words of [
    'On this computer',
    'Waiting',
    'Downloading',
    'Changed by you',
    'Two versions',
    'Locked',
    'Not on this computer',
    'Removed by teacher',
    'Downloaded',
    'Download failed',
  ])
    await page.locator('.file .tag', { hasText: words }).first().waitFor();
  await page.getByText('No longer available from the course; your copy is kept').waitFor();
  await page.getByText('Locked until Fri 27 Nov, 08:00.').waitFor();
});

test('names that differ only in case, and names in other scripts, are all listed', async () => {
  const { visit } = await room.library();
  const page = await visit('#/files');
  await page.getByText('سفرنامه.pdf').waitFor();
  const names = await page.locator('.file-name bdi').allTextContents();
  expect(names).toEqual(expect.arrayContaining(['ps6.pdf', 'PS6.pdf', '印刷の歴史.pdf', 'سفرنامه.pdf', 'Гоголь – Шинель.txt']));
});

test('a file is removed from this computer and downloaded again', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/11/files');
  await page.getByRole('button', { name: 'Remove Safety at sea.pdf from this computer' }).click();
  await page.getByRole('button', { name: 'Download Safety at sea.pdf again' }).click();
  await page.locator('.file', { hasText: 'Safety at sea.pdf' }).getByText('Waiting').waitFor();
});

test('files are chosen by course, folder, kind and size, and the effect is shown before it is applied', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/files');
  await page.getByRole('link', { name: 'Choose what to download' }).click();
  await page.getByRole('button', { name: 'Folders of Marine Biology' }).click();
  const images = page.getByLabel('Keep Images here');
  await images.click();
  await page.getByText('1 file (2.4 kB) will be removed from this computer. The server keeps it.').waitFor();
  await page.getByLabel('Largest file').selectOption('Up to 5.0 MB');
  expect(await page.getByLabel('Keep Marine Biology here').evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  expect(await images.isChecked()).toBe(true);
  expect(desk.asked).not.toContain('choices.choose');
  await page.getByLabel('Keep Linear Algebra here').click();
  await page.getByRole('button', { name: 'Free up 198 kB' }).click();
  await page.getByText('Saved. The next sync applies your choice.').waitFor();
  expect(desk.given.get('choices.choose')).toMatchObject({ choices: { marks: { 'course:13': false } } });
});

test('a teacher reviews what would be published, and publishes exactly that', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/courses/11/files');
  await page.getByLabel('Two-way sync').click();
  await page.getByRole('button', { name: 'Review changes' }).click();
  for (const words of [
    '1 new file',
    '1 new version',
    '1 file will be moved',
    '1 file will be deleted from the course',
    '1 file cannot be published',
  ])
    await page.getByRole('heading', { name: words }).waitFor();
  await page.getByText('in Week 1: Getting wet').waitFor();
  expect(desk.asked).not.toContain('publish.do');
  await page.getByRole('button', { name: 'Publish 4 changes' }).click();
  await page.getByText('4 changes published.').waitFor();
  expect(desk.given.get('publish.do')).toEqual({ course_id: 11, plan: 'plan-1' });
  await moveTo(page, '#/courses/13/files');
  expect(await page.getByLabel('Two-way sync').count()).toBe(0);
});

test('files are filtered by state and by name, with or without accents', async () => {
  const { visit } = await room.library();
  const page = await visit('#/files');
  const shown = () => page.locator('.file').count();
  await expect.poll(shown).toBe(26);
  await page.getByText('Needs attention').click();
  await expect.poll(shown).toBe(5);
  await page.getByLabel('All', { exact: true }).check({ force: true });
  await page.getByLabel('Filter by name').fill('ιστορια');
  await expect.poll(shown).toBe(1);
});

test('with 5,000 files the first are shown at once, then all of them, for the keyboard, screen readers and the filter', async () => {
  const { visit } = await room.library({ manyFiles: 5000 });
  const page = await visit('#/courses');
  await page.evaluate(() => {
    // The number of rows when the first one was visible.
    const watch = new MutationObserver(() => {
      const rows = document.querySelectorAll('.file').length;
      if (rows === 0) return;
      watch.disconnect();
      document.documentElement.dataset.first = String(rows);
    });
    watch.observe(document.body, { childList: true, subtree: true });
    location.replace('#/courses/13/files');
  });
  const rows = page.locator('.file');
  await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(5003);
  expect(Number(await page.evaluate(() => document.documentElement.dataset.first))).toBeLessThanOrEqual(200);
  await page.waitForFunction(() => !document.querySelector('[aria-busy]'));
  expect(await rows.nth(4000).evaluate((row) => getComputedStyle(row).contentVisibility)).toBe('auto');
  expect(await page.locator('li.file', { hasText: 'Scan 4242.pdf' }).count()).toBe(1);
  await page.keyboard.press('k');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Scan 5000.pdf');
  await page.locator('input[type=search]').fill('scan 4999');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => page.getByRole('status').allTextContents()).toContain('1 of 5,003 files match');
});

test('opening a file that is not downloaded says so', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/13/files');
  await page.getByRole('button', { name: 'grades.xlsx', exact: true }).click();
  await page.getByText('This file is not on this computer yet.').waitFor();
});

test('a PDF opens in the reader at the searched page and words, and again where the user left it', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/read/file/11/701/3/whistle');
  const number = page.getByLabel('Page number');
  await page.getByText('3 of 6', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.page[data-page-number="3"] .highlight').allTextContents()).toEqual(['whistle']);
  expect(await number.inputValue()).toBe('3');
  await expect.poll(() => desk.given.get('reader.seen')).toEqual({ kind: 'file', id: 701 });
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('button', { name: 'What to carry' }).click();
  await expect.poll(() => number.inputValue()).toBe('5');
  await page.getByRole('region', { name: 'Page 5 of 6' }).getByText('What to carry').waitFor();
  await page.getByRole('document', { name: 'Pages' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => number.inputValue()).toBe('6');
  // At the end of a document two pages may be visible: scroll up, so that only one is.
  for (const at of ['5', '4']) {
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => number.inputValue()).toBe(at);
  }
  const share = () => page.locator('.viewer-scale').textContent();
  const before = await share();
  await page.keyboard.press('+');
  await expect.poll(share).not.toBe(before);
  await moveTo(page, '#/files');
  await moveTo(page, '#/read/file/11/701');
  await expect.poll(() => number.inputValue()).toBe('4');
  await moveTo(page, '#/read/file/15/715');
  await page.getByText('This document is damaged and cannot be shown here.').waitFor();
});

test('images zoom, recordings seek, notebooks run nothing', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/15/files');
  await page.getByRole('link', { name: 'harbour.png' }).click();
  await page.getByText('1,600 × 900 pixels').waitFor();
  await page.getByRole('button', { name: 'Actual size' }).click();
  await expect.poll(() => page.locator('.picture img').evaluate((image) => image.clientWidth)).toBe(1600);
  await page.getByRole('region', { name: 'Image: harbour.png' }).press('-');
  await expect.poll(() => page.locator('.picture img').evaluate((image) => image.clientWidth)).toBe(1200);

  await moveTo(page, '#/read/file/15/713');
  const recording = page.locator('audio');
  await expect.poll(() => recording.evaluate((player: HTMLAudioElement) => Math.round(player.duration))).toBe(40);
  await recording.evaluate((player: HTMLAudioElement) => {
    player.currentTime = 20;
  });
  await expect.poll(() => recording.evaluate((player: HTMLAudioElement) => !player.seeking && player.currentTime)).toBe(20);

  await moveTo(page, '#/read/file/15/711');
  const sheet = page.frameLocator('iframe');
  await sheet.getByText('TypeError: unsupported operand').waitFor();
  expect(await sheet.locator('script').count()).toBe(0);
  await sheet.locator('img').waitFor();
  await sheet.getByRole('link', { name: 'the counts' }).click();
  await page.frameLocator('iframe').getByRole('cell', { name: 'Barnacles; small' }).waitFor();
  expect(await page.title()).toBe('counts.csv · Carrel');
});

test('earlier versions of an own file are listed, restored and saved as a copy; without a connection the screen says what is needed', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/files');
  await page.getByRole('link', { name: 'Earlier versions of Essay on the codex.md' }).click();
  await page.getByRole('heading', { name: 'Earlier versions', level: 1 }).waitFor();
  await page.getByText('The server keeps each earlier version for 30 days.').waitFor();
  const entries = page.locator('.version');
  expect(await entries.nth(1).textContent()).toMatch(/^Until Thu 12 Nov, 09:14saved Wed 11 Nov, 16:40.*3\.9 kB/);
  expect(await entries.nth(2).textContent()).toContain('called “Essay (draft).md”');
  await page.getByRole('button', { name: 'Save a copy: Until Wed 11 Nov, 16:40' }).click();
  await page.getByText('Saved: /home/noor/Study/My files/Essay on the codex (version 58).md').waitFor();
  await page.getByRole('button', { name: 'Restore: Until Wed 11 Nov, 16:40' }).click();
  await page.getByText('Essay on the codex.md is restored.').waitFor();
  await expect.poll(() => entries.count()).toBe(4);
  expect(desk.given.get('file.version_restore')).toEqual({ id: 761, version_id: 58, current: 7 });
  await page.getByRole('link', { name: 'Essay on the codex.md' }).click();
  await page.getByRole('link', { name: 'Earlier versions' }).waitFor();
  desk.says({ phase: 'offline' });
  await moveTo(page, '#/versions/file/0/762');
  await page.getByText('Earlier versions are on the server. You need a connection to see them.').waitFor();
  desk.says({ phase: 'idle' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There are no earlier versions.').waitFor();
  await page.getByText('This file has changes here that are not on the server yet.').waitFor();
});
