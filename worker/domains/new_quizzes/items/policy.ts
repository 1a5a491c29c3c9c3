// Which items of a New Quiz exist.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { presentNewQuiz } from '../policy';
import { new_quiz_items } from '../table';

/** Kept literal, so that SQLite matches the partial index of items. */
const present = sql`new_quiz_items.workflow_state = 'active'`;

type Path = { readonly assignment_id: string };

/** A select of the id of the New Quiz in a path. */
export const presentQuizId = (course: CourseContext, path: Path): SQL =>
  sql`select assignments.id from assignments where ${presentNewQuiz(course, path)}`;

export const itemsOfNewQuiz = (course: CourseContext, path: Path): SQL | undefined =>
  and(sql`${new_quiz_items.new_quiz_id} = (${presentQuizId(course, path)})`, present);

export const presentNewQuizItem = (course: CourseContext, path: Path & { readonly item_id: string }): SQL | undefined =>
  and(eq(new_quiz_items.id, readId(path.item_id) ?? 0), itemsOfNewQuiz(course, path));

/** A stimulus of the same New Quiz. */
export const presentStimulus = (course: CourseContext, path: Path, id: number): SQL | undefined =>
  and(eq(new_quiz_items.id, id), sql`new_quiz_items.entry_type = 'Stimulus'`, itemsOfNewQuiz(course, path));
