// HTML from people, on its way in: what may run or reach out is dropped, what is text and picture stays.

import * as module from 'xss';

// A CommonJS module whose names are found while it runs: not every bundler sees them.
const { FilterXSS, escapeAttrValue, friendlyAttrValue, getDefaultCSSWhiteList, getDefaultWhiteList } =
  (module as unknown as { default?: typeof module }).default ?? module;

const everywhere = [
  'class',
  'id',
  'title',
  'lang',
  'dir',
  'style',
  'role',
  'aria-label',
  'aria-hidden',
  'data-api-endpoint',
  'data-api-returntype',
];

const plain = ['data', 'dfn', 'main', 'picture', 'q', 'rp', 'rt', 'ruby', 'samp', 'time', 'var', 'wbr'];

const allowed = Object.fromEntries(
  Object.entries({
    ...getDefaultWhiteList(),
    ...Object.fromEntries(plain.map((tag) => [tag, [] as string[]])),
    iframe: ['src', 'width', 'height', 'allow', 'allowfullscreen', 'loading'],
    source: ['src', 'type'],
    track: ['src', 'kind', 'srclang', 'label'],
  }).map(([tag, attributes]) => [tag, [...(attributes ?? []), ...everywhere]]),
);

/** Attributes that browsers, and clients of the interface, follow. */
const addresses: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'cite', 'data-api-endpoint']);
const known = /^(?:https?:|ftp:|mailto:|tel:)/i;
// A picture that is a document of its own (SVG) may hold scripts.
const picture = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);/i;
/** Nothing before its path, query or fragment is a scheme, or might be read as one. */
const isRelative = (given: string): boolean => !/[:&<>"]/.test(given.split(/[/?#]/, 1)[0] ?? '');

function address(tag: string, name: string, value: string): string {
  const given = friendlyAttrValue(value).trim();
  const isSafe = known.test(given) || (tag === 'img' && name === 'src' && picture.test(given)) || isRelative(given);
  return isSafe ? escapeAttrValue(given) : '';
}

/** What loads, runs or hides its meaning from whoever reads it. */
const hostileStyle = /[\\<@]|\/\*|expression|behaviou?r|binding|image-set|script\s*:/i;
const loading = /url\s*\((?!\s*["']?\s*(?:https?:|\/))/i;

const filter = new FilterXSS({
  whiteList: allowed,
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style', 'noscript', 'template'],
  onTagAttr(tag, name, value) {
    // Frames only from secure addresses; everything else as below.
    if (tag === 'iframe' && name === 'src' && !/^https:\/\//i.test(value)) return '';
    return undefined;
  },
  css: {
    whiteList: getDefaultCSSWhiteList(),
    safeAttrValue: (_: string, value: string) => (hostileStyle.test(value) || loading.test(value) ? '' : value),
  },
  safeAttrValue(tag, name, value, css) {
    if (addresses.has(name)) return address(tag, name, value);
    return escapeAttrValue(name === 'style' ? css.process(friendlyAttrValue(value)) : value);
  },
});

/** `a < b` is no tag. */
const lonely = /<(?![a-z/!?])/gi;

/** The HTML with nothing left in it that runs. Null stays null. */
export const sanitise = <H extends string | null | undefined>(html: H): H =>
  typeof html === 'string' ? (filter.process(html.replace(lonely, '&lt;')) as H) : html;
