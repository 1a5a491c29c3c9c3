// The course of a request: its dates, its accounts, and the caller's enrollments and permissions.

import type { courses } from '../domains/courses/table';
import { type enrollments, staffTypes, studentTypes } from '../domains/enrollments/table';
import type { grading_period_sets, grading_periods } from '../domains/grading_periods/table';
import type { grading_standards } from '../domains/grading_standards/table';
import type { terms } from '../domains/terms/table';
import type { RowOf } from '../http/listing';
import { settingIn } from './account_settings';
import { editing, editors, givenBy } from './course_role';
import { type DatedSection, type EffectiveState, effectiveState } from './enrollment_dates';
import { adminMay, chainOf, type Institution, linksOn, runsTheService } from './institution';
import { permissions, roleHolds } from './permissions';
import type { Referred } from './references';
import { sectionLimitOf } from './section_limit';
import type { RoleRow, Viewer } from './viewer';

export type CourseRow = RowOf<typeof courses>;
export type TermRow = RowOf<typeof terms>;
export type EnrollmentRow = RowOf<typeof enrollments>;
export type StandardRow = RowOf<typeof grading_standards>;

export type PeriodRow = RowOf<typeof grading_periods>;

/** The grading periods that apply in a course: its own, else those of its term. */
export interface CoursePeriods {
  readonly set: RowOf<typeof grading_period_sets> | undefined;
  /** By start. */
  readonly periods: readonly PeriodRow[];
}

export const noPeriods: CoursePeriods = { set: undefined, periods: [] };

/** An assignment whose students are anonymous to graders now (rules/anonymous_grading.ts). */
export interface AnonymousAssignment extends Referred {
  readonly sis_assignment_id: string | null;
  readonly lti_context_id: string;
}

/** One of the caller's enrollments in the course. */
export interface Mine extends EnrollmentRow {
  readonly role: RoleRow;
  readonly section: DatedSection;
  /** The stored state with dates applied. */
  readonly effective: EffectiveState;
}

export interface CourseContext extends CourseRow {
  readonly term: TermRow;
  /** Only of the course of a path. */
  readonly grading: CoursePeriods;
  /** Only of the course of a path; none for account admins, who see names. */
  readonly anonymous: readonly AnonymousAssignment[];
  readonly chain: readonly number[];
  /** The standard that `grading_standard_id` names; none for the built-in scheme, and in lists that show no grades. */
  readonly standard: StandardRow | undefined;
  /** The caller's enrollments that are not deleted or rejected. */
  readonly mine: readonly Mine[];
  /** The caller has an account role in the course's account or an ancestor. */
  readonly isAdmin: boolean;
  /** A permission of reference 01 B2, through course roles or account roles. */
  can(permission: string): boolean;
  /** The caller's permissions here, limited to those that course roles can grant. */
  held(): ReadonlySet<string>;
  /** Whether a course role would grant the caller a permission that they do not have here. */
  gains(role: RoleRow): boolean;
  readonly canRead: boolean;
  /** Teacher, TA, designer or admin: sees unpublished content, is never locked out. */
  readonly readsAsAdmin: boolean;
  /** An active student of an available course. */
  readonly participates: boolean;
  readonly isConcluded: boolean;
  /** Ids of the students whom the caller observes here. */
  readonly observedIds: readonly number[];
  /** Sections that the caller is restricted to; null without a restriction. */
  readonly sectionLimit: readonly number[] | null;
  /** Section ids of the caller's live enrollments. */
  readonly sectionIds: readonly number[];
}

const isStudent = (one: Mine) => studentTypes.has(one.type);
/** Concluded enrollments keep only read permissions. */
const onlyReads = (permission: string) => permission.startsWith('read_') || permission.startsWith('view_');
const open = new Set<string>(['available', 'completed']);

const setting = (course: CourseRow, chain: readonly number[], institution: Institution, name: string): boolean =>
  settingIn(
    course,
    chain.flatMap((id) => institution.accounts.get(id) ?? []),
    name,
  );

/** Whether dates lock out a student or observer (reference 02 §4.6). */
function isShutOut(one: Mine, future: boolean, past: boolean): boolean {
  if (staffTypes.has(one.type)) return false;
  return ((one.effective === 'pending_active' || one.effective === 'pending_invited') && future) || (one.effective === 'completed' && past);
}

export function courseContext(
  row: CourseRow,
  term: TermRow,
  enrolled: readonly { enrollment: EnrollmentRow; role: RoleRow; section: DatedSection }[],
  me: Viewer,
  institution: Institution,
  now: string,
  standards: readonly StandardRow[] = [],
  grading: CoursePeriods = noPeriods,
  anonymous: readonly AnonymousAssignment[] = [],
): CourseContext {
  const chain = chainOf(row.account_id, institution);
  const mine = enrolled
    .map(
      ({ enrollment, role, section }): Mine => ({
        ...enrollment,
        role,
        section,
        effective: effectiveState(enrollment, section, row, term, now),
      }),
    )
    .filter((one) => one.effective !== 'deleted' && one.effective !== 'rejected');
  const isAdmin = linksOn(me, chain).length > 0;
  const noFuture = setting(row, chain, institution, 'restrict_student_future_view');
  const noPast = setting(row, chain, institution, 'restrict_student_past_view');
  const readable = mine.filter((one) => {
    if (staffTypes.has(one.type)) return one.effective !== 'inactive';
    return (
      open.has(row.workflow_state) &&
      one.effective !== 'inactive' &&
      one.effective !== 'creation_pending' &&
      !isShutOut(one, noFuture, noPast)
    );
  });
  const active = readable.filter((one) => one.effective === 'active');
  const ended = readable.filter((one) => one.effective === 'completed');
  const readsAsAdmin =
    isAdmin || readable.some((one) => staffTypes.has(one.type) && (one.effective === 'active' || one.effective === 'completed'));
  const isPublic = row.workflow_state === 'available' && (row.is_public || (row.is_public_to_auth_users && me.isKnown));
  const live = readable.filter((one) => one.effective === 'active' || one.effective === 'completed');

  const can = (permission: string): boolean => {
    if (permissions.get(permission)?.level === 'account') return adminMay(permission, me, chain, institution);
    return (
      adminMay(permission, me, chain, institution) ||
      active.some((one) => roleHolds(permission, one.role, chain, institution.overrides)) ||
      (onlyReads(permission) && ended.some((one) => roleHolds(permission, one.role, chain, institution.overrides)))
    );
  };
  const held = (): ReadonlySet<string> =>
    new Set([
      ...[...permissions.keys()].filter((permission) => runsTheService(me, institution) || can(permission)),
      ...(active.some((one) => editors.has(one.type)) ? [editing] : []),
    ]);

  return {
    ...row,
    term,
    grading,
    anonymous: isAdmin ? [] : anonymous,
    chain,
    standard: standards.find(({ id }) => id === row.grading_standard_id),
    mine,
    isAdmin,
    can,
    held,
    gains(role) {
      const rights = held();
      return givenBy(role, chain, institution.overrides).some((right) => !rights.has(right));
    },
    canRead: row.workflow_state !== 'deleted' && (isAdmin || readable.length > 0 || isPublic),
    readsAsAdmin,
    participates: row.workflow_state === 'available' && active.some(isStudent),
    isConcluded: row.workflow_state === 'completed',
    observedIds: live.filter((one) => one.type === 'ObserverEnrollment' && one.observed_user_id !== 0).map((one) => one.observed_user_id),
    sectionLimit: isAdmin ? null : sectionLimitOf(live),
    sectionIds: [...new Set(live.map((one) => one.course_section_id))],
  };
}

/** Whether the course hides a tab from its students: `files`, `pages`, … */
export const hidesTab = ({ settings }: Pick<CourseRow, 'settings'>, id: string): boolean =>
  Array.isArray(settings.tab_configuration) &&
  (settings.tab_configuration as { id: string; hidden?: boolean }[]).some((tab) => tab.id === id && tab.hidden === true);
