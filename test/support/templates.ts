// The template literals of a TypeScript source, with tag, line and the text between placeholders.

import type { Piece } from './sql_text';

export interface Template {
  /** The identifier before the backtick, or an empty string. */
  readonly tag: string;
  /** One more than there are placeholders. */
  readonly pieces: readonly Piece[];
}

/** After one of these a slash begins a regular expression; elsewhere it is a division. */
const beforeRegex = /(?:^|[=([{,;:!&|?+*<>%~^-]|\b(?:return|typeof|case|in|of|void))$/;

/** The end of a string, comment or regular expression that begins here; undefined when none does. */
function skipped(source: string, at: number): number | undefined {
  const two = source.slice(at, at + 2);
  if (two === '//') return endOr(source, source.indexOf('\n', at));
  if (two === '/*') return endOr(source, source.indexOf('*/', at) + 2);
  const one = source[at];
  if (one === "'" || one === '"') return quoted(source, at, one);
  if (one === '/' && beforeRegex.test(source.slice(Math.max(0, at - 40), at).trimEnd())) return regex(source, at);
  return undefined;
}
const endOr = (source: string, at: number) => (at < 2 ? source.length : at);

function quoted(source: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

function regex(source: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < source.length; at += source[at] === '\\' ? 2 : 1) {
    if (source[at] === '[') inClass = true;
    else if (source[at] === ']') inClass = false;
    else if (source[at] === '/' && !inClass) return at + 1;
  }
  return source.length;
}

/** The identifier before a backtick, with or without type arguments. */
function tagBefore(source: string, end: number): string {
  let at = end;
  for (let depth = 0; source[at - 1] === '>' || depth > 0; at -= 1) {
    if (source[at - 1] === '>' && source[at - 2] !== '=') depth += 1;
    if (source[at - 1] === '<') depth -= 1;
    if (at === 0 || source[at - 1] === '`' || (depth === 0 && source[at - 1] !== '<')) return '';
  }
  return /[A-Za-z_$][\w$]*$/.exec(source.slice(Math.max(0, at - 60), at))?.[0] ?? '';
}

/** Every template of a source, including those nested in placeholders. */
export function templatesIn(source: string): Template[] {
  const found: Template[] = [];
  /** Reads code up to an unmatched closing brace. */
  const code = (start: number): number => {
    let depth = 0;
    let at = start;
    while (at < source.length) {
      const beyond = source[at] === '`' ? template(at) : skipped(source, at);
      if (beyond !== undefined) {
        at = beyond;
        continue;
      }
      if (source[at] === '{') depth += 1;
      if (source[at] === '}') {
        if (depth === 0) return at;
        depth -= 1;
      }
      at += 1;
    }
    return at;
  };
  const template = (start: number): number => {
    const pieces: Piece[] = [];
    let at = start + 1;
    let from = at;
    const end = () => pieces.push({ text: source.slice(from, at), start: from });
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '$' && source[at + 1] === '{') {
        end();
        at = code(at + 2) + 1;
        from = at;
      } else at += source[at] === '\\' ? 2 : 1;
    }
    end();
    found.push({ tag: tagBefore(source, start), pieces });
    return at + 1;
  };
  code(0);
  return found;
}
