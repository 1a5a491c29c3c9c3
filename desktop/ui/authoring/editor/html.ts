// The HTML of the editor: written as the server keeps it, and compared with what it was made from.

import { getSchema } from '@tiptap/core';
import { DOMParser as ModelParser, DOMSerializer, type Node } from '@tiptap/pm/model';
import { attributesOf, editorExtensions } from './schema.ts';

const parsed = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/** A cell, an item of a list or a division with one plain paragraph is written without it, as it usually was. */
function unwrap(within: Element): void {
  for (const holder of within.querySelectorAll('li, td, th, div')) {
    const [first, second] = [...holder.children];
    const isAlone = first?.tagName === 'P' && first.attributes.length === 0 && holder.firstChild === first;
    const isFollowed = second !== undefined && !(holder.tagName === 'LI' && /^[UO]L$/.test(second.tagName) && holder.children.length === 2);
    if (isAlone && !isFollowed) first.replaceWith(...first.childNodes);
  }
}

/** Rows of a table in their sections, after its caption and columns. */
function arrange(within: Element): void {
  for (const table of within.querySelectorAll('table')) {
    const rows = [...table.children].filter((row) => row.tagName === 'TR');
    const before = table.getAttribute('data-before');
    table.removeAttribute('data-before');
    if (before) table.insertAdjacentHTML('afterbegin', before);
    let section: Element | undefined;
    for (const row of rows) {
      const wanted = row.getAttribute('data-section') ?? 'tbody';
      row.removeAttribute('data-section');
      if (section?.tagName.toLowerCase() !== wanted) {
        section = within.ownerDocument.createElement(/^t(head|body|foot)$/.test(wanted) ? wanted : 'tbody');
        table.append(section);
      }
      section.append(row);
    }
  }
}

/** Formatted like the sanitiser of the server formats it, so that it is stored unchanged. */
const settled = (html: string): string =>
  html.replaceAll(/ style="([^"]*)"/g, (_, style: string) => {
    const rules = style.split(';').map((rule) => rule.trim()).filter((rule) => rule !== '');
    return ` style="${rules.map((rule) => `${rule.replace(/\s*:\s*/, ':')};`).join(' ')}"`;
  });

/** Blocks of a text as they were written, by what the editor makes of them. */
export type WrittenBlocks = ReadonlyMap<string, string>;

/** @param written blocks that nobody has changed stay as they were, so that only real changes are changes */
export function htmlOfDocument(document: Node, written: WrittenBlocks = new Map()): string {
  const blocks: string[] = [];
  document.forEach((block) => {
    const html = htmlOfBlock(block);
    blocks.push(written.get(html) ?? html);
  });
  // An empty editor is an empty text.
  return blocks.length === 1 && blocks[0] === '<p></p>' ? '' : blocks.join('');
}

function htmlOfBlock(block: Node): string {
  // In a document of its own, in which nothing is loaded.
  const apart = new DOMParser().parseFromString('', 'text/html');
  const holder = apart.createElement('div');
  holder.append(DOMSerializer.fromSchema(block.type.schema).serializeNode(block, { document: apart }));
  arrange(holder);
  unwrap(holder);
  return settled(holder.innerHTML);
}

const schema = getSchema(editorExtensions());

const documentOf = (html: string): Node => ModelParser.fromSchema(schema).parse(parsed(html));

/** As the editor takes it. */
export const contentOf = (html: string) => documentOf(html).toJSON();

/** What the editor would make of a text that is only opened. */
const throughEditor = (html: string): string => htmlOfDocument(documentOf(html));

/** The outermost blocks of a text, as they are written there. The server has sanitised it: attributes contain neither `<` nor `>`. */
function blocksIn(html: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: tag, 1: end, 2: name = '', index } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi)) {
    const isBlock = blocks.has(name.toUpperCase());
    if (isVoid.has(name.toLowerCase())) {
      if (depth === 0 && isBlock) found.push(tag);
    } else if (end !== '/') {
      if (depth === 0) from = isBlock ? index : -1;
      depth++;
    } else {
      depth--;
      if (depth === 0 && from >= 0) found.push(html.slice(from, index + tag.length));
    }
  }
  return found;
}
const isVoid = new Set('area br col hr img source track wbr'.split(' '));

export const writtenBlocks = (html: string): WrittenBlocks =>
  new Map(
    blocksIn(html).flatMap((block) => {
      const made = documentOf(block);
      return made.childCount === 1 && keepsAll(block) ? [[htmlOfDocument(made), block] as const] : [];
    }),
  );

/** Whether nothing of a text is lost when it is edited. */
export const keepsAll = (html: string): boolean => {
  const before = JSON.stringify(meaningOf(parsed(html)));
  return before === JSON.stringify(meaningOf(parsed(throughEditor(html))));
};

const blocks = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER COL COLGROUP DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER ' +
    'HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'
  ).split(' '),
);
/** Two names for the same. */
const alike: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM', STRIKE: 'S' };
/** They have content of their own, and are no text. */
const whole = new Set('IFRAME VIDEO AUDIO PICTURE MATH RUBY IMG BR WBR'.split(' '));

type Meaning = string | readonly unknown[];

const stated = (element: Element): string => {
  const given = Object.entries(attributesOf(element)).map(([name, value]) => [
    name,
    name === 'style' ? value.split(';').map((rule) => rule.trim().replace(/\s*:\s*/, ':')).filter(Boolean).join(';') : value,
  ]);
  const counted = given.filter(([name, value]) => !(/^(col|row)span$/.test(name as string) && value === '1'));
  return `${alike[element.nodeName.toUpperCase()] ?? element.nodeName.toUpperCase()}${JSON.stringify(counted.sort())}`;
};

/** Blocks as a tree, and the words between them with the marks that they have, in whatever order those are nested. */
function meaningOf(block: Element, isExact = false): Meaning[] {
  const found: Meaning[] = [];
  let words: [string, string][] = [];
  const endWords = () => {
    const text = isExact ? words : trimmed(words);
    if (text.length > 0) found.push(['P[]', text]);
    words = [];
  };
  const walk = (node: ChildNode, marks: readonly string[]): void => {
    if (node.nodeType === 3) return void addWords(words, node.textContent ?? '', marks, isExact);
    // A comment cannot be shown, and would be lost.
    if (node.nodeType === 8) return void found.push(`comment ${node.textContent}`);
    const element = node as Element;
    const name = element.nodeName.toUpperCase();
    if (whole.has(name)) words.push([element.outerHTML.replaceAll(/\s+\/>|\s+>/g, '>'), [...marks].sort().join()]);
    // Without words it is a place, such as an anchor.
    else if (!blocks.has(name) && element.textContent === '' && ![...element.querySelectorAll('*')].some((one) => whole.has(one.nodeName.toUpperCase())))
      words.push([element.outerHTML, [...marks].sort().join()]);
    else if (!blocks.has(name)) for (const child of element.childNodes) walk(child, [...marks, stated(element)]);
    else {
      endWords();
      const inside = meaningOf(element, isExact || name === 'PRE');
      // A plain paragraph is what words outside of one are.
      const isPlain = name === 'P' && element.attributes.length === 0;
      if (isPlain && inside.length > 0) found.push(...inside);
      else found.push([marks.join() + stated(element), name === 'P' || /^H\d$/.test(name) ? inside.flatMap((part) => part[1] ?? part) : inside]);
    }
  };
  for (const child of block.childNodes) walk(child, []);
  endWords();
  return found;
}

function addWords(words: [string, string][], text: string, marks: readonly string[], isExact: boolean): void {
  const of = [...marks].sort().join();
  const last = words.at(-1);
  const shown = isExact ? text : text.replaceAll(/[ \t\r\n\f]+/g, ' ');
  if (last && last[1] === of && !last[0].startsWith('<')) last[0] += shown;
  else words.push([shown, of]);
}

/** Without spaces that no browser shows: at the ends, and next to another space. */
function trimmed(words: readonly [string, string][]): [string, string][] {
  let isSpaceBefore = true;
  const shown = words.map(([text, marks]): [string, string] => {
    if (text.startsWith('<')) {
      isSpaceBefore = text.startsWith('<br');
      return [text, marks];
    }
    const kept = text.replaceAll(/ +/g, ' ').replace(/^ /, isSpaceBefore ? '' : ' ');
    if (kept !== '') isSpaceBefore = kept.endsWith(' ');
    return [kept, marks];
  });
  const left = shown.filter(([text]) => text !== '');
  const last = left.at(-1);
  if (last && !last[0].startsWith('<')) last[0] = last[0].replace(/ $/, '');
  return left.filter(([text]) => text !== '');
}
