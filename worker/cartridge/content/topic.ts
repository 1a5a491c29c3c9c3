// Discussion topics and web links, as every Common Cartridge has them. Pure.

import { BadXml, descendants, firstElement, isElement, readXml, spacedTextOf, textAt } from '../xml/read';
import { markupOf, xml, xmlDocument, xmlText } from '../xml/write';

export interface PackagedTopic {
  readonly title: string;
  /** Raw HTML. */
  readonly text: string;
  /** Paths of files, with the token of the folder of files. */
  readonly attachments: readonly string[];
}

const base = 'http://www.imsglobal.org/xsd/imsccv1p1/';

export const writeTopic = ({ title, text, attachments }: PackagedTopic): string =>
  xmlDocument(
    xml(
      'topic',
      { xmlns: `${base}imsdt_v1p1` },
      xml('title', {}, title),
      xml('text', { texttype: 'text/html' }, text),
      attachments.length === 0
        ? undefined
        : xml(
            'attachments',
            {},
            attachments.map((href) => xml('attachment', { href })),
          ),
    ),
  );

/** @throws BadXml */
export function readTopic(document: string): PackagedTopic {
  const root = readXml(document);
  if (root.name !== 'topic') throw new BadXml('The document is no discussion topic.');
  const text = firstElement(root, 'text');
  const isPlain = text?.attributes.texttype?.toLowerCase() === 'text/plain';
  const content = text?.children.some(isElement) ? markupOf(text) : spacedTextOf(text);
  return {
    title: textAt(root, 'title') ?? '',
    text: isPlain ? xmlText(content).replaceAll('\n', '<br>') : content,
    attachments: descendants(root, 'attachment').flatMap(({ attributes }) => attributes.href ?? []),
  };
}

export interface PackagedLink {
  readonly title: string;
  /** As written: it must be checked before it is used. */
  readonly url: string;
  readonly target?: string;
}

export const writeWebLink = ({ title, url, target }: PackagedLink): string =>
  xmlDocument(xml('webLink', { xmlns: `${base}imswl_v1p1` }, xml('title', {}, title), xml('url', { href: url, target })));

/** @throws BadXml */
export function readWebLink(document: string): PackagedLink {
  const root = readXml(document);
  if (root.name !== 'webLink') throw new BadXml('The document is no web link.');
  const { href = '', target } = firstElement(root, 'url')?.attributes ?? {};
  return { title: textAt(root, 'title') ?? '', url: href, ...(target === undefined ? {} : { target }) };
}
