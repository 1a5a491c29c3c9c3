// Writes the XML files of course packages. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { XmlChild, XmlElement } from './read';

type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Content = XmlChild | number | boolean | null | undefined;

/** An element; attributes and children that are null or undefined are left out. */
export const xml = (name: string, attributes: Attributes = {}, ...children: (Content | readonly Content[])[]): XmlElement => ({
  name,
  attributes: Object.fromEntries(
    Object.entries(attributes).flatMap(([key, value]) => (value === undefined || value === null ? [] : [[key, String(value)]])),
  ),
  children: children
    .flat()
    .flatMap((child) => (child === undefined || child === null ? [] : [typeof child === 'object' ? child : String(child)])),
});

/** Control characters cannot occur in XML. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };
const inAttribute: Readonly<Record<string, string>> = { ...escapes, '"': '&quot;', '\n': '&#10;', '\t': '&#9;' };

export const xmlText = (text: string): string => text.replace(impossible, '').replace(/[&<>\r]/g, (one) => lookUp(escapes, one) ?? one);
const attributeText = (text: string): string =>
  text.replace(impossible, '').replace(/[&<>\r"\n\t]/g, (one) => lookUp(inAttribute, one) ?? one);

const opening = ({ name, attributes }: XmlElement): string =>
  [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${attributeText(value)}"`)].join(' ');

/** Elements that contain text keep it exactly; the others are indented. */
function lines(element: XmlElement, indent: string): string {
  const { children } = element;
  if (children.length === 0) return `${indent}<${opening(element)}/>`;
  const isText = children.some((child) => typeof child === 'string');
  if (!isText)
    return [
      `${indent}<${opening(element)}>`,
      ...children.map((child) => lines(child as XmlElement, `${indent}  `)),
      `${indent}</${element.name}>`,
    ].join('\n');
  const inner = children.map((child) => (typeof child === 'string' ? xmlText(child) : lines(child, ''))).join('');
  return `${indent}<${opening(element)}>${inner}</${element.name}>`;
}

export const xmlDocument = (root: XmlElement): string => `<?xml version="1.0" encoding="UTF-8"?>\n${lines(root, '')}\n`;

/** An element without any space that is not in its text. */
export const compactXml = (child: XmlChild): string =>
  typeof child === 'string'
    ? xmlText(child)
    : child.children.length === 0
      ? `<${opening(child)}/>`
      : `<${opening(child)}>${child.children.map(compactXml).join('')}</${child.name}>`;

/** HTML elements without an end tag. */
const voids = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);

const markup = (child: XmlChild): string =>
  typeof child === 'string'
    ? xmlText(child)
    : voids.has(child.name)
      ? `<${opening(child)}>`
      : `<${opening(child)}>${markupOf(child)}</${child.name}>`;

/** The content of an element as HTML, for documents that contain XHTML. */
export const markupOf = ({ children }: XmlElement): string => children.map(markup).join('');
