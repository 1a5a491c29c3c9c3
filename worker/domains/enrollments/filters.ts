// Filters of enrollment lists: parameters and their SQL.

import { bool, choices, idField, listOf, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { datedEnrollments, effective } from '../../contexts/effective_enrollments';
import { idOf } from '../../contexts/references';
import { among } from '../../database/ids';
import { Problem, problem, refused } from '../../http/problem';
import { enrollmentStates, enrollments, enrollmentTypes } from './table';

export const filterParams = {
  type: choices(...enrollmentTypes),
  role: optional(listOf(text)),
  role_id: optional(listOf(idField('role'))),
  state: optional(listOf(text)),
  user_id: optional(referenceTo('user')),
  grading_period_id: optional(referenceTo('grading_period')),
  enrollment_term_id: optional(referenceTo('term')),
  sis_account_id: optional(listOf(text)),
  sis_course_id: optional(listOf(text)),
  sis_section_id: optional(listOf(text)),
  sis_user_id: optional(listOf(text)),
  created_for_sis_id: optional(bool),
};

export interface Filters {
  readonly type?: readonly string[];
  readonly role?: readonly string[];
  readonly role_id?: readonly number[];
  readonly state?: readonly string[];
  readonly user_id?: string;
  readonly grading_period_id?: string;
  readonly enrollment_term_id?: string;
  readonly sis_account_id?: readonly string[];
  readonly sis_course_id?: readonly string[];
  readonly sis_section_id?: readonly string[];
  readonly sis_user_id?: readonly string[];
  readonly created_for_sis_id?: boolean;
}

const synthetic: Record<string, readonly string[]> = {
  current_and_invited: ['active', 'invited'],
  current_and_future: ['active', 'invited', 'creation_pending', 'pending_active', 'pending_invited'],
  current_future_and_restricted: ['active', 'invited', 'creation_pending', 'pending_active', 'pending_invited', 'inactive'],
  current_and_concluded: ['active', 'completed'],
};
const known = new Set<string>([...enrollmentStates, 'pending_active', 'pending_invited', ...Object.keys(synthetic)]);

/**
 * The states to filter by; undefined when none of them exists.
 * @throws Problem 400 for an unknown state in one's own list
 */
export function statesOf(given: readonly string[] = [], isOwn = false): readonly string[] | undefined {
  const unknown = given.find((state) => !known.has(state));
  if (unknown !== undefined && isOwn) throw new Problem(400, { error: `Invalid state ${unknown}` });
  const states = given.filter((state) => known.has(state)).flatMap((state) => lookUp(synthetic, state) ?? [state]);
  return states.length === 0 ? undefined : [...new Set(states)];
}

const given = <T>(values: readonly T[] | undefined): values is readonly T[] => values !== undefined && values.length > 0;

/** Filters by user, type and role, but not by state. `me` is the user `self`. */
export function enrollmentFilter(filters: Filters, me: number): SQL | undefined {
  const byRole = given(filters.role) || given(filters.role_id);
  return and(
    given(filters.role_id) ? among(enrollments.role_id, filters.role_id) : undefined,
    given(filters.role) ? sql`${enrollments.role_id} in (select id from roles where ${among(sql`name`, filters.role)})` : undefined,
    given(filters.type) && !byRole ? among(enrollments.type, filters.type) : undefined,
    filters.user_id === undefined
      ? undefined
      : sql`${enrollments.user_id} = (${filters.user_id === 'self' ? sql`select ${me}` : idOf('user', filters.user_id)})`,
    filters.created_for_sis_id === undefined
      ? undefined
      : filters.created_for_sis_id
        ? sql`${enrollments.sis_import_id} is not null`
        : sql`${enrollments.sis_import_id} is null`,
    given(filters.sis_user_id)
      ? sql`${enrollments.user_id} in (select user_id from logins where account_id = 1 and workflow_state <> 'deleted' and ${among(sql`sis_user_id`, filters.sis_user_id)})`
      : undefined,
    given(filters.sis_section_id)
      ? sql`${enrollments.course_section_id} in (select id from sections where ${among(sql`sis_section_id`, filters.sis_section_id)})`
      : undefined,
    given(filters.sis_course_id)
      ? sql`${enrollments.course_id} in (select id from courses where ${among(sql`sis_course_id`, filters.sis_course_id)})`
      : undefined,
    given(filters.sis_account_id)
      ? sql`${enrollments.course_id} in (select c.id from courses c join accounts a on a.id = c.account_id where ${among(sql`a.sis_account_id`, filters.sis_account_id)})`
      : undefined,
    filters.enrollment_term_id === undefined
      ? undefined
      : sql`${enrollments.course_id} in (select id from courses where enrollment_term_id = (${idOf('term', filters.enrollment_term_id)}))`,
  );
}

/** @throws Problem 400 for a filter that the caller may not use, or an invalid reference */
export function refuseFilters(filters: Filters, seesSis: boolean, course?: CourseContext): void {
  const bySis = [filters.sis_account_id, filters.sis_course_id, filters.sis_section_id, filters.sis_user_id].some(given);
  if ((bySis || filters.created_for_sis_id !== undefined) && !seesSis) throw refused(400, 'insufficient sis permissions');
  const period = filters.grading_period_id;
  const isKnown = (id: string) => (course ? course.grading.periods.some((one) => String(one.id) === id) : /^\d{1,15}$/.test(id));
  if (period && !isKnown(period)) throw problem(400, 'invalid grading_period_id');
}

/** Reads the requested roles, to check that all exist. */
export const unknownRoles = (filters: Filters): SQL =>
  sql`select value from json_each(${JSON.stringify([...(filters.role ?? []), ...(filters.role_id ?? [])])}) where value not in (select name from roles union select id from roles)`;

/** Enrollments by their effective state, computed per row during the walk. */
export const inEffectiveStates = (states: readonly string[], now: string): SQL =>
  sql`exists (select 1 from (${datedEnrollments(sql`e.id = enrollments.id`)}) e where (e.course_state <> 'deleted' or e.enrollment_state = 'deleted') and ${among(effective(now), states)})`;
