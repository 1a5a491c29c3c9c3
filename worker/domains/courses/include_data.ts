// Includes of courses: statements for a whole page, and the JSON from their rows.

import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext, CourseRow, StandardRow, TermRow } from '../../contexts/course';
import type { AccountRow } from '../../contexts/institution';
import type { LoadedCourse } from '../../contexts/loaded_courses';
import { isActiveGrader } from '../../contexts/predicates';
import { meets } from '../../contexts/section_limit';
import { shared } from '../../database/shared';
import { withColumns } from '../../database/together';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { type SetRow, selectSets, setFrom } from '../../rules/grading_periods';
import { schemeOfCourse, standardsOfCourses } from '../../rules/grading_schemes';
import { courseProgress, notAStudent, selectCourseProgress } from '../modules/progress/course';
import type { FactsRow } from '../modules/progress/facts';
import { type DisplayRow, userDisplay } from '../users/display';
import { pictureColumns, picturesOf } from './pictures';
import { type TabUse, tabsJson, tabUse } from './tabs';

interface Counted {
  readonly course_id: number;
  readonly total: number;
}
interface Teaching extends DisplayRow {
  readonly course_id: number;
}

const isActiveTeacher = (course: CourseContext) =>
  course.mine.some((one) => one.effective === 'active' && (one.type === 'TeacherEnrollment' || one.type === 'TaEnrollment'));

/** The statements of the requested includes. */
export const includedRows = (ids: SQL, { db, include, me }: Call) => {
  const { build } = db;
  const asked = (...words: string[]) => words.some((word) => include.has(word));
  return {
    teachers: asked('teachers', 'active_teachers')
      ? withColumns(
          build.all<Teaching>(
            sql`select distinct e.course_id, u.id, u.name, u.short_name, u.avatar_url, u.pronouns, u.is_test_student from enrollments e join users u on u.id = e.user_id where e.course_id in (${ids}) and e.type = 'TeacherEnrollment' and e.enrollment_state = 'active' order by e.sortable_name, u.id`,
          ),
          ['course_id', 'id', 'name', 'short_name', 'avatar_url', 'pronouns', 'is_test_student'],
        )
      : undefined,
    students: asked('total_students')
      ? withColumns(
          build.all<Counted>(
            sql`select course_id, people as total from roster_counts where course_id in (${ids}) and course_section_id = 0 and type = 'StudentEnrollment'`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    used: asked('storage_quota_used_mb')
      ? withColumns(
          build.all<Counted>(
            sql`select context_id as course_id, sum(size) as total from files where context_type = 'Course' and context_id in (${ids}) and workflow_state = 'available' and copied_from_id is null group by context_id`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    ungraded: asked('needs_grading_count')
      ? withColumns(
          build.all<Counted>(
            sql`select s.course_id, count(*) as total from submissions s join assignments a on a.id = s.assignment_id and a.workflow_state = 'published'
            where s.course_id in (${ids}) and (s.workflow_state in ('submitted', 'pending_review') or (s.workflow_state = 'graded' and s.attempt > s.graded_attempt)) and s.excused = 0
            and exists (select 1 from enrollments e join enrollments mine on mine.user_id = ${shared('user', me.id)} and mine.course_id = e.course_id and ${meets('mine', 'e')}
              where e.user_id = s.user_id and e.course_id = s.course_id and e.type = 'StudentEnrollment' and e.enrollment_state = 'active' and ${isActiveGrader('mine')})
            group by s.course_id`,
          ),
          ['course_id', 'total'],
        )
      : undefined,
    standards: asked('grading_scheme') ? standardsOfCourses(db, ids) : undefined,
    pictures: asked('course_image', 'banner_image')
      ? withColumns(
          build.all<{ course_id: number; image_uuid: string | null; banner_image_uuid: string | null }>(
            sql`select courses.id as course_id, ${pictureColumns.image_uuid.getSQL()} as image_uuid, ${pictureColumns.banner_image_uuid.getSQL()} as banner_image_uuid from courses where courses.id in (${ids})`,
          ),
          ['course_id', 'image_uuid', 'banner_image_uuid'],
        )
      : undefined,
    tabs: asked('tabs') ? tabUse(db, ids) : undefined,
    progress: asked('course_progress') ? selectCourseProgress(db, me.id, ids) : undefined,
    sets: asked('grading_periods', 'current_grading_period_scores') ? selectSets(db, ids) : undefined,
    favorites: asked('favorites')
      ? withColumns(
          build.all<{ course_id: number }>(
            sql`select context_id as course_id from favorites where user_id = ${shared('user', me.id)} and context_type = 'Course' and context_id in (${ids})`,
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
export const isOver = (
  course: Pick<CourseRow, 'restrict_enrollments_to_course_dates' | 'end_at' | 'workflow_state'>,
  term: Pick<TermRow, 'end_at'>,
  now: string,
): boolean => {
  const end = course.restrict_enrollments_to_course_dates ? course.end_at : term.end_at;
  return course.workflow_state === 'completed' || (end !== null && end < now);
};

/** A term with the dates for the caller's enrollment types. */
function termJson({ term, context }: LoadedCourse) {
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
    grading_period_group_id: term.grading_period_group_id,
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

/** The caller's own sections. */
const sectionsJson = ({ context, enrolled }: LoadedCourse) =>
  context.mine.map((one) => {
    const section = enrolled.find(({ enrollment }) => enrollment.id === one.id)?.section;
    return {
      id: one.course_section_id,
      name: section?.name ?? '',
      start_at: section?.start_at ?? null,
      end_at: section?.end_at ?? null,
      enrollment_role: one.role.name,
    };
  });

const permissionsJson = (context: CourseContext) => ({
  create_discussion_topic: context.can('create_forum') && context.workflow_state !== 'completed',
  create_announcement: context.readsAsAdmin && context.can('moderate_forum') && context.workflow_state !== 'completed',
});

interface Shown {
  readonly course: CourseRow;
  readonly standing: LoadedCourse;
  readonly context: CourseContext;
  readonly account: AccountRow | undefined;
  readonly rows: Rows;
  readonly call: Call;
  readonly quotaOfAccount: number;
}

const setOf = ({ rows, course }: Shown) => setFrom((rows.sets ?? []) as readonly SetRow[], course.id);

/** The addresses of uploaded pictures. */
function uploaded({ course, rows, call }: Shown) {
  const pictured = (rows.pictures as { course_id: number }[] | undefined)?.find((one) => one.course_id === course.id);
  return picturesOf({ ...course, ...pictured }, call.origin);
}

const teacherFields = ({ rows, course, call }: Shown) => rows.teachers && teachersJson(rows.teachers, course, call);

/** The entries of the course's scheme as pairs; null where the course shows no letter grades. */
function schemePairs({ course, rows }: Shown) {
  const standard = (rows.standards as StandardRow[] | undefined)?.find(({ id }) => id === course.grading_standard_id);
  const scheme = schemeOfCourse({ grading_standard_id: course.grading_standard_id, standard });
  return scheme?.entries.map(({ name, value }) => [name, value]) ?? null;
}

/** The keys that each include adds, in the order of the response. An include that adds nothing returns a falsy value. */
const fieldsOf: Readonly<Record<string, (shown: Shown) => object | false | undefined>> = {
  needs_grading_count: ({ course, context, rows }) => isActiveTeacher(context) && { needs_grading_count: totalOf(rows.ungraded, course) },
  syllabus_body: ({ course, call }) => ({
    syllabus_body: withHost(course.syllabus_body, call.origin, (course as CourseRow & { file_verifiers?: string | null }).file_verifiers),
  }),
  public_description: ({ course }) => course.public_description !== null && { public_description: course.public_description },
  current_grading_period_scores: (shown) => {
    const set = setOf(shown);
    return (
      shown.call.include.has('total_scores') && {
        has_grading_periods: set !== undefined,
        multiple_grading_periods_enabled: set !== undefined,
        has_weighted_grading_periods: set?.isWeighted ?? false,
      }
    );
  },
  grading_periods: (shown) => ({
    grading_periods:
      setOf(shown)?.periods.map(({ id, title, start_date, end_date }) => ({ id, title, start_date, end_date, workflow_state: 'active' })) ??
      null,
  }),
  term: ({ standing }) => ({ term: termJson(standing) }),
  account: ({ account, call, quotaOfAccount }) =>
    account && { account: accountJson(account, quotaOfAccount), ...(call.account && { account_name: account.name }) },
  account_name: ({ account }) => account && { account_name: account.name },
  subaccount: ({ account }) => account && { subaccount_id: account.id, subaccount_name: account.name },
  tabs: ({ course, context, rows, call }) => {
    const use = (rows.tabs as TabUse[] | undefined)?.find((one) => one.course_id === course.id);
    return rows.tabs && { tabs: tabsJson(context, use, call) };
  },
  course_progress: ({ course, context, rows, call }) =>
    rows.progress && { course_progress: progressJson(course, context, rows.progress as readonly FactsRow[], call) },
  sections: ({ standing }) => ({ sections: sectionsJson(standing) }),
  storage_quota_used_mb: ({ course, rows }) => ({ storage_quota_used_mb: totalOf(rows.used, course) / 1_048_576 }),
  total_students: ({ course, rows }) => ({ total_students: totalOf(rows.students, course) }),
  passback_status: () => ({ passback_status: {} }),
  favorites: ({ course, rows }) =>
    rows.favorites && { is_favorite: (rows.favorites as { course_id: number }[]).some((one) => one.course_id === course.id) },
  teachers: teacherFields,
  active_teachers: teacherFields,
  course_image: (shown) => ({ image_download_url: uploaded(shown).image ?? shown.course.settings.image_url ?? null }),
  banner_image: (shown) => ({ banner_image_download_url: uploaded(shown).banner_image ?? shown.course.settings.banner_image_url ?? null }),
  concluded: ({ course, standing, call }) => ({ concluded: isOver(course, standing.term, call.now) }),
  permissions: ({ context }) => ({ permissions: permissionsJson(context) }),
  html_url: ({ course, call }) => ({ html_url: `${call.origin}/courses/${course.id}` }),
  locale: ({ course }) => course.locale !== null && { locale: course.locale },
  lti_context_id: ({ course }) => ({ lti_context_id: course.uuid }),
  post_manually: ({ course }) => ({ post_manually: course.settings.post_manually === true }),
  grading_scheme: (shown) => ({ grading_scheme: schemePairs(shown) }),
  restrict_quantitative_data: ({ course }) => ({ restrict_quantitative_data: course.settings.restrict_quantitative_data === true }),
  templated_accounts: () => ({ templated_accounts: [] }),
  open_enrollment: ({ course }) => ({ open_enrollment: course.open_enrollment }),
  self_enrollment: ({ course }) => ({ self_enrollment: course.self_enrollment }),
  allow_student_wiki_edits: ({ course }) => ({ allow_student_wiki_edits: course.allow_student_wiki_edits }),
  allow_wiki_comments: ({ course }) => ({ allow_wiki_comments: course.allow_wiki_comments }),
};

/** The included keys of one course. */
export function includedJson(course: CourseRow, standing: LoadedCourse, rows: Rows, call: Call, quotaOfAccount: number): object {
  const shown = { course, standing, context: standing.context, account: standing.accounts.at(-1), rows, call, quotaOfAccount };
  return Object.assign({}, ...Object.entries(fieldsOf).map(([name, fields]) => call.include.has(name) && fields(shown)));
}
