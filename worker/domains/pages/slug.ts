// Derives a page's slug from its title.

import { lookUp } from '@carrel/shared/wire/look_up';

const spelled: Record<string, string> = {
  ...Object.fromEntries([...'абвгдеёзийклмнопрстуфцыэіїў'].map((letter, at) => [letter, [...'abvgdeezijklmnoprstufcyeiiu'][at] as string])),
  ж: 'zh',
  х: 'kh',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ю: 'yu',
  я: 'ya',
  ъ: '',
  ь: '',
  є: 'ye',
  ґ: 'g',
  ...Object.fromEntries([...'αβγδεζηικλμνξοπρσςτυφω'].map((letter, at) => [letter, [...'abgdeziiklmnxoprsstyfo'][at] as string])),
  θ: 'th',
  χ: 'ch',
  ψ: 'ps',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  '&': ' and ',
};

/** Characters without an ASCII transliteration stay. Empty when the title has neither letters nor digits. */
export const slugOf = (title: string): string =>
  [
    ...title
      .normalize('NFKD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
      .toLowerCase(),
  ]
    .map((letter) => lookUp(spelled, letter) ?? letter)
    .join('')
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/[\s_-]+/g, '-')
    .replace(/^-+|-+$/g, '');

/** The text itself if unused, else with `-2`, `-3`, … */
export function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  let found = wanted;
  for (let at = 2; taken.has(found); at += 1) found = `${wanted}-${at}`;
  return found;
}

/** `X Copy`, then `X Copy 2`, … */
export function copyTitle(title: string, taken: ReadonlySet<string>): string {
  const first = `${title} Copy`;
  let found = first;
  for (let at = 2; taken.has(found); at += 1) found = `${first} ${at}`;
  return found;
}
