// Submissions of many students in many assignments: flat, or grouped by student (reference 03 §4.1).

import { GroupedSubmissions } from '@carrel/shared/resources/submission_lists';
import { bool, choice, idField, listOf, optional, referenceTo, type Shape, text, time } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { isStudent } from '../../contexts/predicates';
import { among } from '../../database/ids';
import { sharedIds } from '../../database/shared';
import type { Call } from '../../http/call';
import { type Listing, type RowOf, rows } from '../../http/listing';
import { Problem, unauthorized } from '../../http/problem';
import { judged, listAs, type Reply } from '../../http/reply';
import { embed, serializer } from '../../http/serializer';
import { visibleAssignments } from '../assignments/policy';
import type { SubmissionWithColumns } from '../assignments/submissions/columns';
import { seesAllGrades } from '../assignments/submissions/policy';
import { isAssigned, type Students, slotColumns, slots, studentsHere } from '../assignments/submissions/slots';
import { assignments } from '../assignments/table';
import { countedGroups, scoresFrom, workColumn } from '../enrollments/grades/facts';
import { enrollments } from '../enrollments/table';
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
  order: choice('id', 'graded_at'),
  order_direction: choice('ascending', 'descending'),
};

type Given = Shape<typeof studentsParams>;
type Asking = Call & Here & { readonly params: Given };

const refuse = (error: string, status = 400) => new Problem(status, { error });
const ids = (values: readonly number[]) => sql`(${sharedIds('users', values)})`;

/**
 * The requested students; undefined for all.
 * @throws Problem 401 for other students' submissions, 400 for too many
 */
function subjects({ course, me, params }: Asking): readonly number[] | undefined {
  const given = params.student_ids?.map((one) => (one === 'self' ? String(me.id) : one));
  const own = [me.id, ...course.observedIds];
  const grades = seesAllGrades(course);
  if (!given || given.length === 0) return [me.id];
  if (given.includes('all')) return grades ? undefined : own;
  if (given.length > 100) throw refuse('too many students');
  const wanted = given.map(Number);
  if (wanted.some((id) => !Number.isSafeInteger(id))) throw refuse('invalid student ids');
  if (!grades && wanted.some((id) => !own.includes(id))) throw unauthorized();
  return wanted;
}

function states({ enrollment_state }: Given, isEverybody: boolean): Students['states'] {
  if (enrollment_state === undefined || enrollment_state === '') return isEverybody ? ['active'] : ['active', 'completed', 'inactive'];
  if (enrollment_state === 'active') return ['active'];
  if (enrollment_state === 'concluded') return ['completed'];
  throw refuse('invalid enrollment_state');
}

/** The slots that the listing and each group consist of. */
function chosen(call: Asking, students: readonly number[] | undefined): SQL {
  const { assignment_ids, submitted_since, graded_since, workflow_state, post_to_sis } = call.params;
  return and(
    sql`assignments.workflow_state = 'published'`,
    assignment_ids && assignment_ids.length > 0 ? among(sql`assignments.id`, assignment_ids) : undefined,
    post_to_sis === undefined ? undefined : sql`coalesce(assignments.options ->> 'post_to_sis', 0) = ${post_to_sis ? 1 : 0}`,
    students && sql`e.user_id in ${ids(students)}`,
    submitted_since ? sql`s.submitted_at > ${submitted_since}` : undefined,
    graded_since ? sql`s.graded_at > ${graded_since}` : undefined,
    workflow_state ? sql`coalesce(s.workflow_state, 'unsubmitted') = ${workflow_state}` : undefined,
    isAssigned,
  ) as SQL;
}

/** By id: by assignment, then student, in index order. */
function flat({ order = 'id', order_direction }: Given, from: typeof submissions): Listing<SubmissionWithColumns> {
  const descending = order_direction === 'descending';
  const { assignment_id, user_id, graded_at, id } = submissions;
  if (order === 'graded_at')
    return rows(submissions, {
      from,
      columns: slotColumns,
      where: undefined,
      order: [
        { by: sql`coalesce(${graded_at}, '')`, descending },
        { by: id, descending },
      ],
    }) as Listing<SubmissionWithColumns>;
  const beyond = descending
    ? (assignment: unknown, user: unknown) =>
        sql`${assignment_id} <= ${assignment} and ${user_id} < case when ${assignment_id} = ${assignment} then ${user} else 9e15 end`
    : (assignment: unknown, user: unknown) =>
        sql`${assignment_id} >= ${assignment} and ${user_id} > case when ${assignment_id} = ${assignment} then ${user} else 0 end`;
  return rows(submissions, {
    from,
    columns: slotColumns,
    where: undefined,
    order: [
      { by: assignment_id, descending },
      { by: user_id, descending },
    ],
    after: ([assignment, user]) => beyond(assignment, user),
  }) as Listing<SubmissionWithColumns>;
}

const studentsOf = (call: Asking, given: readonly number[] | undefined): Students => ({
  ...studentsHere(call.course, call.section),
  types: given ? 'all' : 'students',
  states: states(call.params, given === undefined),
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
function groups(call: Asking, given: readonly number[] | undefined): Listing {
  const { sections, types, states: open = [] } = studentsOf(call, given);
  const which = (alias: string) =>
    sql`${types === 'all' ? isStudent(alias) : sql.raw(`${alias}.type = 'StudentEnrollment'`)}${sql.raw(
      ` and ${alias}.enrollment_state in (${open.map((state) => `'${state}'`).join(', ')})${sections ? ` and ${alias}.course_section_id in (${sections.join(', ') || 'null'})` : ''}`,
    )}`;
  return rows(enrollments, {
    where: and(
      eq(enrollments.course_id, call.course.id),
      which('enrollments'),
      sql`not exists (select 1 from enrollments d where d.course_id = enrollments.course_id and d.user_id = enrollments.user_id and d.id < enrollments.id and ${which('d')})`,
      given && sql`enrollments.user_id in ${ids(given)}`,
    ),
    order: [{ by: enrollments.user_id }],
    columns: {
      ...(call.include.has('total_scores') && {
        done: workColumn(sql.raw('enrollments.user_id'), sql.raw('enrollments.course_id')).as('done'),
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

/** The submissions of one student, as a group. */
const groupedSubmissions = serializer({
  resource: GroupedSubmissions,
  table: enrollments,
  also: (ids, call) => ({
    work: embed(submission, slotsOfEnrollments(call as Asking, ids)),
    counted: call.include.has('total_scores') ? countedGroups(call.db, sql`${call.course?.id ?? 0}`) : undefined,
  }),
  json(row: GroupRow, { course, include }, { work, counted }) {
    const readsSis = course?.can('read_sis') ?? false;
    const grades = seesAllGrades(course);
    const totals = include.has('total_scores');
    const scores = course && counted && scoresFrom(row.done, counted, course, row.enrollment_state === 'completed');
    const isTold = grades || course?.settings.hide_final_grades !== true;
    return {
      user_id: row.user_id,
      section_id: row.course_section_id,
      submissions: work
        .filter((one) => one.row.user_id === row.user_id)
        .map(({ json }) => ({ ...json, ...(totals && { has_postable_comments: false }) })),
      ...(readsSis && { sis_user_id: row.sis_user_id, integration_id: row.integration_id }),
      ...(totals && {
        computed_current_score: (isTold ? scores?.current_score : null) ?? null,
        computed_final_score: (isTold ? scores?.final_score : null) ?? null,
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
  const given = subjects(call);
  const reply = call.params.grouped
    ? listAs(groupedSubmissions, groups(call, given))
    : listAs(submission, flat(call.params, slots(call, studentsOf(call, given), chosen(call, given))));
  const wanted = call.params.assignment_ids;
  if (!wanted || wanted.length === 0) return reply;
  const counted = call.db.build
    .select({ found: sql<number>`count(*)`.as('found') })
    .from(assignments)
    .where(and(visibleAssignments(call.course, call), among(assignments.id, wanted)));
  return judged(
    counted,
    ([one]) => {
      if (one?.found !== new Set(wanted).size) throw refuse('invalid assignment ids requested', 403);
    },
    reply,
  );
}
