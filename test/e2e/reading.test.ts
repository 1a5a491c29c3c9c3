// Courses and their content.

import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();
const page201 = '#/read/page/11/201';

test('a page opens from the course list through a module', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses');
  await page.getByRole('link', { name: 'Marine Biology' }).click();
  await page.getByRole('heading', { name: 'Week 2: Tides and zones' }).waitFor();
  await page.getByText('2 of 5 met').waitFor();
  await page.getByRole('link', { name: 'Life between the tide lines' }).click();
  await page.getByRole('heading', { name: 'Life between the tide lines', level: 1 }).waitFor();
  await page.getByText('Ingrid Holm').waitFor();
});

test('the images of a page come from this computer', async () => {
  const { visit } = await room.library();
  const page = await visit(page201);
  const image = page.frameLocator('iframe').getByAltText(/The four zones/);
  await image.waitFor();
  await expect.poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
});

test('course texts run no script, load nothing from outside, and cannot reach the desk', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses');
  const outside: (string | undefined)[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('example.org')) outside.push('it came through');
  });
  page.on('requestfailed', (request) => {
    if (request.url().includes('example.org')) outside.push(request.failure()?.errorText);
  });
  await moveTo(page, page201);
  const inside = page.frameLocator('iframe').locator('body');
  await inside.getByText('Four zones').waitFor();
  expect(await inside.getAttribute('data-ran')).toBeNull();
  expect(await page.title()).toBe('Life between the tide lines · Carrel');
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin');
  await expect.poll(() => outside).toEqual(['csp']);
});

test('the frame is as tall as its text, and grows with the text size', async () => {
  const { visit } = await room.library();
  const page = await visit(page201);
  const height = async () => (await page.locator('iframe').boundingBox())?.height ?? 0;
  await expect.poll(height).toBeGreaterThan(800);
  const before = await height();
  await page.getByRole('button', { name: 'Larger text' }).click();
  await expect.poll(height).toBeGreaterThan(before + 50);
});

test('earlier versions of a page are listed, compared with the current one, and closed with the keyboard', async () => {
  const { visit, desk } = await room.library();
  const page = await visit(page201);
  await page.getByRole('link', { name: '3 earlier versions' }).waitFor();
  await page.keyboard.press('v');
  await page.getByRole('heading', { name: 'Earlier versions', level: 1 }).waitFor();
  await page.getByText('All versions that the server keeps.').waitFor();
  const entries = page.locator('.version');
  expect(await entries.nth(1).textContent()).toMatch(/^Until Thu 12 Nov, 09:14.*Version 3.*Ingrid Holm.*18 words added.*10 words removed/);
  expect(await entries.nth(2).textContent()).toContain('renamed to “Life between the tide lines”');
  expect(await entries.nth(3).getByRole('link').count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const inside = page.frameLocator('iframe').locator('body');
  expect(await inside.getByText('Four', { exact: true }).evaluate((mark) => mark.tagName)).toBe('INS');
  expect(await inside.locator('del').first().textContent()).toBe('dry, and not one hour longer');
  expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin');
  await page.keyboard.press('d');
  await inside.getByText('Three zones').waitFor();
  expect(await inside.locator('ins, del').count()).toBe(0);
  await page.getByRole('link', { name: 'Previous version' }).click();
  await page.getByRole('heading', { name: 'Between the tide lines', level: 1 }).waitFor();
  expect(await page.getByRole('button', { name: 'Compare with the current text' }).getAttribute('aria-pressed')).toBe('false');
  await page.keyboard.press('u');
  desk.says({ phase: 'offline' });
  await moveTo(page, '#/versions/page/11/203');
  await page.getByText('There are no earlier versions.').waitFor();
  await page.getByText('The server cannot be reached. These versions are on this computer.').waitFor();
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'How to keep a field notebook', level: 1 }).waitFor();
});

test('a link between pages opens in the desk', async () => {
  const { visit } = await room.library();
  const page = await visit(page201);
  await page.frameLocator('iframe').getByRole('link', { name: 'how to keep a field notebook' }).click();
  await page.getByRole('heading', { name: 'How to keep a field notebook', level: 1 }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Life between the tide lines', level: 1 }).waitFor();
});

test('a link to a file opens it in the reader', async () => {
  const { visit } = await room.library();
  const page = await visit(page201);
  // The desk handles links once the frame is laid out, which on a busy machine may be after the link is visible.
  await expect
    .poll(
      async () => {
        const link = page.frameLocator('iframe').getByRole('link', { name: 'Safety at sea' });
        if (page.url().includes('/page/')) await link.click({ timeout: 2000 }).catch(() => undefined);
        return page.url();
      },
      { timeout: 25_000, interval: 500 },
    )
    .toContain('#/read/file/0/701');
  await page.getByRole('heading', { name: 'Safety at sea.pdf', level: 1 }).waitFor();
});

test('an assignment shows its dates, points and the state of the submission', async () => {
  const { visit } = await room.library();
  const page = await visit('#/read/assignment/11/304');
  await page.getByText('today 23:59').waitFor();
  expect(await page.locator('.facts').textContent()).toMatch(/Points40.*Submitted/);
});

test('a locked item says until when; an item that is not downloaded says so', async () => {
  const { visit } = await room.library();
  const page = await visit('#/read/page/11/200');
  await page.getByText('This page opens on Fri 27 Nov at 08:00.').waitFor();
  await moveTo(page, '#/read/page/11/999');
  await page.getByRole('heading', { name: 'Not on this computer' }).waitFor();
});

test('announcements show which are new', async () => {
  const { visit } = await room.library();
  const page = await visit('#/announcements');
  await expect.poll(() => page.locator('.letter').count()).toBe(4);
  expect(await page.locator('.letter[data-read=false]').count()).toBe(3);
  await page.getByRole('link', { name: /Field trip today/ }).click();
  await page.frameLocator('iframe').getByText('We meet at the harbour').waitFor();
});

test('opening an announcement marks it as read, and the counts follow', async () => {
  const { visit } = await room.library();
  const page = await visit('#/announcements');
  const counted = page
    .getByRole('navigation', { name: 'Desk' })
    .getByRole('link', { name: /^Announcements/ })
    .locator('em');
  expect(await counted.textContent()).toBe('3 unread');
  await page.getByRole('link', { name: /Field trip today/ }).click();
  await expect.poll(() => counted.textContent()).toBe('2 unread');
  await moveTo(page, '#/announcements');
  await expect.poll(() => page.locator('.letter[data-read=false]').count()).toBe(2);
});

test('a module item is marked as done and as not done', async () => {
  const { visit } = await room.library();
  const page = await visit('#/courses/11/modules');
  await page.getByText('2 of 5 met').waitFor();
  await page.getByRole('button', { name: 'Mark as done: How to keep a field notebook' }).click();
  await page.getByText('3 of 5 met').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 of 5 met').waitFor();
});

test('a submission is written, sent, undone, and confirmed by a receipt', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/read/assignment/11/304');
  const work = page.getByRole('region', { name: 'Your work' });
  await work.getByText('1 of 2 attempts used').waitFor();
  await work.getByText('Signed receipt').waitFor();
  await work.getByText('Show the receipt').click();
  expect(await work.getByRole('code').textContent()).toMatch(/^[0-9a-f]{64}$/);
  // The draft is saved when the user leaves the page.
  await work.getByRole('textbox', { name: 'Text', exact: true }).fill('Four zones, and the water in between.');
  await moveTo(page, '#/courses');
  await moveTo(page, '#/read/assignment/11/304');
  expect(await work.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe('Four zones, and the water in between.');
  await work.getByText(/^Saved on this computer just now/).waitFor();
  await work.getByText('Files', { exact: true }).click();
  await work.getByLabel('Choose files').setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from('Four zones.') });
  await work.getByText('report.txt').waitFor();
  expect(desk.given.get('work.attach')).toMatchObject({ course_id: 11, id: 304, name: 'report.txt' });
  await work.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('It is your last attempt.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await work.getByText('Waiting to be sent').waitFor();
  await work.getByRole('button', { name: 'Undo and keep editing' }).click();
  await work.getByRole('button', { name: 'Remove report.txt' }).click();
  await work.getByText('report.txt').waitFor({ state: 'detached' });
  await moveTo(page, '#/read/assignment/11/301');
  await work.getByText('The assignment no longer accepts submissions.').waitFor();
  await work.getByText('The net came up green.').waitFor();
  await work.getByRole('button', { name: 'Try again' }).click();
  await work.getByText('Waiting to be sent').waitFor();
});

test('the outbox shows what waits and why; items are sent earlier, undone and tried again', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/outbox');
  const titles = () => page.locator('.outbox-items').first().locator('.entry-title').allTextContents();
  expect(await titles()).toEqual(['Buy a new net', 'Plankton field notes', 'What did you find under the stones?']);
  await page.getByText('The server says: not here').waitFor();
  await page.getByRole('button', { name: 'Send earlier: Plankton field notes' }).click();
  await expect.poll(titles).toEqual(['Plankton field notes', 'Buy a new net', 'What did you find under the stones?']);
  await page.getByRole('button', { name: 'Undo: Buy a new net' }).click();
  await expect.poll(titles).toHaveLength(2);
  await page.getByRole('button', { name: 'Try again: Plankton field notes' }).click();
  await expect.poll(() => desk.asked).toContain('outbox.retry');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('button', { name: 'New message' }).click();
  await page.getByLabel('Find a person').fill('okaf');
  await page.getByRole('button', { name: 'Amara Okafor' }).click();
  await page.getByLabel('Message', { exact: true }).fill('Shall we count together?');
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('The message was added to the outbox.').waitFor();
  expect(desk.given.get('inbox.compose')).toMatchObject({ to: [{ id: 32 }], text: 'Shall we count together?' });
});

test('a text is bookmarked with a note, words are highlighted, and both are found again', async () => {
  const { visit } = await room.library();
  const page = await visit(page201);
  const inside = page.frameLocator('iframe').locator('body');
  await inside.getByText('Twice a day').waitFor();
  await inside.evaluate((body) => {
    const text = body.querySelector('em')?.firstChild as Text;
    const range = document.createRange();
    range.selectNodeContents(text);
    body.ownerDocument.getSelection()?.addRange(range);
  });
  await page.getByRole('button', { name: 'Highlight' }).click();
  const marks = page.getByRole('region', { name: 'Your bookmark and highlights' });
  await marks.getByText('land animal and a sea animal by turns').waitFor();
  const drawn = () =>
    inside.evaluate(({ ownerDocument }) => [...(ownerDocument.defaultView?.CSS.highlights.get('marked') ?? [])].map(String));
  await expect.poll(drawn).toEqual(['land animal and a sea animal by turns']);
  await page.keyboard.press('b');
  await marks.getByLabel('Your note').fill('For the exam');
  await moveTo(page, '#/bookmarks');
  await page.getByText('For the exam').waitFor();
  const kept = page.getByRole('region', { name: 'Saved on the server' });
  expect(await kept.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    'https://tides.example.edu/kiel',
    page201,
  ]);
  await page.getByRole('link', { name: 'Life between the tide lines', exact: true }).click();
  await expect.poll(drawn).toHaveLength(1);
  await marks.getByRole('button', { name: /^Remove the highlight/ }).click();
  await expect.poll(drawn).toEqual([]);
});

test('an assignment shows its rubric and comments; a course its syllabus and a chart of its grades', async () => {
  const { visit } = await room.library();
  const page = await visit('#/read/assignment/11/301');
  const rubric = page.getByRole('region', { name: /^Rubric/ });
  await rubric.getByText('12 of 20 points').waitFor();
  expect(await rubric.locator('[aria-current]').textContent()).toContain('Complete');
  await page.getByRole('region', { name: 'Comments on your work' }).getByText('where is the scale?').waitFor();
  await moveTo(page, '#/courses/11/syllabus');
  await page.frameLocator('iframe').getByText('Ten weeks between the tide lines').waitFor();
  await page.getByRole('region', { name: 'Dates' }).getByRole('link', { name: 'Lab report: tidal zones' }).waitFor();
  await moveTo(page, '#/courses/11/grades');
  await page.getByRole('img', { name: /^Bars for \d graded assignments/ }).waitFor();
});
