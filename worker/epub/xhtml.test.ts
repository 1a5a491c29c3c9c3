import { expect, test } from 'vitest';
import { compactXml } from '../cartridge/xml/write';
import { type BookAddresses, bookMarkup } from './xhtml';

const to: BookAddresses = {
  link: (address) => (address.startsWith('/') ? `https://carrel.test${address}` : address.startsWith('http') ? address : undefined),
  image: (address) => (address === '/files/1/preview' ? 'images/1.png' : undefined),
  recording: (address) => (address === '/files/5/preview' ? 'recordings/5.mp4' : undefined),
};
const written = (html: string): string => bookMarkup(html, to).map(compactXml).join('');

test.each([
  ['<p>One<p>Two', '<p>One</p><p>Two</p>'],
  ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
  ['<ul>loose<li>b</li></ul>', '<ul><li>loose</li><li>b</li></ul>'],
  ['<p>A &lt; B &amp; C &nbsp;&copy;</p>', '<p>A &lt; B &amp; C \u00a0©</p>'],
  ['<center><font color="red">x</font></center>', '<div><span>x</span></div>'],
  ['<table><tr><td>1<td>2</table>', '<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'],
  ['<dl><dd>only</dd></dl>', '<dl><dt/><dd>only</dd></dl>'],
  ['<p style="color: red; position: fixed">x</p>', '<p style="color: red">x</p>'],
])('%s becomes elements in places where they are valid', (html, result) => expect(written(html)).toBe(result));

test('images of the book are shown, and other images, media and frames are links', () => {
  expect(written('<img src="/files/1/preview" alt="A" width="10">')).toBe('<img src="images/1.png" alt="A" width="10"/>');
  expect(written('<img src="/files/2/preview" alt="B">')).toBe('<a href="https://carrel.test/files/2/preview">B</a>');
  expect(written('<video src="/files/3/preview" title="Film"></video>')).toBe('<a href="https://carrel.test/files/3/preview">Film</a>');
  expect(written('<audio><source src="/files/4/preview"></audio>')).toBe(
    '<a href="https://carrel.test/files/4/preview">https://carrel.test/files/4/preview</a>',
  );
  expect(written('<a href="/a"><img src="/files/2/preview" alt="B"></a>')).toBe('<a href="https://carrel.test/a">B</a>');
});

test('films and sounds of the book play in it, but not within a link', () => {
  expect(written('<p>See <video title="Film"><source src="/files/5/preview"></video></p>')).toBe(
    '<p>See <video title="Film" src="recordings/5.mp4" controls="controls"><a href="https://carrel.test/files/5/preview">Film</a></video></p>',
  );
  expect(written('<a href="/a"><audio src="/files/5/preview"></audio>x</a>')).toBe('<a href="https://carrel.test/a">x</a>');
});

test('fragments lead to ids that occur once; an id occurs once', () => {
  expect(written('<p id="a">1</p><p id="a">2</p><a href="#a">to</a><a href="#b">none</a>')).toBe(
    '<p id="a">1</p><p>2</p><a href="#a">to</a>none',
  );
});

test('a thousand nested elements lose their depth, but no text', () => {
  const result = written(`${'<div>'.repeat(1000)}deep${'</div>'.repeat(1000)}`);
  expect(result).toContain('deep');
  expect(result.split('<div>').length).toBeLessThan(100);
});
