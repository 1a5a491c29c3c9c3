// Pages and assignments as their authors write them: the editor, its HTML, and the merge of two texts.

import { sanitise } from '@carrel/shared/html/sanitise';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFindings } from './support/axe';
import { deskRoom, moveTo } from './support/desk';
import type { RunningLibrary } from './support/library';
import { firstAuthored } from './support/recorded_authoring';

const room = deskRoom();

const editor = (page: Page) => page.locator('.rich');
const source = (page: Page) => page.locator('textarea.source');
const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
/** After saving, the text is shown as it is read. */
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForFunction(() => !location.hash.startsWith('#/author'));
};
const shoot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/author-${name}.png`, fullPage: true });
};
const saved = async (desk: RunningLibrary, html: unknown) =>
  expect.poll(() => (desk.given.get('authoring.save') as { text: { html: string } } | undefined)?.text.html).toEqual(html);

/** `Z` is typed at the end of each. What is expected is what the server stores unchanged. */
const edited: readonly (readonly [html: string, result: string])[] = [
  ['<p>A plain text</p>', '<p>A plain textZ</p>'],
  ['words outside of a paragraph', '<p>words outside of a paragraphZ</p>'],
  ['<h2>One</h2><h3>Two</h3><p>x</p>', '<h2>One</h2><h3>Two</h3><p>xZ</p>'],
  [
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3" type="a"><li value="7">c</li></ol><p>x</p>',
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3" type="a"><li value="7">c</li></ol><p>xZ</p>',
  ],
  [
    '<p><a href="/courses/1/pages/x" title="t" data-api-endpoint="https://a.example/api">a <strong>b</strong></a> <em>c</em> <u>d</u> <s>e</s> <code>f</code>g</p>',
    '<p><a title="t" data-api-endpoint="https://a.example/api" href="/courses/1/pages/x">a <strong>b</strong></a> <em>c</em> <u>d</u> <s>e</s> <code>f</code>gZ</p>',
  ],
  [
    '<p>x<sub>1</sub><sup>2</sup> <span style="color: red" class="a">b</span> <kbd>k</kbd>y</p>',
    '<p>x<sub>1</sub><sup>2</sup> <span class="a" style="color:red;">b</span> <kbd>k</kbd>yZ</p>',
  ],
  [
    '<blockquote>a</blockquote><hr><p style="text-align: center">x</p>',
    '<blockquote>a</blockquote><hr><p style="text-align:center;">xZ</p>',
  ],
  ['<pre><code>a\n  b &lt; c</code></pre><p>x</p>', '<pre><code>a\n  b &lt; c</code></pre><p>xZ</p>'],
  [
    '<table style="width:100%;" border="1"><caption>t</caption><colgroup><col width="10"><col></colgroup><thead><tr><th scope="col" colspan="2">a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table><p>x</p>',
    '<table style="width:100%;" border="1"><caption>t</caption><colgroup><col width="10"><col></colgroup><thead><tr><th scope="col" colspan="2">a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table><p>xZ</p>',
  ],
  ['<p>a<br>b&nbsp; c &amp; d "e"</p>', '<p>a<br>b&nbsp; c &amp; d "e"Z</p>'],
  [
    '<p><img src="https://canvas.example.edu/courses/11/files/702/preview" alt="A &quot;shore&quot;" width="300" loading="lazy">x</p>',
    '<p><img width="300" loading="lazy" src="https://canvas.example.edu/courses/11/files/702/preview" alt="A &quot;shore&quot;">xZ</p>',
  ],
  // What was not edited stays as it was written.
  ['<ul>\n<li>a</li>\n</ul>\n<p>b<br />c</p>\n<p>x</p>', '<ul>\n<li>a</li>\n</ul><p>b<br />c</p><p>xZ</p>'],
  ['<div class="box"><h3 id="top">a</h3><p>b</p></div><p>x</p>', '<div class="box"><h3 id="top">a</h3><p>b</p></div><p>xZ</p>'],
  [
    '<p><iframe title="Film" src="https://film.example/1" allowfullscreen="true"></iframe></p><details open="open"><summary>a</summary>b</details><p>x</p>',
    '<p><iframe title="Film" src="https://film.example/1" allowfullscreen="true"></iframe></p><details open="open"><summary>a</summary>b</details><p>xZ</p>',
  ],
  ['<p>\\(x^2\\) <math display="inline"><mi>x</mi></math> y</p>', '<p>\\(x^2\\) <math display="inline"><mi>x</mi></math> yZ</p>'],
];

/** Opened as HTML, because the editor would lose something. */
const unshown = [
  '<p>a</p><!-- a note --><p>b</p>',
  '<ul><li>a</li></ul><dl><dt>x</dt></dl><li>astray</li>',
  '<pre>a <strong>b</strong></pre>',
  '<p>a</p><table><tbody><tr><td>a</td></tr></tbody><tfoot></tfoot></table>',
  '<a href="/x"><h2>a</h2><p>b</p></a>',
  '<map><area shape="rect" coords="0,0,1,1" href="/x" alt="x"></map><p>b</p>',
];

describe('the editor', () => {
  test('keeps what it is given, and its HTML is what the server stores unchanged', { timeout: 180_000 }, async () => {
    const { visit, desk } = await room.library({ part: 'teacher', authored: edited.map(([html]) => html) });
    const page = await visit('#/courses/11/pages');
    for (const [nth, [html, result]] of edited.entries()) {
      await moveTo(page, `#/author/page/11/${firstAuthored + nth}`);
      await page.locator('.rich, textarea.source').first().waitFor();
      expect([html, await source(page).count()]).toEqual([html, 0]);
      await editor(page).focus();
      await page.keyboard.press('ControlOrMeta+End');
      await page.keyboard.type('Z');
      await save(page);
      await saved(desk, result);
      expect(sanitise(result)).toBe(result);
    }
  });

  test('shows the HTML of a text that it cannot represent, and says why', { timeout: 120_000 }, async () => {
    const { visit, desk } = await room.library({ part: 'teacher', authored: unshown });
    const page = await visit('#/courses/11/pages');
    for (const [nth, html] of unshown.entries()) {
      await moveTo(page, `#/author/page/11/${firstAuthored + nth}`);
      await page.locator('.rich, textarea.source').first().waitFor();
      expect([html, await source(page).count()]).toEqual([html, 1]);
      expect(await source(page).inputValue()).toBe(html);
      await page.getByText('Nothing of it is lost').waitFor();
    }
    await shoot(page, 'source');
    expect(await axeFindings(page)).toEqual([]);
    await source(page).fill(`${unshown.at(-1)}<p>c</p>`);
    await save(page);
    await saved(desk, `${unshown.at(-1)}<p>c</p>`);
  });

  test('formats by its buttons and by keys, and everything of it survives the server', { timeout: 120_000 }, async () => {
    const { visit, desk } = await room.library({ part: 'teacher' });
    const page = await visit('#/courses/11/pages');
    await page.getByRole('button', { name: 'New page' }).click();
    await page.getByLabel('Title').fill('Tides');
    await editor(page).click();
    await page.getByRole('combobox', { name: 'Style' }).selectOption({ label: 'Heading 1' });
    await page.keyboard.type('Twice a day');
    await page.keyboard.press('Enter');
    await tool(page, 'Bold').click();
    await page.keyboard.type('bold');
    await tool(page, 'Bold').click();
    await page.keyboard.press('Enter');
    await tool(page, 'Bulleted list').click();
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('two');
    for (let nth = 0; nth < 3; nth++) await page.keyboard.press('Enter');
    await tool(page, 'Link').click();
    await page.getByRole('dialog').getByLabel('Address').fill('tides.example.org');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Set link' }).click();
    await page.keyboard.press('Enter');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'shore.png', mimeType: 'image/png', buffer: Buffer.from('\x89PNG', 'latin1') });
    await page.getByRole('dialog').getByLabel('What does it show?').fill('A shore');
    await page.getByRole('dialog').getByRole('button', { name: 'Insert' }).click();
    await editor(page).getByRole('img', { name: 'A shore' }).waitFor();
    await page.keyboard.press('ControlOrMeta+End');
    await tool(page, 'Insert a table').click();
    await page.keyboard.type('Zone');
    await tool(page, 'Delete the row').waitFor();
    // Escape is the way out of a table for the keyboard.
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Bold');
    await shoot(page, 'new');
    await save(page);
    await saved(
      desk,
      expect.stringContaining('<h2>Twice a day</h2><p><strong>bold</strong></p><ul><li>one<ul><li>two</li></ul></li></ul>'),
    );
    const { text, files, base, id } = desk.given.get('authoring.save') as {
      text: { html: string; title: string; published: boolean };
      files: { sha256: string }[];
      base: null;
      id: number;
    };
    const { html } = text;
    expect(html).toContain('<p><a href="https://tides.example.org">tides.example.org</a></p>');
    expect(html).toContain('<table><tbody><tr><th>Zone</th><th></th><th></th></tr><tr><td></td>');
    expect(html).toContain(`<img src="unsent:${files[0]?.sha256}" alt="A shore">`);
    const stored = html.replace(/unsent:\w+/, '/courses/11/files/1/preview');
    expect(sanitise(stored)).toBe(stored);
    expect([text.title, text.published, base, id < 0]).toEqual(['Tides', false, null, true]);
  });
});

test('a text is kept while it is written, and found again', async () => {
  const { visit, desk } = await room.library({ part: 'teacher' });
  const page = await visit('#/read/page/11/201');
  await page.getByRole('link', { name: 'Edit' }).click();
  await editor(page).waitFor();
  await page.getByLabel('Title').fill('Between the tides');
  await moveTo(page, '#/outbox');
  await page.getByRole('link', { name: 'Between the tides' }).click();
  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Between the tides');
  await page.getByRole('checkbox', { name: 'Students can see it' }).click();
  await save(page);
  await expect
    .poll(() => desk.given.get('authoring.save'))
    .toMatchObject({ kind: 'page', id: 201, text: { title: 'Between the tides', published: false }, base: { version: '1' } });
});

test('a teacher changes points and dates of an assignment, but not the dates where students have others', async () => {
  const { visit, desk } = await room.library({ part: 'teacher' });
  const page = await visit('#/author/assignment/11/304');
  await page.getByLabel('Points', { exact: true }).fill('25');
  await page.getByLabel('Due', { exact: true }).fill('2026-11-28T12:00');
  await page.getByLabel('Opens').fill('2026-12-01T08:00');
  await page.getByText('The dates should be in this order').waitFor();
  await page.getByLabel('Opens').fill('');
  await save(page);
  await expect
    .poll(() => desk.given.get('authoring.save'))
    .toMatchObject({
      kind: 'assignment',
      text: { facts: { points: 25, due_at: '2026-11-28T12:00:00Z', unlock_at: null, lock_at: null } },
    });
  await moveTo(page, '#/author/assignment/11/301');
  await page.getByText('Some students have other dates').waitFor();
  expect(await page.getByLabel('Due', { exact: true }).isDisabled()).toBe(true);
  expect(await page.getByLabel('Points', { exact: true }).isDisabled()).toBe(false);
});

test('where someone else has changed the text, both are shown and nothing is sent before it is decided', async () => {
  const { visit, desk } = await room.library({ part: 'teacher' });
  const page = await visit('#/courses/11/pages');
  await page.getByText('Changed meanwhile').waitFor();
  await page.getByRole('link', { name: 'How to keep a field notebook' }).click();
  const send = page.getByRole('button', { name: 'Send this text' });
  await page.getByText('Ingrid Holm changed it').waitFor();
  await page.getByText('2 decisions are left.').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await page.getByRole('group', { name: 'Title' }).getByRole('button', { name: 'Take: Theirs' }).click();
  await page.getByRole('group', { name: 'Both changed this' }).getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('region', { name: 'Changed by the others' }).getByRole('button', { name: 'Undo' }).click();
  await send.click();
  await expect
    .poll(() => desk.given.get('authoring.resolve'))
    .toMatchObject({
      id: 'waits-203',
      as: 'text',
      text: {
        title: 'Your field notebook',
        html: '<p>Write on the right-hand page only, and in pencil.</p><p>Write on both pages. Paper is cheap.</p><p>Date every entry, and note wind and weather.</p><p>A pencil survives the rain.</p>',
      },
    });
});

test('a student sees no way to edit, and the address offers none', async () => {
  const { visit } = await room.library({});
  const page = await visit('#/read/page/11/201');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await moveTo(page, '#/author/page/12/999');
  await page.getByText('This text cannot be edited here').waitFor();
});

describe('are readable, and axe finds nothing', () => {
  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
    ['german', { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ] as const)('%s', { timeout: 120_000 }, async (name, look) => {
    const { visit } = await room.library({ part: 'teacher' });
    const page = await visit('#/courses/11/pages', look);
    for (const place of ['courses/11/pages', 'author/page/11/201', 'author/page/11/203', 'author/assignment/11/304', 'author/page/11/-1']) {
      await moveTo(page, `#/${place}`);
      if (place.startsWith('author') && !place.endsWith('203')) await editor(page).waitFor();
      await shoot(page, `${place.replaceAll('/', '-')}-${name}`);
      expect([place, ...(await axeFindings(page))]).toEqual([place]);
      expect([place, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)]).toEqual([
        place,
        0,
      ]);
    }
  });
});
