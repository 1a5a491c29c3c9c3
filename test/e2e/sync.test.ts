// The sync as shown on the desk, with and without a server.

import { expect, test } from 'vitest';
import { deskRoom, fixedNow, moveTo } from './support/desk';

const room = deskRoom();

test('progress is shown with bytes, and announced in quarters', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/sync');
  desk.says({ phase: 'syncing', done: 412, total: 1204, bytes_done: 188e6, bytes_total: 940e6 });
  await page.getByText('412 of 1,204 items, 188 MB of 940 MB').waitFor();
  const bar = page.locator('.standing').getByRole('progressbar', { name: 'Progress of the sync' });
  expect(await bar.getAttribute('value')).toBe('0.2');
  // A short sync is not announced.
  expect(await page.locator('.status-line [role=status]').textContent()).toBe('Up to date');
  desk.says({ bytes_done: 490e6 });
  await expect.poll(() => page.locator('.status-line [role=status]').textContent()).toBe('Syncing, 50 percent');
  desk.says({ phase: 'idle', last_complete_at: fixedNow.toISOString() });
  await page.getByText('Last checked today 09:40.').waitFor();
});

test('issues are explained, with what to do', async () => {
  const { visit, desk } = await room.library();
  desk.says({
    issues: [
      {
        what: 'download',
        where: 'Marine Biology/a.pdf',
        why: 'ENOSPC',
        reason: { code: 'why.diskFull', values: {} },
        since: '2026-11-20T08:00:00Z',
      },
      {
        what: 'download',
        where: 'Marine Biology/b.pdf',
        why: 'no',
        reason: { code: 'why.forbidden', values: { said: 'no' } },
        since: '2026-11-20T09:00:00Z',
      },
    ],
  });
  const page = await visit('#/sync');
  await page.getByText('Complete with 2 issues.').waitFor();
  await page.getByText('Free some space on this disk').waitFor();
  await page.getByText('Ask your teacher whether you should have access.').waitFor();
});

test('a held-back sync lists its effects, and continues when confirmed', async () => {
  const { visit, desk } = await room.library();
  const heldBack = { withdrawn: 61, replaced: 0, missing: 12, of: 140 };
  const issue = {
    what: 'many changes',
    where: '/home/noor/Study',
    why: '73 of 140 files would be removed.',
    since: fixedNow.toISOString(),
  };
  desk.says({ phase: 'paused', held_back: heldBack, issues: [issue] });
  const page = await visit();
  await page.getByRole('link', { name: 'Show details' }).click();
  const held = page.getByRole('region', { name: 'A large number of files would change at once' });
  await held.locator('li').first().waitFor();
  expect(await held.locator('li').allTextContents()).toEqual([
    'move 61 files to “Removed by teacher”, because they are no longer available from their courses',
    'stop keeping 12 files that are missing from the study folder; you can download them again one by one',
  ]);
  expect(await page.locator('.issues').count()).toBe(0);
  await held.getByRole('button', { name: 'Continue' }).click();
  await held.waitFor({ state: 'detached' });
  expect(desk.given.get('sync.now')).toEqual({ confirm: true });
});

test('every screen shows that the desk is offline, and everything can be read', async () => {
  const { visit, desk } = await room.library();
  desk.says({ phase: 'offline', pending_edits: 2 });
  const page = await visit();
  await page.getByText('You see what is on this computer').waitFor();
  expect(await page.locator('.entry').count()).toBeGreaterThan(5);
  await moveTo(page, '#/sync');
  await page.getByText('saved on this computer').waitFor();
});

test('the first sync shows that courses are being downloaded', async () => {
  const { visit, desk } = await room.library({ isEmpty: true });
  desk.says({ phase: 'syncing', last_complete_at: null, done: 3, total: 12 });
  const page = await visit('#/courses');
  await page.getByText('Your courses are being downloaded.').waitFor();
});

test('a damaged store is reported, with a way to try again', async () => {
  const { visit } = await room.library({ broken: { 'announcements.list': 'The store on this disk cannot be read.' } });
  const page = await visit('#/announcements');
  await page.getByText('The store on this disk cannot be read.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});

test('when the host has stopped, the page says so and keeps its content', async () => {
  const { visit, desk } = await room.library();
  const page = await visit();
  await page.getByRole('heading', { name: 'Overdue' }).waitFor();
  await page.context().route('**/channel/**', (route) => route.abort());
  await page.getByRole('checkbox', { name: 'Done: Lab report: tidal zones' }).click();
  await page.getByText('Carrel is not responding.').first().waitFor();
  expect(await page.locator('.entry').count()).toBeGreaterThan(5);
  expect((await desk['sync.status'](undefined)).pending_edits).toBe(0);
});

test('paused transfers give the reason, and continue on request; speed and folders can be set', async () => {
  const { visit, desk } = await room.library();
  desk.says({
    waiting: { why: 'metered', files: 12, bytes: 34_500_000 },
    no_room: { files: 3, needs: 2_100_000_000, free: 800_000_000, reserve: 64_000_000 },
  });
  const page = await visit('#/sync');
  await page.getByRole('heading', { name: '12 files (34.5 MB) wait.' }).waitFor();
  await page
    .getByText('3 files need 2.1 GB. 800 MB are free, and 64.0 MB must stay free for the computer. Files that fit were downloaded')
    .waitFor();
  await page.getByRole('button', { name: 'Transfer them now' }).click();
  await expect.poll(() => desk.given.get('sync.now')).toEqual({ urged: true });
  await page.getByRole('button', { name: 'Pause transfers' }).click();
  await page.getByRole('button', { name: 'Resume transfers' }).waitFor();
  await moveTo(page, '#/settings');
  await page.getByLabel('Speed').selectOption('500 kB a second');
  await page.getByLabel('Pause on battery power').click();
  await expect.poll(() => desk.given.get('transfers.rule')).toEqual({ wait_on_battery: true });
  const template = page.getByRole('combobox', { name: 'Folders', exact: true });
  await template.fill('{term}/{course}/{week}');
  await page.getByText('There is no placeholder {week}.').waitFor();
  await template.fill('{term}/{course_code} {course}');
  await page.getByText('4 folders move:').waitFor();
  await page.getByText('Autumn 2026/MAT 201 Linear Algebra').waitFor();
  await page.getByRole('button', { name: 'Move the folders' }).click();
  await expect.poll(() => desk.given.get('template.choose')).toEqual({ template: '{term}/{course_code} {course}' });
});

test('all files are verified, by course, and damaged ones are downloaded again', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/sync');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('1204 files checked, 2 have problems. 1 is your own version.'.replace('1204', '1,204')).waitFor();
  expect(await page.getByText('identical to the server as of today 09:40', { exact: true }).count()).toBe(2);
  await page.getByRole('button', { name: 'Download 2 files again' }).click();
  await page.getByText('1,204 files checked: all are intact.').waitFor();
  expect(desk.given.get('verify.repair')).toEqual({ keys: ['file:701', 'file:731'] });
});
