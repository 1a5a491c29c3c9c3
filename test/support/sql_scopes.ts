// Finds ambiguous columns: a nested query names a column without its table, and SQLite may take another table's column of that name.
//
// Inside `exists (…)` every column must be qualified. In other nested queries a column may be unqualified only when no other table is
// possible: the query reads one table under its own name, the table has the column, the query names no outer table, and the
// column is not compared with another column.

import {
  cutItems,
  groupTokens,
  isMark,
  isQuery,
  isWordToken,
  type Piece,
  type SqlGroup,
  type SqlItem,
  type SqlToken,
  type WordSet,
  wordSet,
} from './sql_text';

export type Tables = ReadonlyMap<string, WordSet>;

export interface Offence {
  readonly name: string;
  readonly start: number;
  readonly why: string;
  /** Whether it is compared with a column of the same query: then one of the two very likely means another table. */
  readonly isSuspect: boolean;
}

interface Source {
  /** Its alias, else its own name. */
  readonly name: string;
  /** The table's name; empty for a subquery. */
  readonly table: string;
  readonly isAliased: boolean;
  /** Undefined when a placeholder or a `*` hides them. */
  readonly columns: WordSet | undefined;
}

type Known = ReadonlyMap<string, WordSet | undefined>;
type Place = 'top' | 'exists' | 'nested';

const namesSource = wordSet('from join into update');
const endsSources = wordSet('where group order limit union except intersect having window on using set returning values select');
const noAlias = wordSet(`${[...endsSources].join(' ')} as cross inner left right full outer natural join indexed not default do`);
const joinsArms = wordSet('union except intersect');
const compares = wordSet('= <> < > <= >= != == is like glob');
const takesNames = wordSet('into with recursive');
const conjunctions = wordSet('where and');
const afterCondition = wordSet('and order group limit union except intersect');
/** The word after one of these is not a column. */
const namesOther = wordSet('as collate window over set');
const ofJson = wordSet('key value type atom id parent fullkey path');

/** The column names that a query selects; undefined when unknown. */
function selectedBy(items: readonly SqlItem[]): WordSet | undefined {
  const start = items.findIndex((item) => isWordToken(item, 'select'));
  const end = items.findIndex((item, at) => at > start && isWordToken(item, 'from'));
  const names = cutItems(items.slice(start + 1, end < 0 ? undefined : end), (item) => isMark(item, ',')).map((part) => part.at(-1));
  if (start < 0 || names.some((name) => name?.kind === 'hole' || isMark(name, '*'))) return undefined;
  return new Set(names.flatMap((name) => (isWordToken(name) ? [name.text] : [])));
}

/** The names that `with` gives to queries, with their columns. */
function withNames(items: readonly SqlItem[], outer: Known): Known {
  if (!isWordToken(items[0], 'with')) return outer;
  const known = new Map(outer);
  items.forEach((item, at) => {
    const before = items[at - 1];
    const name = before?.kind === 'group' ? items[at - 2] : before;
    const body = items.slice(at + 1, at + 4).find((next) => next.kind === 'group');
    if (!isWordToken(item, 'as') || !isWordToken(name) || body?.kind !== 'group') return;
    const listed =
      before?.kind === 'group' ? new Set(before.items.flatMap((column) => (isWordToken(column) ? [column.text] : []))) : undefined;
    known.set(name.text, listed ?? selectedBy(body.items));
  });
  return known;
}

/** For each item, whether it is where a query lists what it reads or writes. */
function listsSources(items: readonly SqlItem[]): boolean[] {
  let isOpen = false;
  return items.map((item) => {
    if (isWordToken(item, namesSource)) isOpen = true;
    else if (isWordToken(item, endsSources)) isOpen = false;
    return isOpen;
  });
}

/** The source that begins with the item. */
function sourceAt(items: readonly SqlItem[], at: number, known: Known, tables: Tables): Source {
  const item = items[at];
  const isFunction = isWordToken(item) && items[at + 1]?.kind === 'group' && !isWordToken(items[at - 1], 'into');
  const rest = items.slice(at + (isFunction ? 2 : 1));
  const alias = isWordToken(rest[0], 'as') ? rest[1] : rest[0];
  const isAliased = isWordToken(alias) && !noAlias.has(alias.text);
  const table = isWordToken(item) ? item.text : '';
  const columns = () => (known.has(table) ? known.get(table) : tables.get(table));
  return {
    name: isAliased ? alias.text : table,
    table: isFunction || known.has(table) ? '' : table,
    isAliased,
    columns: isFunction ? ofJson : item?.kind === 'group' ? selectedBy(item.items) : columns(),
  };
}

/** The tables and subqueries that a query reads or writes. */
function sourcesOf(items: readonly SqlItem[], known: Known, tables: Tables): Source[] {
  const isListed = listsSources(items);
  const begins = (item: SqlItem, at: number) =>
    isListed[at] && !isWordToken(item, namesSource) && (isWordToken(items[at - 1], namesSource) || isMark(items[at - 1], ','));
  return items.flatMap((item, at) => (begins(item, at) ? [sourceAt(items, at, known, tables)] : []));
}

/** Whether a condition is the literal false: the plan still includes the tables, but nothing is read. */
const findsNothing = (items: readonly SqlItem[]): boolean =>
  items.some(
    (item, at) =>
      item.kind === 'text' &&
      item.text === '0' &&
      isWordToken(items[at - 1], conjunctions) &&
      (at + 1 === items.length || isWordToken(items[at + 1], afterCondition)),
  );

interface Bare {
  readonly name: string;
  readonly start: number;
  /** The column that it is compared with, and that column's table. */
  readonly against: { readonly table: string | undefined; readonly name: string } | undefined;
}

/** What the expressions of a query mention. */
interface Mentioned {
  /** Tables that qualify a column. */
  readonly free: Set<string>;
  /** Columns without a table. */
  readonly bare: Bare[];
  readonly aliases: Set<string>;
}

/** One parsed statement or template. */
class Reading {
  readonly offences: Offence[] = [];
  /** Every source of every query, and whether that query reads in order up to a limit, or finds nothing. */
  readonly sources: (Source & { readonly isLimited: boolean })[] = [];
  private readonly columns: WordSet;

  constructor(private readonly tables: Tables) {
    this.columns = new Set([...tables.values()].flatMap((columns) => [...columns]));
  }

  /** @returns the tables that a query refers to without reading them itself */
  query(items: readonly SqlItem[], outer: Known, place: Place): WordSet {
    const known = withNames(items, outer);
    const arms = cutItems(items, (item) => isWordToken(item, joinsArms));
    return new Set(arms.flatMap((arm) => [...this.arm(arm, known, place)]));
  }

  private arm(items: readonly SqlItem[], known: Known, place: Place): WordSet {
    const sources = sourcesOf(items, known, this.tables);
    const isOrdered = items.some((item) => isWordToken(item, 'order')) && items.some((item) => isWordToken(item, 'limit'));
    const isLimited = isOrdered || findsNothing(items);
    this.sources.push(...sources.map((source) => ({ ...source, isLimited })));
    const free = new Set<string>();
    const bare: Bare[] = [];
    const aliases = new Set<string>();
    this.expressions(items, known, { free, bare, aliases });
    for (const { name } of sources) free.delete(name);
    // What a placeholder refers to is visible only in the whole statement.
    const isHidden = sources.length === 0 && place !== 'exists' && items.some(({ kind }) => kind === 'hole');
    if (place !== 'top')
      for (const one of bare) {
        const why = aliases.has(one.name) || isHidden ? undefined : whyNot(one, place, sources, free);
        if (why) this.offences.push({ name: one.name, start: one.start, why, isSuspect: isOwn(one, sources) });
      }
    return free;
  }

  private expressions(items: readonly SqlItem[], known: Known, into: Mentioned): void {
    const isListed = listsSources(items);
    for (const [at, item] of items.entries()) {
      const [before, next] = [items[at - 1], items[at + 1]];
      if (item.kind === 'group') this.group(item, items, at, known, into);
      else if (isMark(next, '.')) into.free.add(item.text);
      else if (!isWordToken(item)) continue;
      else if (isWordToken(before, 'as')) into.aliases.add(item.text);
      else if (!isListed[at] && this.isColumn(item, before, next))
        into.bare.push({ name: item.text, start: item.start, against: this.against(items, at) });
    }
  }

  /** A nested query, or an expression in parentheses. Lists of names are neither. */
  private group(group: SqlGroup, items: readonly SqlItem[], at: number, known: Known, into: Mentioned): void {
    const before = items[at - 1];
    const isNames =
      isWordToken(before, 'conflict') || (isWordToken(before) && (isWordToken(items[at - 2], takesNames) || isOpensWith(items, at)));
    if (isNames) return;
    if (!isQuery(group)) this.expressions(group.items, known, into);
    else for (const name of this.query(group.items, known, isWordToken(before, 'exists') ? 'exists' : 'nested')) into.free.add(name);
  }

  private isColumn({ text }: SqlToken, before: SqlItem | undefined, next: SqlItem | undefined): boolean {
    return this.columns.has(text) && next?.kind !== 'group' && !isMark(before, '.') && !isWordToken(before, namesOther);
  }

  private against(items: readonly SqlItem[], at: number): Bare['against'] {
    const isSign = (item: SqlItem | undefined) => isMark(item, compares) || isWordToken(item, compares);
    const column = (name: SqlItem | undefined, table: SqlItem | undefined) =>
      isWordToken(name) && (table || this.columns.has(name.text))
        ? { table: isWordToken(table) ? table.text : undefined, name: name.text }
        : undefined;
    const after = isMark(items[at + 3], '.') ? column(items[at + 4], items[at + 2]) : column(items[at + 2], undefined);
    const before = isMark(items[at - 3], '.') ? column(items[at - 2], items[at - 4]) : column(items[at - 2], undefined);
    return (isSign(items[at + 1]) ? after : undefined) ?? (isSign(items[at - 1]) ? before : undefined);
  }
}

/** Whether the names before a group are those of a second or later `with` query. */
const isOpensWith = (items: readonly SqlItem[], at: number) =>
  isWordToken(items[0], 'with') && isWordToken(items[at + 1], 'as') && isMark(items[at - 2], ',');

const isOwn = ({ name, against }: Bare, sources: readonly Source[]): boolean =>
  against !== undefined &&
  sources.some(({ columns }) => columns?.has(name)) &&
  sources.some((source) => (against.table === undefined ? source.columns?.has(against.name) : source.name === against.table));

function whyNot({ name, against }: Bare, place: Place, sources: readonly Source[], free: WordSet): string | undefined {
  const [only] = sources;
  // A subquery that is a source names it itself.
  if (sources.length === 1 && only?.name === '' && only.columns?.has(name)) return undefined;
  if (place === 'exists') return 'is unqualified inside exists (…)';
  if (sources.length !== 1 || !only || only.isAliased) return 'could belong to several tables';
  if (only.columns && !only.columns.has(name)) return `is not a column of ${only.name}`;
  if (free.size > 0) return `is in a query that also uses ${[...free].join(', ')}`;
  return against ? 'is compared with a column' : undefined;
}

const read = (group: SqlGroup, tables: Tables): Reading => {
  const reading = new Reading(tables);
  reading.query(group.items, new Map(), 'top');
  return reading;
};

/** @param pieces the texts of a template, or one whole statement */
export const offencesIn = (pieces: readonly Piece[], tables: Tables): readonly Offence[] => read(groupTokens(pieces), tables).offences;

export const sourcesIn = (statement: string, tables: Tables) => read(groupTokens([{ text: statement, start: 0 }]), tables).sources;
