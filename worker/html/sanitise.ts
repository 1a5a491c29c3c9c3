// HTML from people, on its way in: what may run or reach out is dropped, what is text and picture stays.

import * as module from 'xss';

// A CommonJS module whose names are found while it runs: not every bundler sees them.
const { FilterXSS, getDefaultWhiteList } = (module as unknown as { default?: typeof module }).default ?? module;

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

const allowed = Object.fromEntries(
  Object.entries({
    ...getDefaultWhiteList(),
    iframe: ['src', 'width', 'height', 'allow', 'allowfullscreen', 'loading'],
    source: ['src', 'type'],
    track: ['src', 'kind', 'srclang', 'label'],
  }).map(([tag, attributes]) => [tag, [...(attributes ?? []), ...everywhere]]),
);

const filter = new FilterXSS({
  whiteList: allowed,
  stripIgnoreTag: true,
  stripIgnoreTagBody: ['script', 'style', 'noscript', 'template'],
  onTagAttr(tag, name, value) {
    // Frames only from secure addresses; everything else as the library decides.
    if (tag === 'iframe' && name === 'src' && !/^https:\/\//i.test(value)) return '';
    return undefined;
  },
});

/** The HTML with nothing left in it that runs. Null stays null. */
export const sanitise = <H extends string | null | undefined>(html: H): H =>
  typeof html === 'string' ? (filter.process(html) as H) : html;
