// Text of people in discussions as a small tree that the UI renders itself: their markup never reaches the page.

import { mathAttributes, mathElements } from '@carrel/shared/html/rules';
import { Parser } from 'htmlparser2';
import type { Prose, ProseElement, ProseTag } from '../../contract/reading';
import type { Leads } from './offline';
import { said } from './shown_html';

const drawn: Readonly<Record<Exclude<ProseTag, 'math'>, true>> = {
  p: true,
  h3: true,
  strong: true,
  em: true,
  u: true,
  del: true,
  sub: true,
  sup: true,
  code: true,
  pre: true,
  blockquote: true,
  ul: true,
  ol: true,
  li: true,
  br: true,
  hr: true,
  a: true,
  img: true,
  table: true,
  tbody: true,
  thead: true,
  tr: true,
  td: true,
  th: true,
};
const isProseTag = (name: string): name is ProseTag => Object.hasOwn(drawn, name);
/** Replaced by another element that looks the same here. */
const like: Readonly<Record<string, ProseTag>> = {
  b: 'strong',
  i: 'em',
  div: 'p',
  h1: 'h3',
  h2: 'h3',
  h4: 'h3',
  h5: 'h3',
  h6: 'h3',
  strike: 'del',
  s: 'del',
};

const isMath: ReadonlySet<string> = new Set(mathElements);
const ofMath = (given: Readonly<Record<string, string>>) =>
  Object.fromEntries(mathAttributes.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

type Growing = Omit<ProseElement, 'of'> & { readonly of: (string | Growing)[] };

export function prose(html: string | null | undefined, leads: Leads): Prose {
  const root: Growing = { tag: 'p', of: [] };
  const open: { readonly name: string; readonly into: Growing }[] = [{ name: '', into: root }];
  const top = () => (open.at(-1) as { into: Growing }).into;
  const parser = new Parser({
    onopentag(name, given) {
      const { href, src, alt } = given;
      const tag = isProseTag(name) ? name : isMath.has(name) ? 'math' : like[name];
      // The text of elements that are not rendered is kept.
      if (!tag) return void open.push({ name, into: top() });
      const element: Growing =
        tag === 'math'
          ? { tag, of: [], math: { name, given: ofMath(given) } }
          : { tag, of: [], ...(href && { href }), ...(src && { src }), ...(alt && { alt }) };
      top().of.push(element);
      open.push({ name, into: element });
    },
    ontext(text) {
      const last = top().of.length - 1;
      const before = top().of[last];
      if (typeof before === 'string') top().of[last] = before + text;
      else top().of.push(text);
    },
    onclosetag(name) {
      if (open.length > 1 && open.at(-1)?.name === name) open.pop();
    },
  });
  parser.end(said(html, leads));
  return root.of.filter((part) => typeof part !== 'string' || part.trim() !== '') as readonly (string | ProseElement)[];
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Typed text as the HTML that the server stores: blank lines separate paragraphs. */
export const htmlOf = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`)
    .join('');

/** Typed text contains no links. */
const nowhere: Leads = { base: 'https://nowhere.invalid', to: () => undefined };

/** For plain text, or text that is not sent yet. */
export const proseOf = (text: string | null | undefined): Prose => (text?.trim() ? prose(htmlOf(text), nowhere) : []);

/** For fields that some servers send as plain text and others as HTML. */
export const proseIn = (given: string | null | undefined, leads: Leads): Prose =>
  given && /<[a-z][^<>]*>/i.test(given) ? prose(given, leads) : proseOf(given);
