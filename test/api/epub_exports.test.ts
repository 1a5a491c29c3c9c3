// Courses as e-books: what a reader may see, as a valid archive.

import { env, SELF } from 'cloudflare:test';
import { readXml, type XmlElement } from '@carrel/worker/cartridge/xml/read';
import { writeBook } from '@carrel/worker/domains/epub_exports/job';
import type { Platform } from '@carrel/worker/platform';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { as, ground, ok, within } from '../support/api';
import { dyingAfter } from '../support/dying';
import { aCourse, type Person } from '../support/ground';
import { upload } from '../support/upload';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;
const platform = env as unknown as Platform;

/** A picture of one pixel. */
const picture = Uint8Array.from(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'), (one) => one.charCodeAt(0));

let scene: Awaited<ReturnType<typeof aCourse>>;
let elsewhere: typeof scene;
let at: string;
let shown: Body;
let hidden: Body;
let film: Body;
let noise: Body;
let drawing: Body;
let notes: Body;
let reading: Body;

/** The beginning of an MPEG-4 file. */
const mpeg4 = Uint8Array.from([0, 0, 0, 16, ...[...'ftypisom'].map((one) => one.charCodeAt(0)), 0, 0, 0, 0]);

const gif = (name: string) => ({ name, content_type: 'image/gif' });

const hiddenWords = ['DRAFT', 'LATER', 'NOT-ASSIGNED', 'OTHER-SECTION', 'BEHIND-MODULE', 'DRAFT-LINK'];

beforeAll(async () => {
  scene = await aCourse(ground, { name: 'Physics & more', syllabus_body: '<p>Welcome<br>to <b>physics' });
  elsewhere = await aCourse(ground);
  // The ids of books are not those of courses here.
  for (let n = 0; n < 5; n += 1) await ground.contentExport('User', elsewhere.student, elsewhere.student, { file_uuid: `filler ${n}` });
  at = `/courses/${scene.course.id}`;
  const teaches = as(scene.teacher);
  const make = async (path: string, given: object, status = 200) => ok(await teaches.post(`${at}${path}`, given), status);
  shown = await upload(scene.teacher, `${at}/files`, gif('Shown.gif'), picture);
  hidden = await upload(scene.teacher, `${at}/files`, gif('Hidden.gif'), picture);
  ok(await teaches.put(`/files/${hidden.id}`, { locked: true }));
  film = await upload(scene.teacher, `${at}/files`, { name: 'Film.mp4', content_type: 'video/mp4' } as never, mpeg4);
  noise = await upload(scene.teacher, `${at}/files`, { name: 'Noise.mp3', content_type: 'audio/mpeg' } as never, picture);
  const pdf = (name: string) => ({ name, content_type: 'application/pdf' }) as never;
  notes = await upload(scene.teacher, `${at}/files`, pdf('Notes.pdf'), '%PDF notes');
  reading = await upload(scene.teacher, `${at}/files`, pdf('Reading.pdf'), '%PDF reading');
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0"/></svg>';
  const image = { name: 'Drawing.svg', content_type: 'image/svg+xml' };
  drawing = await upload(scene.teacher, `${at}/files`, image as never, svg);
  const essay = await make(
    '/assignments',
    {
      assignment: {
        name: 'Essay',
        published: true,
        points_possible: 5,
        due_at: '2026-12-01T10:00:00Z',
        description: '<p>Write &eacute;t&eacute;&nbsp;<ul><li>one<li>two</ul>',
      },
    },
    201,
  );
  const body = `<p id="top">Look: <img src="${at}/files/${shown.id}/preview" alt="A pixel"><img src="${at}/files/${hidden.id}/preview" alt="Nothing">
    <img src="https://far.example/x.png" alt="Far"><a href="${at}/assignments/${essay.id}">the essay</a> <a href="#top">up</a> <a href="#gone">gone</a>
    <a href="${at}/grades">grades</a><a href="${at}/files/${notes.id}/download?wrap=1">notes</a><a href="${at}/files/${hidden.id}">hidden</a><video title="Film"><source src="${at}/files/${film.id}/preview"></video>
    <audio src="${at}/files/${noise.id}/preview"></audio><table><tr><td>a<td>b</table><div><img src="${at}/files/${drawing.id}/preview" alt="A line"><math><msup><mi>x</mi><mn>2</mn></msup></math><p>open <i>italic<div>block</div></div><dl><dd>alone</dl></p>`;
  const page = await make('/pages', { wiki_page: { title: 'Start <here>', body, published: true } });
  await make('/pages', { wiki_page: { title: 'DRAFT page', body: 'DRAFT', published: false } });
  await make(
    '/assignments',
    { assignment: { name: 'LATER', published: true, unlock_at: '2040-01-01T00:00:00Z', description: 'LATER' } },
    201,
  );
  await make(
    '/assignments',
    { assignment: { name: 'NOT-ASSIGNED', published: true, only_visible_to_overrides: true, description: 'x' } },
    201,
  );
  const other = await make('/sections', { course_section: { name: 'Other' } });
  await make('/discussion_topics', {
    title: 'OTHER-SECTION',
    message: 'x',
    published: true,
    is_announcement: true,
    specific_sections: `${other.id}`,
  });
  await make('/discussion_topics', { title: 'Talk', message: '<p>Say &amp; ask</p>', published: true });
  await make('/discussion_topics', { title: 'News', message: '<p>Hello</p>', published: true, is_announcement: true });
  await make('/quizzes', { quiz: { title: 'Final', quiz_type: 'assignment', published: true, description: '<p>Of all</p>' } });
  const week = await make('/modules', { module: { name: 'Week 1' } });
  ok(await teaches.put(`${at}/modules/${week.id}`, { module: { published: true } }));
  for (const item of [
    { type: 'SubHeader', title: 'Read' },
    { type: 'File', content_id: reading.id },
    { type: 'Page', page_url: page.url },
    { type: 'ExternalUrl', title: 'Away', external_url: 'https://far.example/a b?x=1&y=2' },
  ]) {
    const made = await make(`/modules/${week.id}/items`, { module_item: item });
    ok(await teaches.put(`${at}/modules/${week.id}/items/${made.id}`, { module_item: { published: true } }));
  }
  await make(`/modules/${week.id}/items`, {
    module_item: { type: 'ExternalUrl', title: 'DRAFT-LINK', external_url: 'https://far.example/' },
  });
  const later = await make('/modules', { module: { name: 'Week 2', unlock_at: '2040-01-01T00:00:00Z' } });
  ok(await teaches.put(`${at}/modules/${later.id}`, { module: { published: true } }));
  const behind = await make('/pages', { wiki_page: { title: 'BEHIND-MODULE', body: 'x', published: true } });
  await make(`/modules/${later.id}/items`, { module_item: { type: 'Page', page_url: behind.url } });
  const link = await make(`/modules/${later.id}/items`, {
    module_item: { type: 'ExternalUrl', title: 'BEHIND-MODULE', external_url: 'https://far.example/' },
  });
  ok(await teaches.put(`${at}/modules/${later.id}/items/${link.id}`, { module_item: { published: true } }));
});

const run = (id: number, on: Platform = platform) => writeBook({ job: 'epub_export', progress_id: id }, on);

async function written(by: Person, on = at): Promise<Body> {
  const made = ok(within(await as(by).post(`${on}/epub_exports`), 4), 201);
  await run(made.epub_export.progress_id);
  await vi.waitFor(
    async () =>
      expect(ok(await as(by).get(`/progress/${made.epub_export.progress_id}`))).toMatchObject({
        workflow_state: 'completed',
        completion: 100,
        tag: 'epub_export',
      }),
    { timeout: 8000 },
  );
  return ok(within(await as(by).get(`${on}/epub_exports/${made.epub_export.id}`), 2));
}

async function bytesOf(made: Body): Promise<Uint8Array> {
  const answer = await SELF.fetch(made.epub_export.attachment.url);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}

const textsOf = (bytes: Uint8Array): Record<string, string> =>
  Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, content]) => [name, strFromU8(content)]));

const below = (element: XmlElement): XmlElement[] => [
  element,
  ...element.children.flatMap((one) => (typeof one === 'string' ? [] : below(one))),
];
const elementsIn = (text: string): XmlElement[] => below(readXml(text));

/** The parts of a book, after the rules of the format were checked. */
function checkedBook(bytes: Uint8Array): Record<string, string> {
  // The first entry is `mimetype`, stored, without an extra field, so that its content is at a fixed place.
  expect(strFromU8(bytes.subarray(0, 4))).toBe('PK\u0003\u0004');
  expect([...bytes.subarray(8, 10), ...bytes.subarray(28, 30)]).toEqual([0, 0, 0, 0]);
  expect(strFromU8(bytes.subarray(30, 58))).toBe('mimetypeapplication/epub+zip');
  const parts = textsOf(bytes);
  expect(Object.keys(parts).slice(0, 2)).toEqual(['mimetype', 'META-INF/container.xml']);
  const [rootfile] = elementsIn(parts['META-INF/container.xml'] ?? '').filter(({ name }) => name === 'rootfile');
  expect(rootfile?.attributes['full-path']).toBe('EPUB/package.opf');
  const opf = elementsIn(parts['EPUB/package.opf'] ?? '');
  const items = opf.filter(({ name }) => name === 'item').map(({ attributes }) => attributes);
  const hrefs = items.map(({ href }) => `EPUB/${href}`);
  expect(hrefs.sort()).toEqual(
    Object.keys(parts)
      .filter((name) => name.startsWith('EPUB/') && name !== 'EPUB/package.opf')
      .sort(),
  );
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  expect(opf.filter(({ name }) => name === 'itemref').every(({ attributes }) => items.some(({ id }) => id === attributes.idref))).toBe(
    true,
  );
  for (const [name, text] of Object.entries(parts).filter(([path]) => path.endsWith('.xhtml'))) {
    const elements = elementsIn(text);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const { attributes } of elements) {
      const address = attributes.src ?? attributes.href ?? '';
      if (address.startsWith('#')) expect(ids, name).toContain(address.slice(1));
      else if (address && !/^(https?|mailto|tel):/.test(address)) expect(Object.keys(parts), name).toContain(`EPUB/${address}`);
      if (attributes.src) expect(address).not.toMatch(/^https?:/);
    }
  }
  return parts;
}

describe('the book of a student', () => {
  let parts: Record<string, string>;
  let done: Body;

  beforeAll(async () => {
    done = await written(scene.student);
    parts = checkedBook(await bytesOf(done));
  });

  test('is returned with its file and permissions', () => {
    expect(done).toMatchObject({
      id: scene.course.id,
      name: 'Physics & more',
      epub_export: {
        course_id: scene.course.id,
        user_id: scene.student.id,
        workflow_state: 'generated',
        permissions: { download: true, regenerate: true },
        epub_attachment: { display_name: 'physics-more.epub', 'content-type': 'application/epub+zip' },
      },
    });
  });

  test('contains what the student may see, by modules and by kinds', () => {
    const all = Object.values(parts).join('\n');
    for (const words of ['Start &lt;here&gt;', 'Essay', 'été', 'Talk', 'News', 'Final', 'Week 1', 'Welcome', '5 points', 'A pixel'])
      expect(all).toContain(words);
    const nav = parts['EPUB/nav.xhtml'] ?? '';
    expect(nav.indexOf('Week 1')).toBeLessThan(nav.indexOf('Start'));
    expect(nav.indexOf('Start')).toBeLessThan(nav.indexOf('Assignments'));
    const page = Object.entries(parts).find(([name]) => name.startsWith('EPUB/page-'))?.[1] ?? '';
    expect(page).toContain(`<img src="images/${shown.id}.gif" alt="A pixel"/>`);
    expect(page).toMatch(/<a href="assignment-\d+\.xhtml">the essay<\/a>/);
    expect(page).toContain('<a href="#top">up</a>');
    expect(page).not.toContain('#gone');
    expect(page).toContain('<a href="https://far.example/x.png">Far</a>');
    expect(page).not.toContain('verifier');
    expect(page).toContain(`src="recordings/${film.id}.mp4" controls="controls"`);
    expect(parts['EPUB/package.opf']).toContain(`href="recordings/${film.id}.mp4" media-type="video/mp4"`);
    expect(page).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>');
    expect(parts['EPUB/package.opf']).toMatch(/href="page-\d+\.xhtml" media-type="application\/xhtml\+xml" properties="mathml"/);
    expect(parts['EPUB/package.opf']?.match(/properties="mathml"/g)).toHaveLength(1);
    expect(page).toContain(`<img src="images/${drawing.id}.svg" alt="A line"/>`);
    expect(parts[`EPUB/images/${drawing.id}.svg`]).toContain('<path d="M0 0"/>');
    expect(parts[`EPUB/images/${drawing.id}.svg`]).not.toContain('alert');
    // A file that is not what its type says is not in the book: a link leads to it.
    expect(page).not.toContain('<audio');
    expect(page).toMatch(new RegExp(`<a href="http[^"]*/files/${noise.id}/preview">`));
  });

  test('has beside it the files that it cannot contain, which one of its pages lists', async () => {
    const { zip_attachment: archive } = done.epub_export;
    expect(archive).toMatchObject({ display_name: 'physics-more-files.zip', 'content-type': 'application/zip' });
    const answer = await SELF.fetch(archive.url);
    expect(answer.status).toBe(200);
    const files = textsOf(new Uint8Array(await answer.arrayBuffer()));
    expect(files).toEqual({ 'Notes.pdf': '%PDF notes', 'Reading.pdf': '%PDF reading', 'Noise.mp3': expect.any(String) });
    const page = parts['EPUB/files.xhtml'] ?? '';
    for (const name of [...Object.keys(files), 'physics-more-files.zip']) expect(page).toContain(name);
    expect(parts['EPUB/nav.xhtml']).toContain('<a href="files.xhtml">Files</a>');
  });

  test('contains nothing that the student may not see', () => {
    const all = Object.values(parts).join('\n');
    for (const words of hiddenWords) expect(all).not.toContain(words);
    expect(Object.keys(parts).filter((name) => name.includes('images/'))).toEqual([
      `EPUB/images/${shown.id}.gif`,
      `EPUB/images/${drawing.id}.svg`,
    ]);
  });

  test('is only for the student, and for staff of the course', async () => {
    const path = `${at}/epub_exports/${done.epub_export.id}`;
    const other = await ground.person();
    await ground.enroll(scene.course, other, 'student');
    expect((await as(other).get(path)).status).toBe(404);
    expect((await as(elsewhere.teacher).get(path)).status).toBe(401);
    expect((await as(elsewhere.teacher).get(`/courses/${elsewhere.course.id}/epub_exports/${done.epub_export.id}`)).status).toBe(404);
    expect(ok(await as(scene.teacher).get(path)).epub_export).toMatchObject({ user_id: scene.student.id });
    expect((await as(scene.student).get(`${at}/epub_exports/999999`)).status).toBe(404);
    expect((await as(scene.student).get(`${at}/epub_exports/x`)).status).toBe(404);
  });

  test('is found by the id of the course, and in the list of the courses', async () => {
    expect(ok(await as(scene.student).get(`${at}/epub_exports/${scene.course.id}`)).epub_export.id).toBe(done.epub_export.id);
    const { courses } = ok(within(await as(scene.student).get('/epub_exports'), 2));
    expect(courses).toEqual([
      expect.objectContaining({ id: scene.course.id, epub_export: expect.objectContaining({ id: done.epub_export.id }) }),
    ]);
    expect(ok(await as(elsewhere.student).get('/epub_exports')).courses).toEqual([
      { id: elsewhere.course.id, name: elsewhere.course.name ?? expect.anything() },
    ]);
  });

  test('is not in the lists of content exports', async () => {
    for (const person of [scene.teacher, scene.student]) {
      expect(ok(await as(person).get(`${at}/content_exports`))).toEqual([]);
      expect((await as(person).get(`${at}/content_exports/${done.epub_export.id}`)).status).toBe(404);
    }
  });
});

test('the book of a teacher has drafts too', async () => {
  const parts = checkedBook(await bytesOf(await written(scene.teacher)));
  const all = Object.values(parts).join('\n');
  for (const words of ['DRAFT page', 'LATER', 'NOT-ASSIGNED', 'BEHIND-MODULE', 'DRAFT-LINK']) expect(all).toContain(words);
});

test('is refused to others, and where the feature is off', async () => {
  expect((await as(elsewhere.student).post(`${at}/epub_exports`)).status).toBe(401);
  expect((await as(scene.observer).post(`${at}/epub_exports`)).status).toBe(401);
  const there = `/courses/${elsewhere.course.id}`;
  ok(await as(await ground.admin()).put(`${there}/features/flags/epub_export`, { state: 'off' }));
  expect((await as(elsewhere.teacher).post(`${there}/epub_exports`)).status).toBe(404);
  expect((await as(elsewhere.teacher).get(`${there}/epub_exports/${elsewhere.course.id}`)).status).toBe(404);
});

test('one book at a time; the id of the older form is ignored', async () => {
  const { course, student } = await aCourse(ground);
  const path = `/courses/${course.id}/epub_exports`;
  const book = await ground.contentExport('Course', course, student, { export_type: 'epub' });
  const now = new Date().toISOString();
  const job = await ground.progress({
    context_type: 'ContentExport',
    context_id: book,
    user_id: student.id,
    tag: 'x',
    workflow_state: 'running',
    updated_at: now,
  });
  for (const form of [path, `${path}/77`]) {
    const refused = await as(student).post(form);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      id: course.id,
      epub_export: { id: book, progress_id: job, workflow_state: 'exporting', permissions: { download: false, regenerate: false } },
    });
  }
  // A job that has not moved for hours is over.
  const old = await aCourse(ground);
  const stuck = await ground.contentExport('Course', old.course, old.student, { export_type: 'epub' });
  await ground.progress({
    context_type: 'ContentExport',
    context_id: stuck,
    user_id: old.student.id,
    tag: 'x',
    workflow_state: 'running',
    updated_at: '2026-01-01T00:00:00Z',
  });
  const failed = ok(await as(old.student).get(`/courses/${old.course.id}/epub_exports/${stuck}`));
  expect(failed.epub_export).toMatchObject({ workflow_state: 'failed', permissions: { regenerate: true } });
  const made = ok(await as(old.student).post(`/courses/${old.course.id}/epub_exports/77`), 201);
  expect(made.epub_export.id).toBeGreaterThan(stuck);
});

test('a book is the same when its job is stopped at any time and steps are delivered twice', async () => {
  const whole = textsOf(await bytesOf(await written(scene.student)));
  const made = ok(await as(scene.student).post(`${at}/epub_exports`), 201);
  const id = made.epub_export.progress_id;
  for (let batches = 1; batches < 40; batches += 1) await Promise.allSettled([run(id, dyingAfter(batches)), run(id, dyingAfter(batches))]);
  await run(id);
  await expect.poll(async () => ok(await as(scene.student).get(`/progress/${id}`)).workflow_state, { timeout: 8000 }).toBe('completed');
  const found = checkedBook(await bytesOf(ok(await as(scene.student).get(`${at}/epub_exports/${made.epub_export.id}`))));
  expect({ ...found, 'EPUB/package.opf': '' }).toEqual({ ...whole, 'EPUB/package.opf': '' });
});
