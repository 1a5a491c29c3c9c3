// Highlighted words in a changed text.

import { expect, test } from 'vitest';
import { anchorOf, placeOfWords } from './anchors';

const text = 'The sea leaves. The sea comes back. The shore sorts its inhabitants.';

const second = anchorOf(text, 16, 23);

test.each([
  ['unchanged', text, 'The sea comes'],
  ['with text before it', `Twice a day. ${text}`, 'The sea comes'],
  ['with other text around it', text.replace('leaves', 'goes away').replace('sorts', 'keeps'), 'The sea comes'],
  ['without the first of two occurrences', text.replace('The sea leaves. ', ''), 'The sea comes'],
  ['without the words', 'Nothing of it.', null],
] as const)('highlighted words are found in a text %s', (_name, now, found) => {
  const place = placeOfWords(now, second);
  expect(place && now.slice(place[0], place[0] + 13)).toBe(found);
});
