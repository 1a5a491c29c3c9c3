// Which assignments are New Quizzes, and how they follow copies of their assignments.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { copyOf, type Route } from './copied_kind';
import { expectsSubmissionSql } from './submission_types';

/** Whether an assignment that has a row of `new_quizzes` is one: if it is handed in otherwise now, it is not. @param assignment its alias */
export const isStillNewQuiz = (assignment: string): SQL => sql.raw(`${assignment}.submission_types = '["external_tool"]'`);

/** Whether a row of `assignments` is a New Quiz. @param assignment its alias */
export function isNewQuizIn(assignment: string): SQL<number> {
  return sql`(${isStillNewQuiz(assignment)} and ${sql.raw(assignment)}.id in (select id from new_quizzes))`;
}

/** The current row of `assignments` is a New Quiz. */
export const isNewQuiz: SQL<number> = isNewQuizIn('assignments');

/** Whether students work on the current row of `assignments` in Canvas, so that it is to do, and missing after its due date. */
export const expectsWorkSql: SQL = sql`(${expectsSubmissionSql} or ${isNewQuiz})`;

/** Makes copies of New Quizzes New Quizzes too, with their settings, after their assignments are copied. @param ids a list of the assignments in the source */
export const newQuizzesFollowCopies = (db: Database, ids: SQL, { to, now }: Pick<Route, 'to' | 'now'>): Statement[] => [
  db.build.run(sql`insert into new_quizzes (id, course_id, quiz_settings, created_at, updated_at)
    select l.item_id, ${shared('course', to)}, o.quiz_settings, ${shared('time', now)}, ${shared('time', now)}
    from copied_items l join new_quizzes o on o.id = l.source_id
    where l.course_id = ${shared('course', to)} and l.kind = 'assignment' and l.source_id in ${ids}
    on conflict (id) do update set quiz_settings = excluded.quiz_settings, updated_at = excluded.updated_at`),
];

/** Numbers the items of New Quizzes from 1, after some were copied or deleted. @param items a select of their ids */
export const renumberCopiedItems = (db: Database, items: SQL): Statement =>
  db.build.run(sql`update new_quiz_items set position = placed.place from (
      select i.id as item_id, row_number() over (partition by i.new_quiz_id order by i.position, i.id) as place
      from new_quiz_items i where i.workflow_state = 'active' and i.new_quiz_id in (select own.new_quiz_id from new_quiz_items own where own.id in (${items}))) placed
    where new_quiz_items.id = placed.item_id and new_quiz_items.position <> placed.place`);

/** Ties copied items to the copies of their stimuli, and numbers them. @param ids of the original items */
export function placeNewQuizItems(db: Database, ids: readonly number[], route: Route): Statement[] {
  const links = sql`copied_items mine where mine.kind = 'new_quiz_item' and mine.course_id = ${shared('course', route.to)}
    and mine.source_id in (select value from json_each(${JSON.stringify(ids)})) and mine.copy_id = ${shared('item', route.copy_id)}`;
  return [
    db.build.run(sql`update new_quiz_items set stimulus_quiz_entry_id = tied.stimulus from (
        select mine.item_id as copy, ${copyOf('new_quiz_item', sql`(select o.stimulus_quiz_entry_id from new_quiz_items o where o.id = mine.source_id)`, route)} as stimulus from ${links}) tied
      where new_quiz_items.id = tied.copy and new_quiz_items.stimulus_quiz_entry_id is not tied.stimulus`),
    renumberCopiedItems(db, sql`select mine.item_id from ${links}`),
  ];
}

/**
 * Makes an assignment of the same course a New Quiz with the settings and items of another. Banks are those of the course, so items still draw from them.
 * @param copy the id of the assignment, as SQL
 */
export function duplicateNewQuiz(db: Database, source: number, copy: SQL, now: string): Statement[] {
  const stamp = shared('time', now);
  return [
    db.build.run(sql`insert into new_quizzes (id, course_id, quiz_settings, created_at, updated_at)
      select ${copy}, o.course_id, o.quiz_settings, ${stamp}, ${stamp} from new_quizzes o where o.id = ${source}`),
    db.build.run(sql`insert into new_quiz_items (new_quiz_id, position, points_possible, entry_type, entry, properties, question_bank_id, bank_question_id, stimulus_quiz_entry_id, workflow_state, created_at, updated_at)
      select ${copy}, i.position, i.points_possible, i.entry_type, i.entry, i.properties, i.question_bank_id, i.bank_question_id, i.stimulus_quiz_entry_id, 'active', ${stamp}, ${stamp}
      from new_quiz_items i where i.new_quiz_id = ${source} and i.workflow_state = 'active' order by i.position`),
    // The copy of an item has its position.
    db.build.run(sql`update new_quiz_items set stimulus_quiz_entry_id = (select t.id from new_quiz_items s join new_quiz_items t on t.position = s.position
        where s.id = new_quiz_items.stimulus_quiz_entry_id and t.new_quiz_id = new_quiz_items.new_quiz_id and t.workflow_state = 'active')
      where new_quiz_items.new_quiz_id = ${copy} and new_quiz_items.stimulus_quiz_entry_id is not null`),
  ];
}
