// Pages and assignments as files: readable without the program and without a network, and harmless.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clean } from '@carrel/desktop/engine/clean';
import { relativeLink } from '@carrel/desktop/engine/documents';
import { linkIn } from '@carrel/desktop/engine/links';
import { describe, expect, test } from 'vitest';
import { aCourse } from './support/course';
import { FakeServer } from './support/fake_server';
import { Student } from './support/student';

const base = 'https://canvas.example';

describe('texts in the folder', () => {
  test('a page shows its images from the folder, before and after the image moves', async () => {
    const server = await new FakeServer().start();
    const course = aCourse(server, 'Art & Form');
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

  test('an assignment says when it is due, what it is worth, and how the student stands', async () => {
    const server = await new FakeServer().start();
    const course = aCourse(server);
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
    // Another student's, which a teacher's feed carries too.
    server.put('submission', submission + 1000, { ...handed, id: submission + 1000, user_id: 8, grade: 'F' }, course.id);
    await student.sync();
    expect(read()).toMatch(/graded, handed in .*20 November 2026/);
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
  ])('%s', (html, expected) => expect(cleaned(html)).toBe(expected));
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

test('a relative link never reads as an address of another kind', () => {
  expect(relativeLink('U/C/Pages/a.html', 'U/C/Pages/b c.html')).toBe('./b%20c.html');
  expect(relativeLink('U/C/Pages/a.html', 'U/C/x/y.png')).toBe('../x/y.png');
  expect(relativeLink('a.html', 'b.html')).toBe('./b.html');
});
