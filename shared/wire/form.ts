// Bracketed names and trees: `a[b][]=c` ⇄ `{ a: { b: ['c'] } }` (reference A2).

export type FormTree = { [key: string]: unknown };

/** An unparsed parameter as text; blank for objects. */
export const wordOf = (given: unknown): string => (given === null || given === undefined || typeof given === 'object' ? '' : String(given));

/** Null or only spaces: how clients send a missing value. */
export const isBlank = (given: unknown): boolean => given === null || (typeof given === 'string' && given.trim() === '');

/** Removes blank parameters: in list requests they are not filters, nor members of one. */
export const withoutBlanks = (tree: FormTree): FormTree =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([name, value]) =>
      isBlank(value) ? [] : [[name, Array.isArray(value) ? value.filter((member) => !isBlank(member)) : value]],
    ),
  );

/** A list without a name, `[][id]=1`, is stored under the empty name. */
const segments = (name: string): string[] => {
  const open = name.indexOf('[');
  if (open < 0 || !name.endsWith(']') || (open === 0 && !name.includes(']['))) return [name];
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
};

const isTree = (value: unknown): value is FormTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === null;

/** Thrown when one name is used both as a value and as an object. */
export class MixedName extends Error {
  constructor(readonly parameter: string) {
    super(`${parameter} is both a value and an object`);
  }
}

/**
 * Builds the tree of names and values, in order.
 * Repeated scalar names are kept, so that a field parsed as a list sees all values.
 */
export function formTreeOf(pairs: Iterable<readonly [string, unknown]>): FormTree {
  const root: FormTree = Object.create(null);
  const repeated = new Map<string, unknown[]>();
  for (const [name, value] of pairs) {
    const path = segments(name);
    if (path.length === 1) {
      if (name in root && !isTree(root[name]) && !(Array.isArray(root[name]) && !repeated.has(name))) {
        const all = repeated.get(name) ?? [root[name]];
        all.push(value);
        repeated.set(name, all);
      }
      if (isTree(root[name])) throw new MixedName(name);
      root[name] = value;
    } else place(root, path, value, name);
  }
  for (const [name, all] of repeated) Object.defineProperty(root, name, { value: new Repeated(all), enumerable: true });
  return root;
}

/** A repeated scalar name: the last value counts, or all when a list is expected. */
class Repeated {
  constructor(readonly all: readonly unknown[]) {}
}

/** Resolves repeated scalars: a list if expected, else the last value. */
export const settleLists = (tree: FormTree, wantsList: (name: string) => boolean): FormTree => {
  for (const name of Object.keys(tree)) {
    const value = tree[name];
    if (value instanceof Repeated)
      Object.defineProperty(tree, name, { value: wantsList(name) ? [...value.all] : value.all.at(-1), enumerable: true, writable: true });
  }
  return tree;
};

function place(root: FormTree, path: string[], value: unknown, name: string): void {
  let at: FormTree | unknown[] = root;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const key = path[depth] as string;
    const next = path[depth + 1] as string;
    at = Array.isArray(at) ? element(at, path.slice(depth)) : branch(at, key, next === '', name);
  }
  const last = path.at(-1) as string;
  if (Array.isArray(at)) {
    if (last === '') at.push(value);
    else throw new MixedName(name);
  } else {
    if (isTree(at[last])) throw new MixedName(name);
    at[last] = value;
  }
}

function branch(at: FormTree, key: string, wantsArray: boolean, name: string): FormTree | unknown[] {
  const there = at[key];
  if (there === undefined) {
    const made: FormTree | unknown[] = wantsArray ? [] : Object.create(null);
    at[key] = made;
    return made;
  }
  if (wantsArray ? !Array.isArray(there) : !isTree(there)) throw new MixedName(name);
  return there as FormTree | unknown[];
}

/** The element of an array of objects for a key: a key that already exists starts a new element. */
function element(array: unknown[], rest: string[]): FormTree {
  const key = rest[1] as string;
  const holdsList = rest.slice(2).includes('');
  const last = array.at(-1);
  if (isTree(last) && (holdsList || !(key in last) || (rest.length > 2 && !leafExists(last, rest.slice(1))))) return last;
  const made: FormTree = Object.create(null);
  array.push(made);
  return made;
}

function leafExists(from: FormTree, path: string[]): boolean {
  let at: unknown = from;
  for (const key of path) {
    if (!isTree(at) || !(key in at)) return false;
    at = at[key];
  }
  return true;
}

/** A tree as name-value pairs of a form or query. */
export function pairsOf(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] => {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined) return [];
    if (value === null) return [[name, '']];
    if (Array.isArray(value))
      return value.length === 0
        ? [[`${name}[]`, '']]
        : value.flatMap((member): [string, string][] =>
            typeof member === 'object' && member !== null ? pairsOf(member, `${name}[]`) : [[`${name}[]`, String(member)]],
          );
    if (typeof value === 'object') return pairsOf(value, name);
    return [[name, String(value)]];
  });
}
