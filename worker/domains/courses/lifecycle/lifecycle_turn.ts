// Publishes, concludes or deletes a course together with its enrollments: one batch in the roster's Durable Object, so that no enrollment is missed.

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { actedBy } from '../../../contexts/acting';
import type { Database, Statement } from '../../../database/open';
import { claimRow } from '../../../http/idempotency';
import { invalid, notFound } from '../../../http/problem';
import { notifyOfUpdate } from '../../../rules/notify';
import { followDefaults } from '../../blueprint_templates/restrict_item';
import type { RosterRequest } from '../../enrollments/roster/roster';
import { enrollments } from '../../enrollments/table';
import { sections } from '../../sections/table';
import { type CourseBefore, type CourseGiven, type CourseRights, courseChangesOf } from '../input';
import { type BlueprintSettings, courses } from '../table';
import { type CourseTransition, courseMoves } from './moves';

/** Changes besides those of `courseChangesOf`: the state of the course and its blueprint role. */
export interface FurtherChanges {
  readonly account_id?: number;
  readonly is_blueprint?: boolean;
  readonly blueprint_settings?: BlueprintSettings;
}

/** Null when the course has students or is an associated course: the column is not nullable, so the batch fails. */
const blueprintOr = (wanted: boolean) =>
  wanted
    ? sql`case when exists (select 1 from enrollments e where e.course_id = courses.id and e.type = 'StudentEnrollment' and e.enrollment_state not in ('deleted', 'rejected'))
        or exists (select 1 from blueprint_subscriptions s where s.course_id = courses.id and s.workflow_state = 'active') then null else 1 end`
    : false;

export const furtherColumns = ({ is_blueprint, ...columns }: FurtherChanges) => ({
  ...columns,
  ...(is_blueprint !== undefined && { is_blueprint: blueprintOr(is_blueprint) }),
});
export const furtherEffects = (db: Database, course_id: number, { blueprint_settings: locks }: FurtherChanges): Statement[] =>
  locks ? followDefaults(db, course_id, locks) : [];

export interface CourseRequest extends RosterRequest {
  readonly event: CourseTransition;
  /** Field changes of the same request, and the permissions for them. */
  readonly given: CourseGiven;
  readonly rights: CourseRights;
  readonly before: CourseBefore;
  readonly further?: FurtherChanges;
  readonly code: string;
  /** The response, if already known. */
  readonly response: { readonly json: unknown } | undefined;
}

/** Null when unpublishing a course with submissions: the column is not nullable, so the batch fails. */
const stateAfter = (event: CourseTransition): SQL => {
  const { from, to } = courseMoves[event];
  const leaves = sql`workflow_state in (${sql.join(
    from.map((state) => sql`${state}`),
    sql`, `,
  )})`;
  const next =
    event === 'claim'
      ? sql`case when exists (select 1 from submissions s where s.course_id = courses.id and s.submitted_at is not null) then null else ${to} end`
      : sql`${to}`;
  return sql`case when ${leaves} then ${next} else workflow_state end`;
};

/** What the event does to the enrollments and sections of the course. */
function consequences(db: Database, { course_id, event, now }: CourseRequest): Statement[] {
  const { build } = db;
  const here = eq(enrollments.course_id, course_id);
  if (event === 'offer') {
    const set = { enrollment_state: 'invited' as const, updated_at: now };
    const where = and(here, eq(enrollments.enrollment_state, 'creation_pending'));
    return [...notifyOfUpdate(db, enrollments, { set, where }, now), build.update(enrollments).set(set).where(where)];
  }
  if (event === 'delete')
    return [
      build
        .update(enrollments)
        .set({ enrollment_state: 'deleted', updated_at: now })
        .where(
          and(here, inArray(enrollments.enrollment_state, ['invited', 'creation_pending', 'active', 'inactive', 'completed', 'rejected'])),
        ),
      build
        .update(sections)
        .set({ workflow_state: 'deleted', updated_at: now })
        .where(and(eq(sections.course_id, course_id), eq(sections.workflow_state, 'active'))),
    ];
  if (event === 'undelete')
    return [
      build
        .update(sections)
        .set({ workflow_state: 'active', updated_at: now })
        .where(and(eq(sections.course_id, course_id), sql`is_default = 1`)),
    ];
  return [];
}

/** Constraint violations and their errors. */
export const courseRefusals = {
  'courses.sis_course_id': () => invalid('sis_source_id', 'taken'),
  'courses.integration_id': () => invalid('integration_id', 'taken'),
  'courses.enrollment_term_id': notFound,
  'courses.account_id': notFound,
  'courses.is_blueprint': () =>
    invalid('blueprint', 'invalid', 'a course with students, or one associated with a blueprint, cannot become a blueprint'),
};

/** @throws Problem 400 when the course cannot reach the state */
export async function changeCourse(db: Database, request: CourseRequest): Promise<null> {
  const { course_id, actor_id, source = 'api', now, event, given, rights, before, further = {}, code, idempotency, response } = request;
  const isThere = eq(courses.id, course_id);
  try {
    await db.perform([
      ...consequences(db, request),
      ...actedBy(db, { user_id: actor_id, source }, [
        db.build
          .update(courses)
          .set({
            ...courseChangesOf(given, rights, before, code),
            ...furtherColumns(further),
            workflow_state: stateAfter(event),
            updated_at: now,
          })
          .where(isThere),
      ]),
      ...furtherEffects(db, course_id, further),
      ...(idempotency
        ? [claimRow(db, { user_id: actor_id, idempotency, now, ...(response ? { response } : { row_ids: [course_id] }) })]
        : []),
    ]);
    return null;
  } catch (error) {
    const words = `${error} ${(error as Error).cause}`;
    if (/NOT NULL constraint failed: courses\.workflow_state/.test(words))
      throw invalid('workflow_state', 'invalid', 'a course with student submissions cannot be unpublished');
    const known = Object.entries(courseRefusals).find(([part]) => words.includes(part))?.[1];
    throw known && /constraint failed/.test(words) ? known() : error;
  }
}
