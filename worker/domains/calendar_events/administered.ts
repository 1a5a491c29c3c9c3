// Which accounts and courses the caller administers, as SQL: for lists that reach over courses.

import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { below, isBelow } from '../../contexts/account_tree';
import { sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { courses } from '../courses/table';

/** Ids as a select. */
export const idList = (ids: readonly number[]): SQL => sql`select value from json_each(${JSON.stringify(ids)})`;

/** Ids of the accounts that the caller administers. */
const administrated = ({ me }: Pick<Call, 'me'>): SQL =>
  sharedIds(
    'accounts',
    me.adminLinks.map((link) => link.account_id),
  );
/** The same, and the ids of all accounts below them. */
export const administered = (call: Pick<Call, 'me'>): SQL => below(administrated(call));

const owned = alias(courses, 'owned');

/** Whether the caller administers the account of a course, by course id. In `from`, where D1 does not count expression depth. */
export const asAdmin = (course: SQL, call: Pick<Call, 'me'>): SQL =>
  call.me.adminLinks.length === 0
    ? sql.raw('0')
    : sql`exists (select 1 from (select 1 from courses owned where owned.id = ${course} and ${isBelow(owned.account_id, administrated(call))}))`;
