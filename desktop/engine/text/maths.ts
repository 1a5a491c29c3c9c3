// Formulas of course texts as MathML, which browsers render and screen readers read without scripts or fonts.

import { createRequire } from 'node:module';
import { formulasIn, withoutFormulas } from './find_maths';

interface Drawing {
  renderToString(tex: string, options: object): string;
}

/** Loaded with the first formula: most starts of the desk need none. */
function load(): Drawing {
  const found = createRequire(import.meta.url)('temml') as Drawing & { readonly default?: Drawing };
  return found.default ?? found;
}
let drawing: Drawing | undefined;

const most = 3000;
const limits = { throwOnError: true, trust: false, strict: false, maxExpand: 500, maxSize: [50, 50] };

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Invalid TeX stays as it was written. */
export function formula(tex: string, displayMode: boolean): string {
  try {
    drawing ??= load();
    return drawing.renderToString(tex.trim(), { ...limits, displayMode });
  } catch {
    return `<code>${escaped(tex)}</code>`;
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const decode = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{1,8}));/gi, (whole, decimal, hexadecimal, name) =>
    decimal || hexadecimal ? String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)) : (named[name] ?? whole),
  );

const signs = /\\\(|\\\[|\$\$|equation_image/;
/** The content of these elements is not text, or already rendered. */
const left = /^(pre|code|script|style|textarea|math|svg)$/i;

/** The HTML of a course text with rendered formulas: those between delimiters, and the pictures in which editors store them. */
export function withMaths(html: string): string {
  if (!signs.test(html)) return html;
  let depth = 0;
  let count = 0;
  const draw = (tex: string, displayed: boolean) =>
    ++count > most ? escaped(tex) : formula(decode(tex.replaceAll(lineEnds, '\n')), displayed);
  return partsOf(html)
    .map(({ isTag, part }) => {
      if (!isTag) return depth > 0 ? part : inWords(part, draw);
      const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)/i.exec(part) ?? [];
      if (left.test(name) && !part.endsWith('/>')) depth = Math.max(0, depth + (slash ? -1 : 1));
      return name.toLowerCase() === 'img' ? (ofPicture(part, draw) ?? part) : part;
    })
    .join('');
}

/** An editor ends the lines of a formula with these. */
const lineEnds = /<br[\s/]*>/gi;
const isLineEnd = (tag: string): boolean => /^<br[\s/]*>$/i.test(tag);

interface Part {
  readonly isTag: boolean;
  readonly part: string;
}

/** Tags, and the text between them with its line ends. */
function partsOf(html: string): Part[] {
  const parts: Part[] = [];
  let words = '';
  const add = (tag?: string) => {
    if (words !== '') parts.push({ isTag: false, part: words });
    if (tag !== undefined) parts.push({ isTag: true, part: tag });
    words = '';
  };
  for (let at = 0; at < html.length; ) {
    const opens = html.indexOf('<', at);
    const closes = opens === -1 ? -1 : endOfTag(html, opens);
    if (closes === -1) {
      words += html.slice(at);
      break;
    }
    words += html.slice(at, opens);
    const tag = html.slice(opens, closes);
    if (isLineEnd(tag)) words += tag;
    else add(tag);
    at = closes;
  }
  add();
  return parts;
}

/** A bracket in quotes does not end the tag. */
function endOfTag(html: string, opens: number): number {
  let quote = '';
  for (let at = opens + 1; at < html.length; at++) {
    const message = html[at] as string;
    if (quote) quote = message === quote ? '' : quote;
    else if (message === '>') return at + 1;
    else if (message === '"' || message === "'") quote = message;
  }
  return -1;
}

type Draw = (tex: string, displayed: boolean) => string;

function inWords(text: string, draw: Draw): string {
  let drawn = '';
  let at = 0;
  for (const { from, to, tex, displayed } of formulasIn(text)) {
    drawn += text.slice(at, from) + draw(tex, displayed);
    at = to;
  }
  return drawn + text.slice(at);
}

const attribute = (tag: string, name: string): string | undefined => {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag) ?? [];
  return double ?? single;
};

/** Canvas stores a formula as a picture on its server, with the TeX in an attribute. */
function ofPicture(tag: string, draw: Draw): string | undefined {
  if (!attribute(tag, 'class')?.split(/\s+/).includes('equation_image')) return undefined;
  const tex = attribute(tag, 'data-equation-content') ?? attribute(tag, 'alt')?.replace(/^LaTeX:\s*/, '');
  return tex ? draw(tex, false) : undefined;
}

/**
 * Markdown without its formulas, and a function that puts them back rendered: meanwhile Markdown cannot read their characters as
 * its own syntax.
 */
export function mathsAside(text: string): { readonly text: string; readonly back: (html: string) => string } {
  const { text: bare, formulas, holder } = withoutFormulas(text);
  const back = (html: string) =>
    html.replaceAll(holder, (_, nth) => {
      const { tex = '', displayed = false } = formulas[Number(nth)] ?? {};
      return Number(nth) < most ? formula(tex, displayed) : escaped(tex);
    });
  return { text: bare, back };
}
