// Derives a page's slug from its title.

import { lookUp } from '@carrel/shared/wire/look_up';
import { invalid } from '../../http/problem';

const spelled: Record<string, string> = {
  ...Object.fromEntries(
    [...'абвгдеёзийклмнопрстуфцыэіїў'].map((message, at) => [message, [...'abvgdeezijklmnoprstufcyeiiu'][at] as string]),
  ),
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

/** Characters without an ASCII transliteration stay. Empty when the title has no alphanumeric characters. */
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

/** Titles and slugs of other pages. */
export type Taken = readonly { readonly id: number; readonly title: string; readonly url: string }[];

const longestTitle = 255;

/** A title and slug that no other page has. */
export function pageNameOf(wanted: string, taken: Taken): { title: string; url: string } {
  const asked = wanted.trim();
  if (asked === '') throw invalid('title', 'blank');
  if (asked.length > longestTitle) throw invalid('title', 'too_long');
  const titles = new Set(taken.map(({ title }) => title));
  if (titles.has(asked) && /-\d+$/.test(asked)) throw invalid('title', 'taken');
  const title = firstFree(asked, titles);
  const slug = slugOf(title);
  if (slug === '') throw invalid('title', 'invalid', 'must hold a letter or a digit');
  return { title, url: firstFree(slug, new Set(taken.map(({ url }) => url))) };
}

/**
 * The title and slug of a copy. The slug is derived from the original's slug and not from the title, because `taken` contains slugs with that prefix,
 * and the slug of a page may differ from its title.
 */
export function copyNameOf(original: { readonly title: string; readonly url: string }, taken: Taken): { title: string; url: string } {
  const title = copyTitle(original.title, new Set(taken.map((one) => one.title)));
  if (title.length > longestTitle) throw invalid('title', 'too_long');
  return { title, url: firstFree(`${original.url}-copy`, new Set(taken.map(({ url }) => url))) };
}
