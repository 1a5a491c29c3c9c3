// Reads the XML files of course packages into elements. Pure. Entities of a document type are refused, and nothing is ever fetched.

import { lookUp } from '@carrel/shared/wire/look_up';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

export interface XmlElement {
  /** Without its namespace prefix. */
  readonly name: string;
  /** By name without prefix. */
  readonly attributes: Readonly<Record<string, string>>;
  /** In document order; text as it is, with entities and CDATA resolved. */
  readonly children: readonly XmlChild[];
}
export type XmlChild = XmlElement | string;

/** The text is no well-formed XML, or it is refused; the message can be shown. */
export class BadXml extends Error {}

/** Nested elements. */
const deepest = 100;
/** Elements of a document: each takes far more memory than its text. */
const mostElements = 200_000;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: deepest,
});

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', nbsp: '\u00a0' };

const character = (text: string, radix: number): string | undefined => {
  const point = Number.parseInt(text, radix);
  return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : undefined;
};

const meaning = (whole: string, body: string): string =>
  (body.startsWith('#x') || body.startsWith('#X')
    ? character(body.slice(2), 16)
    : body.startsWith('#')
      ? character(body.slice(1), 10)
      : lookUp(named, body)) ?? whole;

/** Unknown entities remain as they are written. */
const resolved = (text: string): string => text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{1,8});/gi, meaning);

type Parsed = Readonly<Record<string, unknown>>;

const textIn = (parts: unknown): string => (parts as Parsed[]).map((part) => String(part['#text'] ?? '')).join('');

function childOf(node: Parsed): XmlChild {
  for (const [name, value] of Object.entries(node)) {
    if (name === '#text') return resolved(String(value));
    if (name === '#cdata') return textIn(value);
    if (name === ':@') continue;
    const attributes = (node[':@'] ?? {}) as Parsed;
    return {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, text]) => [key, resolved(String(text))])),
      children: (value as Parsed[]).map(childOf),
    };
  }
  return '';
}

/** A document type with an internal subset could declare entities; one that only names a file is skipped, and the file is not read. */
const declaresEntities = (text: string): boolean =>
  /<!DOCTYPE[^>[]*\[/i.test(text.slice(0, text.search(/<[a-z_]/i) + 1)) || /^\s*<!ENTITY/im.test(text);

function hasTooMany(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text[at + 1] !== '/') count += 1;
    if (count > mostElements) return true;
  }
  return false;
}

function parsedXml(text: string): Parsed[] {
  try {
    const valid = XMLValidator.validate(text);
    if (valid !== true) throw new BadXml(`${valid.err.msg} (line ${valid.err.line})`);
    return parser.parse(text) as Parsed[];
  } catch (error) {
    if (error instanceof BadXml) throw error;
    throw new BadXml(error instanceof Error ? error.message : 'The XML cannot be read.');
  }
}

/**
 * The root element of a document.
 * @throws BadXml for text that is not well-formed, declares entities, has too many elements or nests deeper than 100
 */
export function readXml(document: string): XmlElement {
  const text = document.replace(/^\uFEFF/, '');
  if (declaresEntities(text)) throw new BadXml('Entity declarations are refused.');
  if (hasTooMany(text)) throw new BadXml(`The document has more than ${mostElements} elements.`);
  const roots = parsedXml(text)
    .map(childOf)
    .filter((node): node is XmlElement => typeof node !== 'string');
  const [root] = roots;
  if (!root || roots.length > 1) throw new BadXml('The document must have one root element.');
  return root;
}

export const isElement = (child: XmlChild): child is XmlElement => typeof child !== 'string';

/** The child elements of that name, or all. */
export const elementsOf = (parent: XmlElement | undefined, name?: string): XmlElement[] =>
  (parent?.children ?? []).filter(isElement).filter((one) => name === undefined || one.name === name);

export const firstElement = (parent: XmlElement | undefined, ...path: string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => elementsOf(at, name)[0], parent);

/** All elements below, at any depth, in document order. */
export const descendants = (parent: XmlElement | undefined, ...names: string[]): XmlElement[] =>
  elementsOf(parent).flatMap((one) => [...(names.includes(one.name) ? [one] : []), ...descendants(one, ...names)]);

/** The text of an element and everything in it, as written. */
export const textOfElement = (element: XmlElement | undefined): string =>
  (element?.children ?? []).map((child) => (isElement(child) ? textOfElement(child) : child)).join('');

/** The text of an element, trimmed unless it asks for its spaces. */
export const spacedTextOf = (element: XmlElement | undefined): string => {
  const text = textOfElement(element);
  return element?.attributes.space === 'preserve' ? text : text.trim();
};

/** The trimmed text of a child; undefined for none or blank. */
export const textAt = (parent: XmlElement | undefined, ...path: string[]): string | undefined =>
  textOfElement(firstElement(parent, ...path)).trim() || undefined;

/** A number in a child; undefined for none or no number. */
export function numberAt(parent: XmlElement | undefined, ...path: string[]): number | undefined {
  const value = Number(textAt(parent, ...path) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** `true` and `1` are true, anything else is false; undefined for none. */
export function boolAt(parent: XmlElement | undefined, ...path: string[]): boolean | undefined {
  const text = textAt(parent, ...path)?.toLowerCase();
  return text === undefined ? undefined : text === 'true' || text === '1' || text === 'yes';
}
