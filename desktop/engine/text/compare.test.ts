// How many words and paragraphs of a text have changed.

import { expect, test } from 'vitest';
import { changedWords } from './compare';

test.each([
  ['words added', '<p>One two.</p>', '<p>One and two.</p>', { inserted: 1, deleted: 0, paragraphs_added: 0, paragraphs_removed: 0 }],
  ['a paragraph removed', '<p>One.</p><p>Two.</p>', '<p>One.</p>', { inserted: 0, deleted: 0, paragraphs_added: 0, paragraphs_removed: 1 }],
  ['markup changed', '<p>One</p>', '<div>One</div>', { inserted: 0, deleted: 0, paragraphs_added: 0, paragraphs_removed: 0 }],
])('the changed words of a text %s', (_what, before, after, expected) => expect(changedWords(before, after)).toEqual(expected));
