// Searches in the words of people, courses and accounts: what a term finds, and whether it finds so little that it is read from the index of words.

import { type SQL, sql } from 'drizzle-orm';

export interface Sought {
  /** Whether no more rows can hold the words than may be read, or the walk could not compare them: else the list is walked in its order, and most of it is found. */
  readonly isFew: SQL;
  /** Whether no more rows can hold the words than may be read. */
  readonly isRare: SQL;
  /** Whether the row with an id holds them, as the index has it. */
  readonly holds: (id: SQL) => SQL;
  /** The ids of the rows that hold them, one column named `found`. */
  readonly ids: SQL;
  /** The same along the index itself, which has them in the order of their ids: lists that are ordered so read no more than a page of them. */
  readonly inOrder: { readonly from: SQL; readonly where: SQL; readonly id: SQL };
}

const run = 3;
const never = '"\u0001\u0001\u0001"';
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

/** A text that ends at a null is cut there by the index. */
const wordIn = (given: string) => given.replaceAll('\0', ' ').trim();

/** The runs of a word; the index folds case as this does. */
function runsOf(word: string): string[] {
  const letters = [...word.toLowerCase()];
  return letters.slice(run - 1).map((_, at) => letters.slice(at, at + run).join(''));
}

/** Only the letters A to Z are compared without regard to case where no index is asked. */
export const isPlain = (word: string): boolean => !/[^\0-\u007f]/.test(word);

/** A select of the rows that hold a plain word in any of the columns, but do not begin with it in `first`; nothing for a word too short for a run. */
export function holdingElsewhere(index: 'people', columns: readonly string[], given: string, first: string): SQL | undefined {
  const word = wordIn(given);
  if ([...word].length < run || !isPlain(word)) return undefined;
  const table = sql.raw(`${index}_search`);
  const query = `({${columns.join(' ')}} : (${quoted(word)})) NOT ({${first}} : (^${quoted(word)}))`;
  return sql`select rowid as found from ${table} where ${table} match (${query})`;
}

/** Terms of the index that begin with a word too short for a run. */
const beginning = (runs: SQL, word: string) => {
  const start = word.toLowerCase();
  return sql`from ${runs} where term >= ${start} and term < ${`${start}\u{10ffff}`}`;
};

/**
 * Rows that hold all of the words in the given columns, each in any of them.
 * @param most how many rows may be read to find them
 * @returns undefined where the index can say nothing: words of one letter
 */
export function sought(
  index: 'people' | 'course' | 'account',
  columns: readonly string[],
  given: readonly string[],
  most: number | SQL,
): Sought | undefined {
  const words = given.map(wordIn).filter((word) => [...word].length > 1);
  if (words.length === 0) return undefined;
  const table = sql.raw(`${index}_search`);
  const runs = sql.raw(`${index}_runs`);
  const isShort = (word: string) => [...word].length < run;
  const parts = words.map((word) =>
    isShort(word)
      ? sql`(select coalesce('(' || group_concat('"' || replace(term, '"', '""') || '"', ' OR ') || ')', ${never}) ${beginning(runs, word)})`
      : sql`${quoted(word)}`,
  );
  const counts = words.map((word) =>
    isShort(word)
      ? sql`(select coalesce(sum(doc), 0) ${beginning(runs, word)})`
      : sql`(select min(coalesce((select ${runs}.doc from ${runs} where ${runs}.term = r.value), 0)) from json_each(${JSON.stringify(runsOf(word).slice(0, 40))}) r)`,
  );
  const isRare = sql`(select min(n) <= ${most} from (${sql.join(
    counts.map((count) => sql`select ${count} as n`),
    sql` union all `,
  )}))`;
  const query = sql`${`{${columns.join(' ')}} : (`} || ${sql.join(parts, sql` || ' AND ' || `)} || ')'`;
  const where = sql`${table} match (${query})`;
  return {
    isFew: words.every(isPlain) ? isRare : sql`1`,
    isRare,
    holds: (id) => sql`exists (select 1 from ${table} where ${where} and ${table}.rowid = ${id})`,
    ids: sql`select rowid as found from ${table} where ${where}`,
    inOrder: { from: table, where, id: sql`${table}.rowid` },
  };
}
