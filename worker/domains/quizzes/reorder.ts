// The order of a quiz: its questions outside of groups and its groups share one sequence of positions.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { found } from '../../http/problem';
import { quiz_groups } from '../quiz_groups/table';
import { quiz_questions } from '../quiz_questions/table';

export interface Entry {
  readonly id: number;
  readonly type: 'question' | 'group';
}
export interface PlacedEntry extends Entry {
  readonly position: number;
  /** The group of a question. */
  readonly quiz_group_id: number | null;
}

/**
 * The questions and groups of a quiz.
 * @param itself the condition for the quiz
 * @throws Problem 404 without the quiz
 */
export async function readEntries(db: Database, itself: SQL | undefined): Promise<readonly PlacedEntry[]> {
  const quiz = sql`(select quizzes.id from quizzes where ${itself})`;
  const [there, questions, groups] = await db.perform([
    db.build.all<{ id: number | null }>(sql`select ${quiz} as id`),
    db.build
      .select({ id: quiz_questions.id, position: quiz_questions.position, quiz_group_id: quiz_questions.quiz_group_id })
      .from(quiz_questions)
      .where(sql`quiz_questions.quiz_id = ${quiz} and quiz_questions.workflow_state = 'active'`),
    db.build
      .select({ id: quiz_groups.id, position: quiz_groups.position })
      .from(quiz_groups)
      .where(sql`quiz_groups.quiz_id = ${quiz} and quiz_groups.workflow_state = 'active'`),
  ]);
  found(there[0]?.id);
  return [
    ...questions.map((one) => ({ ...one, type: 'question' as const })),
    ...groups.map((one) => ({ ...one, type: 'group' as const, quiz_group_id: null })),
  ];
}

/**
 * The sequence of root entries after a reorder: the named ones first, then the others in their former order. A named question leaves its group.
 * @throws Problem 404 for an entry that is not in the quiz
 */
export function placesAfter(entries: readonly PlacedEntry[], order: readonly Entry[]): readonly Entry[] {
  const keyOf = ({ type, id }: Entry) => `${type}_${id}`;
  const known = new Map(entries.map((one) => [keyOf(one), one]));
  const named = [...new Set(order.map(keyOf))].map((key) => found(known.get(key)));
  const isNamed = new Set(named.map(keyOf));
  const others = entries
    .filter((one) => one.quiz_group_id === null && !isNamed.has(keyOf(one)))
    .sort((a, b) => a.position - b.position || a.id - b.id);
  return [...named, ...others];
}

/** Writes a sequence of root entries; questions in groups follow their group. */
export function writePlaces(db: Database, quiz_id: number, places: readonly Entry[], now: string): Statement[] {
  const of = (type: Entry['type']) => JSON.stringify(places.flatMap((one, at) => (one.type === type ? [[one.id, at + 1]] : [])));
  const place = (column: SQL, given: string) => sql`(select j.value ->> 1 from json_each(${given}) j where j.value ->> 0 = ${column})`;
  const questions = place(sql.raw('quiz_questions.id'), of('question'));
  const groups = place(sql.raw('quiz_groups.id'), of('group'));
  const active = sql.raw("workflow_state = 'active'");
  return [
    db.build
      .update(quiz_groups)
      .set({ position: groups, updated_at: now })
      .where(sql`quiz_id = ${quiz_id} and ${active} and position is not ${groups} and ${groups} is not null`),
    db.build
      .update(quiz_questions)
      .set({ position: questions, root_position: questions, quiz_group_id: null, updated_at: now })
      .where(
        sql`quiz_id = ${quiz_id} and ${active} and ${questions} is not null and (position is not ${questions} or quiz_group_id is not null)`,
      ),
    followGroups(db, quiz_id),
  ];
}

/** Moves questions to the place of their group, after groups were placed. */
export function followGroups(db: Database, quiz_id: number): Statement {
  const its = sql`(select g.position from quiz_groups g where g.id = quiz_questions.quiz_group_id)`;
  return db.build
    .update(quiz_questions)
    .set({ root_position: its })
    .where(sql`quiz_id = ${quiz_id} and workflow_state = 'active' and quiz_group_id is not null and root_position is not ${its}`);
}
