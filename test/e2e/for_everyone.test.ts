// Accessibility: axe on every screen, narrow and zoomed windows, forced colours and reduced motion.

import { describe, expect, test } from 'vitest';
import { axeFindings } from './support/axe';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();

const screens = [
  '#/today',
  '#/courses',
  '#/courses/11/modules',
  '#/courses/11/pages',
  '#/courses/11/assignments',
  '#/courses/11/discussions',
  '#/courses/11/files',
  '#/read/discussion_topic/11/604',
  '#/files',
  '#/choose',
  '#/announcements',
  '#/read/page/11/201',
  '#/read/assignment/11/304',
  '#/read/page/11/200',
  '#/sync',
  '#/courses/11/grades',
  '#/inbox',
  '#/inbox/801',
  '#/search/tide',
  '#/settings',
  '#/outbox',
  '#/bookmarks',
  '#/calendar/month',
  '#/calendar/agenda',
  '#/courses/11/syllabus',
  '#/versions/page/11/201',
  '#/versions/page/11/201/r3',
  '#/versions/file/0/761',
  '#/read/assignment/11/301',
  '#/read/file/11/701',
  '#/read/file/15/711',
  '#/read/file/15/714',
];

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (colorScheme) => {
  test('on any screen', { timeout: 120_000 }, async () => {
    const { visit, desk } = await room.library();
    desk.says({
      issues: [{ what: 'a.pdf', where: 'Marine Biology', why: 'It was cut.', since: '2026-11-20T08:00:00Z' }],
      pending_edits: 1,
    });
    const page = await visit('#/today', { colorScheme });
    for (const screen of screens) {
      await moveTo(page, screen);
      expect([screen, ...(await axeFindings(page))]).toEqual([screen]);
    }
  });

  test('in dialogs, banners, empty screens and at sign-in', async () => {
    const { visit, desk } = await room.library();
    const page = await visit('#/today', { colorScheme });
    await page.getByRole('button', { name: 'Add a note', exact: true }).click();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await moveTo(page, '#/inbox');
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const phase of ['offline', 'syncing', 'sign in', 'paused'] as const) {
      desk.says({ phase, total: 9, done: 3, last_complete_at: null });
      await moveTo(page, '#/sync');
      expect([phase, ...(await axeFindings(page))]).toEqual([phase]);
      await moveTo(page, '#/courses');
      expect([phase, ...(await axeFindings(page))]).toEqual([phase]);
    }
    const empty = await (await room.library({ isEmpty: true })).visit('#/courses', { colorScheme });
    expect(await axeFindings(empty)).toEqual([]);
    const signIn = await (await room.library({ account: null })).visit('#/today', { colorScheme });
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    expect(await axeFindings(signIn)).toEqual([]);
  });
});

test.each([
  ['a screen of 1280 by 1024 at 400 % zoom', { viewport: { width: 320, height: 256 } }],
  ['a small laptop at 200 % zoom', { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['a wide screen', { viewport: { width: 2200, height: 1200 } }],
  ['a small phone in German', { viewport: { width: 320, height: 640 }, locale: 'de-DE' }],
  ['a phone in a right-to-left language', { viewport: { width: 360, height: 740 } }, 'ar-XB'],
])('nothing is cut off or scrolls sideways on %s', { timeout: 80_000 }, async (_name, look, language = '') => {
  const { visit } = await room.library();
  const page = await visit('#/today', look);
  if (language) {
    await page.evaluate((name) => localStorage.setItem('language', name), language);
    await page.reload();
    await page.locator('html[dir=rtl]').waitFor();
  }
  for (const screen of screens) {
    await moveTo(page, screen);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect([screen, beyond]).toEqual([screen, 0]);
  }
});

test('users who prefer reduced motion get none', async () => {
  const { visit, desk } = await room.library();
  desk.says({ phase: 'syncing', total: 0 });
  const page = await visit('#/sync', { reducedMotion: 'reduce' });
  await page.locator('.standing .lamp-glow').waitFor();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('in forced colours the current place is recognisable', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses', { forcedColors: 'active' });
  const here = page.locator('nav a[aria-current]');
  expect(await here.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
});

test('the theme is light, dark or that of the system, and is remembered', async () => {
  const { visit } = await room.library();
  const page = await visit('#/today', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.getByRole('button', { name: 'Colours: System. Change' }).click();
  await page.getByRole('button', { name: 'Colours: Light. Change' }).click();
  await expect.poll(paper).not.toBe(light);
  await page.reload();
  await page.getByRole('button', { name: 'Colours: Dark. Change' }).waitFor();
  expect(await paper()).not.toBe(light);
});

test('the language is that of the system until another is chosen, and is remembered', async () => {
  const { visit } = await room.library();
  const page = await visit('#/today', { locale: 'de-AT' });
  await page.getByRole('heading', { name: 'Heute', level: 1 }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await moveTo(page, '#/settings');
  await page.getByLabel('Sprache').selectOption('English');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});
