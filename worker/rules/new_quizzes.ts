// Which assignments are New Quizzes, and how they follow copies of their assignments.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import type { Route } from './copied_kind';

/** Whether a row of `assignments` is a New Quiz. @param assignment its alias */
export function isNewQuizIn(assignment: string): SQL<number> {
  return sql.raw(
    `(${assignment}.submission_types = '["external_tool"]' and exists (select 1 from new_quizzes where new_quizzes.id = ${assignment}.id))`,
  ) as SQL<number>;
}

/** The current row of `assignments` is a New Quiz. An assignment that is handed in otherwise is none. */
export const isNewQuiz: SQL<number> = isNewQuizIn('assignments');

/**
 * Makes copies of New Quizzes New Quizzes too, after their assignments are copied. Items are copied into a quiz without items, so later copies only
 * update the settings. Banks of the source course stay there, and with them the items that draw from them.
 * @param ids a list of the assignments in the source
 */
export function newQuizzesFollowCopies(db: Database, ids: SQL, { to, now }: Pick<Route, 'to' | 'now'>): Statement[] {
  const links = sql`from copied_items l join new_quizzes o on o.id = l.source_id
    where l.course_id = ${shared('course', to)} and l.kind = 'assignment' and l.source_id in ${ids}`;
  const copies = sql`select l.item_id ${links}`;
  const stamp = shared('time', now);
  return [
    db.build.run(sql`insert into new_quizzes (id, course_id, quiz_settings, created_at, updated_at)
      select l.item_id, ${shared('course', to)}, o.quiz_settings, ${stamp}, ${stamp} ${links}
      on conflict (id) do update set quiz_settings = excluded.quiz_settings, updated_at = excluded.updated_at`),
    db.build.run(sql`insert into new_quiz_items (new_quiz_id, position, points_possible, entry_type, entry, properties, question_bank_id, bank_question_id, stimulus_quiz_entry_id, workflow_state, created_at, updated_at)
      select c.copy_id, i.position, i.points_possible, i.entry_type, i.entry, i.properties, i.question_bank_id, i.bank_question_id, i.stimulus_quiz_entry_id, 'active', ${stamp}, ${stamp}
      from (select l.source_id, l.item_id as copy_id ${links}) c cross join new_quiz_items i on i.new_quiz_id = c.source_id and i.workflow_state = 'active'
      where not exists (select 1 from new_quiz_items own where own.new_quiz_id = c.copy_id and own.workflow_state = 'active')
        and (i.question_bank_id is null or exists (select 1 from question_banks b where b.id = i.question_bank_id and b.context_type = 'Account'))
        and (i.bank_question_id is null or exists (select 1 from quiz_questions q join question_banks b on b.id = q.question_bank_id where q.id = i.bank_question_id and b.context_type = 'Account'))
      order by i.new_quiz_id, i.position`),
    // The stimulus of a copied item is still that of the source, whose copy has the same position.
    db.build.run(sql`update new_quiz_items set stimulus_quiz_entry_id = (select t.id from new_quiz_items s join new_quiz_items t on t.position = s.position
        where s.id = new_quiz_items.stimulus_quiz_entry_id and t.new_quiz_id = new_quiz_items.new_quiz_id and t.workflow_state = 'active')
      where new_quiz_items.new_quiz_id in (${copies}) and new_quiz_items.workflow_state = 'active'
        and exists (select 1 from new_quiz_items s where s.id = new_quiz_items.stimulus_quiz_entry_id and s.new_quiz_id <> new_quiz_items.new_quiz_id)`),
    db.build.run(sql`update new_quiz_items set position = placed.place from (
        select i.id as item_id, row_number() over (partition by i.new_quiz_id order by i.position, i.id) as place
        from new_quiz_items i where i.new_quiz_id in (${copies}) and i.workflow_state = 'active') placed
      where new_quiz_items.id = placed.item_id and new_quiz_items.position <> placed.place`),
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
