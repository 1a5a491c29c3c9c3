// Which grading standards exist in a course or account, and whether one may be changed.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import type { CourseContext } from '../../contexts/course';
import { among } from '../../database/ids';
import { qualified } from '../../database/qualified';
import { grading_standards } from './table';

export interface StandardContext {
  readonly type: 'Course' | 'Account';
  readonly id: number;
  /** The context's own code, then those of its parent accounts. */
  readonly codes: readonly string[];
}

const accountCodes = (chain: readonly number[]) => chain.map((id) => `account_${id}`);
export const standardsOfCourse = ({ id, chain }: CourseContext): StandardContext => ({
  type: 'Course',
  id,
  codes: [`course_${id}`, ...accountCodes(chain)],
});
export const standardsOfAccount = ({ id, chain }: AccountContext): StandardContext => ({ type: 'Account', id, codes: accountCodes(chain) });

const active = eq(grading_standards.workflow_state, 'active');

/** The context's own standards and those of its parent accounts. */
export const availableIn = ({ codes }: StandardContext) => and(among(grading_standards.context_code, codes), active);

/** Only the context that owns a standard changes it. */
export const ownStandard = ({ type, id: owner }: StandardContext, id: number) =>
  and(eq(grading_standards.id, id), eq(grading_standards.context_type, type), eq(grading_standards.context_id, owner), active);

/** Whether a course, an account or an assignment uses the standard. */
export const isInUse: SQL<number> = sql<number>`(exists (select 1 from courses c where c.grading_standard_id = ${qualified(grading_standards.id)} and c.workflow_state <> 'deleted')
  or exists (select 1 from assignments a where a.grading_standard_id = ${qualified(grading_standards.id)} and a.workflow_state <> 'deleted')
  or exists (select 1 from accounts up where up.grading_standard_id = ${qualified(grading_standards.id)} and up.workflow_state <> 'deleted'))`;
