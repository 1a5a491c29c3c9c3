// Where a new or moved entry of a quiz goes.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { quiz_groups } from '../quiz_groups/table';
import { quiz_questions } from '../quiz_questions/table';

/** The position after the last root entry of a quiz. */
export const afterLastEntry = (quiz_id: number): SQL<number> =>
  sql<number>`(1 + max(coalesce((select max(q.root_position) from quiz_questions q where q.quiz_id = ${quiz_id} and q.workflow_state = 'active'), 0),
    coalesce((select max(g.position) from quiz_groups g where g.quiz_id = ${quiz_id} and g.workflow_state = 'active'), 0)))`;

/** The position after the last question of a group. */
export const afterLastInGroup = (group_id: number): SQL<number> =>
  sql<number>`(1 + coalesce((select max(q.position) from quiz_questions q where q.quiz_group_id = ${group_id} and q.workflow_state = 'active'), 0))`;

export const positionOfGroup = (group_id: number): SQL<number> =>
  sql<number>`(select g.position from quiz_groups g where g.id = ${group_id})`;

const next = sql`position + 1`;

/** Shifts every root entry of a quiz from a position on by one, questions in groups with their group. */
export const makeRoomInQuiz = (db: Database, quiz_id: number, position: number): Statement[] => [
  db.build
    .update(quiz_groups)
    .set({ position: next })
    .where(sql`quiz_id = ${quiz_id} and workflow_state = 'active' and position >= ${position}`),
  db.build
    .update(quiz_questions)
    .set({ position: sql`iif(quiz_group_id is null, position + 1, position)`, root_position: sql`root_position + 1` })
    .where(sql`quiz_id = ${quiz_id} and workflow_state = 'active' and root_position >= ${position}`),
];

/** Shifts every question of a group from a position on by one. */
export const makeRoomInGroup = (db: Database, group_id: number, position: number): Statement[] => [
  db.build
    .update(quiz_questions)
    .set({ position: next })
    .where(sql`quiz_group_id = ${group_id} and workflow_state = 'active' and position >= ${position}`),
];
