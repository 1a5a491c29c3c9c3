// Prepares sanitised HTML for reading offline: links go to the addresses that the caller gives, and nothing is loaded from the network.

import { Parser } from 'htmlparser2';
import { type Linked, linkIn } from './links';

/** The target of a link or an image of a course text. Undefined: the text stays, the address is removed. */
export interface Leads {
  /** Base address of the server, to recognise absolute links to it. */
  readonly base: string;
  readonly to: (linked: Linked) => string | undefined;
}

type Attributes = Readonly<Record<string, string>>;

const empty = new Set(['area', 'br', 'col', 'hr', 'img', 'source', 'track', 'wbr']);
/** They play, load or open something by themselves, or matter to the server alone. */
const dropped = /^(?:data-.*|allow.*|autoplay|cite|crossorigin|loading|preload|target)$/;
const apart = { rel: 'noopener noreferrer' };

/** Typography and layout belong to the reading view; a text may only emphasise and align. */
const styles = new Set([
  ...['text-align', 'text-decoration', 'color', 'background-color', 'font-weight', 'font-style', 'width', 'height', 'float'],
  ...['margin-left', 'padding-left', 'list-style-type', 'border-collapse'],
]);
const plainValue = /^[\w\s.#%-]+$/;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string): string => escaped(text).replaceAll('"', '&quot;');
const inTag = ([name, value]: readonly [string, string]): string =>
  value === '' && name !== 'alt' ? ` ${name}` : ` ${name}="${quoted(value)}"`;

function styleOf(style: string): string {
  const rules = style.split(';').map((rule) => rule.split(':').map((part) => part.trim()));
  const kept = rules.filter(([name = '', value = '', ...more]) => styles.has(name) && plainValue.test(value) && more.length === 0);
  return kept.map((rule) => rule.join(':')).join(';');
}

/** The address of a link: of the local item, or of a page on the web. */
function linkOf(given: string, local: string | undefined, base: string): string | undefined {
  if (given.startsWith('#')) return given;
  if (local !== undefined) return local;
  const elsewhere = URL.parse(given, base);
  return elsewhere && ['http:', 'https:', 'mailto:'].includes(elsewhere.protocol) ? elsewhere.href : undefined;
}

function attributesOf(given: Attributes, { base, to }: Leads): Attributes {
  const localOf = (address: string): string | undefined => {
    // Some editors keep the course link only here, and a preview address in the link itself.
    const linked = linkIn(address, base) ?? linkIn(given['data-api-endpoint'] ?? '', base);
    return linked && to(linked);
  };
  const keptOf = (name: string, value: string): string | undefined => {
    if (name === 'href') return linkOf(value, localOf(value), base);
    // The rules allow `data:` for images only.
    if (name === 'src' || name === 'poster') return localOf(value) ?? (value.startsWith('data:') ? value : undefined);
    if (name === 'style') return styleOf(value) || undefined;
    return dropped.test(name) ? undefined : value;
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const kept = keptOf(name, value);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** @param html sanitised */
export function offline(html: string, leads: Leads): string {
  let text = '';
  let isInFrame = false;
  const open = (name: string, given: Attributes) => {
    text += `<${name}${Object.entries(given).map(inTag).join('')}${empty.has(name) ? ' />' : '>'}`;
  };
  const parser = new Parser({
    onopentag(name, given) {
      if (name === 'iframe') {
        // Embedded tools and players cannot run here; their content can still be opened by a link.
        const { href } = attributesOf({ href: given.src ?? '' }, leads);
        open('a', { ...(given.src && href && { href }), ...apart });
        text += `${escaped(given.title ?? given.src ?? '')}</a>`;
        isInFrame = true;
      } else open(name, name === 'a' ? { ...attributesOf(given, leads), ...apart } : attributesOf(given, leads));
    },
    ontext(words) {
      if (!isInFrame) text += escaped(words);
    },
    onclosetag(name) {
      if (name === 'iframe') isInFrame = false;
      else if (!empty.has(name)) text += `</${name}>`;
    },
  });
  parser.end(html);
  return text;
}
