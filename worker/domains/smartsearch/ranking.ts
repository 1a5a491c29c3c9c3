// Ranks texts by where and how often the search words occur. Pure.

interface Text {
  readonly title: string;
  readonly body: string | null;
}

/** Normalises like the search index: lower case, without diacritics. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase();

const wordsOf = (query: string): string[] => [
  ...new Set(
    query
      .normalize('NFC')
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== ''),
  ),
];

/** The relevant words of a query, at most eight. */
export const searchWords = (query: string): string[] => wordsOf(query).slice(0, 8);

const times = (text: string, word: string) => text.split(word).length - 1;

/** The text of HTML. */
const plain = (html: string | null): string => folded((html ?? '').replace(/<[^>]*>/g, ' '));

/** From 0, for an exact title match, towards 1; 1 when a word is missing. */
export function distanceOf({ title, body }: Text, query: string): number {
  const words = searchWords(query).map(folded);
  const [head, rest, sought] = [folded(title), plain(body), folded(query).trim()];
  if (words.length === 0 || words.some((word) => !head.includes(word) && !rest.includes(word))) return 1;
  if (head.trim() === sought) return 0;
  const inTitle = words.filter((word) => head.includes(word)).length / words.length;
  const often = words.reduce((sum, word) => sum + Math.min(10, times(rest, word)), 0) / (words.length * 10);
  const phrase = words.length > 1 && (head.includes(sought) || rest.includes(sought)) ? 0.1 : 0;
  return Math.round((0.9 - inTitle * 0.5 - often * 0.25 - phrase) * 1000) / 1000;
}
