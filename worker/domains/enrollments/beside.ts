// What belongs to enrollments and is told with them, in one statement for a whole page.

import { type SQL, sql } from 'drizzle-orm';
import { bundle, unbundle } from '../../database/bundle';
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

export interface Wanted {
  /** The enrolled person, as lists tell it. */
  readonly people: boolean;
  /** Names people sign in by: their SIS ids and, in lists, their logins. */
  readonly logins: boolean;
  readonly emails: boolean;
  /** Whom observers observe, and how those are enrolled. */
  readonly observed: boolean;
}

const all = (wanted: boolean) => sql.raw(wanted ? '1' : '0');

/** @param ids the enrollments */
export const besideRows = (db: Database, ids: SQL, wanted: Wanted) =>
  bundle(
    db,
    sql`with page(id, user_id, role_id, section_id, course_id, observed_id) as materialized (
      select id, user_id, role_id, course_section_id, course_id, observed_user_id from enrollments where id in (${ids}))`,
    {
      roles: { table: roles, where: sql`id in (select role_id from page)` },
      sections: { table: sections, where: sql`id in (select section_id from page)` },
      people: { table: users, where: sql`${all(wanted.people)} and id in (select user_id from page)` },
      logins: {
        table: logins,
        where: sql`${all(wanted.logins)} and workflow_state <> 'deleted' and user_id in (select user_id from page)`,
      },
      channels: {
        table: communication_channels,
        where: sql`${all(wanted.emails)} and workflow_state <> 'deleted' and type = 'email' and user_id in (select user_id from page)`,
      },
      observed: { table: users, where: sql`${all(wanted.observed)} and id in (select observed_id from page)` },
      observed_enrollments: {
        table: enrollments,
        where: sql`${all(wanted.observed)} and enrollment_state not in ('deleted', 'rejected') and (user_id, course_id) in (select observed_id, course_id from page where observed_id <> 0)`,
      },
    },
  );

const read = new WeakMap<object, Beside>();

export const besideOf = (rows: readonly Record<string, string>[]): Beside => {
  const known = read.get(rows);
  if (known) return known;
  const beside = unbundle(tables, rows[0]);
  read.set(rows, beside);
  return beside;
};

export type Beside = ReturnType<typeof unbundle<typeof tables>>;
