// The language that a screen reader should use for a text.

import { expect, test } from 'vitest';
import { languageOf, languageOfHtml } from './guess_language';

test.each([
  ['en', 'Tell us which telescope you would buy, and why the aperture matters to you.'],
  ['de', 'Ich würde ein Fernglas nehmen, weil es leicht ist und nicht viel kostet.'],
  ['fr', 'Les étoiles sont des soleils, et une étoile est une boule de gaz qui brille dans la nuit.'],
  ['es', 'El agua sube y baja dos veces al día por la luna, que es lo que se ve en las mareas.'],
  ['ja', '宿題 5: 家族を紹介してください。'],
  ['zh', '第一课：天空'],
  ['ru', 'Русская литература XIX века'],
  ['ar', 'مكتبة بغداد'],
  ['', 'Problem set 6'],
  ['', ''],
])('it is probably %j', (language, text) => {
  expect(languageOf(text)).toBe(language);
});

test('tags are not words', () => {
  expect(languageOfHtml('<p class="the and of to is in that">Der Mond ist kein Stern, und die Sonne ist einer.</p>')).toBe('de');
});
