// Writing overrides, as statements for one batch.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import { refused } from '../../../http/problem';
import type { Refusals } from '../../../http/reply';
import { assignment_override_students, assignment_overrides } from '../table';
import type { Judgement } from './judgement';

type Made = Extract<Judgement, { kind: 'create' }>;
type Changed = Extract<Judgement, { kind: 'update' }>;

/** The override inserted last in this batch: ids only grow. */
const newest = sql`(select max(id) from assignment_overrides)`;

/** Finds an override created in this batch by its target, which is unique within the assignment. */
export const createdOverride = ({ assignment_id, target, student_ids }: Made): SQL =>
  target.set_type === 'ADHOC'
    ? sql`(select assignment_override_id from assignment_override_students where assignment_id = ${assignment_id} and user_id = ${student_ids[0]})`
    : sql`(select id from assignment_overrides where assignment_id = ${assignment_id} and set_type = ${target.set_type} and set_id = ${target.set_id} and workflow_state = 'active')`;

const name = (db: Database, override: SQL, assignment: SQL, student_ids: readonly number[]): Statement =>
  db.build.insert(assignment_override_students).select(
    sql`select ${override}, ${assignment}, value from json_each(${JSON.stringify(student_ids)})
        where value not in (select user_id from assignment_override_students where assignment_override_id = ${override})`,
  );

/** @param assignment an SQL id, when the assignment is created in the same batch */
export const createOverride = (
  db: Database,
  made: Made,
  course_id: number,
  now: string,
  assignment: SQL = sql`${made.assignment_id}`,
): Statement[] => [
  db.build.insert(assignment_overrides).values({
    assignment_id: assignment,
    course_id,
    ...made.target,
    ...made.values,
    created_at: now,
    updated_at: now,
  }),
  ...(made.student_ids.length > 0 ? [name(db, newest, assignment, made.student_ids)] : []),
];

export const updateOverride = (db: Database, { row, values, student_ids }: Changed, now: string): Statement[] => [
  db.build
    .update(assignment_overrides)
    .set({ ...values, updated_at: now })
    .where(eq(assignment_overrides.id, row.id)),
  ...(student_ids
    ? [
        db.build
          .delete(assignment_override_students)
          .where(
            and(
              eq(assignment_override_students.assignment_override_id, row.id),
              sql`not ${among(assignment_override_students.user_id, student_ids)}`,
            ),
          ),
        name(db, sql`${row.id}`, sql`${row.assignment_id}`, student_ids),
      ]
    : []),
];

export const deleteOverrides = (db: Database, ids: readonly number[], now: string): Statement[] => [
  db.build.delete(assignment_override_students).where(among(assignment_override_students.assignment_override_id, ids)),
  db.build.update(assignment_overrides).set({ workflow_state: 'deleted', updated_at: now }).where(among(assignment_overrides.id, ids)),
];

/** A concurrent request created an override for the same target. */
export const conflicts: Refusals = {
  'assignment_overrides.assignment_id': () => refused(400, 'the assignment already has an override for this target'),
  'assignment_override_students.assignment_id': () => refused(400, 'a student already belongs to an override of this assignment'),
};
