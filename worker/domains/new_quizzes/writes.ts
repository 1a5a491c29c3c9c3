// Writing New Quizzes with their assignments, as statements for one batch.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { refuseLockedNewQuiz } from '../../rules/blueprint_locks';
import { movedDates, refuseClosedDates } from '../assignments/closed_periods';
import { valuesOf } from '../assignments/input';
import { contextZoneOf } from '../assignments/overrides/json';
import type { AssignmentRow } from '../assignments/plain_fields';
import { createAssignment, newestAssignment, update } from '../assignments/writes';
import { assignmentOfNewQuiz, type NewQuizGiven } from './input';
import { defaultNewQuizSettings, newQuizSettingsAfter } from './settings';
import { type NewQuizSettings, new_quizzes } from './table';

type Around = Pick<Call, 'db' | 'now' | 'origin' | 'institution'> & { readonly course: CourseContext };

/** @throws Problem 400 by field, 403 for a due date in a closed grading period */
export function createNewQuiz(around: Around, given: NewQuizGiven): Statement[] {
  const { db, course, now, origin } = around;
  const assignment = assignmentOfNewQuiz(given, undefined, origin);
  const quiz_settings = newQuizSettingsAfter(given.quiz_settings ?? {}, defaultNewQuizSettings);
  return [
    ...createAssignment(around, valuesOf(assignment, course, contextZoneOf(around)), assignment),
    db.build.insert(new_quizzes).values({ id: newestAssignment, course_id: course.id, quiz_settings, created_at: now, updated_at: now }),
  ];
}

/** @param sent the assignment of `given`, as `assignmentOfNewQuiz` makes it @throws Problem 400 by field, 403 for a due date in a closed grading period */
export function updateNewQuiz(
  around: Around,
  { assignment, settings }: { readonly assignment: AssignmentRow; readonly settings: NewQuizSettings },
  { quiz_settings }: NewQuizGiven,
  sent: ReturnType<typeof assignmentOfNewQuiz>,
): Statement[] {
  const { db, course, now } = around;
  const values = valuesOf(sent, course, contextZoneOf(around), assignment);
  refuseClosedDates(course, movedDates(assignment.due_at, values.due_at), now);
  const after = quiz_settings && newQuizSettingsAfter(quiz_settings, settings);
  return [
    ...update(around, assignment.id, values, sent),
    ...(after
      ? [
          ...(JSON.stringify(after) === JSON.stringify(newQuizSettingsAfter({}, settings)) ? [] : refuseLockedNewQuiz(db, assignment.id)),
          db.build.update(new_quizzes).set({ quiz_settings: after, updated_at: now }).where(sql`${new_quizzes.id} = ${assignment.id}`),
        ]
      : []),
  ];
}
