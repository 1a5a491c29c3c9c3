// One table of a report: rows and columns, read in the order of an increasing key, so that no table is in memory completely.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import type { ReportRequest } from './table';

export interface ReportFile {
  /** File name in the archive. */
  readonly name: string;
  readonly from: SQL;
  /** A unique number that increases along the walk. */
  readonly mark: string;
  /** Where `mark` is not indexed: a column that is, and of which `mark` is so many times the value, and less than that more. */
  readonly walk?: { readonly column: string; readonly per: number };
  /** The maximum of `mark`. */
  readonly last: string;
  readonly where: readonly (SQL | undefined)[];
  /** Headers and their expressions. */
  readonly columns: Readonly<Record<string, string>>;
  readonly worked?: Worked;
}

export type ReportCell = string | number | null;

/** Computed columns, after the others. */
export interface Worked {
  readonly headers: readonly string[];
  /** Read with each row but not output. */
  readonly columns: Readonly<Record<string, SQL>>;
  /** Reads shared data for some rows, and returns the computed cells of each. */
  tell(db: Database, rows: readonly Readonly<Record<string, ReportCell>>[]): Promise<readonly (readonly ReportCell[])[]>;
  /** Rows per read. */
  readonly most: number;
}

export const conditions = (...all: readonly (SQL | undefined)[]): SQL => {
  const given = all.filter((one) => one !== undefined);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
};

/** The next rows after a mark. Columns are named by position, because headers may repeat and SQL column names must not. */
export function rowsAfter({ from, mark, walk, where, columns, worked }: ReportFile, after: number, count: number): SQL {
  const chosen = Object.values(columns).map((expression, at) => `${expression} as c${at}`);
  const key = sql.raw(mark);
  const beside = Object.entries(worked?.columns ?? {}).map(([name, value]) => sql`, ${value} as ${sql.raw(name)}`);
  const start = walk && sql`${sql.raw(walk.column)} >= ${Math.floor(after / walk.per)}`;
  const order = walk ? sql`${sql.raw(walk.column)}, ${key}` : key;
  return sql`select ${key} as mark, ${sql.raw(chosen.join(', '))} ${sql.join(beside)} from ${from} where ${conditions(start, sql`${key} > ${after}`, ...where)} order by ${order} limit ${sql.raw(String(count))}`;
}

/** Courses of the account and its sub-accounts. */
export const courseHere = ({ isRoot, account_id }: ReportRequest, account = 'c.account_id'): SQL | undefined =>
  isRoot ? undefined : sql`${sql.raw(account)} in (select account_id from account_ancestors where ancestor_id = ${account_id})`;

export const courseRequested = (wanted: ReportRequest): (SQL | undefined)[] => [
  courseHere(wanted),
  wanted.term_id === undefined ? undefined : sql`c.enrollment_term_id = ${wanted.term_id}`,
  wanted.course_id === undefined ? undefined : sql`c.id = ${wanted.course_id}`,
];

/** Users of the account and, where named, of the term or course. */
export function personRequested(wish: ReportRequest, user = 'u.id'): SQL | undefined {
  const asked = courseRequested(wish).filter((one) => one !== undefined);
  if (asked.length === 0) return undefined;
  const id = sql.raw(user);
  const enrolled = sql`exists (select 1 from enrollments pe join courses c on c.id = pe.course_id where pe.user_id = ${id} and pe.enrollment_state <> 'deleted' and ${conditions(...asked)})`;
  if (wish.isRoot || wish.term_id !== undefined || wish.course_id !== undefined) return enrolled;
  return sql`(${enrolled} or exists (select 1 from admins pa where pa.user_id = ${id} and pa.workflow_state = 'active' and ${courseHere(wish, 'pa.account_id')}))`;
}

/** The SIS id of a user: the first login that has one. */
export const sisIdOf = (user: string): string =>
  `(select l.sis_user_id from logins l where l.user_id = ${user} and l.account_id = 1 and l.workflow_state <> 'deleted' and l.sis_user_id is not null order by l.id limit 1)`;

/** A part of the two SIS reports: the export has the columns of an import, the other all columns. */
export type PartOf = (wish: ReportRequest, isExport: boolean) => ReportFile;

export const conditionIf = (holds: boolean | undefined, condition: SQL) => (holds ? condition : undefined);
export const fromSisIf = (wish: ReportRequest, table: string) =>
  conditionIf(wish.created_by_sis, sql.raw(`${table}.sis_import_id is not null`));
export const bySis = (table: string) => `case when ${table}.sis_import_id is null then 'false' else 'true' end`;
/** Columns that only one of the two reports has. */
export const columnsIf = (holds: boolean, columns: ReportFile['columns']): ReportFile['columns'] => (holds ? columns : {});
