import { expect, test } from 'vitest';
import { givenTracks, toWebVtt } from './tracks';

test('SubRip becomes WebVTT, and WebVTT stays', () => {
  expect(toWebVtt('\uFEFF1\r\n00:00:01,500 --> 00:00:02,000\r\nHello, world\r\n\r\n2\r\n01:00:00,000 --> 01:00:01,250\r\nBye')).toBe(
    'WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.000\nHello, world\n\n2\n01:00:00.000 --> 01:00:01.250\nBye',
  );
  expect(toWebVtt('WEBVTT\n\n00:01.000 --> 00:02.000\nA, b')).toBe('WEBVTT\n\n00:01.000 --> 00:02.000\nA, b');
});

test('tracks without content are kept where they exist', () => {
  const given = [{ locale: 'en', content: 'x' }, { locale: 'pt-BR' }];
  expect(givenTracks(given, new Set(['pt-BR']))).toEqual([
    { locale: 'en', kind: undefined, content: 'x' },
    { locale: 'pt-BR', kind: undefined, content: undefined },
  ]);
});

test.each([
  [undefined, 'list'],
  [[{ locale: 'de' }], 'content is missing'],
  [[{ content: 'x' }], 'locale'],
  [[{ locale: '../x', content: 'x' }], 'language tag'],
  [[{ locale: 'en', kind: 'songs', content: 'x' }], 'kind'],
  [
    [
      { locale: 'en', content: 'x' },
      { locale: 'en', content: 'y' },
    ],
    'twice',
  ],
  [[{ locale: 'en', content: 'x'.repeat(500_001) }], 'characters'],
  [['en'], 'track'],
  [Array.from({ length: 31 }, () => ({})), 'More than'],
])('%# is refused by name', (given, said) => {
  expect(() => givenTracks(given, new Set())).toThrow(said as string);
});
