// Merges two edits of a text by paragraphs. Pure.

import { Parser } from 'htmlparser2';
import { diff3MergeRegions } from 'node-diff3';

/** `both`: the same on both sides. `mine`, `theirs`: only that side has changed the base; empty where it was removed. */
export type MergedPart =
  | { readonly from: 'both'; readonly html: string }
  | { readonly from: 'mine' | 'theirs'; readonly html: string; readonly was: string }
  | { readonly from: 'conflict'; readonly mine: string; readonly theirs: string };

/** Elements whose text is a paragraph of its own. All others are parts of a paragraph. */
const isBlock = new Set(
  (
    'address article aside blockquote center details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul ' +
    'form fieldset'
  ).split(' '),
);

/** The paragraphs of a text, as they are written: its outermost blocks, and the text between them. Together they are the text. */
export function paragraphsIn(html: string): string[] {
  const cuts = new Set<number>();
  let depth = 0;
  const parser: Parser = new Parser({
    onopentag(name) {
      if (depth === 0 && isBlock.has(name)) cuts.add(parser.startIndex);
      depth++;
    },
    onclosetag(name) {
      depth--;
      if (depth === 0 && isBlock.has(name)) cuts.add(parser.endIndex + 1);
    },
  });
  parser.end(html);
  const at = [0, ...[...cuts].sort((a, b) => a - b), html.length];
  return at.slice(1).flatMap((end, nth) => (end > (at[nth] ?? 0) ? html.slice(at[nth], end) : []));
}

/** Spaces between and around paragraphs do not count. */
const sameness = (paragraph: string): string => paragraph.replaceAll(/[ \t\r\n\f]+/g, ' ').replaceAll(/^ | $|(?<=>) (?=<)/g, '');

interface Piece {
  readonly key: string;
  readonly html: string;
}
const piecesOf = (html: string): Piece[] =>
  paragraphsIn(html).flatMap((paragraph) => (sameness(paragraph) === '' ? [] : { key: sameness(paragraph), html: paragraph }));

type Region = ReturnType<typeof diff3MergeRegions<string>>[number];

/** Where a region begins in the base; undefined for what one side has put there. */
function startOf(region: Region | undefined, end: number): number | undefined {
  if (!region) return end;
  if (!region.stable) return region.oStart;
  return region.buffer === 'o' ? region.bufferStart : undefined;
}

/** @param base what both have begun with */
export function mergeParagraphs(base: string, mine: string, theirs: string): MergedPart[] {
  const [of, a, b] = [piecesOf(base), piecesOf(mine), piecesOf(theirs)];
  const keys = (pieces: readonly Piece[]) => pieces.map(({ key }) => key);
  const cut = (pieces: readonly Piece[], from: number, to: number) =>
    pieces
      .slice(from, to)
      .map(({ html }) => html)
      .join('');
  const parts: MergedPart[] = [];
  const at = { base: 0, mine: 0, theirs: 0 };
  /** What one side has removed is in no region. */
  const removedUntil = (end: number) => {
    if (end <= at.base) return;
    const length = end - at.base;
    const isTheirs = a[at.mine]?.key === of[at.base]?.key;
    parts.push({ from: isTheirs ? 'theirs' : 'mine', html: '', was: cut(of, at.base, end) });
    at[isTheirs ? 'mine' : 'theirs'] += length;
    at.base = end;
  };
  const regions = diff3MergeRegions(keys(a), keys(of), keys(b));
  for (const [nth, region] of regions.entries()) {
    removedUntil(startOf(region, of.length) ?? at.base);
    if (!region.stable) {
      const [aEnd, bEnd] = [region.aStart + region.aLength, region.bStart + region.bLength];
      parts.push(...decided(of, a, b, region));
      Object.assign(at, { base: region.oStart + region.oLength, mine: aEnd, theirs: bEnd });
    } else if (region.buffer === 'o') {
      const { bufferLength: length } = region;
      // Equal but for spaces: as the server has it.
      parts.push({ from: 'both', html: cut(b, at.theirs, at.theirs + length) });
      Object.assign(at, { base: at.base + length, mine: at.mine + length, theirs: at.theirs + length });
    } else {
      const isMine = region.buffer === 'a';
      const end = startOf(regions[nth + 1], of.length) ?? at.base;
      const length = end - at.base;
      const html = cut(isMine ? a : b, region.bufferStart, region.bufferStart + region.bufferLength);
      parts.push({ from: isMine ? 'mine' : 'theirs', html, was: cut(of, at.base, end) });
      at.mine += isMine ? region.bufferLength : length;
      at.theirs += isMine ? length : region.bufferLength;
      at.base = end;
    }
  }
  removedUntil(of.length);
  return parts;
}

/** Where both sides have changed, paragraph by paragraph if none was added or removed. */
function decided(
  of: readonly Piece[],
  a: readonly Piece[],
  b: readonly Piece[],
  { oStart, oLength, aStart, aLength, bStart, bLength }: Extract<Region, { stable: false }>,
): MergedPart[] {
  const isEven = oLength === aLength && oLength === bLength;
  const step = isEven ? 1 : Math.max(oLength, aLength, bLength);
  const count = isEven ? oLength : 1;
  return Array.from({ length: count }, (_, nth): MergedPart => {
    const [was, mine, theirs] = (
      [
        [of, oStart, oLength],
        [a, aStart, aLength],
        [b, bStart, bLength],
      ] as const
    ).map(([pieces, from, length]) => joined(pieces.slice(from + nth, from + Math.min(nth + step, length)))) as [Piece, Piece, Piece];
    if (mine.key === theirs.key) return { from: 'both', html: theirs.html };
    if (mine.key === was.key) return { from: 'theirs', html: theirs.html, was: was.html };
    if (theirs.key === was.key) return { from: 'mine', html: mine.html, was: was.html };
    return { from: 'conflict', mine: mine.html, theirs: theirs.html };
  });
}

const joined = (pieces: readonly Piece[]): Piece => ({
  key: pieces.map(({ key }) => key).join('\n'),
  html: pieces.map(({ html }) => html).join(''),
});
