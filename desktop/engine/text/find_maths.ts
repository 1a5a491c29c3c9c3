// Finds the formulas of a text by their delimiters, in one pass. Pure.

export interface Formula {
  readonly from: number;
  readonly to: number;
  readonly tex: string;
  readonly displayed: boolean;
}

/** Longer than any formula that is written by hand. */
const longest = 5000;

const marks = [
  { opens: '\\(', closes: '\\)', displayed: false },
  { opens: '\\[', closes: '\\]', displayed: true },
  { opens: '$$', closes: '$$', displayed: true },
] as const;

/** The rule of pandoc, so that prices are not formulas: no space inside the dollars, and no digit after the closing one. */
const single = /\$(?![\s$])((?:[^$\\\n]|\\.|\n(?!\n)){0,1000}?[^\s$\\])\$(?!\d)/y;

/** @param isMarkdown a single dollar is a delimiter, too, and code contains no formulas */
export function formulasIn(text: string, isMarkdown = false): Formula[] {
  const found: Formula[] = [];
  const next = searching(text);
  for (let at = 0; at < text.length; ) {
    const message = text[at];
    if (isMarkdown && message === '`') at = afterCode(text, at, next);
    else if (message === '\\' || message === '$') {
      const formula = formulaAt(text, at, isMarkdown, next);
      if (formula) found.push(formula);
      at = formula?.to ?? at + (message === '\\' || markAt(text, at) ? 2 : 1);
    } else at++;
  }
  return found;
}

const markAt = (text: string, at: number) => marks.find(({ opens }) => text.startsWith(opens, at));

function formulaAt(text: string, at: number, isMarkdown: boolean, next: ReturnType<typeof searching>): Formula | undefined {
  const mark = markAt(text, at);
  return (mark && between(text, at, mark, next)) ?? (isMarkdown ? inDollars(text, at) : undefined);
}

/** Returns the position of a delimiter. One that does not occur in the rest of the text is not searched again. */
function searching(text: string): (sign: string, from: number) => number {
  const missing = new Set<string>();
  return (sign, from) => {
    const at = missing.has(sign) ? -1 : text.indexOf(sign, from);
    if (at === -1) missing.add(sign);
    return at;
  };
}

function between(text: string, from: number, mark: (typeof marks)[number], next: ReturnType<typeof searching>): Formula | undefined {
  const closes = next(mark.closes, from + 2);
  const tex = closes !== -1 && closes - from < longest ? text.slice(from + 2, closes) : '';
  return tex.trim() === '' ? undefined : { from, to: closes + 2, tex, displayed: mark.displayed };
}

function inDollars(text: string, from: number): Formula | undefined {
  single.lastIndex = from;
  const [whole, tex] = single.exec(text) ?? [];
  return whole === undefined || tex === undefined ? undefined : { from, to: from + whole.length, tex, displayed: false };
}

/** The position after a code span or fence that closes with as many backticks; if none does, the position after the backticks. */
function afterCode(text: string, at: number, next: ReturnType<typeof searching>): number {
  let end = at;
  while (text[end] === '`') end++;
  const strokes = text.slice(at, end);
  if (strokes.length > 50) return end;
  const closes = next(strokes, end);
  return closes === -1 ? end : closes + strokes.length;
}

/** Private-use characters, which do not occur in text. */
const [begin, close] = ['\uE0F0', '\uE0F1'];

export function withoutFormulas(text: string) {
  const given = text.replaceAll(/[\uE0F0\uE0F1]/g, '');
  const formulas = formulasIn(given, true);
  let bare = '';
  let at = 0;
  for (const [nth, { from, to }] of formulas.entries()) {
    bare += `${given.slice(at, from)}${begin}${nth}${close}`;
    at = to;
  }
  return { text: bare + given.slice(at), formulas, holder: /\uE0F0(\d+)\uE0F1/g };
}
