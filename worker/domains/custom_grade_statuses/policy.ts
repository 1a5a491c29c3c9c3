// Which statuses there are, and what their names and colors may be.

import { and, eq, sql } from 'drizzle-orm';
import { invalid } from '../../http/problem';
import { custom_grade_statuses } from './table';

/** Canvas clients show no more. */
export const mostStatuses = 3;
const longestName = 14;

export const statusesOf = (root: number) =>
  and(eq(custom_grade_statuses.account_id, root), eq(custom_grade_statuses.workflow_state, 'active'));

/** How many statuses the institution has. */
export const countOfStatuses = (root: number) =>
  sql<number>`(select count(*) from custom_grade_statuses other where other.account_id = ${root} and other.workflow_state = 'active')`;

/** For a batch that finds as many statuses as there may be. */
export const tooMany = {
  'custom_grade_statuses.name': () => invalid('base', 'invalid', `at most ${mostStatuses} statuses are possible`),
};

/** @throws Problem 400 that names the field */
export function checkStatus({ name, color }: { readonly name?: string | undefined; readonly color?: string | undefined }): void {
  if (name !== undefined && name.trim() === '') throw invalid('name', 'blank', "can't be blank");
  if (name !== undefined && name.length > longestName)
    throw invalid('name', 'too_long', `is too long (maximum is ${longestName} characters)`);
  if (color !== undefined && !/^#(?:[0-9a-f]{3}){1,2}$/i.test(color)) throw invalid('color', 'invalid', 'is not a color like #F5C2E7');
}
