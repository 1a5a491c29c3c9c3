// A letter: what it is about, who reads it, and the words; and the selects that most letters are made of.

import { type SQL, sql } from 'drizzle-orm';
import { datedEnrollments, effective } from '../enrollments/effective';
import { staff } from '../enrollments/table';

/** What a letter is about. */
export interface Matter {
  readonly account_id: number;
  /** The course, the account, the conversation. */
  readonly place: string;
  readonly title: string;
  readonly author: string | null;
  /** HTML that everybody who is told may read. */
  readonly html: string | null;
  /** Below this host. */
  readonly path: string;
  readonly at: string | null;
}

export interface Letter {
  /** One row of `Matter`, or none where it is no longer true. */
  readonly matter: (id: number, now: string) => SQL;
  /** One column, `user_id`. */
  readonly readers: (id: number, now: string) => SQL;
  readonly subject: (matter: Matter) => string;
  readonly text: (matter: Matter) => string;
}

export const nameOf = (id: string) => sql.raw(`(select u.name from users u where u.id = ${id})`);
/** One row of `Matter`, for what stands in a course `c`. */
export const matter = (columns: { title: string; author?: string; html?: string; path: string; at?: string }, from: SQL): SQL => sql`
  select c.account_id as account_id, c.name as place, ${sql.raw(columns.title)} as title, ${columns.author ? nameOf(columns.author) : sql.raw('null')} as author,
    ${sql.raw(columns.html ?? 'null')} as html, ${sql.raw(columns.path)} as path, ${sql.raw(columns.at ?? 'null')} as at ${from}`;

/** Those who are in the course now, on conditions on their enrollment `e`. */
export const members = (course: SQL, now: string, more: SQL = sql`1`): SQL => sql`
  select distinct e.user_id from (${datedEnrollments(sql`e.course_id = (${course}) and c.workflow_state = 'available'`)}) e
  where ${effective(now)} = 'active' and e.type <> 'StudentViewEnrollment' and ${more}`;

/** Those who teach or design a course now, published or not. */
export const instructors = (course: SQL, now: string): SQL => sql`
  select distinct e.user_id from (${datedEnrollments(sql`e.course_id = (${course}) and c.workflow_state <> 'deleted' and e.type in ${staff}`)}) e where ${effective(now)} = 'active'`;
