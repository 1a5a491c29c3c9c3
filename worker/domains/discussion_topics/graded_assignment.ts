// The assignment of a graded discussion: created, updated and deleted with its topic. rules/graded_topics.ts copies title, text, publication and group set.

import { bool, object, optional } from '@carrel/shared/wire/fields';
import { type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { isInSelect, theIds } from '../../database/ids';
import type { ResultsOf, Statement } from '../../database/open';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { unauthorized } from '../../http/problem';
import { isAssignmentClosed } from '../../rules/grading_periods';
import { submissionIdOf } from '../../rules/submission_ids';
import { checkAssignmentChange, datesAfter, type History } from '../assignments/change_rules';
import { movedDates, refuseClosedDates } from '../assignments/closed_periods';
import { type AssignmentGiven, assignmentFields, valuesOf } from '../assignments/input';
import { contextZoneOf } from '../assignments/overrides/json';
import type { OverrideContext } from '../assignments/overrides/judgement';
import { overridePreconditionFor, readOverridePrecondition } from '../assignments/overrides/precondition';
import { replaceAssignmentOverrides } from '../assignments/overrides/whole_set';
import type { AssignmentRow } from '../assignments/plain_fields';
import { assignments } from '../assignments/table';
import { createAssignment, deleteAssignment, newestAssignment, update } from '../assignments/writes';
import { applyDeductions } from '../late_policies/apply';
import { submissions } from '../submissions/table';

export const gradingFields = { assignment: optional(object({ ...assignmentFields, set_assignment: optional(bool) })) };
export type GradingGiven = AssignmentGiven & { readonly set_assignment?: boolean };

type Around = Pick<Call, 'db' | 'me' | 'user' | 'path' | 'institution' | 'now'> & { readonly course: CourseContext };

/** Whether the sent assignment asks for grading. */
export const setsGrading = (given: GradingGiven | undefined): given is GradingGiven =>
  given !== undefined && given.set_assignment !== false && (given.set_assignment === true || Object.keys(given).length > 0);

/** What an assignment takes over from its topic. */
interface Topic {
  readonly title: string;
  readonly message: string | null;
  readonly workflow_state: string;
  readonly group_category_id: number | null;
}

/** Name, description and group set come from the topic; the submission type is discussion. */
const asDiscussion = ({ group_category_id: _, moderated_grading: __, ...given }: GradingGiven, topic: Topic): AssignmentGiven => ({
  ...given,
  name: topic.title,
  description: topic.message,
  submission_types: ['discussion_topic'],
  published: topic.workflow_state !== 'unpublished',
});

/** Statements that create the assignment; refer to it by `newestAssignment` in the same batch. */
export async function beginGrading(around: Around, sent: GradingGiven, topic: Topic): Promise<Statement[]> {
  const { course } = around;
  if (!course.can('manage_assignments_add')) throw unauthorized();
  const given = asDiscussion(sent, topic);
  const overrides = given.assignment_overrides ?? [];
  const values = valuesOf(given, course, contextZoneOf(around));
  const dates = {
    group_category_id: values.group_category_id ?? null,
    due_at: values.due_at ?? null,
    unlock_at: values.unlock_at ?? null,
    lock_at: values.lock_at ?? null,
  };
  const ground = overrides.length > 0 ? await readOverridePrecondition(around, course, theIds([]), overrides) : undefined;
  const { group_category_id } = topic;
  return [
    ...createAssignment(around, { ...values, group_category_id }, given),
    ...(ground ? replaceAssignmentOverrides(around, overrides, ground, 0, dates, newestAssignment) : []),
  ];
}

/** Whether the assignment of a topic is in a closed grading period. */
export const closedGrading = ({ db, now }: Pick<Call, 'db' | 'now'>, topic_id: number) =>
  db.build
    .select({ is_closed: isAssignmentClosed(sql.raw('assignments.course_id'), now).as('is_closed') })
    .from(assignments)
    .where(sql`${assignments.id} = (select assignment_id from discussion_topics where id = ${topic_id})`);

const happened = (condition: SQL) =>
  sql<number>`exists (select 1 from submissions s where s.assignment_id = assignments.id and s.workflow_state <> 'deleted' and ${condition})`;

/** Reads what the change of a topic's assignment needs, in the same round trip as the topic. */
export function gradingBefore(around: Around, topic_id: number, sent: GradingGiven | undefined) {
  const ids = sql`select assignment_id from discussion_topics where id = ${topic_id}`;
  const { statements, ground } = overridePreconditionFor(around, around.course, ids, sent?.assignment_overrides ?? []);
  const history = around.db.build
    .select({
      has_submissions: happened(sql`s.submission_type is not null`).as('has_submissions'),
      has_grades: happened(sql`s.graded_at is not null`).as('has_grades'),
      is_closed: isAssignmentClosed(shared('course', around.course.id), around.now).as('is_closed'),
    })
    .from(assignments)
    .where(isInSelect(assignments.id, ids));
  return {
    statements: [history, ...statements] as const,
    read([histories, ...rest]: ResultsOf<readonly [typeof history, ...typeof statements]>) {
      const [found] = histories;
      return {
        assignment: rest[0][0] as AssignmentRow | undefined,
        history: {
          has_submissions: found?.has_submissions === 1,
          has_grades: found?.has_grades === 1,
          is_closed: found?.is_closed === 1,
        },
        ground: ground(rest),
      };
    },
  };
}

/** Statements that update the assignment of a topic. */
function changeGrading(around: Around, sent: GradingGiven, before: AssignmentRow, history: History, ground: OverrideContext): Statement[] {
  const { course } = around;
  if (!course.can('manage_assignments_edit')) throw unauthorized();
  const {
    name: _,
    description: __,
    submission_types: ___,
    published: ____,
    set_assignment: _____,
    group_category_id: ______,
    moderated_grading: _______,
    ...given
  } = sent;
  checkAssignmentChange(given, before, history, around);
  const values = valuesOf(given, course, contextZoneOf(around), before);
  const dates = datesAfter(values, before);
  refuseClosedDates(course, movedDates(before.due_at, values.due_at), around.now);
  return [
    ...update(around, before.id, values, given),
    ...(given.assignment_overrides
      ? replaceAssignmentOverrides(around, given.assignment_overrides, ground, before.id, dates, sql`${before.id}`)
      : []),
  ];
}

/** Statements that end grading; run them after the topic's reference to the assignment is removed. */
function endGrading(around: Around, assignment_id: number, { is_closed }: History): Statement[] {
  if (!around.course.can('manage_assignments_delete') || (is_closed && !around.course.isAdmin)) throw unauthorized();
  return deleteAssignment(around, assignment_id);
}

/** What an update does to the grading of a topic: begins it, changes it, or ends it. */
export function gradingAfter(
  sent: GradingGiven | undefined,
  topic: { readonly is_announcement: boolean },
  graded: AssignmentRow | undefined,
) {
  const ends = sent?.set_assignment === false && graded !== undefined;
  return { ends, isGraded: (graded !== undefined && !ends) || (!topic.is_announcement && setsGrading(sent)) };
}

interface GradingBefore {
  readonly assignment: AssignmentRow | undefined;
  readonly history: History;
  readonly ground: OverrideContext;
}

/** Statements before and after the update of a topic, and what the update sets. */
interface GradingChanges {
  readonly first: readonly Statement[];
  readonly last: readonly Statement[];
  readonly set: { readonly assignment_id?: SQL | null };
}

/** The statements that an update needs for the grading of a topic. @param topic after the update */
export async function gradingChanges(
  around: Around,
  sent: GradingGiven | undefined,
  { ends, isGraded }: ReturnType<typeof gradingAfter>,
  { assignment, history, ground }: GradingBefore,
  topic: Topic,
): Promise<GradingChanges> {
  if (ends && assignment) return { first: [], last: endGrading(around, assignment.id, history), set: { assignment_id: null } };
  if (!isGraded || !sent) return { first: [], last: [], set: {} };
  if (assignment) return { first: changeGrading(around, sent, assignment, history, ground), last: [], set: {} };
  return { first: await beginGrading(around, sent, topic), last: [], set: { assignment_id: newestAssignment } };
}

/** A student's first post submits the assignment; later posts belong to the same submission, unless they were asked to submit again. */
export const submitGradedReply = ({ db, me, now, course }: Around, assignment_id: number): Statement[] => [
  db.build
    .insert(submissions)
    .values({
      id: submissionIdOf(sql`${assignment_id}`, shared('user', me.id)),
      course_id: course.id,
      assignment_id,
      user_id: me.id,
      attempt: 1,
      submission_type: 'discussion_topic',
      submitted_at: now,
      workflow_state: 'submitted',
      created_at: now,
      updated_at: now,
    })
    .onConflictDoUpdate({
      target: [submissions.assignment_id, submissions.user_id],
      set: {
        attempt: sql`coalesce(attempt, 0) + 1`,
        submission_type: 'discussion_topic',
        submitted_at: now,
        workflow_state: sql`case when workflow_state = 'graded' then 'graded' else 'submitted' end`,
        updated_at: now,
      },
      setWhere: sql`coalesce(submissions.submission_type, '') <> 'discussion_topic' or submissions.workflow_state = 'unsubmitted' or submissions.redo_requested_at is not null`,
    }),
  // A grade that was given before the first post is lowered if the post is late.
  applyDeductions(db, { existing: sql`s.assignment_id = ${assignment_id} and s.user_id = ${shared('user', me.id)}` }, now),
];
