// Submissions of many students in many assignments: flat, or grouped by student (reference 03 §4.1).

import { GroupedSubmissions } from '@carrel/shared/resources/submission_lists';
import { bool, choice, idField, listOf, optional, referenceTo, type Shape, text, time } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { effectiveStateOf } from '../../contexts/effective_enrollments';
import { isStudent } from '../../contexts/predicates';
import { among, theIds } from '../../database/ids';
import { shared, sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { type Listing, type RowOf, rows } from '../../http/listing';
import { found, Problem, unauthorized } from '../../http/problem';
import { judged, listAs, type Reply } from '../../http/reply';
import { embed, serializer } from '../../http/serializer';
import { effectiveDate, reaching } from '../../rules/assigned';
import { isDateIn } from '../../rules/grading_periods';
import { isHiddenSql } from '../../rules/posted';
import { visibleAmong } from '../assignments/policy';
import type { SubmissionWithColumns } from '../assignments/submissions/columns';
import { seesAllGrades } from '../assignments/submissions/policy';
import { isAssigned, type Students, slotColumns, slots, studentsHere } from '../assignments/submissions/slots';
import { assignments } from '../assignments/table';
import { displayedScores } from '../enrollments/grades/displayed';
import { countedGroups, scoresFrom, workColumn } from '../enrollments/grades/facts';
import { enrollments } from '../enrollments/table';
import { byGradingDate, gradingOrder } from './by_grading_date';
import type { Here } from './context';
import { submission } from './json';
import { submissions } from './table';

export const studentsParams = {
  student_ids: optional(listOf(referenceTo('user'))),
  assignment_ids: optional(listOf(idField('assignment'))),
  grouped: optional(bool),
  post_to_sis: optional(bool),
  submitted_since: optional(time),
  graded_since: optional(time),
  workflow_state: choice('submitted', 'unsubmitted', 'graded', 'pending_review'),
  enrollment_state: optional(text),
  state_based_on_date: optional(bool),
  grading_period_id: optional(idField('grading_period')),
  order: choice('id', 'graded_at'),
  order_direction: choice('ascending', 'descending'),
};

type Given = Shape<typeof studentsParams>;
type Asking = Call & Here & { readonly params: Given };

const refuse = (error: string, status = 400) => new Problem(status, { error });

/** Students by id and by SIS id. */
interface Subjects {
  readonly ids: readonly number[];
  readonly sisIds: readonly string[];
}
const sisPrefix = 'sis_user_id:';
const byId = (ids: readonly number[]): Subjects => ({ ids, sisIds: [] });

/** Valid after `in`. */
const isAmong = ({ ids, sisIds }: Subjects): SQL => {
  if (sisIds.length === 0) return sql`(${sharedIds('users', ids)})`;
  return sql`(select value from json_each(${JSON.stringify(ids)}) union all select logins.user_id from logins where logins.account_id = 1 and logins.workflow_state <> 'deleted'
    and logins.sis_user_id in (select value from json_each(${JSON.stringify(sisIds)})))`;
};

/**
 * The requested students; undefined for all.
 * @throws Problem 401 for other students' submissions, 400 for too many
 */
function subjects({ course, me, params }: Asking): Subjects | undefined {
  const given = params.student_ids?.map((one) => (one === 'self' ? String(me.id) : one));
  const own = [me.id, ...course.observedIds];
  const grades = seesAllGrades(course);
  if (!given || given.length === 0) return byId([me.id]);
  if (given.includes('all')) return grades ? undefined : byId(own);
  if (given.length > 100) throw refuse('too many students');
  const sisIds = given.filter((one) => one.startsWith(sisPrefix)).map((one) => one.slice(sisPrefix.length));
  const wanted = given.filter((one) => !one.startsWith(sisPrefix)).map(Number);
  if (wanted.some((id) => !Number.isSafeInteger(id))) throw refuse('invalid student ids');
  if (!grades && (sisIds.length > 0 || wanted.some((id) => !own.includes(id)))) throw unauthorized();
  return { ids: wanted, sisIds };
}

/** The stored states of the students; by date, an enrollment that is stored as active may have ended. */
function states(
  { enrollment_state, state_based_on_date: byDate = true }: Given,
  isEverybody: boolean,
  now: string,
): Pick<Students, 'states' | 'whose'> {
  const whose = (state: string) =>
    byDate ? (alias: string) => sql`${effectiveStateOf(sql.raw(`${alias}.id`), now)} = ${sql.raw(`'${state}'`)}` : undefined;
  if (enrollment_state === undefined || enrollment_state === '')
    return { states: isEverybody ? ['active'] : ['active', 'completed', 'inactive'] };
  if (enrollment_state === 'active') return { states: ['active'], whose: whose('active') };
  if (enrollment_state === 'concluded') return { states: byDate ? ['active', 'completed'] : ['completed'], whose: whose('completed') };
  throw refuse('invalid enrollment_state');
}

/** Work of students who are anonymous to the caller is not listed by student; undefined without such work. */
const withoutAnonymous = ({ course, me }: Asking): SQL | undefined =>
  course.anonymous.length > 0 && seesAllGrades(course)
    ? sql`(not assignments.anonymize_students or ${among(sql`e.user_id`, [me.id, ...course.observedIds])})`
    : undefined;

/** The slots that the listing and each group consist of. */
function chosen(call: Asking, students: Subjects | undefined): SQL {
  const { assignment_ids, submitted_since, graded_since, workflow_state, post_to_sis, grading_period_id: period } = call.params;
  return and(
    sql`assignments.workflow_state = 'published'`,
    assignment_ids && assignment_ids.length > 0 ? among(sql`assignments.id`, assignment_ids) : undefined,
    post_to_sis === undefined ? undefined : sql`coalesce(assignments.options ->> 'post_to_sis', 0) = ${post_to_sis ? 1 : 0}`,
    students && sql`e.user_id in ${isAmong(students)}`,
    withoutAnonymous(call),
    submitted_since ? sql`s.submitted_at > ${submitted_since}` : undefined,
    graded_since ? sql`s.graded_at > ${graded_since}` : undefined,
    workflow_state ? sql`coalesce(s.workflow_state, 'unsubmitted') = ${workflow_state}` : undefined,
    period === undefined
      ? undefined
      : isDateIn(effectiveDate('due_at', reaching(sql.raw('= assignments.id'), sql.raw('e.user_id')), call.now), period),
    isAssigned,
  ) as SQL;
}

/** By date of grading, the whole course is walked along an index; the submissions of some students or assignments are few enough to be sorted. */
function flat(call: Asking, given: Subjects | undefined): Listing<SubmissionWithColumns> {
  const { order = 'id', order_direction, assignment_ids = [], graded_since } = call.params;
  const descending = order_direction === 'descending';
  const [students, which] = [studentsOf(call, given), chosen(call, given)];
  if (order === 'graded_at' && !given && assignment_ids.length === 0 && call.page.number === undefined)
    return byGradingDate(call, students, which, descending, graded_since || undefined);
  const inOrder = order === 'graded_at' ? { order: gradingOrder(descending) } : bySlot(descending);
  return rows(submissions, {
    from: slots(call, students, which),
    columns: slotColumns,
    where: undefined,
    ...inOrder,
  }) as Listing<SubmissionWithColumns>;
}

/** By id: by assignment, then student, in index order. */
function bySlot(descending: boolean): Pick<Listing, 'order' | 'after'> {
  const { assignment_id, user_id } = submissions;
  const beyond = descending
    ? (assignment: unknown, user: unknown) =>
        sql`${assignment_id} <= ${assignment} and ${user_id} < case when ${assignment_id} = ${assignment} then ${user} else 9e15 end`
    : (assignment: unknown, user: unknown) =>
        sql`${assignment_id} >= ${assignment} and ${user_id} > case when ${assignment_id} = ${assignment} then ${user} else 0 end`;
  return {
    order: [
      { by: assignment_id, descending },
      { by: user_id, descending },
    ],
    after: ([assignment, user]) => beyond(assignment, user),
  };
}

const studentsOf = (call: Asking, given: Subjects | undefined): Students => ({
  ...studentsHere(call.course, call.section),
  types: given ? 'all' : 'students',
  isNamed: given !== undefined,
  ...states(call.params, given === undefined, call.now),
});

type GroupRow = RowOf<typeof enrollments> & {
  readonly sis_user_id: string | null;
  readonly integration_id: string | null;
  readonly done?: string | null;
};

/** The slots of the students with these enrollments: the content of a group. */
const slotsOfEnrollments = (call: Asking, enrollmentIds: SQL): Listing<SubmissionWithColumns> => {
  const given = subjects(call);
  const within = and(chosen(call, given), sql`e.user_id in (select user_id from enrollments where id in (${enrollmentIds}))`) as SQL;
  return rows(submissions, {
    from: slots(call, studentsOf(call, given), within),
    columns: slotColumns,
    where: undefined,
  }) as Listing<SubmissionWithColumns>;
};

/** One enrollment per student. */
function groups(call: Asking, given: Subjects | undefined): Listing {
  const { sections, types, states: open = [], whose } = studentsOf(call, given);
  const which = (alias: string) =>
    sql`${types === 'all' ? isStudent(alias) : sql.raw(`${alias}.type = 'StudentEnrollment'`)}${sql.raw(
      ` and ${alias}.enrollment_state in (${open.map((state) => `'${state}'`).join(', ')})${sections ? ` and ${alias}.course_section_id in (${sections.join(', ') || 'null'})` : ''}`,
    )}${whose ? sql` and ${whose(alias)}` : sql``}`;
  return rows(enrollments, {
    where: and(
      eq(enrollments.course_id, call.course.id),
      which('enrollments'),
      sql`not exists (select 1 from enrollments d where d.course_id = enrollments.course_id and d.user_id = enrollments.user_id and d.id < enrollments.id and ${which('d')})`,
      given && sql`enrollments.user_id in ${isAmong(given)}`,
    ),
    order: [{ by: enrollments.user_id }],
    columns: {
      ...(call.include.has('total_scores') && {
        done: workColumn(sql.raw('enrollments.user_id'), shared('course', call.course.id), sql.raw('enrollments.enrollment_state')).as(
          'done',
        ),
      }),
      sis_user_id:
        sql`(select logins.sis_user_id from logins where logins.user_id = enrollments.user_id and logins.workflow_state <> 'deleted' order by logins.id limit 1)`.as(
          'sis_user_id',
        ),
      integration_id:
        sql`(select logins.integration_id from logins where logins.user_id = enrollments.user_id and logins.workflow_state <> 'deleted' order by logins.id limit 1)`.as(
          'integration_id',
        ),
    },
  }) as Listing;
}

/** Submissions with comments that the student will see once the grade is posted. */
const heldComments = ({ db, course }: Asking, enrollmentIds: SQL) =>
  db.build.all<{ id: number }>(
    sql`select s.id from submissions s join assignments a on a.id = s.assignment_id
      where s.course_id = ${shared('course', course.id)} and s.user_id in (select user_id from enrollments where id in (${enrollmentIds})) and ${isHiddenSql('s', 'a')}
        and exists (select 1 from submission_comments c where c.submission_id = s.id and c.author_id <> s.user_id and c.workflow_state = 'active' and not c.is_draft)`,
  );

/** The submissions of one student, as a group. */
const groupedSubmissions = serializer({
  resource: GroupedSubmissions,
  table: enrollments,
  also: (ids, call) => ({
    work: embed(submission, slotsOfEnrollments(call as Asking, ids)),
    held: call.include.has('total_scores') && seesAllGrades(call.course) ? heldComments(call as Asking, ids) : undefined,
    counted: call.include.has('total_scores') ? countedGroups(call.db, sql`${call.course?.id ?? 0}`) : undefined,
  }),
  json(row: GroupRow, call, { work, counted, held }) {
    const { course, include } = call;
    const { grading_period_id: period } = call.params as Given;
    const readsSis = course?.can('read_sis') ?? false;
    const grades = seesAllGrades(course);
    const totals = include.has('total_scores');
    const scores = course && counted && scoresFrom(row.done, counted, course, period);
    const displayed = course && !grades ? displayedScores(scores, course) : scores;
    const isTold = grades || course?.settings.hide_final_grades !== true;
    return {
      user_id: row.user_id,
      section_id: row.course_section_id,
      submissions: work
        .filter((one) => one.row.user_id === row.user_id)
        .map(({ row: { id }, json }) => ({
          ...json,
          ...(totals && { has_postable_comments: held?.some((one) => one.id === id) ?? false }),
        })),
      ...(readsSis && { sis_user_id: row.sis_user_id, integration_id: row.integration_id }),
      ...(totals && {
        computed_current_score: (isTold ? displayed?.current_score : null) ?? null,
        computed_final_score: (isTold ? displayed?.final_score : null) ?? null,
      }),
      ...(totals &&
        grades && {
          unposted_current_score: scores?.unposted_current_score ?? null,
          unposted_final_score: scores?.unposted_final_score ?? null,
        }),
    };
  },
});

export function ofStudents(call: Asking): Reply {
  const period = call.params.grading_period_id;
  if (period !== undefined) found(call.course.grading.periods.find(({ id }) => id === period));
  const given = subjects(call);
  const reply = call.params.grouped ? listAs(groupedSubmissions, groups(call, given)) : listAs(submission, flat(call, given));
  const wanted = call.params.assignment_ids;
  if (!wanted || wanted.length === 0) return reply;
  const counted = call.db.build
    .select({ found: sql<number>`count(*)`.as('found') })
    .from(assignments)
    .where(visibleAmong(call.course, call, theIds(wanted)));
  return judged(
    counted,
    ([one]) => {
      if (one?.found !== new Set(wanted).size) throw refuse('invalid assignment ids requested', 403);
    },
    reply,
  );
}
