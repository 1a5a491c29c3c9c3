// Sanitises HTML of users by the rules: keeps text, images and layout, and removes whatever runs code.
//
// The result contains `<` only where an allowed tag begins, so a browser finds no other tags in it, whatever namespace or mode it is in.

import * as module from 'xss';
import {
  addressAttributes,
  addressSchemes,
  allowedElements,
  hostileStyle,
  imagesInAddresses,
  loadsElsewhere,
  removedWithContent,
  styleProperties,
} from './rules';

// A CommonJS module whose exports are only known at run time, so not every bundler finds them by name.
const { FilterXSS, escapeAttrValue, friendlyAttrValue } = (module as unknown as { default?: typeof module }).default ?? module;

/** Nothing that is, or could be parsed as, a scheme before the path, query or fragment. */
const isRelative = (given: string): boolean => !/[:&<>"]/.test(given.split(/[/?#]/, 1)[0] ?? '');
const hasAllowedScheme = (given: string): boolean => addressSchemes.has(/^([a-z]+):/i.exec(given)?.[1]?.toLowerCase() ?? '');

function isSafeAddress(element: string, name: string, value: string): boolean {
  // A frame is a page of another server.
  if (element === 'iframe' && name === 'src') return /^https?:\/\//i.test(value);
  const given = friendlyAttrValue(value).trim();
  const isImage = element === 'img' && name === 'src' && imagesInAddresses.test(given);
  return isImage || hasAllowedScheme(given) || isRelative(given);
}

const filter = new FilterXSS({
  whiteList: Object.fromEntries(Object.entries(allowedElements).map(([name, attributes]) => [name, [...attributes]])),
  stripIgnoreTag: true,
  stripIgnoreTagBody: [...removedWithContent],
  css: {
    whiteList: Object.fromEntries([...styleProperties].map((name) => [name, true])),
    safeAttrValue: (_: string, value: string) => (hostileStyle.test(value) || loadsElsewhere.test(value) ? '' : value),
  },
  // An attribute is removed when this returns an empty text, and continues to `safeAttrValue` when it returns nothing.
  onTagAttr: (element, name, value) => (addressAttributes.has(name) && !isSafeAddress(element, name, value) ? '' : undefined),
  safeAttrValue(_element, name, value, css) {
    if (name === 'style') return escapeAttrValue(css.process(friendlyAttrValue(value)));
    return escapeAttrValue(addressAttributes.has(name) ? friendlyAttrValue(value).trim() : value);
  },
});

/** `a < b` is not a tag. */
const lonely = /<(?![a-z/!?])/gi;

/** The sanitised HTML. Null stays null. */
export const sanitise = <H extends string | null | undefined>(html: H): H =>
  typeof html === 'string' ? (filter.process(html.replace(lonely, '&lt;')) as H) : html;
