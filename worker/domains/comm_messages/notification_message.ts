// What a notification message consists of: subject, recipients and text; and the selects that most notifications share.

import { type SQL, sql } from 'drizzle-orm';
import { datedEnrollments, effective } from '../../contexts/effective_enrollments';
import { isStaff } from '../../contexts/predicates';

/** The subject of a notification. */
export interface Matter {
  readonly account_id: number;
  /** The name of the course, account or conversation. */
  readonly place: string;
  readonly title: string;
  readonly author: string | null;
  /** HTML that every recipient may read. */
  readonly html: string | null;
  /** A path on this host. */
  readonly path: string;
  readonly at: string | null;
}

export interface NotificationMessage {
  /** One row of `Matter`, or none when the notification no longer applies. */
  readonly matter: (id: number, now: string) => SQL;
  /** One column, `user_id`. */
  readonly readers: (id: number, now: string) => SQL;
  readonly subject: (matter: Matter) => string;
  readonly text: (matter: Matter) => string;
}

export const userNameSql = (id: string) => sql.raw(`(select u.name from users u where u.id = ${id})`);
/** One row of `Matter` for something in a course `c`. */
export const matter = (columns: { title: string; author?: string; html?: string; path: string; at?: string }, from: SQL): SQL => sql`
  select c.account_id as account_id, c.name as place, ${sql.raw(columns.title)} as title, ${columns.author ? userNameSql(columns.author) : sql.raw('null')} as author,
    ${sql.raw(columns.html ?? 'null')} as html, ${sql.raw(columns.path)} as path, ${sql.raw(columns.at ?? 'null')} as at ${from}`;

/** Current users of a course, with conditions on their enrollment `e`. */
export const members = (course: SQL, now: string, more: SQL = sql`1`): SQL => sql`
  select distinct e.user_id from (${datedEnrollments(sql`e.course_id = (${course}) and c.workflow_state = 'available'`)}) e
  where ${effective(now)} = 'active' and e.type <> 'StudentViewEnrollment' and ${more}`;

/** Current teachers and designers of a course, whether or not it is published. */
export const instructors = (course: SQL, now: string): SQL => sql`
  select distinct e.user_id from (${datedEnrollments(sql`e.course_id = (${course}) and c.workflow_state <> 'deleted' and ${isStaff('e')}`)}) e where ${effective(now)} = 'active'`;
