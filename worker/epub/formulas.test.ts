import { expect, test } from 'vitest';
import { compactXml } from '../cartridge/xml/write';
import { bookFormula, hasFormulas } from './formulas';
import { type HtmlElement, parseHtml } from './parse_html';

const written = (html: string) =>
  bookFormula(parseHtml(html)[0] as HtmlElement)
    .map(compactXml)
    .join('')
    .replace(' xmlns="http://www.w3.org/1998/Math/MathML"', '');

test.each([
  ['<math display="block"><mi>x</mi><mo>=</mo><mn>2</mn></math>', '<math display="block"><mi>x</mi><mo>=</mo><mn>2</mn></math>'],
  ['<math><mfrac><mn>1</mn> <mn>2</mn></mfrac></math>', '<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>'],
  ['<math>a<mi>b</mi></math>', '<math><mtext>a</mtext><mi>b</mi></math>'],
  ['<math><mi mathvariant="loud" class="x" id="y">v</mi></math>', '<math><mi>v</mi></math>'],
  ['<math><mspace width="1em" height="tall"></mspace></math>', '<math><mspace width="1em"/></math>'],
  [
    '<math><mtable><mtr><mtd columnspan="2"><mi>a</mi></mtd></mtr></mtable></math>',
    '<math><mtable><mtr><mtd columnspan="2"><mi>a</mi></mtd></mtr></mtable></math>',
  ],
  [
    '<math><mmultiscripts><mi>X</mi><mn>1</mn><mn>2</mn><mprescripts></mprescripts><mn>3</mn><mn>4</mn></mmultiscripts></math>',
    '<math><mmultiscripts><mi>X</mi><mn>1</mn><mn>2</mn><mprescripts/><mn>3</mn><mn>4</mn></mmultiscripts></math>',
  ],
])('%s is in the book', (html, expected) => {
  expect(written(html)).toBe(expected);
});

test.each([
  ['<math><msup><mi>x</mi></msup><mn>2</mn></math>', 'x2'],
  ['<math><mtable><mi>a</mi></mtable></math>', 'a'],
  ['<math><mmultiscripts><mi>X</mi><mn>1</mn></mmultiscripts></math>', 'X1'],
  ['<math><mtext>a</mtext><msqrt><msub><mi>b</mi></msub></msqrt></math>', 'ab'],
])('%s is only text', (html, expected) => {
  expect(written(html)).toBe(expected);
});

test('finds formulas at any depth', () => {
  const content = bookFormula(parseHtml('<math><mi>x</mi></math>')[0] as HtmlElement);
  expect(hasFormulas([{ name: 'p', attributes: {}, children: ['a', { name: 'b', attributes: {}, children: content }] }])).toBe(true);
  expect(hasFormulas(['a', { name: 'p', attributes: {}, children: ['math'] }])).toBe(false);
});
