// What a text means, to compare two spellings of it: blocks as a tree, and the words between them with their marks.

import { attributesOf } from './schema.ts';

export const blockNames: ReadonlySet<string> = new Set(
  (
    'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER COL COLGROUP DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER ' +
    'HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'
  ).split(' '),
);
/** Two names for the same. */
const alike: Readonly<Record<string, string>> = { B: 'STRONG', I: 'EM', STRIKE: 'S' };
/** They have content of their own, and are no text. */
const whole = new Set('IFRAME VIDEO AUDIO PICTURE MATH RUBY IMG BR WBR'.split(' '));

/** Begins the sign for a piece; no text contains it. */
const piece = '\0';

type Meaning = string | readonly unknown[];

const stated = (element: Element): string => {
  const given = Object.entries(attributesOf(element)).map(([name, value]) => [
    name,
    name === 'style'
      ? value
          .split(';')
          .map((rule) => rule.trim().replace(/\s*:\s*/, ':'))
          .filter(Boolean)
          .join(';')
      : value,
  ]);
  const counted = given.filter(([name, value]) => !(/^(col|row)span$/.test(name as string) && value === '1'));
  return `${alike[element.nodeName.toUpperCase()] ?? element.nodeName.toUpperCase()}${JSON.stringify(counted.sort())}`;
};

const keyOf = (marks: readonly string[]): string => [...marks].sort().join();
const nameIn = (node: Node): string => node.nodeName.toUpperCase();

/** Shown as one thing: a picture, a player, or a place without words, such as an anchor. */
const isPiece = (element: Element): boolean =>
  whole.has(nameIn(element)) ||
  (!blockNames.has(nameIn(element)) &&
    element.textContent === '' &&
    ![...element.querySelectorAll('*')].some((one) => whole.has(nameIn(one))));

/** In whatever order marks are nested. @param isExact spaces count, as in preformatted text */
export function meaningOf(block: Element, isExact = false): Meaning[] {
  const found: Meaning[] = [];
  let words: [string, string][] = [];
  const endWords = () => {
    const text = isExact ? words : trimmed(words);
    if (text.length > 0) found.push(['P[]', text]);
    words = [];
  };
  const walkElement = (element: Element, marks: readonly string[]): void => {
    if (isPiece(element)) words.push([`${piece}${stated(element)}${element.innerHTML}`, keyOf(marks)]);
    else if (blockNames.has(nameIn(element))) {
      endWords();
      found.push(...meaningOfBlock(element, marks, isExact));
    } else for (const child of element.childNodes) walk(child, [...marks, stated(element)]);
  };
  const walk = (node: ChildNode, marks: readonly string[]): void => {
    if (node.nodeType === 3) addWords(words, node.textContent ?? '', marks, isExact);
    // A comment cannot be shown, and would be lost.
    else if (node.nodeType === 8) found.push(`comment ${node.textContent}`);
    else walkElement(node as Element, marks);
  };
  for (const child of block.childNodes) walk(child, []);
  endWords();
  return found;
}

function meaningOfBlock(element: Element, marks: readonly string[], isExact: boolean): readonly Meaning[] {
  const name = nameIn(element);
  const inside = meaningOf(element, isExact || name === 'PRE');
  // A plain paragraph is what words outside of one are.
  if (name === 'P' && element.attributes.length === 0 && inside.length > 0) return inside;
  const isLine = name === 'P' || /^H\d$/.test(name);
  return [[marks.join() + stated(element), isLine ? inside.flatMap((part) => part[1] ?? part) : inside]];
}

function addWords(words: [string, string][], text: string, marks: readonly string[], isExact: boolean): void {
  const of = keyOf(marks);
  const last = words.at(-1);
  const shown = isExact ? text : text.replaceAll(/[ \t\r\n\f]+/g, ' ');
  if (last && last[1] === of && !last[0].startsWith(piece)) last[0] += shown;
  else words.push([shown, of]);
}

/** Without spaces that no browser shows: at the ends, and next to another space. */
function trimmed(words: readonly [string, string][]): [string, string][] {
  let isSpaceBefore = true;
  const shown = words.map(([text, marks]): [string, string] => {
    if (text.startsWith(piece)) {
      isSpaceBefore = text.startsWith(`${piece}BR`);
      return [text, marks];
    }
    const kept = text.replaceAll(/ +/g, ' ').replace(/^ /, isSpaceBefore ? '' : ' ');
    if (kept !== '') isSpaceBefore = kept.endsWith(' ');
    return [kept, marks];
  });
  const left = shown.filter(([text]) => text !== '');
  const last = left.at(-1);
  if (last && !last[0].startsWith(piece)) last[0] = last[0].replace(/ $/, '');
  return left.filter(([text]) => text !== '');
}
