// Merges two texts into one: the later one, with added words marked as inserted and removed words as deleted. Pure.

import { diffArrays } from 'diff';
import type { ChangedWords } from '../../contract/news';
import { plainText } from './plain_text';

interface Difference {
  readonly inserted: number;
  readonly deleted: number;
}

/**
 * With more differences than this, it counts as another text and is not compared word by word. The limit is lower for long texts,
 * because the cost is the product of both, and the user is waiting.
 */
const differing = (before: readonly string[], after: readonly string[]) =>
  diffArrays([...before], [...after], {
    maxEditLength: Math.min(3000, Math.max(200, Math.round(4e6 / (before.length + after.length + 1)))),
  });

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (html: string): string[] => [...segmenter.segment(plainText(html))].flatMap((one) => (one.isWordLike ? [one.segment] : []));

/** How many words were added and removed; undefined if it is another text. */
export function difference(before: string, after: string): Difference | undefined {
  const runs = differing(wordsOf(before), wordsOf(after));
  if (!runs) return undefined;
  const count = (is: 'added' | 'removed') => runs.reduce((sum, run) => sum + (run[is] ? run.count : 0), 0);
  return { inserted: count('added'), deleted: count('removed') };
}

/** The same, with whole added or removed paragraphs counted as such; undefined if it is another text. */
export function changedWords(before: string, after: string): ChangedWords | undefined {
  const [was, is] = [paragraphsOf(before), paragraphsOf(after)];
  const runs = differing(was, is);
  if (!runs) return undefined;
  const found = { inserted: 0, deleted: 0, paragraphs_added: 0, paragraphs_removed: 0 };
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as (typeof runs)[number];
    const next = runs[at + 1];
    if (!run.added && !run.removed) continue;
    if (!next || (!next.added && !next.removed)) {
      found[run.added ? 'paragraphs_added' : 'paragraphs_removed'] += run.count;
      continue;
    }
    const words = difference((run.removed ? run : next).value.join(' '), (run.removed ? next : run).value.join(' '));
    if (!words) return undefined;
    found.inserted += words.inserted;
    found.deleted += words.deleted;
    at++;
  }
  return found;
}

/** An added paragraph is shown as one, and not merged into its neighbour. */
const blocks = 'p|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|pre|div|figure|figcaption|details|summary';
const block = new RegExp(`(?=<(?:${blocks}|hr)\\b)|(?<=</(?:${blocks})>)`);
const paragraphsOf = (html: string): string[] => html.split(block).flatMap((part) => plainText(part) || []);
/** These contain no words themselves: words are kept until a block that may contain them. */
const holdsBlocks = new Set(['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'colgroup']);
const isVoid = new Set(['img', 'br', 'hr', 'wbr', 'col', 'source', 'track', 'math']);
/** They are compared like words: a formula is added or removed as a whole. */
const isLikeWord = new Set(['img', 'math']);

/**
 * Both are clean HTML.
 * @param said the labels that screen readers announce at the start and the end of a mark
 */
export function compared(
  before: string,
  after: string,
  said: Readonly<Record<'ins' | 'del', readonly [string, string]>>,
): string | undefined {
  const sheet = new Sheet(said);
  const runs = differing(before.split(block), after.split(block));
  if (!runs) return undefined;
  for (let at = 0; at < runs.length; at++) {
    const run = runs[at] as (typeof runs)[number];
    const next = runs[at + 1];
    const text = run.value.join('');
    if (!run.added && !run.removed) sheet.write(text);
    else if (next && run.removed !== next.removed && run.added !== next.added && (next.added || next.removed)) {
      const other = next.value.join('');
      write(sheet, run.removed ? text : other, run.removed ? other : text);
      at++;
    } else if (run.added) sheet.mark('ins', piecesOf(text));
    else sheet.mark('del', whole(piecesOf(text)));
  }
  return sheet.end();
}

/** Texts that share half of their words are shown word by word, with adjacent changed words as one phrase; others one after the other. */
function write(sheet: Sheet, before: string, after: string): void {
  const [was, is] = [piecesOf(before), piecesOf(after)];
  const runs = differing(was, is);
  const isWord = (piece: string) => !piece.startsWith('<') && piece.trim() !== '';
  const shared = (runs ?? []).flatMap((run) => (run.added || run.removed ? [] : run.value)).filter(isWord).length;
  const fewest = Math.min(was.filter(isWord).length, is.filter(isWord).length);
  if (!runs || fewest === 0 || shared < fewest / 2) {
    sheet.mark('del', whole(was));
    sheet.mark('ins', is);
    return;
  }
  let [went, came]: [string[], string[]] = [[], []];
  for (const [at, run] of runs.entries()) {
    const next = runs[at + 1];
    const isBetween = run.value.every((piece) => piece.trim() === '') && (next?.added || next?.removed) && went.length + came.length > 0;
    if (run.removed || isBetween) went.push(...run.value.filter((piece) => !piece.startsWith('<') || isVoid.has(nameOf(piece))));
    if (run.added || isBetween) came.push(...run.value);
    if (run.added || run.removed || isBetween) continue;
    sheet.mark('del', went);
    sheet.mark('ins', came);
    [went, came] = [[], []];
    sheet.write(run.value.join(''));
  }
  sheet.mark('del', went);
  sheet.mark('ins', came);
}

/** Tags, words and what is between them. */
const piecesOf = (html: string): string[] =>
  html.split(/(<math\b[\s\S]*?<\/math>|<[^>]*>|&[#\w]+;)/).flatMap((part) => {
    if (part === '' || part.startsWith('<') || part.startsWith('&')) return part === '' ? [] : [part];
    return [...segmenter.segment(part)].map(({ segment }) => segment);
  });

const nameOf = (tag: string): string => /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';

/** Without tags whose start or end is outside the range. */
function whole(pieces: readonly string[]): string[] {
  const kept = new Set<number>();
  const open: number[] = [];
  for (const [at, piece] of pieces.entries()) {
    if (!piece.startsWith('<') || isVoid.has(nameOf(piece))) kept.add(at);
    else if (!piece.startsWith('</')) open.push(at);
    else if (open.length > 0 && nameOf(pieces[open.at(-1) as number] as string) === nameOf(piece)) kept.add(at).add(open.pop() as number);
  }
  return pieces.filter((_, at) => kept.has(at));
}

class Sheet {
  #html = '';
  readonly #open: string[] = [];
  /** Marked words that could not be placed where they were. */
  #waiting = '';

  constructor(private readonly said: Readonly<Record<'ins' | 'del', readonly [string, string]>>) {}

  write(html: string): void {
    for (const part of html.split(/(<[^>]*>)/))
      if (part.startsWith('<')) this.#tag(part);
      else if (part !== '') this.#words(part, '');
  }

  /** The words between tags as one mark, its tags unchanged. */
  mark(as: 'ins' | 'del', pieces: readonly string[]): void {
    let words = '';
    const flush = () => {
      const [begins, ends] = this.said[as];
      if (words.trim() === '') this.#words(words, '');
      else this.#words('', `<${as} data-begins="${escaped(begins)}" data-ends="${escaped(ends)}">${words}</${as}>`);
      words = '';
    };
    for (const piece of pieces) {
      if (piece.startsWith('<') && !isLikeWord.has(nameOf(piece))) {
        flush();
        this.#tag(piece);
      } else words += piece;
    }
    flush();
  }

  end(): string {
    if (this.#waiting !== '') this.#html += `<p>${this.#waiting}</p>`;
    return this.#html;
  }

  #tag(tag: string): void {
    this.#html += tag;
    const name = nameOf(tag);
    if (tag.startsWith('</')) {
      const at = this.#open.lastIndexOf(name);
      if (at !== -1) this.#open.splice(at);
    } else if (!isVoid.has(name)) {
      this.#open.push(name);
      if (this.#waiting !== '') this.#words('', '');
    }
  }

  #words(plain: string, marked: string): void {
    if (holdsBlocks.has(this.#open.at(-1) ?? '')) {
      this.#html += plain;
      this.#waiting += marked;
      return;
    }
    this.#html += this.#waiting + plain + marked;
    this.#waiting = '';
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
