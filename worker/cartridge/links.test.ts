import { expect, it } from 'vitest';
import { addressedText, linkedHtml, packagedHtml } from './links';

const names = {
  key: (kind: string, id: number) => `${kind}_${id}`,
  path: (id: number) => (id === 3 ? 'Week 1/a & b.pdf' : undefined),
};
const imported = {
  id: (kind: string, identifier: string) => (identifier === `${kind}_12` ? 112 : undefined),
  file: (path: string) => (path === 'web_resources/Week 1/a & b.pdf' ? 103 : undefined),
  page: (identifier: string) => (identifier === 'gpage' ? 'by-key' : undefined),
};
const link = (address: string) => `<p><a href="${address}">x</a></p>`;

it.each([
  ['/courses/7/files/3/preview', '$IMS-CC-FILEBASE$/Week%201/a%20%26%20b.pdf?canvas_preview=1', '/courses/5/files/103/preview'],
  [
    '/courses/7/files/3/download?wrap=1&amp;v=2#p',
    '$IMS-CC-FILEBASE$/Week%201/a%20%26%20b.pdf?canvas_download=1&amp;canvas_qs_wrap=1&amp;canvas_qs_v=2#p',
    '/courses/5/files/103/download?wrap=1&amp;v=2#p',
  ],
  ['/courses/7/files/3', '$IMS-CC-FILEBASE$/Week%201/a%20%26%20b.pdf?canvas_=1', '/courses/5/files/103'],
  ['/courses/7/pages/hello#top', '$WIKI_REFERENCE$/pages/hello#top', '/courses/5/pages/hello#top'],
  ['/courses/7/assignments/12?x=1', '$CANVAS_OBJECT_REFERENCE$/assignments/assignment_12?x=1', '/courses/5/assignments/112?x=1'],
  ['/courses/7/quizzes/12', '$CANVAS_OBJECT_REFERENCE$/quizzes/quiz_12', '/courses/5/quizzes/112'],
  ['/courses/7/modules/items/12', '$CANVAS_COURSE_REFERENCE$/modules/items/module_item_12', '/courses/5/modules/items/112'],
  ['/courses/7/grades', '$CANVAS_COURSE_REFERENCE$/grades', '/courses/5/grades'],
  ['/courses/7', '$CANVAS_COURSE_REFERENCE$', '/courses/5'],
  ['/courses/77/pages/a', '/courses/77/pages/a', '/courses/77/pages/a'],
  ['https://other.edu/courses/7/pages/a', 'https://other.edu/courses/7/pages/a', 'https://other.edu/courses/7/pages/a'],
])('the link %s is %s in a package, and %s after an import', (before, inside, after) => {
  const packaged = packagedHtml(link(before), 7, names);
  expect(packaged).toBe(link(inside));
  expect(linkedHtml(addressedText(packaged, 5), 5, imported)).toEqual({ html: link(after), missing: [] });
});

it.each([
  ['encoded tokens', '%24IMS-CC-FILEBASE%24/Week%201/a%20&amp;%20b.pdf', '/courses/5/files/103/preview'],
  ['paths relative to another folder', '$IMS-CC-FILEBASE$../Week%201/a%20%26%20b.pdf', '/courses/5/files/103/preview'],
  ['pages by their identifiers', '$WIKI_REFERENCE$/pages/gpage', '/courses/5/pages/by-key'],
  ['pages as objects', '$CANVAS_OBJECT_REFERENCE$/pages/gpage', '/courses/5/pages/by-key'],
  ['files by their identifiers', '$CANVAS_COURSE_REFERENCE$/file_ref/file_12/download', '/courses/5/files/112/download'],
])('of other writers: %s', (_, token, address) =>
  expect(linkedHtml(addressedText(link(token), 5), 5, imported)).toEqual({ html: link(address), missing: [] }),
);

it('reports links to what the package does not have', () =>
  expect(linkedHtml(addressedText(link('$IMS-CC-FILEBASE$/gone%20away.png'), 5), 5, imported).missing).toEqual(['gone away.png']));
