// Courses as clients see them: with the user's enrollments in their own lists, without in account lists and after updates.

import type { FinalScores } from '@carrel/shared/grading/course_scores';
import { Course } from '@carrel/shared/resources/course';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CourseRow } from '../../contexts/course';
import {
  type Enrolled,
  type LoadedCourse,
  loadedCourseColumns,
  loadedCourseOfRow,
  loadedCourseRows,
  loadedCourses,
} from '../../contexts/loaded_courses';
import { feedAddress, publicFeedAddress } from '../../crypto/feed_address';
import type { ResultOf } from '../../database/open';
import { withColumns } from '../../database/together';
import type { Call } from '../../http/call';
import { serializer } from '../../http/serializer';
import { inCourse, verifiersIn } from '../../rules/file_verifiers';
import { currentPeriod, type SetOfCourse, type SetRow, setFrom } from '../../rules/grading_periods';
import { blueprintSettingsJson } from '../blueprint_templates/restrictions';
import { displayedScores, overrideIn } from '../enrollments/grades/displayed';
import { countedGroups, letterGradeOf, scoresFrom, workColumn } from '../enrollments/grades/facts';
import { includedJson, includedRows } from './include_data';
import { enrollmentWordOf, keeps, type OwnFilter } from './own_courses';
import { courses } from './table';

const stateOf = (course: CourseRow) =>
  course.workflow_state === 'created' || course.workflow_state === 'claimed' ? 'unpublished' : course.workflow_state;

/** The storage quota of a course: the nearest account that sets one, else 500 MB. */
const quotaOf = ({ accounts }: LoadedCourse) =>
  accounts.findLast((account) => account.default_storage_quota_mb !== null)?.default_storage_quota_mb ?? 500;

function itself(course: CourseRow, standing: LoadedCourse, name: string, call: Call) {
  const { context, accounts } = standing;
  const { settings } = course;
  const seesSis = context.can('read_sis') || context.can('manage_sis');
  return {
    id: course.id,
    name,
    ...(name !== course.name && { original_name: course.name }),
    account_id: course.account_id,
    root_account_id: course.root_account_id,
    enrollment_term_id: course.enrollment_term_id,
    course_code: course.course_code,
    license: course.license,
    grade_passback_setting: settings.grade_passback_setting ?? null,
    course_color: settings.course_color ?? null,
    friendly_name: course.friendly_name,
    uuid: course.uuid,
    created_at: course.created_at,
    start_at: course.start_at,
    end_at: course.end_at,
    default_view: course.default_view,
    time_zone: course.time_zone ?? accounts.at(-1)?.default_time_zone ?? 'Etc/UTC',
    is_public: course.is_public,
    is_public_to_auth_users: course.is_public_to_auth_users,
    public_syllabus: course.public_syllabus,
    public_syllabus_to_auth: course.public_syllabus_to_auth,
    homeroom_course: settings.homeroom_course === true,
    template: course.is_template,
    hide_final_grades: settings.hide_final_grades === true,
    apply_assignment_group_weights: course.apply_assignment_group_weights,
    restrict_enrollments_to_course_dates: course.restrict_enrollments_to_course_dates,
    grading_standard_id: course.grading_standard_id,
    storage_quota_mb: course.storage_quota_mb ?? quotaOf(standing),
    calendar: { ics: call.me.isKnown ? feedAddress(`course_${course.id}`, call) : publicFeedAddress(course.uuid, call.origin) },
    blueprint: course.is_blueprint,
    ...(course.is_blueprint && blueprintSettingsJson(course.blueprint_settings)),
    workflow_state: stateOf(course),
    overridden_course_visibility: '',
    ...(course.course_format !== null && { course_format: course.course_format }),
    ...(course.locale !== null && { locale: course.locale }),
    ...(seesSis && { sis_course_id: course.sis_course_id, integration_id: course.integration_id }),
    ...(context.can('manage_sis') && { sis_import_id: course.sis_import_id }),
  };
}

/** The scores of the current grading period, for a student or also for graders; null without one. */
function currentPeriodFields(
  set: SetOfCourse | undefined,
  scores: FinalScores | undefined,
  course: LoadedCourse['context'],
  call: Call,
  isGrader: boolean,
) {
  const period = set && currentPeriod(set.periods, call.now);
  const pair = (name: string, score: number | null = null) => ({
    [`current_period_${name}_score`]: score,
    [`current_period_${name}_grade`]: letterGradeOf(score, course),
  });
  const shown = isGrader ? scores : displayedScores(scores, course);
  const override = overrideIn(scores, course);
  return {
    has_grading_periods: set !== undefined,
    multiple_grading_periods_enabled: set !== undefined,
    has_weighted_grading_periods: set?.isWeighted ?? false,
    totals_for_all_grading_periods_option: set?.showsTotals ?? false,
    current_grading_period_title: period?.title ?? null,
    current_grading_period_id: period?.id ?? null,
    ...pair('computed_current', shown?.current_score),
    ...pair('computed_final', shown?.final_score),
    ...(isGrader && {
      ...pair('unposted_current', scores?.unposted_current_score),
      ...pair('unposted_final', scores?.unposted_final_score),
      ...(override !== null && pair('override', override)),
    }),
  };
}

function enrollmentJson({ enrollment, role }: Enrolled, course: CourseRow, standing: LoadedCourse, call: Call, found: Found) {
  const scores = scoresIn(course, enrollment, found);
  const hasScores =
    call.include.has('total_scores') && enrollment.type === 'StudentEnrollment' && course.settings.hide_final_grades !== true;
  const isGrader = standing.context.can('manage_grades') || standing.context.can('view_all_grades');
  const set = setFrom((found.sets ?? []) as readonly SetRow[], course.id);
  const period = set && currentPeriod(set.periods, call.now);
  const ofPeriod = period && scoresIn(course, enrollment, found, period.id);
  const { current_score: current = null, final_score: final = null } =
    (isGrader ? scores : displayedScores(scores, standing.context)) ?? {};
  const { unposted_current_score: unposted = null, unposted_final_score: unpostedFinal = null } = scores ?? {};
  const override = overrideIn(scores, standing.context);
  return {
    type: enrollmentWordOf(enrollment.type),
    role: role.name,
    role_id: enrollment.role_id,
    user_id: enrollment.user_id,
    enrollment_state: course.workflow_state === 'deleted' ? 'deleted' : enrollment.enrollment_state,
    limit_privileges_to_course_section: enrollment.limit_privileges_to_course_section,
    ...(enrollment.observed_user_id !== 0 && { associated_user_id: enrollment.observed_user_id }),
    ...(hasScores && {
      computed_current_score: current,
      computed_final_score: final,
      computed_current_grade: letterGradeOf(current, standing.context),
      computed_final_grade: letterGradeOf(final, standing.context),
      ...(isGrader && {
        unposted_current_score: unposted,
        unposted_final_score: unpostedFinal,
        unposted_current_grade: letterGradeOf(unposted, standing.context),
        unposted_final_grade: letterGradeOf(unpostedFinal, standing.context),
        ...(override !== null && { override_score: override, override_grade: letterGradeOf(override, standing.context) }),
      }),
      ...(call.include.has('current_grading_period_scores') && currentPeriodFields(set, ofPeriod, standing.context, call, isGrader)),
    }),
  };
}

/** Students whom a user observes; their enrollments are listed with the observer's. */
const observedBy = (user: number) => sql`select observed_user_id from enrollments where user_id = ${user} and observed_user_id <> 0`;

/** Long texts of a course, only when included. */
const textColumns = ({ include }: Call): Record<string, SQLWrapper> =>
  include.has('syllabus_body')
    ? { file_verifiers: verifiersIn(sql.raw('courses.syllabus_body'), inCourse(sql.raw('courses.id'))).as('file_verifiers') }
    : {};

const also = (ids: SQL, call: Call) => {
  const subject = call.user?.id ?? call.me.id;
  const people = call.include.has('observed_users') ? sql`select ${subject} union ${observedBy(subject)}` : sql`select ${subject}`;
  const wantsScores = call.include.has('total_scores');
  return {
    standing: loadedCourseRows(ids, call, people),
    work: wantsScores ? workIn(ids, people, call) : undefined,
    counted: wantsScores ? countedGroups(call.db, ids) : undefined,
    ...includedRows(ids, call),
  };
};

type Found = {
  standing: ResultOf<ReturnType<typeof loadedCourseRows>>;
  work: ResultOf<ReturnType<typeof workIn>> | undefined;
  counted: ResultOf<ReturnType<typeof countedGroups>> | undefined;
} & {
  [K in keyof ReturnType<typeof includedRows>]: readonly unknown[] | undefined;
};

/** The submissions of users in the courses of a page where they are students. */
const workIn = (ids: SQL, people: SQL, { db }: Call) =>
  withColumns(
    db.build.all<{ user_id: number; course_id: number; work: string }>(
      sql`select enrollments.user_id, enrollments.course_id, ${workColumn(sql.raw('enrollments.user_id'), sql.raw('enrollments.course_id'), sql.raw('enrollments.enrollment_state'))} as work from enrollments
      where enrollments.course_id in (${ids}) and enrollments.user_id in (${people}) and enrollments.type = 'StudentEnrollment' and enrollments.enrollment_state not in ('deleted', 'rejected')`,
    ),
    ['user_id', 'course_id', 'work'],
  );

const scoresIn = (
  course: CourseRow,
  enrollment: Enrolled['enrollment'],
  { work, counted }: Found,
  period?: number,
): FinalScores | undefined => {
  const result = work?.find((one) => one.user_id === enrollment.user_id && one.course_id === course.id)?.work;
  return scoresFrom(result, counted ?? [], course, period);
};

/** A course in a user's own lists, or a single course. */
export const course = serializer({
  resource: Course,
  table: courses,
  columns: textColumns,
  also,
  json: (row: CourseRow, call, found) => {
    const all = found as Found;
    const standing = loadedCourses(all.standing, call)(row);
    if (!standing.context.canRead && row.workflow_state !== 'deleted') return { id: row.id, access_restricted_by_date: true };
    const subject = call.user?.id ?? call.me.id;
    const filter = call.params as OwnFilter;
    const isObserved = (user: number) => call.include.has('observed_users') && standing.context.observedIds.includes(user);
    return {
      ...itself(row, standing, standing.nickname ?? row.friendly_name ?? row.name, call),
      ...(!(call.params as { exclude?: readonly string[] }).exclude?.includes('enrollments') && {
        enrollments: standing.enrolled
          .filter(({ enrollment }) => enrollment.user_id === subject || isObserved(enrollment.user_id))
          .filter((one) =>
            one.enrollment.user_id === subject
              ? keeps(filter, one, row, standing.term, call.now)
              : keeps({}, one, row, standing.term, call.now),
          )
          .map((one) => enrollmentJson(one, row, standing, call, all)),
      }),
      ...includedJson(row, standing, all, call, quotaOf(standing)),
    };
  },
});

/** A course in an account's list, and in the response to an update. */
export const courseOfAccount = serializer({
  resource: Course,
  table: courses,
  columns: (call) => ({ ...loadedCourseColumns(call), ...textColumns(call) }),
  also: includedRows,
  json: (row: CourseRow, call, found) => {
    const standing = loadedCourseOfRow(row, call);
    return {
      ...itself(row, standing, standing.nickname ?? row.name, call),
      ...includedJson(row, standing, found as Found, call, quotaOf(standing)),
    };
  },
});

/** A new course, with the fields that only a create returns. */
export const createdCourse = serializer({
  resource: Course,
  table: courses,
  columns: loadedCourseColumns,
  json: (row: CourseRow, call) => {
    const saidEnd = (call.params as { course?: { end_at?: unknown } }).course?.end_at !== undefined;
    return {
      ...itself(row, loadedCourseOfRow(row, call), row.name, call),
      allow_student_assignment_edits: false,
      allow_student_wiki_edits: row.allow_student_wiki_edits,
      allow_wiki_comments: row.allow_wiki_comments,
      allow_student_forum_attachments: row.settings.allow_student_forum_attachments !== false,
      open_enrollment: row.open_enrollment,
      self_enrollment: row.self_enrollment,
      ...(row.public_description !== null && { public_description: row.public_description }),
      ...(!saidEnd && { conclude_at: row.end_at }),
    };
  },
});
