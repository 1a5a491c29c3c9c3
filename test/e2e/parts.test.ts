// The desk for people who teach, who teach and study, and who observe students.

import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();

const day = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });

async function found(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)}`));
}

test('Today of a teacher shows what waits to be graded, read and answered, and nothing to do', async () => {
  const { visit } = await room.library({ part: 'teacher' });
  const page = await visit();
  const toGrade = day(page, 'To grade');
  await toGrade.getByText('144 submissions').waitFor();
  await toGrade.getByText('27 submissions to grade').waitFor();
  expect(await toGrade.getByRole('link', { name: 'A walk along the wrack line' }).getAttribute('href')).toBe('#/read/assignment/11/298');
  await day(page, 'Discussions with unread replies').getByText('9 unread replies').waitFor();
  await day(page, 'Messages to answer').getByText('Not answered').waitFor();
  await day(page, 'Today').getByText('Field trip: meet at the harbour').waitFor();
  expect(await page.getByRole('checkbox', { name: 'Done: Lab report: tidal zones' }).count()).toBe(0);
  expect(
    await day(page, 'Today')
      .getByText(/to do$/)
      .count(),
  ).toBe(0);
  expect(await page.getByText('Overdue').count()).toBe(0);
  await moveTo(page, '#/courses/11/grades');
  expect(await page.getByRole('tab', { name: 'Grades' }).count()).toBe(0);
  await page.getByRole('heading', { name: /^Assignments/ }).waitFor();
  await page
    .getByRole('row', { name: /Exam: life on a rocky shore/ })
    .getByRole('cell', { name: 'Not published' })
    .waitFor();
  await page.getByText('31 submissions to grade').waitFor();
  expect(await page.getByText('No grades yet').count()).toBe(0);
});

test('who teaches and studies sees both, each under its heading', async () => {
  const { visit } = await room.library({ part: 'mixed' });
  const page = await visit();
  const teaching = page.getByRole('region', { name: 'Courses you teach', exact: true });
  const studying = page.getByRole('region', { name: 'Courses you take', exact: true });
  await teaching.getByText('A walk along the wrack line').waitFor();
  await studying.getByText('Problem set 6: eigenvalues').waitFor();
  expect(await teaching.getByRole('checkbox').count()).toBe(0);
  expect(await studying.getByText('A walk along the wrack line').count()).toBe(0);
});

test('an observer switches between students, sees their work, and changes nothing of theirs', async () => {
  const { visit, desk } = await room.library({ part: 'observer' });
  const page = await visit();
  await day(page, 'Missing').getByText('Plankton field notes').waitFor();
  // Only the own note can be ticked off.
  expect(await page.getByRole('checkbox').count()).toBe(1);
  await page.getByText('Leonardo Vermeer').click();
  await page.getByText('Friday 20 November · Leonardo Vermeer').waitFor();
  await day(page, 'Missing').waitFor({ state: 'detached' });
  expect((await desk['students.list'](undefined)).find(({ chosen }) => chosen)?.name).toBe('Leonardo Vermeer');
  await moveTo(page, '#/courses');
  await page.getByRole('link', { name: 'Linear Algebra' }).waitFor();
  expect(await page.getByRole('link', { name: 'Marine Biology' }).count()).toBe(0);
  // By keyboard.
  await page.getByRole('radio', { name: 'Leonardo Vermeer' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('link', { name: 'Marine Biology' }).waitFor();
  await moveTo(page, '#/courses/11/grades');
  await page.getByText('Grades of Maya Vermeer').waitFor();
  await moveTo(page, '#/read/assignment/11/301');
  await page.getByRole('heading', { name: 'Comments on the work of Maya Vermeer' }).waitFor();
  expect(await page.getByRole('button', { name: /Hand in/ }).count()).toBe(0);
});

test('an event is saved for the calendar program, and a course calendar is one click away', async () => {
  const { visit, desk } = await room.library();
  const page = await visit();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add to calendar: Field trip: meet at the harbour' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe('Field trip.ics');
  expect(readFileSync(await saved.path(), 'utf8')).toContain('UID:401');
  expect(desk.given.get('calendar.file')).toEqual({ kind: 'calendar_event', id: 401 });
  await moveTo(page, '#/courses/11/modules');
  const subscribe = page.getByRole('link', { name: 'Subscribe to calendar' });
  expect(await subscribe.getAttribute('href')).toBe('webcal://canvas.example.edu/feeds/calendars/course_bio.ics');
  await moveTo(page, '#/calendar/month');
  await page.getByText('Course calendars for other programs').click();
  await page.getByRole('link', { name: 'Subscribe to the calendar of Marine Biology' }).waitFor();
});

test('axe finds nothing, in either theme, and nothing scrolls sideways on a phone', { timeout: 120_000 }, async () => {
  const screens = {
    teacher: ['#/today', '#/courses/11/assignments', '#/read/assignment/11/301'],
    mixed: ['#/today'],
    observer: ['#/today', '#/courses', '#/courses/11/grades', '#/courses/11/assignments', '#/calendar/agenda'],
  } as const;
  for (const part of ['teacher', 'mixed', 'observer'] as const) {
    const { visit } = await room.library({ part });
    for (const look of [{ colorScheme: 'dark' }, { colorScheme: 'light', viewport: { width: 360, height: 740 } }] as const) {
      const page = await visit('#/today', look);
      for (const screen of screens[part]) {
        await moveTo(page, screen);
        expect([part, screen, ...(await found(page))]).toEqual([part, screen]);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect([part, screen, beyond]).toEqual([part, screen, 0]);
      }
    }
  }
});

test('a student sees what other scores would lead to, and nothing of it stays', async () => {
  const { visit, desk } = await room.library({});
  const page = await visit('#/courses/11/grades');
  await page.getByRole('button', { name: 'What if…' }).click();
  const field = page.getByRole('textbox', { name: 'Assumed score for Plankton field notes' });
  await field.fill('nineteen');
  await field.fill('19,5');
  await expect.poll(() => desk.given.get('course.grades')).toMatchObject({ what_if: [{ assignment_id: 301, score: 19.5 }] });
  expect(await found(page)).toEqual([]);
  await page.getByRole('button', { name: 'Back to your own scores' }).click();
  await field.waitFor({ state: 'detached' });
  await expect.poll(() => desk.given.get('course.grades')).toEqual({ course_id: 11 });
});
