// Discussions: reading, replying, and unread replies.

import { expect, test } from 'vitest';
import { deskRoom, moveTo } from './support/desk';

const room = deskRoom();
const stones = '#/read/discussion_topic/11/604';

test('a discussion opens from its course, and new replies stay marked until the user leaves', async () => {
  const { visit, desk } = await room.library();
  const page = await visit('#/courses/11/discussions');
  await page.getByText('2 new').waitFor();
  await page.getByRole('link', { name: 'What did you find under the stones?' }).click();
  const thread = page.getByRole('region', { name: '5 replies' });
  await thread.waitFor();
  expect(await thread.getByRole('article').count()).toBe(6);
  expect(await thread.getByRole('article', { name: /^Ingrid Holm, .*, new$/ }).count()).toBe(1);
  await thread.getByText('This reply was deleted.').waitFor();
  await thread.getByText('The glove does not count.').scrollIntoViewIfNeeded();
  await expect.poll(() => desk.given.get('discussion.seen'), { timeout: 8000 }).toMatchObject({ id: 604 });
  await expect
    .poll(async () =>
      (await desk['discussion.open']({ course_id: 11, id: 604 }))?.replies.some(({ replies }) => replies.some(({ unread }) => unread)),
    )
    .toBe(false);
  expect(await thread.getByText('2 new').count()).toBe(1);
  await moveTo(page, '#/courses/11/discussions');
  expect(await page.getByText('2 new').count()).toBe(1);
  await moveTo(page, stones);
  await page.getByRole('region', { name: '5 replies' }).waitFor();
  expect(await page.getByRole('article', { name: /, new$/ }).count()).toBe(0);
});

test('a reply is written with the keyboard, appears in its place, and can be undone', async () => {
  const { visit, desk } = await room.library();
  const page = await visit(stones);
  await page.getByRole('button', { name: 'Reply to Amara Okafor' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('One stone further');
  // What was typed in the last milliseconds before a crash is lost.
  await expect.poll(async () => JSON.stringify(await desk['writing.list'](undefined)), { timeout: 8000 }).toContain('One stone further');
  // After a crash in the middle of a sentence the draft is there again.
  await page.reload();
  const field = page.getByRole('textbox', { name: 'Your reply to Amara Okafor' });
  await expect.poll(() => field.inputValue()).toBe('One stone further');
  await page.getByRole('button', { name: 'Reply to Amara Okafor' }).click();
  await page.getByRole('button', { name: 'Reply to Amara Okafor' }).getByText('draft').waitFor();
  await page.getByRole('button', { name: 'Reply to Amara Okafor' }).click();
  await field.pressSequentially(' there was another.');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByText('Attach a file').first().click()]);
  await chooser.setFiles({ name: 'stone.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('a picture') });
  await page.getByRole('button', { name: 'Remove stone.jpg' }).waitFor();
  await moveTo(page, '#/outbox');
  await page.getByRole('region', { name: 'Drafts' }).getByText('there was another').waitFor();
  await page.getByRole('link', { name: 'What did you find under the stones?' }).last().click();
  await expect.poll(() => field.inputValue()).toBe('One stone further there was another.');
  await field.press('Control+Enter');
  const mine = page.getByRole('article', { name: /^Noor Vermeer, today/ });
  await mine.getByText('Saved, not sent yet').waitFor();
  await mine.getByText('stone.jpg').waitFor();
  expect(desk.given.get('discussion.reply')).toMatchObject({
    course_id: 11,
    id: 604,
    parent_id: 2,
    text: 'One stone further there was another.',
    files: [{ name: 'stone.jpg' }],
    finished: { kind: 'reply', course_id: 11, id: 604, parent_id: 2 },
  });
  expect(await desk['writing.list'](undefined)).toEqual([]);
  await mine.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone.').waitFor();
  await expect.poll(() => mine.count()).toBe(0);
});

test('markup of other users is displayed as text, never run', async () => {
  const { visit } = await room.library();
  const page = await visit(stones);
  await page.getByRole('article').first().waitFor();
  expect(await page.locator('.words').first().innerHTML()).toBe(
    '<p>A shore crab in its <em>green</em> coat, middle zone. It held the stone like a roof. I drew it in <a href="#/read/page/11/203">the notebook</a>.</p>',
  );
});

test('an announcement shows its author, date and attachments', async () => {
  const { visit } = await room.library();
  const page = await visit('#/read/discussion_topic/11/602');
  await page.getByText('Ingrid Holm').waitFor();
  const attached = page.getByRole('list', { name: 'Attachments' });
  await attached.getByRole('link', { name: 'tide-zones.svg' }).waitFor();
  expect(await attached.getByRole('link', { name: /harbour bus/ }).getAttribute('href')).toBe(
    'https://canvas.example.edu/files/799/download',
  );
  expect(await page.getByRole('region', { name: /repl/i }).count()).toBe(0);
  await page.getByRole('link', { name: 'Marine Biology' }).click();
  await expect.poll(() => page.evaluate(() => location.hash)).toBe('#/courses/11/announcements');
});
