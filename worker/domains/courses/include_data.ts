// Includes of courses: statements for a whole page, and the JSON from their rows.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext, CourseRow, TermRow } from '../../contexts/course';
import type { Standing } from '../../contexts/course_standings';
import type { AccountRow } from '../../contexts/institution';
import { isActiveGrader } from '../../contexts/predicates';
import { meets } from '../../contexts/section_limit';
import { named } from '../../database/together';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { courseProgress, notAStudent, selectCourseProgress } from '../modules/progress/course';
import type { FactsRow } from '../modules/progress/facts';
import { type DisplayRow, userDisplay } from '../users/display';
import { pictureColumns, picturesOf } from './pictures';
import { type TabUse, tabsOf, tabUse } from './tabs';

interface Counted {
  readonly course_id: number;
  readonly total: number;
}
interface Teaching extends DisplayRow {
  readonly course_id: number;
}

const isStaff = (course: CourseContext) =>
  course.mine.some((one) => one.effective === 'active' && (one.type === 'TeacherEnrollment' || one.type === 'TaEnrollment'));

/** The statements of the requested includes. */
export const includedRows = (ids: SQL, { db, include, me }: Call) => {
  const { build } = db;
  const asked = (...words: string[]) => words.some((word) => include.has(word));
  return {
    teachers: asked('teachers', 'active_teachers')
      ? named(
          build.all<Teaching>(
            sql`select distinct e.course_id, u.id, u.name, u.short_name, u.avatar_url, u.pronouns, u.is_test_student from enrollments e join users u on u.id = e.user_id where e.course_id in (${ids}) and e.type = 'TeacherEnrollment' and e.enrollment_state = 'active' order by e.sortable_name, u.id`,
          ),
          ['course_id', 'id', 'name', 'short_name', 'avatar_url', 'pronouns', 'is_test_student'],
        )
      : undefined,
    students: asked('total_students')
      ? named(
          build.all<Counted>(
            sql`select course_id, people as total from roster_counts where course_id in (${ids}) and course_section_id = 0 and type = 'StudentEnrollment'`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    used: asked('storage_quota_used_mb')
      ? named(
          build.all<Counted>(
            sql`select context_id as course_id, sum(size) as total from files where context_type = 'Course' and context_id in (${ids}) and workflow_state = 'available' and copied_from_id is null group by context_id`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    ungraded: asked('needs_grading_count')
      ? named(
          build.all<Counted>(
            sql`select s.course_id, count(*) as total from submissions s join assignments a on a.id = s.assignment_id and a.workflow_state = 'published'
            where s.course_id in (${ids}) and (s.workflow_state in ('submitted', 'pending_review') or (s.workflow_state = 'graded' and s.attempt > s.graded_attempt)) and s.excused = 0
            and exists (select 1 from enrollments e join enrollments mine on mine.user_id = ${me.id} and mine.course_id = e.course_id and ${meets('mine', 'e')}
              where e.user_id = s.user_id and e.course_id = s.course_id and e.type = 'StudentEnrollment' and e.enrollment_state = 'active' and ${isActiveGrader('mine')})
            group by s.course_id`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    pictures: asked('course_image', 'banner_image')
      ? named(
          build.all<{ course_id: number; image_uuid: string | null; banner_image_uuid: string | null }>(
            sql`select courses.id as course_id, ${pictureColumns.image_uuid.getSQL()} as image_uuid, ${pictureColumns.banner_image_uuid.getSQL()} as banner_image_uuid from courses where courses.id in (${ids})`,
          ),
          ['course_id', 'image_uuid', 'banner_image_uuid'],
        )
      : undefined,
    tabs: asked('tabs') ? tabUse(db, ids) : undefined,
    progress: asked('course_progress') ? selectCourseProgress(db, me.id, ids) : undefined,
    favorites: asked('favorites')
      ? named(
          build.all<{ course_id: number }>(
            sql`select context_id as course_id from favorites where user_id = ${me.id} and context_type = 'Course' and context_id in (${ids})`,
          ),
          ['course_id'],
        )
      : undefined,
  };
};

type Rows = { [K in keyof ReturnType<typeof includedRows>]: readonly unknown[] | undefined };

const totalOf = (rows: readonly unknown[] | undefined, course: CourseRow) =>
  (rows as Counted[] | undefined)?.find((one) => one.course_id === course.id)?.total ?? 0;

/** Whether a course is concluded, by hand or by its dates (reference 02 §1.6). */
export const isOver = (course: CourseRow, term: TermRow, now: string): boolean => {
  const end = course.restrict_enrollments_to_course_dates ? course.end_at : term.end_at;
  return course.workflow_state === 'completed' || (end !== null && end < now);
};

/** A term with the dates for the caller's enrollment types. */
function termJson({ term, context }: Standing) {
  const overrides = context.mine.map((one) => term.overrides[one.type]).filter((one) => one !== undefined);
  const pick = (side: 'start_at' | 'end_at', later: boolean) => {
    const given = overrides
      .map((one) => one[side])
      .filter((at): at is string => typeof at === 'string')
      .sort();
    return (later ? given.at(-1) : given[0]) ?? term[side];
  };
  const seesSis = context.can('read_sis') || context.can('manage_sis');
  return {
    id: term.id,
    name: term.name,
    start_at: pick('start_at', false),
    end_at: pick('end_at', true),
    created_at: term.created_at,
    workflow_state: term.workflow_state,
    grading_period_group_id: null,
    ...(seesSis && { sis_term_id: term.sis_term_id }),
    ...(context.can('manage_sis') && { sis_import_id: term.sis_import_id }),
  };
}

const accountJson = (account: AccountRow, quota: number) => ({
  id: account.id,
  name: account.name,
  workflow_state: account.workflow_state,
  parent_account_id: account.parent_account_id,
  root_account_id: account.root_account_id,
  uuid: account.uuid,
  default_storage_quota_mb: quota,
  default_user_storage_quota_mb: account.default_user_storage_quota_mb ?? 50,
  default_group_storage_quota_mb: account.default_group_storage_quota_mb ?? 50,
  default_time_zone: account.default_time_zone,
});

function teachersJson(rows: readonly unknown[], course: CourseRow, { origin, params }: Call) {
  const here = (rows as Teaching[]).filter((one) => one.course_id === course.id);
  const limit = (params as { teacher_limit?: number }).teacher_limit;
  return limit !== undefined && here.length > limit
    ? { teacher_count: here.length }
    : { teachers: here.map((one) => userDisplay({ ...one, is_test_student: Boolean(one.is_test_student) }, origin)) };
}

const progressJson = (course: CourseRow, context: CourseContext, facts: readonly FactsRow[], { now, origin }: Call) =>
  context.mine.some((one) => one.type === 'StudentEnrollment') ? courseProgress(facts, course.id, now, origin) : notAStudent;

/** The included keys of one course. */
export function includedJson(course: CourseRow, standing: Standing, rows: Rows, call: Call, quotaOfAccount: number): object {
  const { include, origin, now } = call;
  const { context, term, accounts } = standing;
  const account = accounts.at(-1);
  const has = (word: string) => include.has(word);
  const pictured = (rows.pictures as { course_id: number }[] | undefined)?.find((one) => one.course_id === course.id);
  const pictures = picturesOf({ ...course, ...pictured }, origin);
  return {
    ...(has('needs_grading_count') && isStaff(context) && { needs_grading_count: totalOf(rows.ungraded, course) }),
    ...(has('syllabus_body') && {
      syllabus_body: withHost(course.syllabus_body, origin, (course as CourseRow & { file_verifiers?: string | null }).file_verifiers),
    }),
    ...(has('public_description') && course.public_description !== null && { public_description: course.public_description }),
    ...(has('current_grading_period_scores') &&
      has('total_scores') && { has_grading_periods: false, multiple_grading_periods_enabled: false, has_weighted_grading_periods: false }),
    ...(has('grading_periods') && { grading_periods: null }),
    ...(has('term') && { term: termJson(standing) }),
    ...(has('account') && account && { account: accountJson(account, quotaOfAccount) }),
    ...((has('account_name') || has('account')) && account && call.account && { account_name: account.name }),
    ...(has('account_name') && account && { account_name: account.name }),
    ...(has('subaccount') && account && { subaccount_id: account.id, subaccount_name: account.name }),
    ...(rows.tabs && {
      tabs: tabsOf(
        context,
        (rows.tabs as TabUse[]).find((one) => one.course_id === course.id),
        origin,
      ),
    }),
    ...(rows.progress && { course_progress: progressJson(course, context, rows.progress as readonly FactsRow[], call) }),
    ...(has('sections') && {
      sections: context.mine.map((one) => {
        const section = standing.enrolled.find(({ enrollment }) => enrollment.id === one.id)?.section;
        return {
          id: one.course_section_id,
          name: section?.name ?? '',
          start_at: section?.start_at ?? null,
          end_at: section?.end_at ?? null,
          enrollment_role: one.role.name,
        };
      }),
    }),
    ...(has('storage_quota_used_mb') && { storage_quota_used_mb: totalOf(rows.used, course) / 1_048_576 }),
    ...(has('total_students') && { total_students: totalOf(rows.students, course) }),
    ...(has('passback_status') && { passback_status: {} }),
    ...(rows.favorites && { is_favorite: (rows.favorites as { course_id: number }[]).some((one) => one.course_id === course.id) }),
    ...(rows.teachers && teachersJson(rows.teachers, course, call)),
    ...(has('course_image') && { image_download_url: pictures.image ?? (course.settings.image_url as string | undefined) ?? null }),
    ...(has('banner_image') && {
      banner_image_download_url: pictures.banner_image ?? (course.settings.banner_image_url as string | undefined) ?? null,
    }),
    ...(has('concluded') && { concluded: isOver(course, term, now) }),
    ...(has('permissions') && {
      permissions: {
        create_discussion_topic: context.can('create_forum') && context.workflow_state !== 'completed',
        create_announcement: context.readsAsAdmin && context.can('moderate_forum') && context.workflow_state !== 'completed',
      },
    }),
    ...(has('html_url') && { html_url: `${origin}/courses/${course.id}` }),
    ...(has('locale') && course.locale !== null && { locale: course.locale }),
    ...(has('lti_context_id') && { lti_context_id: course.uuid }),
    ...(has('post_manually') && { post_manually: course.settings.post_manually === true }),
    ...(has('grading_scheme') && { grading_scheme: null }),
    ...(has('restrict_quantitative_data') && { restrict_quantitative_data: course.settings.restrict_quantitative_data === true }),
    ...(has('templated_accounts') && { templated_accounts: [] }),
    ...(has('open_enrollment') && { open_enrollment: course.open_enrollment }),
    ...(has('self_enrollment') && { self_enrollment: course.self_enrollment }),
    ...(has('allow_student_wiki_edits') && { allow_student_wiki_edits: course.allow_student_wiki_edits }),
    ...(has('allow_wiki_comments') && { allow_wiki_comments: course.allow_wiki_comments }),
  };
}
