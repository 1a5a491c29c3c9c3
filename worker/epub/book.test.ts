import { expect, test } from 'vitest';
import { elementsOf, firstElement, readXml } from '../cartridge/xml/read';
import { bookContainer, bookNavigation, bookPackage, bookPage } from './book';

const about = { identifier: 'urn:uuid:1', title: 'A & B', language: 'de', modified: '2026-11-23T08:00:00Z' };

test('the package lists every part once, and the parts to read in their order', () => {
  const root = readXml(
    bookPackage(about, [
      { href: 'b.xhtml', media_type: 'application/xhtml+xml', isRead: true },
      { href: 'images/1.png', media_type: 'image/png', isRead: false },
      { href: 'a.xhtml', media_type: 'application/xhtml+xml', isRead: true },
    ]),
  );
  const items = elementsOf(firstElement(root, 'manifest')).map(({ attributes }) => attributes);
  expect(items.map(({ href }) => href)).toEqual(['nav.xhtml', 'b.xhtml', 'images/1.png', 'a.xhtml']);
  expect(new Set(items.map(({ id }) => id)).size).toBe(4);
  const hrefOf = new Map(items.map(({ id, href }) => [id, href]));
  const spine = elementsOf(firstElement(root, 'spine')).map(({ attributes }) => hrefOf.get(attributes.idref ?? ''));
  expect(spine).toEqual(['b.xhtml', 'a.xhtml']);
});

test('the container, pages and the table of contents are well-formed and name what they contain', () => {
  expect(bookContainer()).toContain('full-path="EPUB/package.opf"');
  const page = readXml(bookPage('A < B', 'en', ['text & more']));
  expect([page.name, page.attributes.lang]).toEqual(['html', 'en']);
  const contents = bookNavigation(about.title, 'de', [
    { title: 'Module & one', href: 'm.xhtml', entries: [{ title: 'Page', href: 'p.xhtml' }] },
  ]);
  expect(readXml(contents).name).toBe('html');
  expect(contents.indexOf('href="m.xhtml"')).toBeLessThan(contents.indexOf('href="p.xhtml"'));
});
