// The HTML of the editor: written as the server keeps it, and compared with what it was made from.

import { getSchema } from '@tiptap/core';
import { DOMSerializer, DOMParser as ModelParser, type Node } from '@tiptap/pm/model';
import { blockNames, meaningOf } from './meaning.ts';
import { editorExtensions } from './schema.ts';

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
    const rules = style
      .split(';')
      .map((rule) => rule.trim())
      .filter((rule) => rule !== '');
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
export const editorContent = (html: string) => documentOf(html).toJSON();

/** What the editor would make of a text that is only opened. */
const throughEditor = (html: string): string => htmlOfDocument(documentOf(html));

/** The outermost blocks of a text, as they are written there. The server has sanitised it: attributes contain neither `<` nor `>`. */
function blocksIn(html: string): string[] {
  const found: string[] = [];
  let depth = 0;
  /** Where the open block begins; undefined in anything else. */
  let from: number | undefined;
  for (const { 0: tag, 1: end, 2: name = '', index } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi)) {
    const isOutermost = depth === 0;
    const isEnd = end === '/';
    const isEmpty = isVoid.has(name.toLowerCase());
    if (!isEmpty) depth += isEnd ? -1 : 1;
    if (isOutermost && !isEnd) from = blockNames.has(name.toUpperCase()) ? index : undefined;
    if (depth === 0 && from !== undefined) {
      found.push(html.slice(from, index + tag.length));
      from = undefined;
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
