// Which grading periods exist, and who may change them.

import { and, eq, isNull } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import type { CourseContext } from '../../contexts/course';
import { adminMay, type Institution } from '../../contexts/institution';
import { updatesCourse } from '../../contexts/rights';
import type { Viewer } from '../../contexts/viewer';
import { grading_period_sets, grading_periods } from './table';

export const setsOfAccount = ({ id }: Pick<AccountContext, 'id'>) =>
  and(eq(grading_period_sets.account_id, id), eq(grading_period_sets.workflow_state, 'active'), isNull(grading_period_sets.course_id));

export const periodsOfAccount = ({ id }: Pick<AccountContext, 'id'>) =>
  and(eq(grading_periods.account_id, id), eq(grading_periods.workflow_state, 'active'), isNull(grading_periods.course_id));

/** The periods of a set; none for 0. */
export const periodsOfSet = (set: number) =>
  and(eq(grading_periods.grading_period_group_id, set), eq(grading_periods.workflow_state, 'active'));

interface Caller {
  readonly me: Viewer;
  readonly institution: Institution;
}

/** Sets of terms belong to the root account. */
export const managesTerms = ({ me, institution }: Caller): boolean =>
  adminMay('manage_account_settings', me, [institution.root.id], institution);

interface Here extends Caller {
  readonly course?: CourseContext;
}

/** Whether the caller may change the periods that apply in the course: its own as a manager of the course, those of its term as an administrator. */
export const managesPeriods = (call: Here): boolean => {
  const set = call.course?.grading.set;
  return set && set.course_id === null ? managesTerms(call) : (call.course?.canRead ?? false) && updatesCourse(call.course);
};

/** The owner of a period decides: lists contain those of an account or of a course. */
export const managesRow = (row: { readonly course_id: number | null }, call: Here): boolean =>
  row.course_id === null ? managesTerms(call) : managesPeriods(call);
