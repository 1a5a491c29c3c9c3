// Enrollments as clients see them: single, and in lists with the user.

import { Enrollment } from '@carrel/shared/resources/enrollment';
import { cut } from '@carrel/shared/resources/resource';
import { User } from '@carrel/shared/resources/user';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext, CourseRow, EnrollmentRow } from '../../contexts/course';
import { loadedCourseRows, loadedCourses } from '../../contexts/loaded_courses';
import type { Viewer } from '../../contexts/viewer';
import { sealOf } from '../../crypto/feed_address';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { courses } from '../courses/table';
import { groupIdsOf } from '../groups/policy';
import { holds, userJson } from '../users/json';
import { type Beside, besideOf, besideOfRow, besidePage, besideRows, type EnrollmentExtras, personColumns } from './beside';
import { type CountedBeside, countedBeside, gradeColumns, gradesJson, periodAsked, scoresOf, workOfObserved } from './grades/json';
import { mayRemove } from './policy';
import { enrollments, studentTypes } from './table';

const isStudent = (row: EnrollmentRow) => studentTypes.has(row.type);

/** Which data beside an enrollment the caller may see. */
export const wantedBy = (call: Call, isListed: boolean): EnrollmentExtras => ({
  logins:
    holds(call, 'read_sis') ||
    holds(call, 'manage_sis') ||
    (call.course === undefined && !isListed) ||
    (isListed && holds(call, 'view_user_logins')),
  emails: isListed && call.include.has('email'),
  observed: call.include.has('observed_users'),
});

/** Whether users may leave by themselves: only self-enrolled users may. */
export const isLeavable = (row: Pick<EnrollmentRow, 'user_id' | 'self_enrolled'>, me: number) => row.self_enrolled && row.user_id === me;

/** The code that identifies the caller's own enrollment when leaving; others cannot compute it. */
export const leavingCode = (me: Viewer['user'], enrollment_id: number): string => sealOf(me, `enrollment_${enrollment_id}`);

/** The SIS ids of an enrollment's course, section and user. */
const sisFields = (
  course: CourseContext,
  section: Beside['sections'][number] | undefined,
  login: Beside['logins'][number] | undefined,
  call: Call,
) => ({
  sis_account_id: call.institution.accounts.get(course.account_id)?.sis_account_id ?? null,
  sis_course_id: course.sis_course_id,
  course_integration_id: course.integration_id,
  sis_section_id: section?.sis_section_id ?? null,
  section_integration_id: section?.integration_id ?? null,
  sis_user_id: login?.sis_user_id ?? null,
});

/** @param course the enrollment's course with the caller's permissions there */
export function enrollmentJson(row: EnrollmentRow, course: CourseContext, beside: Beside, call: Call, counted: CountedBeside = []): object {
  const { origin, me, include } = call;
  const role = beside.roles.find((one) => one.id === row.role_id);
  const section = beside.sections.find((one) => one.id === row.course_section_id);
  const login = beside.logins.find((one) => one.user_id === row.user_id);
  const isGone = course.workflow_state === 'deleted' || section?.workflow_state === 'deleted';
  const seesSis = course.can('read_sis') || course.can('manage_sis');
  const hidesSections = course.settings.hide_sections_on_course_users_page === true && !course.readsAsAdmin;
  const seesActivity = row.user_id === me.id || course.can('read_reports');
  return {
    id: row.id,
    user_id: row.user_id,
    course_id: row.course_id,
    ...(!hidesSections && { course_section_id: row.course_section_id }),
    root_account_id: course.root_account_id,
    type: row.type,
    role: role?.name ?? row.type,
    role_id: row.role_id,
    enrollment_state: isGone ? 'deleted' : row.enrollment_state,
    associated_user_id: row.observed_user_id === 0 ? null : row.observed_user_id,
    limit_privileges_to_course_section: row.limit_privileges_to_course_section,
    created_at: row.created_at,
    updated_at: row.updated_at,
    start_at: row.start_at,
    end_at: row.end_at,
    ...(seesActivity && {
      last_activity_at: row.last_activity_at,
      last_attended_at: row.last_attended_at,
      total_activity_time: row.total_activity_time,
    }),
    ...(seesSis && sisFields(course, section, login, call)),
    ...(course.can('manage_sis') && { sis_import_id: row.sis_import_id }),
    html_url: `${origin}/courses/${row.course_id}/users/${row.user_id}`,
    ...(row.temporary_enrollment_source_user_id !== null && {
      temporary_enrollment_source_user_id: row.temporary_enrollment_source_user_id,
    }),
    ...(isStudent(row) && { grades: gradesJson(row, course, call, scoresOf(row, course, counted, periodAsked(call, course))) }),
    ...(include.has('locked') && { locked: row.sis_import_id !== null && !course.can('manage_sis') }),
    ...(include.has('uuid') && isLeavable(row, me.id) && { uuid: leavingCode(me.user, row.id) }),
    ...(include.has('can_be_removed') && { can_be_removed: mayRemove(course, row, me.id) }),
  };
}

/** The course of an enrollment, and a call within that course, including its accounts. */
const placeOf = (row: EnrollmentRow, call: Call, found: Found): { course: CourseContext; inside: Call } => {
  if (call.course) return { course: call.course, inside: call };
  const course = found.courses?.find((one) => one.id === row.course_id);
  if (!course || !found.standing) throw new Error(`enrollment ${row.id} has no course`);
  const { context, accounts } = loadedCourses(found.standing, call)(course);
  const known = new Map([...call.institution.accounts, ...accounts.map((account) => [account.id, account] as const)]);
  return { course: context, inside: { ...call, institution: { ...call.institution, accounts: known } } };
};

interface Found {
  readonly beside: readonly Record<string, string>[];
  readonly counted: CountedBeside;
  readonly watched: readonly { readonly id: number; readonly work: string }[] | undefined;
  readonly courses: readonly CourseRow[] | undefined;
  readonly standing: ResultOf<ReturnType<typeof loadedCourseRows>> | undefined;
}

/** Outside a single course: the courses of the enrollments, with the caller's context in each. */
const surroundings = (ids: SQL, call: Call) => {
  if (call.course) return {};
  const courseIds = sql`select course_id from enrollments where id in (${ids})`;
  return {
    courses: call.db.build.select().from(courses).where(sql`${courses.id} in (${courseIds})`),
    standing: loadedCourseRows(courseIds, call),
  };
};

const observation = (row: EnrollmentRow, course: CourseContext, beside: Beside, call: Call, found: Found) =>
  call.include.has('observed_users') &&
  row.type === 'ObserverEnrollment' && { observed_user: observedBy(row, course, beside, call, found) };

/** A single enrollment, or an enrollment after an update. */
export const enrollment = serializer({
  resource: Enrollment,
  table: enrollments,
  columns: gradeColumns,
  also: (ids: SQL, call) => ({
    beside: besideRows(call.db, ids, wantedBy(call, false)),
    counted: countedBeside(ids, call),
    watched: when(call.include.has('observed_users'), workOfObserved(ids, call)),
    ...surroundings(ids, call),
  }),
  json: (row: EnrollmentRow, call, found) => {
    const all = found as Found;
    const { course, inside } = placeOf(row, call, all);
    const beside = besideOf(all.beside);
    return { ...enrollmentJson(row, course, beside, inside, all.counted), ...observation(row, course, beside, call, all) };
  },
});

const asFound = (found: unknown): Found => found as Found;

/**
 * For the sync feed, which sends enrollments when they change. Without scores, because every grading changes those; clients request them. An
 * observed student therefore comes without enrollments.
 */
export const syncedEnrollment = serializer({
  resource: Enrollment,
  table: enrollments,
  also: (ids: SQL, call) => ({ beside: besideRows(call.db, ids, wantedBy(call, false)), ...surroundings(ids, call) }),
  json: (row: EnrollmentRow, call, found) => {
    const all = asFound(found);
    const { course, inside } = placeOf(row, call, all);
    const beside = besideOf(all.beside);
    const isObserver = row.type === 'ObserverEnrollment' && call.include.has('observed_users');
    return {
      ...enrollmentJson(row, course, beside, inside),
      ...(isObserver && { observed_user: observedPerson(row, beside, call) ?? null }),
    };
  },
});

/** An enrollment in a list, with its user. */
export const listedEnrollment = serializer({
  resource: Enrollment,
  table: enrollments,
  columns: (call) => ({
    ...personColumns(wantedBy(call, true)),
    ...gradeColumns(call),
    ...(call.include.has('group_ids') && { group_ids: groupIdsOf(sql`enrollments.user_id`, sql`enrollments.course_id`).as('group_ids') }),
  }),
  also: (ids: SQL, call) => ({
    beside: besidePage(call.db, ids, call.course?.id, wantedBy(call, true)),
    counted: countedBeside(ids, call),
    watched: when(call.include.has('observed_users'), workOfObserved(ids, call)),
    ...surroundings(ids, call),
  }),
  json: (row: EnrollmentRow, call, found) => {
    const all = found as Found;
    const { course, inside } = placeOf(row, call, all);
    const beside = besideOfRow(row, besideOf(all.beside));
    const [person] = beside.people;
    return {
      ...enrollmentJson(row, course, beside, inside, all.counted),
      ...(person && { user: { ...userOf(person, beside, call), ...groupsOf(row) } }),
      ...observation(row, course, beside, call, all),
    };
  },
});

/** For graders in the sync feed: with the user, and without scores, which the client computes from the submissions. */
export const gradedEnrollment = serializer({
  resource: Enrollment,
  table: enrollments,
  columns: (call) => personColumns(wantedBy(call, true)),
  also: (ids: SQL, call) => ({ beside: besidePage(call.db, ids, call.course?.id, wantedBy(call, true)) }),
  json: (row: EnrollmentRow, call, found) => {
    const all = asFound(found);
    const { course, inside } = placeOf(row, call, all);
    const beside = besideOfRow(row, besideOf(all.beside));
    const [person] = beside.people;
    const { grades: _, ...json } = enrollmentJson(row, course, beside, inside) as { grades?: object };
    return { ...json, ...(person && { user: userOf(person, beside, call) }) };
  },
});

const groupsOf = (row: object) => {
  const { group_ids } = row as { group_ids?: string };
  return group_ids === undefined ? {} : { group_ids: JSON.parse(group_ids) as number[] };
};

/** The user of an enrollment. */
export const userOf = (person: Beside['people'][number], beside: Beside, call: Call) => ({
  ...userJson(person, call, beside, (field) => call.include.has(field)),
});

/** The observed student of an observer's enrollment. */
function observedPerson(row: EnrollmentRow, beside: Beside, call: Call) {
  const person = beside.observed.find((one) => one.id === row.observed_user_id);
  return (
    person &&
    cut(
      User,
      userJson(person, call, { logins: [], channels: [] }, () => false),
    )
  );
}

function observedBy(row: EnrollmentRow, course: CourseContext, beside: Beside, call: Call, { counted, watched }: Found): object | null {
  const person = observedPerson(row, beside, call);
  if (!person) return null;
  const theirs = beside.observed_enrollments.filter((one) => one.user_id === row.observed_user_id && one.course_id === row.course_id);
  return {
    ...person,
    enrollments: theirs.map((one) => {
      const work = watched?.find(({ id }) => id === one.id)?.work;
      return cut(Enrollment, enrollmentJson({ ...one, ...(work && { work }) }, course, beside, call, counted));
    }),
  };
}
