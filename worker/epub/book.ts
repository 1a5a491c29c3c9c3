// Writes the documents of an EPUB 3 book. Pure.

import type { XmlChild } from '../cartridge/xml/read';
import { compactXml, xml, xmlDocument } from '../cartridge/xml/write';

/** The first entry of the archive, and its name. */
export const bookType = 'application/epub+zip';

export const bookContainer = (): string =>
  xmlDocument(
    xml(
      'container',
      { version: '1.0', xmlns: 'urn:oasis:names:tc:opendocument:xmlns:container' },
      xml('rootfiles', {}, xml('rootfile', { 'full-path': 'EPUB/package.opf', 'media-type': 'application/oebps-package+xml' })),
    ),
  );

interface BookAbout {
  /** `urn:uuid:` and a UUID. */
  readonly identifier: string;
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  /** `2026-11-23T08:00:00Z` */
  readonly modified: string;
}

export interface BookPart {
  /** Relative to the package. */
  readonly href: string;
  readonly media_type: string;
  /** In the order of reading; otherwise it is only referred to. */
  readonly isRead: boolean;
  readonly hasFormulas?: boolean;
}

export const bookPackage = (about: BookAbout, parts: readonly BookPart[]): string => {
  const named = parts.map((part, at) => ({ ...part, id: `part${at + 1}` }));
  return xmlDocument(
    xml(
      'package',
      { xmlns: 'http://www.idpf.org/2007/opf', version: '3.0', 'unique-identifier': 'pub-id', 'xml:lang': about.language },
      xml(
        'metadata',
        { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' },
        xml('dc:identifier', { id: 'pub-id' }, about.identifier),
        xml('dc:title', {}, about.title),
        xml('dc:language', {}, about.language),
        xml('meta', { property: 'dcterms:modified' }, about.modified),
      ),
      xml(
        'manifest',
        {},
        xml('item', { id: 'nav', href: 'nav.xhtml', 'media-type': 'application/xhtml+xml', properties: 'nav' }),
        named.map(({ id, href, media_type, hasFormulas }) =>
          xml('item', { id, href, 'media-type': media_type, properties: hasFormulas ? 'mathml' : undefined }),
        ),
      ),
      xml(
        'spine',
        {},
        named.filter(({ isRead }) => isRead).map(({ id }) => xml('itemref', { idref: id })),
      ),
    ),
  );
};

const page = (title: string, language: string, body: readonly XmlChild[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n${compactXml(
    xml(
      'html',
      { xmlns: 'http://www.w3.org/1999/xhtml', 'xmlns:epub': 'http://www.idpf.org/2007/ops', lang: language, 'xml:lang': language },
      xml('head', {}, xml('title', {}, title)),
      xml('body', {}, body),
    ),
  )}\n`;

const titleOf = (title: string): string => title.trim() || 'Untitled';

/** A document with its title as heading. */
export const bookPage = (title: string, language: string, content: readonly XmlChild[]): string =>
  page(titleOf(title), language, [xml('h1', {}, titleOf(title)), ...content]);

export interface BookEntry {
  readonly title: string;
  readonly href: string;
  readonly entries?: readonly BookEntry[];
}

const entryList = (entries: readonly BookEntry[]): XmlChild =>
  xml(
    'ol',
    {},
    entries.map(({ title, href, entries: below = [] }) =>
      xml('li', {}, xml('a', { href }, titleOf(title)), below.length > 0 ? entryList(below) : undefined),
    ),
  );

/** The table of contents. @param entries at least one */
export const bookNavigation = (title: string, language: string, entries: readonly BookEntry[]): string =>
  page(titleOf(title), language, [xml('nav', { 'epub:type': 'toc', id: 'toc' }, xml('h1', {}, titleOf(title)), entryList(entries))]);
