// Data returned with enrollments: one statement for a single enrollment; columns and one statement for a list.

import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { bundle, rowsAsJson, rowsOfJson, type Unbundled, unbundle } from '../../database/bundle';
import type { Database } from '../../database/open';
import { roles } from '../roles/table';
import { sections } from '../sections/table';
import { communication_channels, logins, users } from '../users/table';
import { enrollments } from './table';

const tables = {
  roles,
  sections,
  people: users,
  logins,
  channels: communication_channels,
  observed: users,
  observed_enrollments: enrollments,
};
export type Beside = Unbundled<typeof tables>;

export interface EnrollmentExtras {
  /** SIS ids and, in lists, login ids. */
  readonly logins: boolean;
  readonly emails: boolean;
  /** Students observed by observers, with their enrollments. */
  readonly observed: boolean;
}

const liveLogins = sql.raw("workflow_state <> 'deleted'");

const observedParts = (ids: SQL) => ({
  observed: { table: users, where: sql`id in (select observed_user_id from enrollments where id in (${ids}))` },
  observed_enrollments: {
    table: enrollments,
    where: sql`enrollment_state not in ('deleted', 'rejected') and (user_id, course_id) in (select observed_user_id, course_id from enrollments where id in (${ids}) and observed_user_id <> 0)`,
  },
});

/** For a few enrollments. */
export const besideRows = (db: Database, ids: SQL, wanted: EnrollmentExtras) =>
  bundle(
    db,
    sql`with page(user_id, role_id, section_id) as materialized (select user_id, role_id, course_section_id from enrollments where id in (${ids}))`,
    {
      roles: { table: roles, where: sql`id in (select role_id from page)` },
      sections: { table: sections, where: sql`id in (select section_id from page)` },
      logins: wanted.logins ? { table: logins, where: sql`${liveLogins} and user_id in (select user_id from page)` } : undefined,
      ...(wanted.observed && observedParts(ids)),
    },
  );

/**
 * For a page of a list, besides its columns. Within a course, all roles and sections are read, because they are few; this avoids reading the page
 * again.
 * @param course_id when the whole page is in one course
 */
export const besidePage = (db: Database, ids: SQL, course_id: number | undefined, wanted: EnrollmentExtras) =>
  bundle(
    db,
    course_id === undefined
      ? sql`with page(role_id, section_id) as materialized (select role_id, course_section_id from enrollments where id in (${ids}))`
      : sql``,
    {
      roles: { table: roles, where: course_id === undefined ? sql`id in (select role_id from page)` : sql`1` },
      sections: {
        table: sections,
        where: course_id === undefined ? sql`id in (select section_id from page)` : sql`course_id = ${course_id}`,
      },
      ...(wanted.observed && observedParts(ids)),
    },
  );

/** The user of each enrollment, as columns of its row. */
export const personColumns = (wanted: EnrollmentExtras): Record<string, SQLWrapper> => ({
  person: rowsAsJson(users, sql`${users.id} = enrollments.user_id`).as('person'),
  ...(wanted.logins && {
    person_logins: rowsAsJson(logins, sql`${logins.user_id} = enrollments.user_id and ${logins.workflow_state} <> 'deleted'`).as(
      'person_logins',
    ),
  }),
  ...(wanted.emails && {
    person_channels: rowsAsJson(
      communication_channels,
      sql`${communication_channels.user_id} = enrollments.user_id and ${communication_channels.type} = 'email' and ${communication_channels.workflow_state} <> 'deleted'`,
    ).as('person_channels'),
  }),
});

const read = new WeakMap<object, Beside>();

export const besideOf = (rows: readonly Record<string, string>[]): Beside => {
  const known = read.get(rows);
  if (known) return known;
  const beside = unbundle(tables, rows[0]);
  read.set(rows, beside);
  return beside;
};

/** Data of a list row: from its own columns, and from what was read for the page. */
export const besideOfRow = (row: object, page: Beside): Beside => {
  const { person, person_logins, person_channels } = row as Record<string, string | undefined>;
  return {
    ...page,
    people: rowsOfJson(users, person),
    logins: rowsOfJson(logins, person_logins),
    channels: rowsOfJson(communication_channels, person_channels),
  };
};
