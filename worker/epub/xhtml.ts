// Turns sanitised HTML into the XHTML that books may contain: elements in places where they are valid, and addresses with a target. Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { XmlChild, XmlElement } from '../cartridge/xml/read';
import { xml } from '../cartridge/xml/write';
import { bookFormula } from './formulas';
import { blockElements, type HtmlElement, type HtmlNode, parseHtml } from './parse_html';

export interface BookAddresses {
  /** The target of a link: a path in the book or an absolute address; undefined for a link without a target. */
  readonly link: (address: string) => string | undefined;
  /** The path of an image in the book. */
  readonly image: (address: string) => string | undefined;
  /** The path of a sound or a film in the book. */
  readonly recording: (address: string) => string | undefined;
}

/** Where an element is. */
interface Place {
  readonly to: BookAddresses;
  /** Only text and what is in a line of text. */
  readonly isPhrase: boolean;
  readonly isLink: boolean;
  /** The ids that fragments refer to, as far as they occurred. */
  readonly ids: Set<string>;
}

/** Elements of books, by those of course HTML. */
const phrases: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'abbr b bdi bdo cite code dfn em i ins del kbd mark q s samp small span strong sub sup u var'.split(' ').map((one) => [one, one]),
  ),
  big: 'span',
  font: 'span',
  strike: 's',
  time: 'span',
  tt: 'code',
};
const flows: Readonly<Record<string, string>> = {
  ...Object.fromEntries('article aside blockquote div p pre section h1 h2 h3 h4 h5 h6'.split(' ').map((one) => [one, one])),
  address: 'div',
  center: 'div',
  details: 'div',
  figcaption: 'div',
  figure: 'div',
  footer: 'div',
  header: 'div',
  main: 'div',
  nav: 'div',
  summary: 'p',
};
/** Flow elements that contain only phrases. */
const ofPhrases = new Set(['p', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

const isElement = (node: HtmlNode): node is HtmlElement => typeof node !== 'string';
const isBlock = (node: HtmlNode): boolean => isElement(node) && (blockElements.has(node.name) || node.children.some(isBlock));
const isSpace = (node: HtmlNode): boolean => typeof node === 'string' && node.trim() === '';

const whole = (text: string | undefined, least: number): string | undefined =>
  text !== undefined && /^\d{1,5}$/.test(text) && Number(text) >= least ? String(Number(text)) : undefined;

const keptStyle = /^(text-align|color|background-color|font-weight|font-style|text-decoration)\s*:\s*([a-z#][a-z0-9#(),. %-]*)$/i;
const styleOf = (style: string | undefined): string | undefined =>
  (style ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => keptStyle.test(one))
    .join('; ') || undefined;

function common({ attributes }: HtmlElement, { ids }: Place): Record<string, string | undefined> {
  const { id, dir, lang, title, style } = attributes;
  const isNew = id !== undefined && /^[A-Za-z_][\w.-]*$/.test(id) && !ids.has(id);
  if (isNew) ids.add(id);
  const language = lang !== undefined && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(lang) ? lang : undefined;
  return {
    id: isNew ? id : undefined,
    dir: dir === 'ltr' || dir === 'rtl' ? dir : undefined,
    lang: language,
    'xml:lang': language,
    title,
    style: styleOf(style),
  };
}

const flowOf = (nodes: readonly HtmlNode[], place: Place): XmlChild[] => nodes.flatMap((node) => placed(node, place));

function image({ attributes }: HtmlElement, { to, isLink }: Place): XmlChild[] {
  const { src = '', alt = '', width, height } = attributes;
  const path = to.image(src);
  if (path !== undefined) return [xml('img', { src: path, alt, width: whole(width, 1), height: whole(height, 1) })];
  const href = isLink ? undefined : to.link(src);
  if (href === undefined) return alt ? [alt] : [];
  return [xml('a', { href }, alt || href)];
}

function sourceOf({ attributes, children }: HtmlElement): string {
  const source = children.find((one): one is HtmlElement => isElement(one) && one.name === 'source');
  return attributes.src ?? source?.attributes.src ?? '';
}

/** What is not in the book has a link that leads to it. */
function elsewhere(element: HtmlElement, place: Place): XmlChild[] {
  const href = place.isLink ? undefined : place.to.link(sourceOf(element));
  return href === undefined ? [] : [xml('a', { href }, element.attributes.title || href)];
}

/** Readers without sound or films show the link. A player is no part of a link. */
function recording(element: HtmlElement, place: Place): XmlChild[] {
  const src = place.isLink ? undefined : place.to.recording(sourceOf(element));
  const link = elsewhere(element, place);
  return src === undefined ? link : [xml(element.name, { ...common(element, place), src, controls: 'controls' }, link)];
}

function anchor(element: HtmlElement, place: Place): XmlChild[] {
  const given = element.attributes.href ?? '';
  const href = place.isLink || given === '' ? undefined : given.startsWith('#') ? given : place.to.link(given);
  if (href === undefined) return flowOf(element.children, place);
  return [xml('a', { ...common(element, place), href }, flowOf(element.children, { ...place, isLink: true }))];
}

/** A list whose children are all items. */
function listed(element: HtmlElement, place: Place): XmlElement[] {
  const items = element.children.filter((one) => !isSpace(one));
  if (items.length === 0) return [];
  return [
    xml(
      element.name,
      { ...common(element, place), ...(element.name === 'ol' && { start: whole(element.attributes.start, 0) }) },
      items.map((one) =>
        isElement(one) && one.name === 'li'
          ? xml('li', common(one, place), flowOf(one.children, place))
          : xml('li', {}, flowOf([one], place)),
      ),
    ),
  ];
}

function described(element: HtmlElement, place: Place): XmlElement[] {
  const items = element.children.filter((one) => !isSpace(one));
  if (items.length === 0) return [];
  const [first] = items;
  const entries = items.map((one) =>
    isElement(one) && one.name === 'dt'
      ? xml('dt', common(one, place), flowOf(one.children, { ...place, isPhrase: true }))
      : xml('dd', isElement(one) ? common(one, place) : {}, flowOf(isElement(one) && one.name === 'dd' ? one.children : [one], place)),
  );
  // A description follows its term, and a term is followed by its description.
  const begins = isElement(first as HtmlNode) && (first as HtmlElement).name === 'dt' ? [] : [xml('dt', {})];
  const ends = entries.at(-1)?.name === 'dt' ? [xml('dd', {})] : [];
  return [xml('dl', common(element, place), begins, entries, ends)];
}

const rowsIn = (nodes: readonly HtmlNode[]): HtmlElement[] =>
  nodes
    .filter(isElement)
    .flatMap((one) => (one.name === 'tr' ? [one] : ['thead', 'tbody', 'tfoot'].includes(one.name) ? rowsIn(one.children) : []));

function tabled(element: HtmlElement, place: Place): XmlElement[] {
  const rows = rowsIn(element.children).flatMap((row) => {
    const cells = row.children.filter((one): one is HtmlElement => isElement(one) && (one.name === 'td' || one.name === 'th'));
    if (cells.length === 0) return [];
    const written = cells.map((cell) =>
      xml(
        cell.name,
        { ...common(cell, place), colspan: whole(cell.attributes.colspan, 1), rowspan: whole(cell.attributes.rowspan, 1) },
        flowOf(cell.children, place),
      ),
    );
    return [xml('tr', common(row, place), written)];
  });
  const caption = element.children.find((one): one is HtmlElement => isElement(one) && one.name === 'caption');
  const named = caption && xml('caption', {}, flowOf(caption.children, { ...place, isPhrase: true }));
  if (rows.length > 0) return [xml('table', common(element, place), named, xml('tbody', {}, rows))];
  return caption ? [xml('p', {}, flowOf(caption.children, { ...place, isPhrase: true }))] : [];
}

const structures: Readonly<Record<string, (element: HtmlElement, place: Place) => XmlElement[]>> = {
  ul: listed,
  ol: listed,
  dl: described,
  table: tabled,
  hr: () => [xml('hr')],
};
const inLines: Readonly<Record<string, (element: HtmlElement, place: Place) => XmlChild[]>> = {
  a: anchor,
  img: image,
  audio: recording,
  video: recording,
  iframe: elsewhere,
  math: bookFormula,
  br: () => [xml('br')],
  wbr: () => [xml('wbr')],
};

function placed(node: HtmlNode, place: Place): XmlChild[] {
  if (!isElement(node)) return [node];
  const { name, children } = node;
  const inLine = lookUp(inLines, name);
  if (inLine) return inLine(node, place);
  if (place.isPhrase) {
    const phrase = lookUp(phrases, name);
    const inside = flowOf(children, place);
    // What was a block of its own stays apart from what precedes it.
    return phrase ? [xml(phrase, common(node, place), inside)] : blockElements.has(name) ? [' ', ...inside, ' '] : inside;
  }
  const structure = lookUp(structures, name);
  if (structure) return structure(node, place);
  const hasBlocks = children.some(isBlock);
  const phrase = lookUp(phrases, name);
  if (phrase)
    return hasBlocks ? flowOf(children, place) : [xml(phrase, common(node, place), flowOf(children, { ...place, isPhrase: true }))];
  const flow = lookUp(flows, name) ?? (blockElements.has(name) ? 'div' : undefined);
  if (!flow) return flowOf(children, place);
  const isNarrow = ofPhrases.has(flow);
  const kept = isNarrow && hasBlocks ? 'div' : flow;
  return [xml(kept, common(node, place), flowOf(children, { ...place, isPhrase: isNarrow && kept === flow }))];
}

const withFragments = (ids: ReadonlySet<string>) =>
  function checked(child: XmlChild): XmlChild[] {
    if (typeof child === 'string') return [child];
    const children = child.children.flatMap(checked);
    const { href } = child.attributes;
    return href?.startsWith('#') && !ids.has(href.slice(1)) ? children : [{ ...child, children }];
  };

/** The content of a document in a book. Links to places that the text does not have are only text. */
export function bookMarkup(html: string, to: BookAddresses): XmlChild[] {
  const ids = new Set<string>();
  return flowOf(parseHtml(html), { to, isPhrase: false, isLink: false, ids }).flatMap(withFragments(ids));
}
