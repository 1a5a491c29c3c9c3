// The context of the requested group category, and the caller's permissions there.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type CategoryRow, managesAnyGroups } from '../../contexts/group';
import { idOf, readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { Problem, unauthorized } from '../../http/problem';
import { group_categories } from '../group_categories/table';

export const assignmentTag = 'assign_unassigned_members';

export const missingCategory = () =>
  new Problem(404, { status: 'not found', errors: [{ message: 'The specified resource does not exist.' }] });
export const shut = () => unauthorized();
export const aroundOf = ({ course, account }: Pick<Call, 'course' | 'account'>) => course ?? account;

/** The course or account of a group category, which is named by id or SIS id. */
export const contextsOfCategory = ({ id = '' }: Record<string, string>) => {
  const named = idOf('group_category', id);
  const held = (type: string) =>
    sql`select context_id from group_categories where id = (${named}) and context_type = ${type} and workflow_state = 'available'`;
  return { course: held('Course'), account: held('Account'), ...(readId(id) === undefined && { id: named }) };
};
export const onlyGroupCategory = (id: number): SQL =>
  and(eq(group_categories.id, id), eq(group_categories.workflow_state, 'available')) as SQL;

/** Requires the given permission, or any group permission. @throws Problem 404 when missing, 401 without the permission */
export function allow(call: Pick<Call, 'course' | 'account'>, permission?: string): void {
  const around = aroundOf(call);
  if (!around) throw missingCategory();
  if (permission ? !around.can(permission) : !managesAnyGroups(around)) throw unauthorized();
}

export async function foundGroupCategory(
  call: Pick<Call, 'db' | 'course' | 'account'> & { id: number },
  permission: string,
): Promise<CategoryRow> {
  allow(call, permission);
  const [[category]] = await call.db.perform([call.db.build.select().from(group_categories).where(onlyGroupCategory(call.id))]);
  if (!category) throw missingCategory();
  return category;
}
