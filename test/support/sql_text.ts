// Tokenises SQL into words, symbols and bracket groups: enough to see which table a name belongs to.

export interface SqlToken {
  readonly kind: 'word' | 'text' | 'mark' | 'hole';
  /** A word in lower case without quotes. */
  readonly text: string;
  readonly start: number;
}

/** The content of brackets; the outermost group is the whole text. */
export interface SqlGroup {
  readonly kind: 'group';
  readonly items: readonly SqlItem[];
}
export type SqlItem = SqlToken | SqlGroup;
export type WordSet = ReadonlySet<string>;

/** A piece of SQL and its position in the source. Between two pieces the template has a placeholder. */
export interface Piece {
  readonly text: string;
  readonly start: number;
}

const pattern = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|`[^`]*`|[A-Za-z_$][\w$]*|\d[\w.]*|\s+|<>|[<>!=]=|[\s\S]/g;

function tokensOf({ text, start }: Piece): SqlToken[] {
  return [...text.matchAll(pattern)].flatMap(({ 0: part, index }): SqlToken[] => {
    const at = start + index;
    if (/^\s|^--|^\/\*/.test(part)) return [];
    if (/^['\d]/.test(part)) return [{ kind: 'text', text: part, start: at }];
    if (/^["`]./.test(part)) return [{ kind: 'word', text: part.slice(1, -1).toLowerCase(), start: at }];
    return [{ kind: /^[A-Za-z_$]/.test(part) ? 'word' : 'mark', text: part.toLowerCase(), start: at }];
  });
}

export function groupTokens(pieces: readonly Piece[]): SqlGroup {
  const stack: SqlItem[][] = [[]];
  const close = () => {
    const items = stack.pop() as SqlItem[];
    (stack.at(-1) as SqlItem[]).push({ kind: 'group', items });
  };
  pieces.forEach((piece, index) => {
    if (index > 0) (stack.at(-1) as SqlItem[]).push({ kind: 'hole', text: '', start: piece.start });
    for (const token of tokensOf(piece)) {
      if (token.kind === 'mark' && token.text === '(') stack.push([]);
      else if (token.kind === 'mark' && token.text === ')' && stack.length > 1) close();
      else (stack.at(-1) as SqlItem[]).push(token);
    }
  });
  while (stack.length > 1) close();
  return { kind: 'group', items: stack[0] as SqlItem[] };
}

export const wordSet = (text: string): WordSet => new Set(text.split(' '));

const among = (text: string, some: WordSet | string | undefined) =>
  some === undefined || (typeof some === 'string' ? text === some : some.has(text));
export const isWordToken = (item: SqlItem | undefined, some?: WordSet | string): item is SqlToken =>
  item?.kind === 'word' && among(item.text, some);
export const isMark = (item: SqlItem | undefined, some: WordSet | string): item is SqlToken =>
  item?.kind === 'mark' && among(item.text, some);

/** Splits items at each one that matches. */
export function cutItems(items: readonly SqlItem[], isCut: (item: SqlItem) => boolean): SqlItem[][] {
  const parts: SqlItem[][] = [[]];
  for (const item of items) {
    if (isCut(item)) parts.push([]);
    else (parts.at(-1) as SqlItem[]).push(item);
  }
  return parts;
}

const begins = wordSet('select with values insert update delete');
export const isQuery = ({ items }: SqlGroup): boolean => isWordToken(items[0], begins);

const constraints = wordSet('primary unique foreign check constraint');
const ofVocabulary = wordSet('term doc cnt');

/** Every table of a migration with its columns. */
export function tablesIn(migration: string): ReadonlyMap<string, WordSet> {
  const tables = new Map<string, WordSet>();
  const declared = /create\s+(?:virtual\s+)?table\s+`?(\w+)`?\s*(?:using\s+(\w+))?\s*(?=\()/gi;
  for (const { 0: head, 1: name = '', 2: using, index } of migration.matchAll(declared)) {
    const end = migration.indexOf(');', index);
    const [body] = groupTokens([{ text: migration.slice(index + head.length, end < 0 ? undefined : end), start: 0 }]).items;
    if (body?.kind !== 'group') continue;
    const firsts = cutItems(body.items, (item) => isMark(item, ',')).map(([first]) => first);
    const columns = firsts.flatMap((first) => (isWordToken(first) && !constraints.has(first.text) ? [first.text] : []));
    tables.set(name, using === 'fts5vocab' ? ofVocabulary : new Set([...columns, ...(using ? [name, 'rank', 'rowid'] : ['rowid'])]));
  }
  return tables;
}
