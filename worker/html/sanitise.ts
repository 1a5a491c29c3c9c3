// Sanitises user HTML: removes anything that runs code or loads remote content, keeps text and images.

import * as module from 'xss';

// A CommonJS module whose exports are only known at run time, so not every bundler finds them by name.
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

/** URL attributes that browsers or API clients follow. */
const addresses: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'cite', 'data-api-endpoint']);
const known = /^(?:https?:|ftp:|mailto:|tel:)/i;
// SVG images are documents that may contain scripts.
const picture = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);/i;
/** Nothing that is, or could be parsed as, a scheme before the path, query or fragment. */
const isRelative = (given: string): boolean => !/[:&<>"]/.test(given.split(/[/?#]/, 1)[0] ?? '');

function address(tag: string, name: string, value: string): string {
  const given = friendlyAttrValue(value).trim();
  const isSafe = known.test(given) || (tag === 'img' && name === 'src' && picture.test(given)) || isRelative(given);
  return isSafe ? escapeAttrValue(given) : '';
}

/** Styles that load resources, run code, or disguise themselves. */
const hostileStyle = /[\\<@]|\/\*|expression|behaviou?r|binding|image-set|script\s*:/i;
const loading = /url\s*\((?!\s*["']?\s*(?:https?:|\/))/i;

const filter = new FilterXSS({
  whiteList: allowed,
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style', 'noscript', 'template'],
  onTagAttr(tag, name, value) {
    // Frames need https; other URLs are checked below.
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

/** `a < b` is not a tag. */
const lonely = /<(?![a-z/!?])/gi;

/** The sanitised HTML. Null stays null. */
export const sanitise = <H extends string | null | undefined>(html: H): H =>
  typeof html === 'string' ? (filter.process(html.replace(lonely, '&lt;')) as H) : html;
