// Writing quizzes with their assignments, as statements for one batch.

import { eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { invalid } from '../../http/problem';
import { changeUnlocked } from '../../rules/blueprint_locks';
import { movedDates, refuseClosedDates } from '../assignments/closed_periods';
import { valuesOf } from '../assignments/input';
import { contextZoneOf } from '../assignments/overrides/json';
import type { AssignmentRow } from '../assignments/plain_fields';
import { createAssignment, deleteAssignment, newestAssignment, update } from '../assignments/writes';
import { recountQuizzes } from './counts';
import { contentAfter, type QuizContent, type QuizGiven } from './input';
import { queueQuizScores } from './score_request';
import { defaultSettings, isGraded, isSurvey, settingsAfter } from './settings';
import { quizzes } from './table';

type Row = typeof quizzes.$inferSelect;
type Around = Pick<Call, 'db' | 'now' | 'origin' | 'institution'> & { readonly course: CourseContext };

/** The quiz inserted in this batch: ids only grow. */
export const newestQuiz = sql`(select max(id) from quizzes)`;

/** A quiz as the assignment that students see in lists and gradebooks. */
const assignmentGiven = (content: QuizContent, isPublished: boolean, { assignment_group_id, notify_of_update }: QuizGiven) => ({
  name: content.title,
  description: content.description,
  points_possible: content.points_possible,
  due_at: content.due_at,
  unlock_at: content.unlock_at,
  lock_at: content.lock_at,
  only_visible_to_overrides: content.only_visible_to_overrides,
  published: isPublished,
  submission_types: ['online_quiz'],
  notify_of_update,
  ...(assignment_group_id && { assignment_group_id }),
});

const makeAssignment = (around: Around, given: ReturnType<typeof assignmentGiven>): Statement[] =>
  createAssignment(around, valuesOf(given, around.course, contextZoneOf(around)), given);

/** @throws Problem 400 by field, 403 for a due date in a closed grading period */
export function createQuiz(around: Around, given: QuizGiven): Statement[] {
  const { db, course, now } = around;
  const settings = settingsAfter(given, defaultSettings);
  const content = contentAfter(given, settings, undefined, { zone: contextZoneOf(around), origin: around.origin });
  const isPublished = given.published ?? false;
  const graded = isGraded(settings.quiz_type);
  return [
    ...(graded ? makeAssignment(around, assignmentGiven(content, isPublished, given)) : []),
    db.build.insert(quizzes).values({
      ...settings,
      ...content,
      course_id: course.id,
      assignment_id: graded ? newestAssignment : null,
      workflow_state: isPublished ? 'available' : 'unpublished',
      published_at: isPublished ? now : null,
      created_at: now,
      updated_at: now,
    }),
  ];
}

export interface QuizBefore {
  readonly quiz: Row;
  readonly assignment: AssignmentRow | undefined;
  readonly hasAttempts: boolean;
}

/** The assignment after an update: updated, made, or deleted with the change to an ungraded type. */
function assignmentAfter(around: Around, before: QuizBefore, wanted: ReturnType<typeof assignmentGiven> | undefined): Statement[] {
  const { assignment } = before;
  if (!wanted) return assignment ? deleteAssignment(around, assignment.id) : [];
  if (!assignment) return makeAssignment(around, wanted);
  return update(around, assignment.id, valuesOf(wanted, around.course, contextZoneOf(around), assignment), wanted);
}

type Updating = Around & Pick<Call, 'env' | 'me' | 'afterwards'>;

/** @throws Problem 400 by field, 403 for a due date in a closed grading period */
export function updateQuiz(around: Updating, before: QuizBefore, given: QuizGiven): Statement[] {
  const { db, course, now } = around;
  const { quiz } = before;
  const settings = settingsAfter(given, quiz);
  const content = contentAfter(given, settings, quiz, { zone: contextZoneOf(around), origin: around.origin });
  const wasPublished = quiz.workflow_state === 'available';
  const isPublished = given.published ?? wasPublished;
  if (wasPublished && !isPublished && before.hasAttempts)
    throw invalid('published', 'invalid', "Can't unpublish if there are student submissions");
  const graded = isGraded(settings.quiz_type);
  if (graded) refuseClosedDates(course, movedDates(quiz.due_at, content.due_at), now);
  const itself = changeUnlocked(
    db,
    quizzes,
    {
      ...settings,
      ...content,
      // The new assignment is written before the quiz that refers to it; a deleted one must not take its quiz along.
      assignment_id: graded ? (before.assignment ? quiz.assignment_id : newestAssignment) : null,
      workflow_state: isPublished ? 'available' : 'unpublished',
      published_at: isPublished && !wasPublished ? now : quiz.published_at,
      version_number: sql`version_number + 1`,
      updated_at: now,
    },
    eq(quizzes.id, quiz.id),
  );
  const assignment = assignmentAfter(around, before, graded ? assignmentGiven(content, isPublished, given) : undefined);
  const isNew = graded && !before.assignment;
  const isRecounted = isSurvey(quiz.quiz_type) && !isSurvey(settings.quiz_type);
  return [
    ...(isNew ? [...assignment, ...itself] : [...itself, ...assignment]),
    ...(isRecounted ? recountQuizzes(db, sql`${quiz.id}`, now) : []),
    ...(isNew && before.hasAttempts ? queueQuizScores(around, quiz.id) : []),
  ];
}

/** A trigger deletes the module items of the quiz. */
export const deleteQuiz = (around: Around, quiz: Pick<Row, 'id' | 'assignment_id'>): Statement[] => [
  ...changeUnlocked(around.db, quizzes, { workflow_state: 'deleted', updated_at: around.now }, eq(quizzes.id, quiz.id)),
  ...(quiz.assignment_id === null ? [] : deleteAssignment(around, quiz.assignment_id)),
];
