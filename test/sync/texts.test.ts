// Pages and assignments as files: readable without the program and without a network, and harmless.

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { serviceAddressOf } from '@carrel/desktop/engine/accounts/sign_in';
import { speakAsChosen, storeLanguage, wantedBySystem } from '@carrel/desktop/engine/store/chosen_language';
import { clean } from '@carrel/desktop/engine/text/clean';
import { compared } from '@carrel/desktop/engine/text/compare';
import { assignmentDocument, documentVersion, relativeLink } from '@carrel/desktop/engine/text/documents';
import { fileText } from '@carrel/desktop/engine/text/files/file_text';
import { markdown } from '@carrel/desktop/engine/text/files/markdown';
import { linkIn } from '@carrel/desktop/engine/text/links';
import { mathsAside, withMaths } from '@carrel/desktop/engine/text/maths';
import { displayLanguage, speak } from '@carrel/desktop/language/texts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { aFakeCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

const base = 'https://canvas.example';

describe('texts in the folder', () => {
  test('a page shows its images from the folder, before and after an image is moved', async () => {
    const server = await new FakeServer().start();
    const course = aFakeCourse(server, 'Art & Form');
    const folder = course.folder('bilder #1');
    const image = course.file('ein Bild?.png', 'png', folder);
    const body = `<h2>Look</h2><img src="${server.url}/courses/${course.id}/files/${image}/preview" alt="a picture" onerror="alert(1)"><script>alert(2)</script><a href="/courses/${course.id}/pages/second">next</a>`;
    course.page('First', body);
    course.page('Second', '<p>second</p>');
    const student = await Student.at(server);
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 1 });

    const shown = () => {
      const html = student.read('Art & Form', 'Pages', 'First.html');
      const src = /<img src="([^"]+)"/.exec(html)?.[1] ?? '';
      const next = /<a href="([^"]+)"/.exec(html)?.[1] ?? '';
      return { html, image: join(dirname(student.path('Art & Form', 'Pages', 'First.html')), decodeURIComponent(src)), next };
    };
    expect(existsSync(shown().image)).toBe(true);
    expect(shown().next).toBe('./Second.html');
    expect(shown().html).toContain("default-src 'none'");
    expect(shown().html).not.toMatch(/<script|onerror/i);

    server.change('folder', folder, { name: 'pictures' });
    expect(await student.sync()).toMatchObject({ outcome: 'complete', downloaded: 0, requests: 1 });
    expect(shown().image).toContain('pictures');
    expect(existsSync(shown().image)).toBe(true);
    await student.leave();
    await server.stop();
  });

  test('an assignment shows when it is due, what it is worth, and the student’s state', async () => {
    const server = await new FakeServer().start();
    const course = aFakeCourse(server);
    const id = course.assignment('Essay: part 1', { description: '<p>Write.</p>', due_at: '2026-12-01T12:00:00Z', points_possible: 20 });
    const student = await Student.at(server);
    await student.sync();
    const read = () => student.read('Algebra', 'Assignments', 'Essay_ part 1.html');
    expect(read()).toContain('1 December 2026');
    expect(read()).toMatch(/Points<\/dt><dd>20/);
    expect(read()).not.toContain('Your submission');
    const submission = server.id();
    const handed = {
      id: submission,
      assignment_id: id,
      user_id: 7,
      workflow_state: 'graded',
      submitted_at: '2026-11-20T09:00:00Z',
      grade: 'A',
      score: 19,
    };
    server.put('submission', submission, handed, course.id);
    // Of another student, as in a teacher's feed.
    server.put('submission', submission + 1000, { ...handed, id: submission + 1000, user_id: 8, grade: 'F' }, course.id);
    await student.sync();
    expect(read()).toMatch(/graded, submitted .*20 November 2026/);
    expect(read()).toMatch(/Grade<\/dt><dd>A/);
    await student.leave();
    await server.stop();
  });
});

describe('course HTML', () => {
  const cleaned = (html: string) =>
    clean(html, { base, to: (linked) => (linked.kind === 'file' && linked.id === 5 ? 'LOCAL' : undefined) });

  test.each([
    ['<script>alert(1)</script>x', 'x'],
    ['<img src="x" onerror="alert(1)">', '<img />'],
    ['<a href="javascript:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
    ['<a href="java\nscript:alert(1)">x</a>', '<a rel="noopener noreferrer">x</a>'],
    ['<svg><script>alert(1)</script></svg>', ''],
    [
      '<iframe src="https://video.example/1" title="Film"></iframe>',
      '<a href="https://video.example/1" rel="noopener noreferrer">Film</a>',
    ],
    ['<form action="https://evil.example"><input name="a"></form>', ''],
    ['<p style="background:url(https://evil.example/x); color: red">x</p>', '<p style="color:red">x</p>'],
    ['<style>p { color: red }</style><p>x</p>', '<p>x</p>'],
    ['<meta http-equiv="refresh" content="0; url=https://evil.example">', ''],
    ['<base href="https://evil.example">', ''],
    ['<img src="https://tracker.example/pixel.gif">', '<img />'],
    ['<img src="/files/5/preview">', '<img src="LOCAL" />'],
    ['<a href="/courses/1/files/5/download?verifier=x">x</a>', '<a href="LOCAL" rel="noopener noreferrer">x</a>'],
    ['<a href="/courses/1/files/6">x</a>', '<a href="https://canvas.example/courses/1/files/6" rel="noopener noreferrer">x</a>'],
    ['<video src="/files/5" poster="https://tracker.example/p.png" autoplay></video>', '<video src="LOCAL"></video>'],
    ['<p>one<p>two <b>three', '<p>one</p><p>two <b>three</b></p>'],
    ['<math><mi href="https://evil.example" mathvariant="bold">x</mi></math>', '<math><mi mathvariant="bold">x</mi></math>'],
  ])('%s', (html, expected) => expect(cleaned(html)).toBe(expected));
});

describe('formulas', () => {
  const drawn = (html: string) => clean(withMaths(html), { base, to: () => undefined });

  test.each([
    ['between marks', '<p>If \\(a &lt; b\\).</p>', '<p>If <math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>.</p>'],
    ['displayed', '$$x$$', '<math display="block" class="tml-display"><mi>x</mi></math>'],
    [
      'as a picture from the server',
      '<img class="equation_image" src="/equation_images/%255Cpi" alt="LaTeX: \\pi" data-equation-content="\\pi">',
      '<math><mi>π</mi></math>',
    ],
    ['of money amounts, which are no formulas', '<p>$5 and $6</p>', '<p>$5 and $6</p>'],
    ['in code, which are no formulas', '<code>\\(x\\)</code>', '<code>\\(x\\)</code>'],
    ['that are invalid', '\\(\\nothing{\\)', '<code>\\nothing{</code>'],
    ['that contain a link', '\\(\\href{javascript:alert(1)}{x}\\)', '<code>\\href{javascript:alert(1)}{x}</code>'],
  ])('%s', (_what, html, expected) => expect(drawn(html)).toBe(expected));

  test('of Markdown, which keep their asterisks and underscores, in time linear in the length of the text', () => {
    const html = markdown('A $x_1 * y_1$, `$z$` for $5 or $6.\n\n$$\na\n$$\n', () => undefined);
    expect(html.match(/<math/g)).toHaveLength(2);
    expect(html).toContain('<code>$z$</code> for $5 or $6.');
    for (const hostile of ['$a', '\\(', '$$a', '`$', '<', '<"', '\\[a\\('])
      expect(withMaths(`\\(${hostile.repeat(100_000)}`).length + mathsAside(hostile.repeat(100_000)).text.length).toBeGreaterThan(100_000);
  });
});

test.each([
  ['a word', '<p>It is blue, here.</p>', '<p>It is green, here.</p>', '<p>It is <del>blue</del><ins>green</ins>, here.</p>'],
  ['a phrase', '<p>a b c d e f</p>', '<p>a b x y e f</p>', '<p>a b <del>c d</del><ins>x y</ins> e f</p>'],
  ['a removed paragraph', '<p>a b</p><p>c d</p><p>e</p>', '<p>a b</p><p>e</p>', '<p>a b</p><p><del>c d</del></p><p>e</p>'],
  ['an added paragraph', '<p>a b</p>', '<p>a b</p><p>c <em>d</em></p>', '<p>a b</p><p><ins>c </ins><em><ins>d</ins></em></p>'],
  ['another text', '<p>a b c</p>', '<p>d e f g</p>', '<p><del>a b c</del></p><p><ins>d e f g</ins></p>'],
  ['a removed list item', '<ul><li>a</li><li>b</li></ul>', '<ul><li>a</li></ul>', '<ul><li>a</li><li><del>b</del></li></ul>'],
  [
    'a removed cell',
    '<table><tr><td>a b</td><td>c</td></tr></table>',
    '<table><tr><td>a b</td></tr></table>',
    '<table><tr><td>a b</td><td><del>c</del></td></tr></table>',
  ],
  ['an entity', '<p>a &amp; b</p>', '<p>a &lt; b</p>', '<p>a <del>&amp;</del><ins>&lt;</ins> b</p>'],
  ['text in a script without spaces', '<p>潮汐每天两次</p>', '<p>潮汐每天三次</p>', '<p>潮汐每天<del>两次</del><ins>三次</ins></p>'],
  ['text changes only, not formatting', '<p>a <b>b</b></p>', '<p>a b</p>', '<p>a b</p>'],
])('compared with its earlier version, a text shows %s', (_what, before, after, expected) => {
  const marked = compared(before, after, { ins: ['new', 'end'], del: ['"gone"', 'end'] });
  expect(marked?.replaceAll(/ data-\w+="[^"]*"/g, '')).toBe(expected);
});

test.each([
  ['/courses/1/files/5', { kind: 'file', id: 5 }],
  ['https://canvas.example/api/v1/courses/1/files/5', { kind: 'file', id: 5 }],
  ['/users/9/files/5/preview?verifier=a', { kind: 'file', id: 5 }],
  ['/courses/1/pages/week-1', { kind: 'page', course_id: 1, url: 'week-1' }],
  ['/courses/1/assignments/3#x', { kind: 'assignment', course_id: 1, id: 3 }],
  ['/courses/1/discussion_topics/4', { kind: 'discussion_topic', course_id: 1, id: 4 }],
  ['https://elsewhere.example/files/5', undefined],
  ['/courses/1/assignments/new', undefined],
  ['http://[', undefined],
])('the link %s', (address, expected) => expect(linkIn(address, base)).toEqual(expected));

test('a relative link is never read as an address with another scheme', () => {
  expect(relativeLink('U/C/Pages/a.html', 'U/C/Pages/b c.html')).toBe('./b%20c.html');
  expect(relativeLink('U/C/Pages/a.html', 'U/C/x/y.png')).toBe('../x/y.png');
  expect(relativeLink('a.html', 'b.html')).toBe('./b.html');
});

describe('files as readable text', () => {
  const home = mkdtempSync(join(tmpdir(), 'carrel-texts-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const shown = async (name: string, content: string | Uint8Array) => {
    const path = join(home, name);
    writeFileSync(path, content);
    const to = (linked: { kind: string; id?: number }) => `/files/${linked.id}`;
    return fileText(path, { base, to }, (address) => (address === '../b%20c.pdf' ? 7 : undefined));
  };

  test('Markdown, with its links to other files and without its scripts', async () => {
    const text = await shown(
      'a.md',
      '---\ntitle: x\n---\n# Hi\n\n[b](../b%20c.pdf) [out](https://e.org/) [bad](javascript:alert(1))\n\n- [x] done\n\n```py\nprint(1)\n```\n<script>alert(1)</script><img src=x onerror=alert(1)>',
    );
    expect(text?.html).toContain('<a href="/files/7"');
    expect(text?.html).toContain('href="https://e.org/"');
    expect(text?.html).toContain('☑');
    expect(text?.html).toContain('hljs-built_in');
    expect(text?.html).not.toMatch(/javascript:|<script|onerror|title: x/);
  });

  test('a notebook of either format; anything else is shown as plain text', async () => {
    const source = 'print("<b>")';
    const ran = { cell_type: 'code', input: [source], prompt_number: 3, outputs: [{ text: 'x<y' }] };
    const old = JSON.stringify({ worksheets: [{ cells: [ran] }] });
    expect((await shown('old.ipynb', old))?.html).toMatch(/\[3\].*&lt;b&gt;.*x&lt;y/s);
    const image = { output_type: 'display_data', data: { 'image/png': 'aGk=\n', 'text/plain': 'a "plot"' } };
    const cells = [
      { cell_type: 'markdown', source: '![p](attachment:p.png)', attachments: { 'p.png': { 'image/png': 'cG5n' } } },
      { cell_type: 'code', source, outputs: [image] },
    ];
    const { html = '' } = (await shown('new.ipynb', JSON.stringify({ cells }))) ?? {};
    expect(html).toContain('src="data:image/png;base64,cG5n"');
    expect(html).toContain('<img src="data:image/png;base64,aGk=" alt="a &quot;plot&quot;"');
    expect((await shown('cut.ipynb', '{"cells": [<script>'))?.html).toContain('&lt;script&gt;');
  });

  test.each([
    ['a.csv', 'a,b\r\n"1,5","say ""hi"""\n', '<td>1,5</td><td>say "hi"</td>'],
    ['b.csv', 'a;b\n1,5;2\n', '<td>1,5</td><td>2</td>'],
    ['c.tsv', 'a\tb\n1\t2', '<td>1</td><td>2</td>'],
    ['latin.txt', Uint8Array.of(0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72), 'Müller'],
    ['sixteen.txt', Uint8Array.of(0xff, 0xfe, 0x4d, 0, 0xfc, 0), 'Mü'],
    ['page.html', '<head><title>t</title></head><body onload="x()"><p>Hi</p></body>', '<p>Hi</p>'],
  ])('%s', async (name, content, wanted) => {
    const text = await shown(name, content);
    expect(text?.html.replaceAll('&quot;', '"')).toContain(wanted);
    expect(text?.html).not.toMatch(/onload|<title/);
  });

  test('only the beginning of a long file; nothing of a file that is not text', async () => {
    const text = await shown('long.log', 'ü'.repeat(1_000_000));
    expect(text?.cut).toBe(true);
    expect(text?.html).toContain('üüü');
    expect(text?.html).not.toContain('Ã');
    expect(await shown('a.zip', 'PK')).toBeUndefined();
  });
});

describe('in the user’s language', () => {
  afterEach(() => speak('en'));

  test('a page and an assignment are generated again, and error messages are translated', () => {
    speak('de');
    const around = { base, courseName: 'Kunst', path: 'a/b.html', pathOf: () => undefined };
    const assignment = {
      id: 1,
      course_id: 1,
      name: 'Aufsatz',
      description: '<p>x</p>',
      due_at: '2026-11-20T10:00:00Z',
      points_possible: 10,
      submission_types: ['online_upload', 'a_new_kind'],
    };
    const html = assignmentDocument(assignment as never, { workflow_state: 'unsubmitted' } as never, around);
    expect(html).toContain('<html lang="de">');
    expect(html).toMatch(/Fällig.*20\. November 2026/s);
    expect(html).toMatch(/Abzugeben als.*Dateien, a new kind.*nicht abgegeben/s);
    expect(() => serviceAddressOf('http://')).toThrow('ist keine Adresse');
    const german = documentVersion();
    speak('en');
    expect(documentVersion()).not.toBe(german);
    expect(assignmentDocument(assignment as never, undefined, around)).toMatch(/lang="en".*Due.*Submit as.*files, a new kind/s);
  });

  test('the chosen language is stored next to the databases, and overrides that of the system', () => {
    const store = mkdtempSync(join(tmpdir(), 'carrel-language-'));
    speakAsChosen(store, wantedBySystem({ LANG: 'de_AT.UTF-8' }));
    expect(displayLanguage()).toBe('de');
    expect(storeLanguage(store, 'en', displayLanguage())).toBe(true);
    expect(storeLanguage(store, 'en', displayLanguage())).toBe(false);
    expect(() => storeLanguage(store, '../x', 'en')).toThrow();
    speakAsChosen(store, ['de']);
    expect(displayLanguage()).toBe('en');
    rmSync(store, { recursive: true, force: true });
  });
});
