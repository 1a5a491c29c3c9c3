// Links rewritten to the copies.

import { expect, test } from 'vitest';
import { mentionedIn, mentionedInDocument, relinkedDocument, relinkedHtml } from './relink';

test('links point to the copies, in every kind of attribute, and nothing else is rewritten', () => {
  const found = {
    id: (kind: string, id: number) => (kind === 'file' && id === 9 ? 90 : kind === 'assignment' && id === 5 ? 50 : undefined),
    url: (url: string) => (url === 'week-1' ? 'week-1-2' : undefined),
  };
  const moved = (html: string) => relinkedHtml(html, 1, 2, found);
  expect(moved('<a href="/courses/1/files/9/download?wrap=1" data-api-endpoint="/api/v1/courses/1/files/9">/courses/1/files/9</a>')).toBe(
    '<a href="/courses/2/files/90/download?wrap=1" data-api-endpoint="/api/v1/courses/2/files/90">/courses/1/files/9</a>',
  );
  expect(moved(`<img src='/files/9/preview'><a data-api-endpoint="/api/v1/files/9">`)).toBe(
    `<img src='/files/90/preview'><a data-api-endpoint="/api/v1/files/90">`,
  );
  expect(
    moved('<a href="/courses/1/pages/week-1#top"><a href="/courses/1/assignments/5"><a href="/courses/1/grades"><a href="/courses/1">'),
  ).toBe('<a href="/courses/2/pages/week-1-2#top"><a href="/courses/2/assignments/50"><a href="/courses/2/grades"><a href="/courses/2">');
  const elsewhere =
    '<a href="/courses/1/assignments/6"><a href="/courses/11/files/9"><a href="/courses/3/files/9"><a href="/courses/1/pages/other">';
  expect(moved(elsewhere)).toBe(elsewhere);
  const { ids, urls } = mentionedIn('<a href="/courses/1/pages/a%20b"><img src="/courses/1/files/9">', 1);
  expect([[...(ids.get('file') ?? [])], [...urls]]).toEqual([[9], ['a b']]);
});

test('links in the answers, feedback and images of questions point to the copies, and other texts stay', () => {
  const question = (course: number, file: number) => ({
    answers: [{ id: 9, weight: 100, text: '/courses/1/files/9', html: `<img src="/courses/${course}/files/${file}/preview">` }],
    interaction_data: { image_url: `/courses/${course}/files/${file}/download?verifier=x`, choices: [`<a href="/files/${file}">a</a>`] },
    feedback: { correct: `<a href='https://carrel.example/courses/${course}/files/${file}'>"so"</a>`, neutral: null },
  });
  const found = { id: (kind: string, id: number) => (kind === 'file' && id === 9 ? 90 : undefined), url: () => undefined };
  expect(relinkedDocument(question(1, 9), 1, 2, found)).toEqual(question(2, 90));
  expect([...(mentionedInDocument(question(1, 9), 1).ids.get('file') ?? [])]).toEqual([9]);
});
