// One table of a report: which rows, in which columns, walked along a key that grows, so that no table is ever held whole.

import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database/open';
import type { Wish } from './table';

export interface Part {
  /** Of the file in an archive. */
  readonly name: string;
  readonly from: SQL;
  /** A number that grows along the walk and tells rows apart. */
  readonly mark: string;
  /** The largest mark there may be. */
  readonly last: string;
  readonly where: readonly (SQL | undefined)[];
  /** Header and the expression under it. */
  readonly columns: Readonly<Record<string, string>>;
  readonly worked?: Worked;
}

type Cell = string | number | null;

/** What is worked out from what is read: columns after the others. */
export interface Worked {
  readonly headers: readonly string[];
  /** Read with each row, and not told. */
  readonly columns: Readonly<Record<string, SQL>>;
  /** Reads what some rows have in common, and says what each tells. */
  tell(db: Database, rows: readonly Readonly<Record<string, Cell>>[]): Promise<readonly (readonly Cell[])[]>;
  /** So many rows at once. */
  readonly most: number;
}

export const conditions = (...all: readonly (SQL | undefined)[]): SQL => {
  const given = all.filter((one) => one !== undefined);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
};

/** The next rows after a mark. Columns are named by their place, because headers need not differ from one another in SQL. */
export function rowsAfter({ from, mark, where, columns, worked }: Part, after: number, count: number): SQL {
  const chosen = Object.values(columns).map((expression, at) => `${expression} as c${at}`);
  const key = sql.raw(mark);
  const beside = Object.entries(worked?.columns ?? {}).map(([name, value]) => sql`, ${value} as ${sql.raw(name)}`);
  return sql`select ${key} as mark, ${sql.raw(chosen.join(', '))} ${sql.join(beside)} from ${from} where ${conditions(sql`${key} > ${after}`, ...where)} order by ${key} limit ${sql.raw(String(count))}`;
}

/** Courses of the account and of all below it. */
export const courseHere = ({ isRoot, account_id }: Wish, account = 'c.account_id'): SQL | undefined =>
  isRoot ? undefined : sql`${sql.raw(account)} in (select account_id from account_ancestors where ancestor_id = ${account_id})`;

export const courseAsked = (wish: Wish): (SQL | undefined)[] => [
  courseHere(wish),
  wish.term_id === undefined ? undefined : sql`c.enrollment_term_id = ${wish.term_id}`,
  wish.course_id === undefined ? undefined : sql`c.id = ${wish.course_id}`,
];

/** People of the account, and of the term or course where one is named. */
export function personAsked(wish: Wish, user = 'u.id'): SQL | undefined {
  const asked = courseAsked(wish).filter((one) => one !== undefined);
  if (asked.length === 0) return undefined;
  const id = sql.raw(user);
  const enrolled = sql`exists (select 1 from enrollments pe join courses c on c.id = pe.course_id where pe.user_id = ${id} and pe.enrollment_state <> 'deleted' and ${conditions(...asked)})`;
  if (wish.isRoot || wish.term_id !== undefined || wish.course_id !== undefined) return enrolled;
  return sql`(${enrolled} or exists (select 1 from admins pa where pa.user_id = ${id} and pa.workflow_state = 'active' and ${courseHere(wish, 'pa.account_id')}))`;
}

/** The SIS id of a person, by the first of the logins that have one. */
export const sisIdOf = (user: string): string =>
  `(select l.sis_user_id from logins l where l.user_id = ${user} and l.account_id = 1 and l.workflow_state <> 'deleted' and l.sis_user_id is not null order by l.id limit 1)`;

/** A part of the two reports about SIS data; the export has what an import reads, the other all there is. */
export type PartOf = (wish: Wish, isExport: boolean) => Part;

export const when = (holds: boolean | undefined, condition: SQL) => (holds ? condition : undefined);
export const fromSis = (wish: Wish, table: string) => when(wish.created_by_sis, sql.raw(`${table}.sis_import_id is not null`));
export const bySis = (table: string) => `case when ${table}.sis_import_id is null then 'false' else 'true' end`;
/** Columns that only one of the two reports has. */
export const only = (holds: boolean, columns: Part['columns']): Part['columns'] => (holds ? columns : {});
