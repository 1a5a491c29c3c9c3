// The gradebook: what a spreadsheet can do, for the grades of a course.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from './support/axe';
import type { BrowserLook } from './support/browser';
import { deskRoom } from './support/desk';
import type { Teaching } from './support/recorded_grading';

const room = deskRoom();
const course = { course_id: 11, students: 30, assignments: 8 };
const grades = '#/courses/11/grades';

async function opened(teaching: Teaching = course, look: BrowserLook = {}) {
  const { visit, desk } = await room.library({ teaching });
  const page = await visit(grades, look);
  await page.getByRole('grid').waitFor();
  return { page, desk };
}

/** The place of the focus, as row and column from 0. */
const here = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).dataset.at);
const cellAt = (page: Page, row: number, column: number) => page.locator(`[data-at="${row}:${column}"]`);
const names = (page: Page) =>
  page.locator('.grid-row').evaluateAll((rows) =>
    rows
      .map((row) => ({ top: Number.parseFloat((row as HTMLElement).style.top), name: row.querySelector('bdi')?.textContent ?? '' }))
      .sort((a, b) => a.top - b.top)
      .map(({ name }) => name),
  );
const scoresOf = (page: Page, column: number) =>
  page.locator('.grid-row').evaluateAll(
    (rows, at) =>
      rows
        .map((row) => ({
          top: Number.parseFloat((row as HTMLElement).style.top),
          text: row.querySelector(`[data-at$=":${at}"] .cell-grade`)?.textContent ?? '',
        }))
        .sort((a, b) => a.top - b.top)
        .flatMap(({ text }) => (/^\d/.test(text) ? [Number.parseFloat(text)] : [])),
    column,
  );

describe('the keyboard of a spreadsheet', () => {
  test('typing begins an entry, Enter moves down, Tab moves right, Escape leaves the grade as it was', async () => {
    const { page, desk } = await opened();
    await cellAt(page, 0, 1).click();
    await page.keyboard.press('7');
    await page.keyboard.type('.5');
    await page.keyboard.press('Enter');
    await expect.poll(() => here(page)).toBe('1:1');
    expect(await cellAt(page, 0, 1).textContent()).toContain('7.5');
    expect(desk.given.get('gradebook.enter')).toMatchObject({ course_id: 11, assignment_id: 301, entries: [{ grade: '7.5' }] });
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await expect.poll(() => here(page)).toBe('1:2');
    await expect.poll(() => cellAt(page, 1, 1).textContent()).toContain('12');
    const before = await cellAt(page, 1, 2).textContent();
    await page.keyboard.type('3');
    await page.keyboard.press('Escape');
    await expect.poll(() => here(page)).toBe('1:2');
    expect(await cellAt(page, 1, 2).textContent()).toBe(before);
  });

  test('arrows, Home and End, alone and with Ctrl, and the Page keys move; Delete clears', async () => {
    const { page, desk } = await opened();
    await cellAt(page, 0, 1).click();
    const pressed = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return here(page);
    };
    expect(await pressed('ArrowDown', 'ArrowRight')).toBe('1:2');
    expect(await pressed('End')).toBe('1:9');
    expect(await pressed('Home')).toBe('1:0');
    expect(await pressed('Control+End')).toMatch(/^\d+:9$/);
    const last = Number((await here(page))?.split(':')[0]);
    expect(last).toBeGreaterThan(20);
    expect(await pressed('Control+Home')).toBe('0:0');
    expect(await pressed('ArrowUp')).toBe('-1:0');
    const paged = await pressed('ArrowDown', 'PageDown');
    expect(Number(paged?.split(':')[0])).toBeGreaterThan(3);
    expect(await pressed('PageUp')).toBe('0:0');
    await cellAt(page, 0, 1).click();
    await page.keyboard.type('4\n');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Delete');
    await expect.poll(() => desk.given.get('gradebook.enter')).toMatchObject({ entries: [{ grade: null }] });
  });

  test('what cannot be a grade is refused in the cell, with the reason', async () => {
    const { page, desk } = await opened();
    await cellAt(page, 0, 1).click();
    await page.keyboard.type('lots');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('takes a number').waitFor();
    expect(desk.asked).not.toContain('gradebook.enter');
    await page.keyboard.press('Escape');
    await page.keyboard.type('ex\n');
    await expect.poll(() => desk.given.get('gradebook.enter')).toMatchObject({ entries: [{ excused: true }] });
  });

  test('each grading type has its own input: a share, complete or incomplete, or a grade of the scheme', async () => {
    const { page, desk } = await opened();
    const sent = () => (desk.given.get('gradebook.enter') as { entries: { grade: string }[] } | undefined)?.entries[0]?.grade;
    await cellAt(page, 0, 3).click();
    await page.keyboard.type('85\n');
    await expect.poll(sent).toBe('85%');
    await cellAt(page, 1, 5).click();
    await page.keyboard.type('inc');
    await page.keyboard.press('Enter');
    await expect.poll(sent).toBe('incomplete');
    await cellAt(page, 1, 6).click();
    await page.keyboard.type('b');
    await page.getByRole('option', { name: 'B', exact: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(sent).toBe('B+');
  });

  test('Escape, then Tab leaves the table', async () => {
    const { page } = await opened();
    await cellAt(page, 0, 1).click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=grid]'))).toBeNull();
  });
});

test('Ctrl+Z undoes the last entry: unsent in the outbox, sent by entering the former grade', async () => {
  const { page, desk } = await opened();
  const cell = cellAt(page, 0, 1);
  const before = await cell.locator('.cell-grade').textContent();
  await cell.click();
  await page.keyboard.type('1.5\n');
  await expect.poll(() => cell.locator('.cell-grade').textContent()).toBe('1.5');
  await expect.poll(() => cell.getAttribute('data-tone')).toBe('unsent');
  await page.keyboard.press('Control+z');
  await expect.poll(() => cell.locator('.cell-grade').textContent()).toBe(before);
  expect(desk.asked.filter((name) => name === 'gradebook.enter')).toHaveLength(1);
  expect(desk.asked).toContain('outbox.take_back');

  await cell.click();
  await page.keyboard.type('2.5\n');
  await expect.poll(() => cell.locator('.cell-grade').textContent()).toBe('2.5');
  desk.sendGrades();
  await expect.poll(() => cell.getAttribute('data-tone')).not.toBe('unsent');
  await page.keyboard.press('Control+z');
  await expect.poll(() => desk.asked.filter((name) => name === 'gradebook.enter').length).toBe(3);
  await expect.poll(() => cell.locator('.cell-grade').textContent()).toBe(before);
});

test('a total is updated with the grade', async () => {
  const { page } = await opened();
  const total = cellAt(page, 0, 9);
  const before = await total.textContent();
  await cellAt(page, 0, 1).click();
  await page.keyboard.type('0\n');
  await expect.poll(() => total.textContent()).not.toBe(before);
});

test('a cell menu excuses, marks as missing and opens the comments, by keyboard and by pointer', async () => {
  const { page, desk } = await opened();
  const sent = () => (desk.given.get('gradebook.enter') as { entries: object[] } | undefined)?.entries[0];
  await cellAt(page, 0, 1).click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitemcheckbox', { name: 'Excused' }).press('Enter');
  await expect.poll(sent).toMatchObject({ excused: true });
  await expect.poll(() => cellAt(page, 0, 1).textContent()).toContain('EX');
  await cellAt(page, 1, 1).click({ button: 'right' });
  await page.getByRole('menuitemcheckbox', { name: 'Missing' }).click();
  await expect.poll(sent).toMatchObject({ status: 'missing' });
  await page.keyboard.press('Shift+F2');
  await page.getByRole('dialog').getByLabel('New comment for the student').fill('See me on Monday.');
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await expect.poll(sent).toMatchObject({ comment: 'See me on Monday.' });
});

test('students are found by name, section and status, and sorted by any column', async () => {
  const { page } = await opened();
  const all = await names(page);
  expect(all.length).toBeGreaterThan(5);
  await page.getByRole('columnheader', { name: /^Student/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sort from Z to A' }).click();
  await expect.poll(async () => (await names(page))[0]).not.toBe(all[0]);
  await page.getByRole('columnheader', { name: /Lab report/ }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Sort highest first' }).click();
  await expect.poll(async () => page.getByRole('columnheader', { name: /Lab report/ }).getAttribute('aria-sort')).toBe('descending');
  const scores = await scoresOf(page, 1);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  const rowCount = async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount'));
  const before = await rowCount();
  await page.getByRole('combobox', { name: 'Section', exact: true }).selectOption('Monday group');
  await expect.poll(rowCount).toBeLessThan(before);
  await page.getByRole('combobox', { name: 'Section', exact: true }).selectOption('All sections');
  await page.getByLabel('Assignment group').selectOption('Reports');
  await expect.poll(async () => Number(await page.getByRole('grid').getAttribute('aria-colcount'))).toBe(5);
  await page.getByLabel('Assignment group').selectOption('All assignment groups');
  await page.getByLabel('Status').selectOption('Needs a decision');
  await expect.poll(rowCount).toBe(4);
  await page.getByLabel('Status').selectOption('Any status');
  await page.getByLabel('Find a student').fill('hohenstein');
  await expect.poll(rowCount).toBe(3);
  await page.getByLabel('Find a student').fill('nobody at all');
  await page.getByText('None of the 30 students match.').waitFor();
});

test('a student who has just been graded stays where they were, in a list of those to grade', async () => {
  const { page } = await opened();
  const all = (await names(page)).join();
  await page.getByLabel('Status').selectOption('To grade');
  await expect.poll(async () => (await names(page)).join()).not.toBe(all);
  const cell = page.locator('.grid-cell[data-tone="to grade"][data-at$=":1"]').first();
  const at = await cell.getAttribute('data-at');
  await cell.click();
  await page.keyboard.type('5');
  const shown = await names(page);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator(`[data-at="${at}"] .cell-grade`).textContent()).toBe('5');
  expect(await names(page)).toEqual(shown);
});

test('a grid of 500 by 200 draws only what is in view, and its keyboard reaches the last cell', { timeout: 90_000 }, async () => {
  const { page } = await opened({ course_id: 11, students: 500, assignments: 200 });
  const counts = () =>
    page.evaluate(() => ({ cells: document.querySelectorAll('.grid-cell').length, rows: document.querySelectorAll('.grid-row').length }));
  const grid = page.getByRole('grid');
  expect(Number(await grid.getAttribute('aria-colcount'))).toBe(202);
  expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(480);
  for (const [top, left] of [
    [0, 0],
    [9000, 12_000],
    [100_000, 100_000],
  ]) {
    await grid.evaluate((element, [y, x]) => element.scrollTo(x as number, y as number), [top, left]);
    await page.waitForFunction(() => document.querySelectorAll('.grid-row').length > 5);
    const { cells, rows } = await counts();
    expect(rows).toBeLessThan(45);
    expect(cells).toBeLessThan(1000);
    expect(cells).toBeGreaterThan(30);
  }
  await cellAt(page, 0, 1).evaluate((cell) => (cell as HTMLElement).focus());
  await page.keyboard.press('Control+End');
  await expect.poll(() => here(page)).toMatch(/^4\d\d:201$/);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => here(page)).toMatch(/^4\d\d:200$/);
  const isSeen = await page.evaluate(() => {
    const cell = document.activeElement?.getBoundingClientRect();
    return cell !== undefined && cell.right <= window.innerWidth && cell.bottom <= window.innerHeight && cell.width > 20;
  });
  expect(isSeen).toBe(true);
});

test('a long name widens neither its row nor the column of names', async () => {
  const { page } = await opened();
  await page.getByLabel('Find a student').fill('hohenstein');
  await page.getByText('Hohenstein').first().waitFor();
  const widthOf = (selector: string) => page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().width));
  expect(await widthOf('.grid-row .grid-name')).toBe(await widthOf('.grid-head .grid-name'));
});

test('a course that is not chosen says what choosing means, and opens when it is chosen', async () => {
  const { visit } = await room.library({ teaching: { ...course, choice: 'not chosen' } });
  const page = await visit(grades);
  await page.getByRole('button', { name: 'Download this course for grading' }).click();
  await page.getByRole('grid').waitFor();
});

test('students see their own grades', async () => {
  const { visit } = await room.library();
  const page = await visit(grades);
  await page.getByText('So far').first().waitFor();
  expect(await page.getByRole('grid').count()).toBe(0);
});

test('on a phone one assignment is shown at a time, with a field for each student', async () => {
  const { visit, desk } = await room.library({ teaching: course });
  const page = await visit(grades, { viewport: { width: 360, height: 740 } });
  await page.getByRole('combobox', { name: 'Assignment', exact: true }).selectOption('Lab report: tidal zones');
  const field = page.getByRole('textbox', { name: /^Grade of .* for Lab report/ }).first();
  await field.fill('11');
  await field.press('Enter');
  await expect.poll(() => desk.given.get('gradebook.enter')).toMatchObject({ assignment_id: 301, entries: [{ grade: '11' }] });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test.each([
  ['at 400 % zoom', { viewport: { width: 320, height: 256 } }, ''],
  ['on a wide screen', { viewport: { width: 2200, height: 1200 } }, ''],
  ['in German', { viewport: { width: 900, height: 800 }, locale: 'de-DE' }, ''],
  ['from right to left', { viewport: { width: 1280, height: 800 } }, 'ar-XB'],
])('nothing scrolls sideways but the grid %s', async (_name, look, language) => {
  const { visit } = await room.library({ teaching: course });
  const page = await visit(grades, look);
  if (language) {
    await page.evaluate((name) => localStorage.setItem('language', name), language);
    await page.reload();
    await page.locator('html[dir=rtl]').waitFor();
  }
  await page.locator('.gradebook').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test('from right to left the arrow keys follow the eye', async () => {
  const { visit } = await room.library({ teaching: { ...course, assignments: 60 } });
  const page = await visit(grades);
  await page.evaluate(() => localStorage.setItem('language', 'ar-XB'));
  await page.reload();
  await page.locator('html[dir=rtl]').waitFor();
  await cellAt(page, 0, 1).click();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => here(page)).toBe('0:2');
  await page.keyboard.press('Control+ArrowLeft');
  await expect.poll(() => here(page)).toBe('0:61');
});

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (colorScheme) => {
  test('in the grid, its menus and its editors', { timeout: 80_000 }, async () => {
    const { page } = await opened(course, { colorScheme });
    expect(await axeFindings(page)).toEqual([]);
    await cellAt(page, 1, 6).click();
    await page.keyboard.press('Enter');
    await page.getByRole('listbox').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.locator('.one-assignment').waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });

  test('before a course is chosen', async () => {
    const { visit } = await room.library({ teaching: { ...course, choice: 'not chosen' } });
    const page = await visit(grades, { colorScheme });
    await page.getByRole('button', { name: 'Download this course for grading' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});

describe('messages to students', () => {
  test('those who have not submitted an assignment get a message each, and some can be left out', async () => {
    const { page, desk } = await opened();
    await page.getByRole('columnheader', { name: /Lab report/ }).click();
    await page.getByRole('menuitem', { name: 'Message students who…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox').selectOption('scored less than');
    await dialog.getByText('No student', { exact: true }).waitFor();
    await dialog.getByRole('textbox', { name: 'Points' }).fill('1000');
    await dialog.getByRole('checkbox').first().uncheck();
    const count = (await dialog.getByRole('checkbox').count()) - 1;
    expect(count).toBeGreaterThan(1);
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Write the message' }).click();
    expect(await dialog.getByRole('checkbox', { name: /each of them alone/ }).isChecked()).toBe(true);
    await dialog.getByRole('textbox', { name: 'Message' }).fill('See me on Monday.');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => desk.given.get('inbox.compose') as { to: object[] } | undefined)
      .toMatchObject({ individually: true, course_id: 11, text: 'See me on Monday.' });
    expect((desk.given.get('inbox.compose') as { to: object[] }).to).toHaveLength(count);
  });

  test.each([
    ['wide', {}],
    ['on a phone', { viewport: { width: 390, height: 844 } }],
  ] as const)('the list of students is searched, picked and written to, %s', async (_where, look) => {
    const { visit, desk } = await room.library({ teaching: course });
    const page = await visit('#/courses/11/people', look);
    await page.getByRole('table', { name: 'Students' }).waitFor();
    await page.getByRole('button', { name: /^Write to \d+ students$/ }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.getByLabel('Find a student').fill('hohenstein');
    await page
      .getByRole('checkbox', { name: /^Choose/ })
      .first()
      .check();
    await page.getByRole('button', { name: 'Write to 1 student', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('Welcome.');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => desk.given.get('inbox.compose')).toMatchObject({ course_id: 11, text: 'Welcome.' });
    expect((desk.given.get('inbox.compose') as { to: object[] }).to).toHaveLength(1);
  });
});

test('the grades of an assignment are shown to those who have one, or hidden', async () => {
  const { page, desk } = await opened();
  await page.getByRole('columnheader', { name: /Lab report/ }).click();
  await page.getByRole('menuitem', { name: 'Show grades to students…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Only those who have a grade' }).check();
  await dialog.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => desk.given.get('gradebook.post')).toMatchObject({ assignment_id: 301, shown: true, graded_only: true });
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('columnheader', { name: /Lab report/ }).click();
  await page.getByRole('menuitem', { name: 'Hide grades from students…' }).click();
  await dialog.getByRole('button', { name: 'Hide' }).click();
  await expect.poll(() => desk.given.get('gradebook.post')).toEqual({ course_id: 11, assignment_id: 301, shown: false });
});
