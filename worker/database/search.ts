// Search over users, courses and accounts: the matches of a term, and whether they are few enough to be read from the search index.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from './shared';

export interface SearchCondition {
  /** Whether the matches are few enough to read individually, or a walk could not compare them: otherwise the list is walked in order. */
  readonly isFew: SQL;
  /** Whether the matches are few enough to read individually. */
  readonly isRare: SQL;
  /** Whether the row with an id matches, by the index. */
  readonly holds: (id: SQL) => SQL;
  /** The ids of matching rows, in one column named `found`. */
  readonly ids: SQL;
  /** The same along the index, which is ordered by id: lists in that order read only one page. */
  readonly inOrder: { readonly from: SQL; readonly where: SQL; readonly id: SQL };
}

const run = 3;
const never = '"\u0001\u0001\u0001"';
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

/** The index cuts a text at a null character. */
const wordIn = (given: string) => given.replaceAll('\0', ' ').trim();

/** The trigrams of a word; folds case like the index. */
function runsOf(word: string): string[] {
  const messages = [...word.toLowerCase()];
  return messages.slice(run - 1).map((_, at) => messages.slice(at, at + run).join(''));
}

/** Without the index, only A to Z are compared case-insensitively. */
export const isPlain = (word: string): boolean => !/[^\0-\u007f]/.test(word);

/** A select of rows that contain a plain word in one of the columns, but do not begin with it in `first`; undefined for a word shorter than a trigram. */
export function holdingElsewhere(index: 'people', columns: readonly string[], given: string, first: string): SQL | undefined {
  const word = wordIn(given);
  if ([...word].length < run || !isPlain(word)) return undefined;
  const table = sql.raw(`${index}_search`);
  const query = `({${columns.join(' ')}} : (${quoted(word)})) NOT ({${first}} : (^${quoted(word)}))`;
  return sql`select rowid as found from ${table} where ${table} match (${shared('term', query)})`;
}

/** Index terms that begin with a word shorter than a trigram. */
const beginning = (runs: SQL, word: string) => {
  const start = word.toLowerCase();
  return sql`from ${runs} where term >= ${shared('term', start)} and term < ${shared('term', `${start}\u{10ffff}`)}`;
};

/**
 * Rows that contain all words, each in one of the given columns.
 * @param most maximum number of rows to read
 * @returns undefined for single-letter words, which the index cannot find
 */
export function searchCondition(
  index: 'people' | 'course' | 'account',
  columns: readonly string[],
  given: readonly string[],
  most: number | SQL,
): SearchCondition | undefined {
  const words = given.map(wordIn).filter((word) => [...word].length > 1);
  if (words.length === 0) return undefined;
  const table = sql.raw(`${index}_search`);
  const runs = sql.raw(`${index}_runs`);
  const isShort = (word: string) => [...word].length < run;
  const parts = words.map((word) =>
    isShort(word)
      ? sql`(select coalesce('(' || group_concat('"' || replace(term, '"', '""') || '"', ' OR ') || ')', ${shared('term', never)}) ${beginning(runs, word)})`
      : shared('term', quoted(word)),
  );
  const counts = words.map((word) =>
    isShort(word)
      ? sql`(select coalesce(sum(doc), 0) ${beginning(runs, word)})`
      : sql`(select min(coalesce((select ${runs}.doc from ${runs} where ${runs}.term = r.value), 0)) from json_each(${shared('term', JSON.stringify(runsOf(word).slice(0, 40)))}) r)`,
  );
  const isRare = sql`(select min(n) <= ${most} from (${sql.join(
    counts.map((count) => sql`select ${count} as n`),
    sql` union all `,
  )}))`;
  const query = sql`${shared('term', `{${columns.join(' ')}} : (`)} || ${sql.join(parts, sql` || ' AND ' || `)} || ')'`;
  const where = sql`${table} match (${query})`;
  return {
    isFew: words.every(isPlain) ? isRare : sql`1`,
    isRare,
    holds: (id) => sql`exists (select 1 from ${table} where ${where} and ${table}.rowid = ${id})`,
    ids: sql`select rowid as found from ${table} where ${where}`,
    inOrder: { from: table, where, id: sql`${table}.rowid` },
  };
}
