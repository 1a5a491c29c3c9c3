// Reads which students the caller may grade in which assignments, for one student or many, in one round trip.

import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isEnrolledStudent } from '../../../contexts/predicates';
import type { SectionContext } from '../../../contexts/section';
import { isInSelect } from '../../../database/ids';
import { shared, sharedIds } from '../../../database/shared';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';
import { isClosedAt } from '../../../rules/grading_periods';
import { type AssignmentScheme, schemesOfAssignments } from '../../../rules/grading_schemes';
import { requestsOf } from '../../../rules/peer_reviews';
import { gradingVersion } from '../../../rules/submission_version';
import { visibleAmong } from '../../assignments/policy';
import { type CommentFile, uploadedBy } from '../../assignments/submissions/comment_files';
import { type Students, studentsHere } from '../../assignments/submissions/slots';
import { matesOf } from '../../assignments/submissions/teams';
import { assignments } from '../../assignments/table';
import { pairedRubrics, rubricsForGrading, type UsedRubric, usesForGrading } from '../../rubrics/assessments/writes';
import { logins } from '../../users/table';
import { submissions } from '../table';
import type { Mate } from './group_members';

interface Place {
  readonly assignment_id: number;
  readonly user_id: number;
}

export interface GradePrecondition {
  /** Each with its grading scheme; none for the built-in one. */
  readonly assignments: readonly (RowOf<typeof assignments> & { readonly scheme?: AssignmentScheme })[];
  /** Each student the caller may grade, per assignment. */
  readonly students: readonly (Place & {
    readonly is_assigned: number;
    readonly is_closed: number;
    readonly is_locked: number;
    readonly is_due: number;
  })[];
  readonly attempts: readonly (Place & {
    readonly attempt: number | null;
    readonly extra_attempts: number | null;
    readonly excused: boolean;
    readonly version: string;
  })[];
  /** Other members of their groups, for group assignments. */
  readonly mates: readonly Mate[];
  /** Submissions in the assignments that the caller is asked to review. */
  readonly reviews: readonly { readonly submission_id: number; readonly is_anonymous: number }[];
  /** Moderated assignments whose grades are published. */
  readonly published: readonly { readonly assignment_id: number }[];
  /** Of the requested files, those that the caller uploaded. */
  readonly files: readonly CommentFile[];
  /** The rubrics of the assignments, if they are asked for. */
  readonly rubrics: readonly UsedRubric[];
  /** Whether the institution has the custom status that is asked for. */
  readonly hasStatus: boolean;
  /** Ids by SIS reference. */
  readonly sis: ReadonlyMap<string, number>;
}

interface Asked {
  readonly course: CourseContext;
  readonly section?: SectionContext;
  /** A select of ids. */
  readonly assignments: SQL;
  /** Ids, and `sis_user_id:…`. */
  readonly users: readonly string[];
  /** Files to attach to comments. */
  readonly fileIds: readonly number[];
  /** Whether work is assessed by rubrics; a condition on their associations, where only some of them count. */
  readonly assesses?: boolean | SQL;
  /** A custom status to look up. */
  readonly statusId?: number | null | undefined;
  /** Whether `is_locked` and `is_due` are asked for. */
  readonly asksForDates?: boolean;
}

const sisPrefix = 'sis_user_id:';

const reachable = ({ sections }: Students) => (sections ? sql` and e.course_section_id in (${sharedIds('sections', sections)})` : sql``);

export async function readGradePrecondition(
  call: Pick<Call, 'db' | 'me' | 'user' | 'path' | 'now'>,
  asked: Asked,
): Promise<GradePrecondition> {
  const { build } = call.db;
  const { course, section } = asked;
  const sisIds = asked.users.filter((one) => one.startsWith(sisPrefix)).map((one) => one.slice(sisPrefix.length));
  const numbers = asked.users.filter((one) => /^\d{1,15}$/.test(one)).map(Number);
  const isNamed = and(
    sql`${logins.account_id} = 1`,
    sql`${logins.workflow_state} <> 'deleted'`,
    sql`${logins.sis_user_id} in (select value from json_each(${JSON.stringify(sisIds)}))`,
  );
  /** Whether the user's due date is in a closed grading period, which binds everyone but account admins. */
  const isClosedFor = (user: SQL) =>
    course.isAdmin
      ? sql<number>`0`
      : isClosedAt(effectiveDate('due_at', reaching(sql.raw('= assignments.id'), user), call.now), shared('course', course.id), call.now);
  const dateFor = (user: SQL, field: 'due_at' | 'unlock_at' | 'lock_at') =>
    effectiveDate(field, reaching(sql.raw('= assignments.id'), user), call.now);
  const isDueFor = (user: SQL) => sql<number>`(${dateFor(user, 'due_at')} is not null)`;
  /** Whether the user's dates keep the assignment closed now. */
  const isLockedFor = (user: SQL) => {
    const date = (field: 'unlock_at' | 'lock_at') => dateFor(user, field);
    const now = shared('time', call.now);
    return sql<number>`(coalesce(${date('unlock_at')} > ${now}, 0) or coalesce(${date('lock_at')} <= ${now}, 0))`;
  };
  const users = sql`select value from json_each(${JSON.stringify(numbers)}) union all select user_id from logins where ${isNamed}`;
  const assessed = asked.assesses ? asked.assignments : sql`select 0 where 0`;
  const counted = typeof asked.assesses === 'object' ? asked.assesses : undefined;
  const [there, students, attempts, named, mates, files, schemes, uses, rubrics, reviews, published, known] = await call.db.perform([
    build
      .select()
      .from(assignments)
      // Graders see the whole course, regardless of the path's user.
      .where(visibleAmong(course, { ...call, path: {} }, asked.assignments)),
    build
      .select({
        assignment_id: sql<number>`assignments.id`.as('assignment_id'),
        user_id: sql<number>`e.user_id`.as('user_id'),
        is_assigned: sql<number>`${assignedTo(sql.raw('e.user_id'))}`.as('is_assigned'),
        is_closed: isClosedFor(sql.raw('e.user_id')).as('is_closed'),
        is_locked: (asked.asksForDates ? isLockedFor(sql.raw('e.user_id')) : sql<number>`0`).as('is_locked'),
        is_due: (asked.asksForDates ? isDueFor(sql.raw('e.user_id')) : sql<number>`0`).as('is_due'),
      })
      .from(assignments)
      .innerJoin(
        sql`(select distinct e.user_id from enrollments e where e.user_id in (${users}) and e.course_id = ${course.id}
          and ${isEnrolledStudent('e')}${reachable(studentsHere(course, section))}) e`,
        sql`1`,
      )
      .where(and(sql`+${assignments.course_id} = ${course.id}`, isInSelect(assignments.id, asked.assignments))),
    build
      .select({
        assignment_id: submissions.assignment_id,
        user_id: submissions.user_id,
        attempt: submissions.attempt,
        extra_attempts: submissions.extra_attempts,
        excused: submissions.excused,
        version: gradingVersion().as('version'),
      })
      .from(submissions)
      .where(and(isInSelect(submissions.assignment_id, asked.assignments), sql`${submissions.user_id} in (${users})`)),
    build.select({ sis_user_id: logins.sis_user_id, user_id: logins.user_id }).from(logins).where(isNamed),
    build.all<Mate>(
      sql`select assignments.id as assignment_id, given.id as user_id, mates.id as mate_id, coalesce((select s.excused from submissions s where s.assignment_id = assignments.id and s.user_id = mates.id), 0) as is_excused, ${isClosedFor(sql.raw('mates.id'))} as is_closed
        from assignments cross join users given join users mates on mates.id in (${matesOf(sql.raw('given.id'))})
        where assignments.group_category_id is not null and ${isInSelect(assignments.id, asked.assignments)} and given.id in (${users})`,
    ),
    uploadedBy(call, asked.fileIds),
    schemesOfAssignments(call.db, asked.assignments),
    usesForGrading(call, assessed, counted),
    rubricsForGrading(call, assessed, course),
    requestsOf(call.db, asked.assignments, call.me.id),
    build.all<{ assignment_id: number }>(
      sql`select p.assignment_id as assignment_id from published_moderations p where p.assignment_id in (${asked.assignments})`,
    ),
    build.all<{ id: number }>(
      asked.statusId
        ? sql`select g.id as id from custom_grade_statuses g where g.id = ${asked.statusId} and g.account_id = ${course.root_account_id} and g.workflow_state = 'active'`
        : sql`select 0 as id`,
    ),
  ]);
  return {
    assignments: there.map((one) => ({ ...one, scheme: schemes.find(({ assignment_id }) => assignment_id === one.id) })),
    students,
    attempts,
    mates,
    files,
    rubrics: pairedRubrics(uses, rubrics, course),
    reviews,
    published,
    hasStatus: known.length > 0,
    sis: new Map(named.map((one) => [`${sisPrefix}${one.sis_user_id}`, one.user_id])),
  };
}
