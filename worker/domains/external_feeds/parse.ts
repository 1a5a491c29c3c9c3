// Parses web feeds: RSS versions and Atom. Pure.

import { wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { XMLParser } from 'fast-xml-parser';
import { htmlToText } from '../../html/plain';
import { escapeHtml } from '../../site/frame';

export interface ParsedFeedEntry {
  /** The entry's own id, else its link. */
  readonly name: string | undefined;
  readonly title: string;
  readonly link: string | undefined;
  /** Raw HTML: must be sanitised before it is returned. */
  readonly html: string;
  readonly at: string | undefined;
}

export interface Feed {
  readonly title: string;
  readonly entries: readonly ParsedFeedEntry[];
}

/** Not a feed, or not a readable one. */
export class Unreadable extends Error {}

// An Atom text may be markup, plain text or escaped markup: it is kept raw, and interpreted by its type.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  stopNodes: ['feed.title', 'feed.entry.title', 'feed.entry.content', 'feed.entry.summary'],
});

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const each = (value: unknown): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const nodes = (value: unknown): readonly Node[] => each(value).filter(isNode);
const child = (value: unknown, name: string): unknown => (isNode(value) ? lookUp(value, name) : undefined);

/** The text of an element with or without attributes; the first of several. */
function textOf(value: unknown): string {
  const [first] = each(value);
  const text = isNode(first) ? first['#text'] : first;
  return typeof text === 'string' ? text.trim() : '';
}

const cdata = /<!\[CDATA\[([\s\S]*?)\]\]>/g;

/** An Atom text construct as HTML. */
function atomHtml(value: unknown): string {
  const [first] = each(value);
  const type = textOf(child(first, '@type')) || 'text';
  const raw = textOf(first);
  if (type === 'xhtml') return raw;
  const text = raw
    .split(cdata)
    .map((part, at) => (at % 2 === 1 ? part : unescaped(part)))
    .join('');
  return type === 'html' ? text : escapeHtml(text);
}
const unescaped = (text: string) => htmlToText(text.replace(/</g, '&lt;').replace(/>/g, '&gt;'));

function moment(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const at = Date.parse(textOf(value));
    if (!Number.isNaN(at)) return wireTime(at);
  }
  return undefined;
}

function linkOf(value: unknown, base: string): string | undefined {
  const url = URL.parse(textOf(value), base);
  return url && /^https?:$/.test(url.protocol) && textOf(value) !== '' ? url.href : undefined;
}

const oneLine = (html: string) => htmlToText(html).replace(/\s+/g, ' ').trim().slice(0, 255);

function rssEntry(item: Node, base: string): ParsedFeedEntry {
  const guid = textOf(item.guid);
  const link = linkOf(item.link, base) ?? (child(item.guid, '@isPermaLink') === 'false' ? undefined : linkOf(item.guid, base));
  return {
    name: guid || link,
    title: oneLine(textOf(item.title)),
    link,
    html: textOf(item['content:encoded']) || textOf(item.description),
    at: moment(item.pubDate, item['dc:date']),
  };
}

function atomEntry(entry: Node, base: string): ParsedFeedEntry {
  const links = nodes(entry.link);
  const chosen = links.find((one) => one['@rel'] === undefined || one['@rel'] === 'alternate') ?? links[0];
  const link = linkOf(child(chosen, '@href'), base);
  return {
    name: textOf(entry.id) || link,
    title: oneLine(atomHtml(entry.title)),
    link,
    html: atomHtml(entry.content) || atomHtml(entry.summary),
    at: moment(entry.published, entry.updated, entry.issued),
  };
}

function parsed(text: string): Node {
  try {
    return parser.parse(text) as Node;
  } catch {
    throw new Unreadable('the URL does not return XML');
  }
}

/**
 * @param address the feed's URL, which relative links are resolved against
 * @throws Unreadable for anything but RSS and Atom
 */
export function parseFeed(text: string, address: string): Feed {
  const root = parsed(text);
  const rss = child(child(root, 'rss'), 'channel');
  if (isNode(rss)) return { title: oneLine(textOf(rss.title)), entries: nodes(rss.item).map((item) => rssEntry(item, address)) };
  const rdf = root['rdf:RDF'];
  if (isNode(rdf))
    return { title: oneLine(textOf(child(rdf.channel, 'title'))), entries: nodes(rdf.item).map((item) => rssEntry(item, address)) };
  if (isNode(root.feed))
    return { title: oneLine(atomHtml(root.feed.title)), entries: nodes(root.feed.entry).map((entry) => atomEntry(entry, address)) };
  throw new Unreadable('the URL returns neither RSS nor Atom');
}
