// Users of a course, each once: the filters of its lists, applied to all enrollments of a user.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { idsOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { termTooShort } from '../../http/problem';
import { type EnrollmentWord, enrollmentTypesOf } from '../courses/own_courses';
import { readsRoster } from '../enrollments/policy';
import type { EnrollmentState, EnrollmentType } from '../enrollments/table';
import { fewOf, holding, idIn, mostFor, type SearchableField } from '../users/search/matches';

export interface PeopleFilters {
  readonly search_term?: string;
  readonly enrollment_type?: readonly (EnrollmentWord | 'student_view')[];
  readonly enrollment_role?: string;
  readonly enrollment_role_id?: number;
  readonly enrollment_state?: readonly EnrollmentState[];
  readonly include_inactive?: boolean;
  readonly user_ids?: readonly string[];
  readonly user_uuids?: readonly string[];
  readonly sort?: string;
}

const json = (values: readonly unknown[]) => sql`(select value from json_each(${JSON.stringify(values)}))`;

const typesIn = (words: PeopleFilters['enrollment_type']): EnrollmentType[] =>
  (words ?? []).flatMap((word): readonly EnrollmentType[] =>
    word === 'student_view' ? ['StudentViewEnrollment'] : word === 'student' ? ['StudentEnrollment'] : enrollmentTypesOf(word),
  );

const statesFor = (course: CourseContext, filters: PeopleFilters): readonly EnrollmentState[] => {
  if (filters.enrollment_state?.length) return filters.enrollment_state;
  return [
    'active',
    'invited',
    ...(course.readsAsAdmin ? (['creation_pending'] as const) : []),
    ...(course.readsAsAdmin && filters.include_inactive ? (['inactive'] as const) : []),
  ];
};

/** Whether the test student is included. */
const wantsTestStudent = (filters: PeopleFilters, call: Pick<Call, 'include'>): boolean =>
  call.include.has('test_student') || (filters.enrollment_type?.includes('student_view') ?? false);

/** The condition on the enrollment with alias `e` for its user to be listed. */
function counts(e: string, course: CourseContext, me: number, filters: PeopleFilters): SQL {
  const it = (column: string) => sql.raw(`${e}.${column}`);
  const types = typesIn(filters.enrollment_type);
  // Most users are students: their type is checked per row, so that the walk keeps the list's order, if there is an index with it.
  const isByName = filters.sort === undefined || filters.sort === 'username';
  const isWalked = filters.sort !== 'last_login' && (types.length > 1 || !isByName);
  const type = types.includes('StudentEnrollment') && isWalked ? sql`+${it('type')}` : it('type');
  const conditions = [
    sql`${it('course_id')} = ${course.id}`,
    sql`${it('enrollment_state')} in ${json(statesFor(course, filters))}`,
    ...(types.length > 0 ? [sql`${type} in ${types.length === 1 ? sql`(${types[0]})` : json(types)}`] : []),
    ...(filters.enrollment_role_id === undefined ? [] : [sql`${it('role_id')} = ${filters.enrollment_role_id}`]),
    ...(filters.enrollment_role === undefined
      ? []
      : [sql`${it('role_id')} in (select id from roles where name = ${filters.enrollment_role})`]),
    ...(readsRoster(course)
      ? course.sectionLimit
        ? [sql`(${it('course_section_id')} in ${json(course.sectionLimit)} or ${it('user_id')} = ${me})`]
        : []
      : [sql`${it('user_id')} in ${json([me, ...course.observedIds])}`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** The user fields that the caller may search. */
const seen = ({ course }: Pick<Call, 'course'>): SearchableField => {
  const can = (permission: string) => course?.can(permission) ?? false;
  return [
    'name',
    'sortable_name',
    ...(can('view_user_logins') ? (['login'] as const) : []),
    ...(can('read_sis') || can('manage_sis') ? (['sis_id'] as const) : []),
  ];
};

/** Ways to search the users of a course (rows of `enrollments` and `users`): by id, among the few users who match anywhere, or along the roster. */
export function waysTo(term: string, call: Pick<Call, 'course' | 'page'>, chosen: SQL) {
  const id = idIn(term);
  if (term.length < 2 && id === undefined) throw termTooShort();
  const { isFew, ids } = fewOf([term], seen(call), mostFor(call.page));
  const theirs = sql`cross join enrollments indexed by enrollments_of_user_in_course`;
  return [
    ...(id === undefined
      ? []
      : [{ from: sql`users ${theirs}`, where: sql`users.id = ${id} and enrollments.user_id = users.id and ${chosen}` }]),
    {
      from: sql`(${ids}) few cross join users ${theirs}`,
      where: sql`users.id = few.found and enrollments.user_id = users.id and ${chosen}`,
      when: isFew,
    },
    {
      from: sql`enrollments cross join users`,
      where: sql`users.id = enrollments.user_id and ${chosen} and ${holding(term, seen(call))}`,
      when: sql`not ${isFew}`,
    },
  ];
}

/**
 * Enrollments joined with `users`, one per user: the first that matches. The hint keeps SQLite from walking the whole course to find a user's other
 * enrollments.
 */
export function courseUsersOf(course: CourseContext, filters: PeopleFilters, call: Pick<Call, 'course' | 'include' | 'me'>): SQL {
  const { user_ids, user_uuids } = filters;
  const conditions = [
    counts('enrollments', course, call.me.id, filters),
    sql`not exists (select 1 from enrollments e indexed by enrollments_of_user_in_course where e.user_id = enrollments.user_id and e.id < enrollments.id and ${counts('e', course, call.me.id, filters)})`,
    sql`users.workflow_state <> 'deleted'`,
    ...(wantsTestStudent(filters, call) ? [] : [sql`users.is_test_student = 0`]),
    ...(user_ids?.length ? [sql`users.id in (${idsOf('user', user_ids)})`] : []),
    ...(user_uuids?.length ? [sql`users.uuid in ${json(user_uuids)}`] : []),
  ];
  return sql.join(conditions, sql` and `);
}
