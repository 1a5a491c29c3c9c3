// Where the set of a request stands, and what the caller may do with it.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type CategoryRow, managesAnyGroups } from '../../contexts/group';
import { idOf, readId } from '../../contexts/references';
import type { Call } from '../../http/call';
import { Problem, unauthorized } from '../../http/problem';
import { group_categories } from './table';

export const tag = 'assign_unassigned_members';

export const missing = () => new Problem(404, { status: 'not found', errors: [{ message: 'The specified resource does not exist.' }] });
export const shut = () => unauthorized();
export const aroundOf = ({ course, account }: Pick<Call, 'course' | 'account'>) => course ?? account;

/** The course or account of a set, which is named by its number or by its SIS id. */
export const within = ({ id = '' }: Record<string, string>) => {
  const named = idOf('group_category', id);
  const held = (type: string) =>
    sql`select context_id from group_categories where id = (${named}) and context_type = ${type} and workflow_state = 'available'`;
  return { course: held('Course'), account: held('Account'), ...(readId(id) === undefined && { id: named }) };
};
export const only = (id: number): SQL => and(eq(group_categories.id, id), eq(group_categories.workflow_state, 'available')) as SQL;

/** Of sets: any right over groups, unless one is named. @throws Problem 404 for a set that is not there, 401 for one that is somebody else's */
export function allow(call: Pick<Call, 'course' | 'account'>, permission?: string): void {
  const around = aroundOf(call);
  if (!around) throw missing();
  if (permission ? !around.can(permission) : !managesAnyGroups(around)) throw unauthorized();
}

export async function found(call: Pick<Call, 'db' | 'course' | 'account'> & { id: number }, permission: string): Promise<CategoryRow> {
  allow(call, permission);
  const [[category]] = await call.db.perform([call.db.build.select().from(group_categories).where(only(call.id))]);
  if (!category) throw missing();
  return category;
}
