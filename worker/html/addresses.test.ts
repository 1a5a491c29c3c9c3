// Addresses of this host in HTML: stored without the host, returned with it.

import { expect, test } from 'vitest';
import { withHost, withoutHost } from './addresses';

test.each([
  ['<img src="/courses/1/files/2/preview">', '<img src="https://a.example/courses/1/files/2/preview">'],
  ['<a class="x" href="/courses/1/pages/two">two</a>', '<a class="x" href="https://a.example/courses/1/pages/two">two</a>'],
  ['<a href="https://elsewhere.example/x">x</a>', '<a href="https://elsewhere.example/x">x</a>'],
  ['<a href="//elsewhere.example/x">x</a>', '<a href="//elsewhere.example/x">x</a>'],
  ['<p>write src="/here" in the tag</p>', '<p>write src="/here" in the tag</p>'],
])('%s is returned with its host', (kept, result) => {
  expect(withHost(kept, 'https://a.example')).toBe(result);
});

test.each([
  ['<img src="/courses/1/files/2/preview">', '<img src="https://a.example/courses/1/files/2/preview?verifier=abc">'],
  ['<a href="/files/2/download?wrap=1#x">x</a>', '<a href="https://a.example/files/2/download?wrap=1&amp;verifier=abc#x">x</a>'],
  [
    '<a href="/files/2" data-api-endpoint="/files/2">x</a>',
    '<a href="https://a.example/files/2?verifier=abc" data-api-endpoint="https://a.example/files/2">x</a>',
  ],
  [
    '<img src="/files/22"><a href="/files/2/rename">x</a>',
    '<img src="https://a.example/files/22"><a href="https://a.example/files/2/rename">x</a>',
  ],
])('%s is returned with the verifier of the file, and stored without it', (kept, told) => {
  const whole = withHost(kept, 'https://a.example', '{"2":"abc"}');
  expect(whole).toBe(told);
  expect(withoutHost(whole, 'https://a.example')).toBe(kept);
});

test.each([
  ['<img src="https://a.example/courses/1/files/2/preview?verifier=abc">', '<img src="/courses/1/files/2/preview">'],
  [
    '<a href="https://a.example/files/2/download?download_frd=1&amp;verifier=abc&amp;wrap=1">x</a>',
    '<a href="/files/2/download?download_frd=1&amp;wrap=1">x</a>',
  ],
  ["<a href='http://A.example/pages/x?a=1'>x</a>", "<a href='/pages/x?a=1'>x</a>"],
  ['<a href=https://a.example/x>x</a>', '<a href=/x>x</a>'],
  ['<a href="https://a.example.evil/x">x</a>', '<a href="https://a.example.evil/x">x</a>'],
  ['<a href="https://b.example/files/2?verifier=abc">x</a>', '<a href="https://b.example/files/2?verifier=abc">x</a>'],
  ['<a href="https://a.example">x</a>', '<a href="https://a.example">x</a>'],
  ['<a href="/search?verifier=1">x</a>', '<a href="/search?verifier=1">x</a>'],
  ['<iframe src="https://a.example/x"></iframe>', '<iframe src="https://a.example/x"></iframe>'],
  ['<p>see https://a.example/here</p>', '<p>see https://a.example/here</p>'],
])('%s is stored without its host', (told, kept) => {
  expect(withoutHost(told, 'https://a.example')).toBe(kept);
  expect(withoutHost(withHost(kept, 'https://a.example'), 'https://a.example')).toBe(kept);
});
