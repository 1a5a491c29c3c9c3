// What the editor can represent of course HTML: the elements that it edits, with all their attributes, and others as pieces that it keeps as they are.

import { Extension, type Extensions, Mark, Node } from '@tiptap/core';
import { Image } from '@tiptap/extension-image';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import type { NodeViewRenderer } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';

type Attributes = Readonly<Record<string, string>>;

export const attributesOf = (element: Element, without: readonly string[] = []): Attributes =>
  Object.fromEntries([...element.attributes].flatMap(({ name, value }) => (without.includes(name) ? [] : [[name, value]])));

/** Attributes that a node has as its own. */
const own: Readonly<Record<string, readonly string[]>> = {
  image: ['src', 'alt'],
  orderedList: ['start', 'type'],
  tableCell: ['colspan', 'rowspan'],
  tableHeader: ['colspan', 'rowspan'],
  link: ['href'],
};
const keeping = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'listItem',
  'blockquote',
  'codeBlock',
  'horizontalRule',
  'hardBreak',
  'image',
  'table',
  'tableRow',
  'tableCell',
  'tableHeader',
  'division',
  'bold',
  'italic',
  'strike',
  'underline',
  'code',
  'link',
];

/** All attributes of an element that its node does not have itself: classes, styles, languages, anchors. */
const KeptAttributes = Extension.create({
  name: 'keptAttributes',
  addGlobalAttributes() {
    return keeping.map((type) => ({
      types: [type],
      attributes: {
        kept: {
          default: null,
          parseHTML: (element: HTMLElement) => {
            const all = attributesOf(element, own[type]);
            return Object.keys(all).length > 0 ? all : null;
          },
          renderHTML: ({ kept }: { kept?: Attributes | null }) => kept ?? {},
        },
      },
    }));
  },
});

const Division = Node.create({
  name: 'division',
  group: 'block',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'div' }],
  renderHTML: ({ HTMLAttributes }) => ['div', HTMLAttributes, 0],
});

const phrases = 'span small mark kbd samp var abbr cite q ins del big font dfn time tt sub sup bdi bdo'.split(' ');

/** Elements within a paragraph that have no button of their own. */
const Phrase = Mark.create({
  name: 'phrase',
  excludes: '',
  addAttributes: () => ({ tag: { default: 'span', rendered: false }, given: { default: {}, rendered: false } }),
  parseHTML: () => phrases.map((tag) => ({ tag, getAttrs: (element: HTMLElement) => ({ tag, given: attributesOf(element) }) })),
  renderHTML: ({ mark }) => [mark.attrs.tag as string, mark.attrs.given as Attributes, 0],
});

const keptWhole = {
  addAttributes: () => ({ html: { default: '', rendered: false } }),
  renderHTML: ({ node }: { node: { attrs: Record<string, unknown> } }) => elementOf(String(node.attrs.html)),
} as const;
const whole = (element: HTMLElement) => ({ html: element.outerHTML });

/** Its scripts do not run and its images do not load: it is part of another document until it is inserted. */
function elementOf(html: string): HTMLElement {
  const element = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild;
  return (element as HTMLElement | null) ?? document.createElement('span');
}

/** Players, frames, formulas: they are shown as what they are, and stay as they are. */
const keptInline = (view: NodeViewRenderer | undefined) =>
  Node.create({
    name: 'keptInline',
    group: 'inline',
    inline: true,
    atom: true,
    ...keptWhole,
    parseHTML: () => 'iframe video audio picture math ruby'.split(' ').map((tag) => ({ tag, priority: 60, getAttrs: whole })),
    ...(view && { addNodeView: () => view }),
  });

const keptBlock = (view: NodeViewRenderer | undefined) =>
  Node.create({
    name: 'keptBlock',
    group: 'block',
    atom: true,
    ...keptWhole,
    parseHTML: () =>
      'details dl figure address section article aside header footer main nav center'
        .split(' ')
        .map((tag) => ({ tag, priority: 60, getAttrs: whole })),
    ...(view && { addNodeView: () => view }),
  });

/** The caption and the columns of a table stay as they are, and are no rows. */
const KeptTable = Table.extend({
  parseHTML: () => [{ tag: 'table' }, { tag: 'table > caption', ignore: true }, { tag: 'table > colgroup', ignore: true }],
  addAttributes() {
    return {
      before: {
        default: '',
        rendered: false,
        parseHTML: (element: HTMLElement) =>
          [...element.children].flatMap((part) => (/^(caption|colgroup)$/i.test(part.tagName) ? [part.outerHTML] : [])).join(''),
      },
    };
  },
  renderHTML: ({ HTMLAttributes, node }) => ['table', { ...HTMLAttributes, 'data-before': node.attrs.before || null }, 0],
}).configure({ resizable: false });

/** A row is in the head, the body or the foot. */
const KeptRow = TableRow.extend({
  addAttributes() {
    return {
      section: {
        default: 'tbody',
        rendered: false,
        parseHTML: (element: HTMLElement) => element.parentElement?.tagName.toLowerCase() ?? 'tbody',
      },
    };
  },
  renderHTML: ({ HTMLAttributes, node }) => ['tr', { ...HTMLAttributes, 'data-section': node.attrs.section as string }, 0],
});

const span = {
  default: 1,
  renderHTML: (_: unknown) => ({}),
};
const spans = () => ({
  colspan: {
    ...span,
    parseHTML: (element: HTMLElement) => Number(element.getAttribute('colspan') ?? 1),
    renderHTML: ({ colspan }: { colspan?: number }) => (colspan && colspan !== 1 ? { colspan } : {}),
  },
  rowspan: {
    ...span,
    parseHTML: (element: HTMLElement) => Number(element.getAttribute('rowspan') ?? 1),
    renderHTML: ({ rowspan }: { rowspan?: number }) => (rowspan && rowspan !== 1 ? { rowspan } : {}),
  },
  colwidth: { default: null, rendered: false, parseHTML: () => null },
});

const KeptImage = Image.extend({
  addAttributes() {
    return { src: { default: null }, alt: { default: null } };
  },
}).configure({ inline: true, allowBase64: true });

interface Views {
  readonly image?: NodeViewRenderer;
  readonly kept?: NodeViewRenderer;
}

export const editorExtensions = (views: Views = {}): Extensions => [
  StarterKit.configure({
    heading: { levels: [1, 2, 3, 4, 5, 6] },
    link: false,
    codeBlock: { defaultLanguage: null },
    trailingNode: false,
  }),
  LinkMark,
  Division,
  Phrase,
  KeptTable,
  KeptRow,
  TableCell.extend({ addAttributes: spans }),
  TableHeader.extend({ addAttributes: spans }),
  views.image ? KeptImage.extend({ addNodeView: () => views.image as NodeViewRenderer }) : KeptImage,
  keptInline(views.kept),
  keptBlock(views.kept),
  KeptAttributes,
];

const LinkMark = Mark.create({
  name: 'link',
  priority: 1000,
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [{ tag: 'a' }],
  renderHTML: ({ HTMLAttributes }) => ['a', HTMLAttributes, 0],
});
