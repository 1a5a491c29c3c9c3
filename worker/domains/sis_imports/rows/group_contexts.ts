// The contexts of groups and group categories: a course, an account or, by default, the root account.

import { sql } from 'drizzle-orm';
import { inTexts } from '../../../database/many_rows';
import { by, type ParsedRow, valuesIn } from '../row_rules';
import { type ImportWork, rootId } from '../work';

export interface GroupHome {
  readonly context_type: 'Course' | 'Account';
  readonly context_id: number;
}

interface Named {
  readonly id: number;
  readonly sis: string;
}

/** Statements that read the courses and accounts named in the rows. */
export const placesNamed = ({ db: { build } }: ImportWork, rows: readonly ParsedRow[]) =>
  [
    build.all<Named>(
      sql`select id, sis_course_id as sis from courses where sis_course_id is not null and workflow_state <> 'deleted' and ${inTexts('sis_course_id', valuesIn(rows, 'course_id'))}`,
    ),
    build.all<Named>(
      sql`select id, sis_account_id as sis from accounts where sis_account_id is not null and workflow_state = 'active' and ${inTexts('sis_account_id', valuesIn(rows, 'account_id'))}`,
    ),
  ] as const;

/** @returns the context of a row, undefined when none is named, or the error */
export function placeIn(courses: readonly Named[], accounts: readonly Named[]): (row: ParsedRow) => GroupHome | undefined | string {
  const [courseOf, accountOf] = [by(courses, ({ sis }) => sis), by(accounts, ({ sis }) => sis)];
  return ({ cells: { course_id, account_id } }) => {
    if (course_id && account_id) return 'course_id and account_id cannot be combined';
    if (!course_id && !account_id) return undefined;
    const found = course_id ? courseOf.get(course_id) : accountOf.get(account_id ?? '');
    if (!found) return course_id ? `there is no course "${course_id}"` : `there is no account "${account_id}"`;
    return { context_type: course_id ? 'Course' : 'Account', context_id: found.id };
  };
}

export const rootHome: GroupHome = { context_type: 'Account', context_id: rootId };

export const samePlace = (one: GroupHome, other: GroupHome): boolean =>
  one.context_type === other.context_type && one.context_id === other.context_id;

export interface Member {
  readonly id: number;
  readonly group_id: number;
  readonly workflow_state: string;
}

/** A select of the ids of users in groups that may be deleted. */
export const groupMembersIn = ({ db: { build } }: ImportWork, groups: ReturnType<typeof sql>) =>
  build.all<Member>(
    sql`select id, group_id, workflow_state from group_memberships where group_id in (${groups}) and workflow_state not in ('deleted', 'rejected')`,
  );
