// E-books of courses, checked by the validator of the format where it is installed (Debian's package `epubcheck`).

import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { type AnyJson, canvasApiFor } from './at';

const built = inject('started');
const cast = built.casts.files;
const [teacher, student] = [canvasApiFor(cast.teacher), canvasApiFor(cast.student)];
const here = `courses/${cast.course.id}`;

/** A picture of one pixel. */
const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A drawing as editors write them, of which a book takes the shapes. */
const drawing = Buffer.from(`<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
  xmlns:inkscape="http://inkscape.example" viewBox="0 0 9 9" inkscape:version="1"><metadata><a/></metadata><script>alert(1)</script>
  <defs><linearGradient id="g"><stop offset="0" style="stop-color:red"/></linearGradient></defs><path d="M0 0L9 9" style="fill:url(#g)"/>
  <rect width="9"/><image xlink:href="https://far.example/x.png" width="1" height="1"/><foreignObject><p>no</p></foreignObject></svg>`);

/** HTML that no reader of books would accept as it is. */
const wild = (
  image: number,
  drawing: number,
) => `<p id="a b">Soup &amp; &eacute;t&eacute; &nbsp;<b>bold <i>both</b> italic</i><ul>bare<li>one<li>two<ol><li>three</ol></ul>
  <div id="x">one</div><div id="x">two</div><a href="#x">down</a><a href="#gone">gone</a><a href="/${here}/assignments">list</a>
  <center><font color="red" size="7">old</font></center><table border="1"><caption>Cap<p>tion</caption><tr><td colspan="2" align="left">a<th>b<tbody><tr></table>
  <dl><dd>alone<dt>term</dl><blockquote>said<p>so</blockquote><h2>head<div>line</div></h2><pre>kept  <b>as</b> it is</pre>
  <img src="/${here}/files/${image}/preview" alt="Pixel" width="10"><img src="https://far.example/x.png"><a href="https://far.example/a b|c?x=[1]">far</a>
  <iframe src="https://far.example/film" title="Film"></iframe><video controls><source src="https://far.example/film.mp4"></video>
  <details><summary>More</summary>less</details><figure><img src="data:image/png;base64,AAAA" alt="Inline"><figcaption>Fig</figcaption></figure>
  <math display="block"><mi>x</mi><mo stretchy="false">=</mo><mfrac><mn>2</mn>one</mfrac><msup><mi>y</mi><mn>2</mn></msup></math>
  <math><msup><mi>alone</mi></msup></math><img src="/${here}/files/${drawing}/preview" alt="Drawing"><span><div>inside out</div></span><li>stray<td>cell<sup>2</sup><p style="text-align: center; width: 3px" lang="de">mitte`;

/** The ways to start it: by itself, or as the program for Java that it is. */
const checker = [['epubcheck'], ['java', '-jar', '/usr/share/java/epubcheck.jar'], ['java', '-jar', '/usr/bin/epubcheck']].find(
  ([program = '', ...given]) => {
    const { stdout, stderr } = spawnSync(program, [...given, '--version'], { encoding: 'utf8' });
    return `${stdout}${stderr}`.includes('EPUBCheck v');
  },
);

async function bookOf(client: typeof teacher): Promise<AnyJson> {
  const made = await client.ask('POST', `${here}/epub_exports`);
  await client.ended(`progress/${made.epub_export.progress_id}`);
  return client.ask('GET', `${here}/epub_exports/${made.epub_export.id}`);
}

test('a class takes its course home as e-books', async ({ skip }) => {
  const image = await teacher.upload(`${here}/files`, { name: 'pixel.gif', bytes: picture, type: 'image/gif', content_type: 'image/gif' });
  const svg = { name: 'plan.svg', bytes: drawing, type: 'image/svg+xml', content_type: 'image/svg+xml' };
  const plan = await teacher.upload(`${here}/files`, svg);
  const body = wild(image.id, plan.id);
  const page = await teacher.ask('POST', `${here}/pages`, { wiki_page: { title: 'Wild & <free>', body, published: true } });
  await teacher.ask('POST', `${here}/assignments`, {
    assignment: {
      name: 'Essay',
      description: `<a href="/${here}/pages/${page.url}">read</a>`,
      published: true,
      due_at: '2030-01-01T00:00:00Z',
    },
  });
  const module = await teacher.ask('POST', `${here}/modules`, { module: { name: 'Week 1' } });
  await teacher.ask('PUT', `${here}/modules/${module.id}`, { module: { published: true } });
  await teacher.ask('POST', `${here}/modules/${module.id}/items`, { module_item: { type: 'Page', page_url: page.url } });
  const books = [await bookOf(student), await bookOf(teacher)];
  const mine = books[0]?.epub_export;
  expect(mine).toMatchObject({ workflow_state: 'generated', user_id: cast.student.id });
  expect((await student.ask('GET', 'epub_exports')).courses).toMatchObject([{ id: cast.course.id, epub_export: { id: mine.id } }]);
  const folder = await mkdtemp(join(tmpdir(), 'carrel-book-'));
  try {
    const [program, ...given] = checker ?? skip('epubcheck is not installed');
    for (const [nth, { epub_export }] of books.entries()) {
      const path = join(folder, `${nth}.epub`);
      await writeFile(path, Buffer.from(await (await fetch(epub_export.attachment.url)).arrayBuffer()));
      // It ends with an error where the book has errors or warnings.
      const { stdout } = await promisify(execFile)(program as string, [...given, '--failonwarnings', path]);
      expect(stdout).toContain('No errors or warnings detected');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
