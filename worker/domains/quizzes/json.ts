// Quizzes as clients see them: dates and locks as they apply to the caller, codes and filters for staff only.

import { Quiz, QuizOverrideDates } from '@carrel/shared/resources/quiz';
import { and, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import { shared } from '../../database/shared';
import { withHost } from '../../html/addresses';
import type { Call } from '../../http/call';
import { ascending, type RowOf, rows } from '../../http/listing';
import { embed, type Serializer, serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { type EffectiveDates, effectiveDates } from '../../rules/assigned';
import { inCourse, verifiersIn } from '../../rules/file_verifiers';
import { allDates } from '../assignments/includes';
import { assignmentOverride } from '../assignments/overrides/json';
import { concerning } from '../assignments/overrides/policy';
import { assignment_overrides } from '../assignments/table';
import { overridesSeen } from '../assignments/viewpoint';
import { type LockFields, lockFields } from '../modules/lock_fields';
import { moduleLockOf, moduleLocks, moduleLocksAnywhere } from '../modules/locks';
import type { FactsRow } from '../modules/progress/facts';
import { quizHasAttempts } from './policy';
import { isSurvey } from './settings';
import { quizzes } from './table';

export type QuizRow = RowOf<typeof quizzes>;

interface Computed {
  readonly effective_dates: EffectiveDates | null;
  readonly assignment_group_id: number | null;
  readonly post_to_sis: number | null;
  readonly has_attempts: number;
  readonly is_unlocked: number;
  readonly section_count: number;
  readonly file_verifiers: string | null;
}

const ofAssignment = (value: SQL): SQL => sql`(select ${value} from assignments where assignments.id = quizzes.assignment_id)`;

const datesColumn = (call: Call) =>
  ofAssignment(effectiveDates(overridesSeen(call), call.now))
    .mapWith((text: string) => JSON.parse(text) as EffectiveDates)
    .as('effective_dates');

const holds = (type: 'Quiz' | 'Assignment', id: string) =>
  sql.raw(`exists (select 1 from module_items where module_items.type = '${type}' and module_items.content_id = ${id})`);

/** The ids that may be in a module, so that the module query skips the rest of the page. */
const inModules = (ids: SQL): SQL =>
  sql`with page(id) as (select * from (${ids})) select page.id from page where ${holds('Quiz', 'page.id')}`;

/** The same for graded quizzes whose assignment is in a module. */
const assignmentsInModules = (ids: SQL): SQL =>
  sql`with page(id) as (select * from (${ids})) select q.assignment_id from page cross join quizzes q on q.id = page.id where q.assignment_id is not null and ${holds('Assignment', 'q.assignment_id')}`;

/** In lists over several courses, as far as the caller is a student there. */
const locksOf = (type: 'Quiz' | 'Assignment', ids: SQL, call: Call) =>
  call.course ? moduleLocks(type, ids, call) : moduleLocksAnywhere(type, ids, call);

const besideQuizzes = (ids: SQL, call: Call) => {
  const graded = sql`with page(id) as (select * from (${ids})) select q.assignment_id from page cross join quizzes q on q.id = page.id where q.assignment_id is not null`;
  return {
    locks: locksOf('Quiz', inModules(ids), call),
    assignmentLocks: locksOf('Assignment', assignmentsInModules(ids), call),
    overrides: call.course?.readsAsAdmin
      ? embed(
          assignmentOverride,
          rows(assignment_overrides, {
            where: and(isInSelect(assignment_overrides.assignment_id, graded), concerning(call.course, call)),
            order: ascending(assignment_overrides.id),
          }),
        )
      : undefined,
  };
};

/** The dates that apply to the caller: staff see those of the quiz itself. */
const datesOf = (row: QuizRow & Pick<Computed, 'effective_dates'>, { course }: Pick<Call, 'course'>): EffectiveDates =>
  (!course?.readsAsAdmin && row.effective_dates) || row;

/** The dates and modules that lock a quiz for the caller; staff are never locked out, nor is a student for whom it was unlocked. */
function lockOfQuiz(row: QuizRow & Computed, locks: readonly FactsRow[], ofIts: readonly FactsRow[], call: Call): LockFields {
  if (call.course?.readsAsAdmin || row.is_unlocked === 1) return { locked_for_user: false };
  const { unlock_at, lock_at } = datesOf(row, call);
  const { now } = call;
  const module =
    moduleLockOf(locks, 'Quiz', row.id, now) ??
    (row.assignment_id === null ? undefined : moduleLockOf(ofIts, 'Assignment', row.assignment_id, now));
  return lockFields({ asset_string: `quizzes:quiz_${row.id}`, unlock_at, lock_at, module }, now);
}

/** What the caller may do with a quiz that is visible to them. */
function rightsOn(row: QuizRow, { course }: Pick<Call, 'course'>) {
  const may = (permission: string) => course?.can(permission) ?? false;
  const manage = may('manage_assignments_edit');
  const grade = may('manage_grades');
  const reviews = grade || may('view_all_grades');
  return {
    read: true,
    submit: manage || grade || (course?.readsAsAdmin ?? false) || ((course?.participates ?? false) && row.workflow_state === 'available'),
    create: may('manage_assignments_add'),
    manage,
    update: manage,
    delete: may('manage_assignments_delete'),
    preview: manage,
    grade,
    read_statistics: reviews,
    review_grades: reviews,
    view_answer_audits: grade,
  };
}

const unused = {
  timer_autosubmit_disabled: false,
  require_lockdown_browser: false,
  require_lockdown_browser_for_results: false,
  require_lockdown_browser_monitor: false,
  lockdown_browser_monitor_data: null,
  migration_id: null,
  in_paced_course: false,
  important_dates: false,
  hide_in_gradebook: false,
};

function addressesOf(row: QuizRow, { origin }: Pick<Call, 'origin'>, rights: ReturnType<typeof rightsOn>) {
  const course = `${origin}/courses/${row.course_id}`;
  const page = `${course}/quizzes/${row.id}`;
  const api = `${origin}/api/v1/courses/${row.course_id}/quizzes/${row.id}`;
  const speedGrader =
    row.assignment_id !== null && row.workflow_state === 'available'
      ? `${course}/gradebook/speed_grader?assignment_id=${row.assignment_id}`
      : null;
  return {
    html_url: page,
    mobile_url: `${page}?force_user=1&persist_headless=1`,
    preview_url: when(rights.manage && rights.grade, `${page}/take?preview=1`),
    quiz_reports_url: `${api}/reports`,
    quiz_statistics_url: `${api}/statistics`,
    quiz_submission_versions_html_url: `${page}/submission_versions`,
    message_students_url: when(rights.grade, `${api}/submission_users/message`),
    speed_grader_url: when(rights.grade, speedGrader),
  };
}

export type QuizInLists = QuizRow & Computed;

export const quiz: Serializer<QuizInLists, typeof Quiz> = serializer({
  resource: Quiz,
  table: quizzes,
  columns: (call) => ({
    effective_dates: datesColumn(call),
    assignment_group_id: ofAssignment(sql.raw('assignments.assignment_group_id')).as('assignment_group_id'),
    post_to_sis: ofAssignment(sql.raw("coalesce(assignments.options ->> 'post_to_sis', 0)")).as('post_to_sis'),
    has_attempts: quizHasAttempts.as('has_attempts'),
    is_unlocked:
      sql<number>`exists (select 1 from quiz_submissions own where own.quiz_id = quizzes.id and own.user_id = ${shared('user', call.me.id)} and own.manually_unlocked = 1)`.as(
        'is_unlocked',
      ),
    section_count:
      sql<number>`(select count(*) from sections where sections.course_id = quizzes.course_id and sections.workflow_state = 'active')`.as(
        'section_count',
      ),
    file_verifiers: verifiersIn(sql.raw('quizzes.description'), inCourse(sql.raw('quizzes.course_id'))).as('file_verifiers'),
  }),
  also: besideQuizzes,
  json(row: QuizRow & Computed, call, { locks, assignmentLocks, overrides }) {
    const rights = rightsOn(row, call);
    const { manage, grade } = rights;
    const sees = manage || grade;
    const lock = lockOfQuiz(row, locks, assignmentLocks, call);
    const canUnpublish = row.has_attempts === 0;
    const its = overrides?.filter((one) => one.row.assignment_id === row.assignment_id);
    return {
      ...row,
      ...unused,
      ...addressesOf(row, call, rights),
      ...datesOf(row, call),
      ...lock,
      description: lock.locked_for_user && !lock.lock_info?.can_view ? null : withHost(row.description, call.origin, row.file_verifiers),
      access_code: when(sees, row.access_code),
      has_access_code: row.access_code !== null,
      ip_filter: sees ? row.ip_filter : null,
      ...(its && allDates(row, its, undefined, call)),
      published: row.workflow_state === 'available',
      unpublishable: when(manage, canUnpublish),
      can_unpublish: when(manage, canUnpublish),
      can_update: rights.update,
      permissions: rights,
      post_to_sis: row.post_to_sis === null ? null : row.post_to_sis === 1,
      section_count: when(grade, row.section_count),
      only_visible_to_overrides: when(grade, row.only_visible_to_overrides),
      anonymous_submissions: when(isSurvey(row.quiz_type), row.anonymous_submissions),
    };
  },
});

/** A quiz by itself, with the types of its questions. */
export const quizInFull: Serializer<QuizRow & Computed & { readonly question_types: string }, typeof Quiz> = serializer({
  ...quiz,
  columns: (call) => ({
    ...quiz.columns?.(call),
    question_types:
      sql<string>`(select json_group_array(distinct quiz_questions.question_type) from quiz_questions where quiz_questions.quiz_id = quizzes.id and quiz_questions.workflow_state = 'active')`.as(
        'question_types',
      ),
  }),
  json: ({ question_types, ...row }, call, found) => ({ ...quiz.json(row, call, found), question_types: JSON.parse(question_types) }),
});

/** The dates of a quiz for the caller: students get those that apply to them, staff all. */
export const quizDates: Serializer<QuizRow & Pick<Computed, 'effective_dates'>, typeof QuizOverrideDates> = serializer({
  resource: QuizOverrideDates,
  table: quizzes,
  columns: (call) => ({ effective_dates: datesColumn(call) }),
  also: (ids, call) => ({ overrides: besideQuizzes(ids, call).overrides }),
  json(row: QuizRow & Pick<Computed, 'effective_dates'>, call, { overrides }) {
    const { due_at, unlock_at, lock_at } = datesOf(row, call);
    if (!overrides) return { quiz_id: row.id, due_dates: [{ due_at, unlock_at, lock_at }] };
    const its = overrides.filter((one) => one.row.assignment_id === row.assignment_id);
    const { all_dates } = allDates(row, its, undefined, call);
    const base = { base: true, title: 'Everyone else', due_at, unlock_at, lock_at };
    return { quiz_id: row.id, due_dates: all_dates ?? [base], all_dates: all_dates ?? [base] };
  },
});
