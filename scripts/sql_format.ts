// SQL over several lines: each clause on a line of its own, indented by the brackets around it.

const pattern = /'(?:[^']|'')*'|(?:"[^"]*"|`[^`]*`)(?:\.(?:"[^"]*"|`[^`]*`|\w+))*|\s+|[(),]|[^\s'"`(),]+/g;

/** Words that begin a line, with the words that may come before them on it. */
const clause =
  /^(?:select|from|where|and|or|union|except|intersect|(?:left|inner|cross) join|join|group by|having|order by|limit|with|insert into|values|update|set|delete from|on conflict|returning)$/i;
const twoWords = /^(?:left|inner|cross|group|order|insert|delete|on)$/i;
/** Brackets that hold more are spread over several lines. */
const wide = 60;
const longestLine = 120;

interface Piece {
  readonly text: string;
  /** Of an opening bracket: the length of what is in it. */
  readonly length: number;
}

/** The words of a statement, with words that belong together as one. */
function piecesOf(statement: string): Piece[] {
  const words = statement.match(pattern)?.filter((word) => word.trim() !== '') ?? [];
  const joined: string[] = [];
  for (const word of words) {
    const before = joined.at(-1) ?? '';
    if (twoWords.test(before) && clause.test(`${before} ${word}`)) joined[joined.length - 1] = `${before} ${word}`;
    else joined.push(word);
  }
  const open: number[] = [];
  const lengths = joined.map(() => 0);
  for (const [at, word] of joined.entries()) {
    if (word === '(') open.push(at);
    if (word !== ')') continue;
    const from = open.pop();
    if (from !== undefined) lengths[from] = joined.slice(from, at).join(' ').length;
  }
  return joined.map((text, at) => ({ text, length: lengths[at] ?? 0 }));
}

const isTight = (before: string, text: string): boolean => before === '(' || text === ')' || text === ',' || before === '';

/** The same statement for a reader; short brackets stay on their line. */
export function formatted(statement: string): string {
  const lines: string[] = [''];
  const brackets: boolean[] = [];
  const depth = () => brackets.filter(Boolean).length;
  const isFlat = () => brackets.at(-1) === false;
  const write = (text: string) => {
    const line = lines.at(-1) ?? '';
    const before = /(\S)$/.exec(line)?.[1] ?? '';
    const callsIt =
      text === '(' &&
      /\w$/.test(line) &&
      !/\b(?:in|as|and|or|not|exists|values|over|from|join|on|select|where|then|else|when|set)$/i.test(line);
    lines[lines.length - 1] = `${line}${isTight(before, text) || callsIt || line.trim() === '' ? '' : ' '}${text}`;
  };
  const breakLine = () => {
    if (lines.at(-1)?.trim() !== '') lines.push('');
    lines[lines.length - 1] = '  '.repeat(depth());
  };
  for (const { text, length } of piecesOf(statement)) {
    if (text === ')' && brackets.pop() === true) breakLine();
    else if (clause.test(text) && !isFlat()) breakLine();
    write(text);
    if (text === ',' && !isFlat() && (lines.at(-1) ?? '').length > longestLine) breakLine();
    if (text !== '(') continue;
    brackets.push(length > wide);
    if (length > wide) breakLine();
  }
  return lines.filter((line) => line.trim() !== '').join('\n');
}
