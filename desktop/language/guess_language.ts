// Guesses the language of a text, so that screen readers use the right voice: by its script, else by its most common words.

import { displayLanguage, languages } from './texts.ts';

const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['th', /\p{Script=Thai}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ru', /\p{Script=Cyrillic}/u],
  ['el', /\p{Script=Greek}/u],
];

const commonest: Readonly<Record<string, ReadonlySet<string>>> = {
  en: new Set('the and of to is in that for you with this are on it be what which how'.split(' ')),
  de: new Set('der die und das ist nicht ein eine mit sie zu den von im auf für wir ich auch wie'.split(' ')),
  fr: new Set('le la les et des est une dans pour que qui sur au vous nous avec ce'.split(' ')),
  es: new Set('el los las y que en una por con del para se lo es como más'.split(' ')),
  it: new Set('il che di per una non con gli della sono nel è anche dei si le'.split(' ')),
  pt: new Set('os que não uma com para em do da dos das é por mais se'.split(' ')),
  nl: new Set('de het een en van niet dat zijn voor met op te wij ook er'.split(' ')),
};

/** The number of characters that are examined. */
const enough = 4000;
/** Fewer common words may be chance. */
const least = 3;

/** A language tag; '' when unknown. */
export function languageOf(text: string): string {
  const start = text.slice(0, enough);
  const messages = start.match(/\p{L}/gu) ?? [];
  const many = (of: RegExp) => messages.filter((message) => of.test(message)).length;
  // Japanese mixes kana and kanji, so kanji count as Japanese when there is kana.
  const counted = scripts.map(([language, of]) => [language, many(of)] as const);
  const [kana, han] = [counted[0]?.[1] ?? 0, counted[2]?.[1] ?? 0];
  if (kana > 0 && kana + han > messages.length / 2) return 'ja';
  const script = counted.find(([, count]) => count > messages.length / 2);
  if (script) return script[0];
  const words = start.toLowerCase().match(/\p{L}+/gu) ?? [];
  const found = Object.entries(commonest)
    .map(([language, common]) => [language, words.filter((word) => common.has(word)).length] as const)
    .sort((a, b) => b[1] - a[1]);
  const [best, next] = [found[0], found[1]];
  return best && best[1] >= least && best[1] > 1.3 * (next?.[1] ?? 0) ? best[0] : '';
}

export const languageOfHtml = (html: string): string => languageOf(html.slice(0, 4 * enough).replaceAll(/<[^>]*>/g, ' '));

/** For the `lang` attribute: undefined when it is the surrounding language or unknown. */
export const langOf = (text: string): string | undefined => {
  const found = languageOf(text);
  return found === '' || found === languages[displayLanguage()].locale.slice(0, 2) ? undefined : found;
};
