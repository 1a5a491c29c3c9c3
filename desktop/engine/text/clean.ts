// Sanitises course HTML: no scripts, no forms, and every link goes to the address that the caller gives.

import sanitize from 'sanitize-html';
import { type Linked, linkIn } from './links';

/** The target of a link or an image of a course text. Undefined: the text stays, the address is removed. */
export interface Leads {
  /** Base address of the server, to recognise absolute links to it. */
  readonly base: string;
  readonly to: (linked: Linked) => string | undefined;
}

const usual = sanitize.defaults;
const apart = { rel: 'noopener noreferrer' };
const media = ['img', 'video', 'audio', 'source'];

/** MathML Core without elements that link or run scripts. */
export const mathTags = [
  ...['math', 'mrow', 'mi', 'mo', 'mn', 'ms', 'mspace', 'mtext', 'mfrac', 'msqrt', 'mroot', 'mstyle', 'merror', 'mpadded', 'mphantom'],
  ...['msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover', 'mmultiscripts', 'mprescripts', 'mtable', 'mtr', 'mtd', 'menclose'],
];
export const mathAttributes = [
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'form', 'fence', 'separator', 'stretchy', 'symmetric', 'largeop'],
  ...['movablelimits', 'accent', 'accentunder', 'lspace', 'rspace', 'minsize', 'maxsize', 'width', 'height', 'depth', 'voffset'],
  ...['linethickness', 'columnalign', 'columnspan', 'rowspan', 'rowspacing', 'columnspacing', 'columnlines', 'rowlines', 'notation'],
];

export function clean(html: string, { base, to }: Leads): string {
  const lead = (attributes: sanitize.Attributes, name: 'href' | 'src'): sanitize.Attributes => {
    const { [name]: address, ...rest } = attributes;
    if (address === undefined) return rest;
    if (name === 'href' && address.startsWith('#')) return attributes;
    // Some editors keep the course link only here, and a preview address in the link itself.
    const linked = linkIn(address, base) ?? linkIn(attributes['data-api-endpoint'] ?? '', base);
    const local = linked && to(linked);
    if (local !== undefined) return { [name]: local, ...rest };
    if (name === 'src') return address.startsWith('data:image/') ? attributes : rest;
    const elsewhere = URL.parse(address, base);
    return elsewhere && ['http:', 'https:', 'mailto:'].includes(elsewhere.protocol) ? { [name]: elsewhere.href, ...rest } : rest;
  };
  return sanitize(html, {
    allowedTags: [...usual.allowedTags, ...media, 'del', 'ins', 'figure', 'figcaption', 'details', 'summary', 'track', ...mathTags],
    allowedAttributes: {
      '*': ['id', 'class', 'dir', 'lang', 'title', 'style', 'aria-label', 'role'],
      ...Object.fromEntries(mathTags.map((tag) => [tag, mathAttributes])),
      a: ['href', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      video: ['src', 'controls', 'width', 'height'],
      audio: ['src', 'controls'],
      source: ['src', 'type'],
      ol: ['start', 'type'],
      td: ['colspan', 'rowspan', 'headers'],
      th: ['colspan', 'rowspan', 'scope', 'headers'],
      col: ['span'],
      colgroup: ['span'],
    },
    allowedStyles: { '*': harmlessStyles },
    // Every address was made above from a parsed one; relative ones are those of the desk.
    allowedSchemes: ['http', 'https', 'mailto', 'data'],
    allowedSchemesByTag: { img: ['data'], video: [], audio: [], source: [] },
    allowProtocolRelative: false,
    transformTags: {
      a: (tag, attributes) => ({ tagName: tag, attribs: { ...lead(attributes, 'href'), ...apart } }),
      ...Object.fromEntries(
        media.map((name) => [name, (tag: string, attributes: sanitize.Attributes) => ({ tagName: tag, attribs: lead(attributes, 'src') })]),
      ),
      // Embedded tools and players cannot run here; their content can still be opened by a link.
      iframe: (_tag, attributes) => ({
        tagName: 'a',
        attribs: { ...lead({ href: attributes.src ?? '' }, 'href'), ...apart },
        text: attributes.title ?? attributes.src ?? '',
      }),
    },
  });
}

const word = /^[\w\s.#%-]+$/;
const harmlessStyles: Record<string, RegExp[]> = Object.fromEntries(
  [
    'text-align',
    'text-decoration',
    'color',
    'background-color',
    'font-weight',
    'font-style',
    'width',
    'height',
    'float',
    'margin-left',
    'padding-left',
    'list-style-type',
    'border-collapse',
  ].map((name) => [name, [word]]),
);
