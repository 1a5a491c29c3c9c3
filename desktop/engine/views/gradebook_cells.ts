// One result as the screens show it: as the server has it, with what was entered here.

import type { GradebookCell, UnsentGrade } from '../../contract/gradebook';
import { hasFlag, type ResultCell } from '../grading/cells';
import { type GradedWork, withEntry } from '../grading/grade_entry';
import type { AssignmentJson } from '../model/resources';
import { type GradeIntent, isGrade } from '../outbox/grades';
import type { Outbox } from '../outbox/outbox';

/** By assignment and student. Several of one student are in the order in which they are sent. */
export type UnsentGrades = ReadonlyMap<string, readonly GradeIntent[]>;

export const keyOfResult = (assignmentId: number, userId: number): string => `${assignmentId} ${userId}`;

export function unsentGrades(outbox: Outbox, courseId: number): UnsentGrades {
  const own = outbox.pending().filter(isGrade);
  return Map.groupBy(
    own.filter(({ body }) => body.course_id === courseId),
    ({ body }) => keyOfResult(body.assignment_id, body.user_id),
  );
}

export const unsentOf = ({ id, hold, state, reason }: GradeIntent): UnsentGrade => ({
  id,
  hold,
  refused: state === 'parked' ? (reason ?? '') : null,
});

export const shownCell = (cell: ResultCell): GradebookCell => {
  const [user_id, assignment_id, score, grade, , seconds, attempt, submitted_at, comments, points_deducted] = cell;
  const late = hasFlag(cell, 'late');
  return {
    user_id,
    assignment_id,
    score,
    grade,
    excused: hasFlag(cell, 'excused'),
    late,
    missing: hasFlag(cell, 'missing'),
    seconds_late: late ? seconds : null,
    attempt,
    submitted_at,
    needs_grading: hasFlag(cell, 'to_grade'),
    posted: hasFlag(cell, 'posted'),
    comments,
    points_deducted,
    unsent: null,
  };
};

export const blankCell = (user_id: number, assignment_id: number, missing: boolean): GradebookCell => ({
  user_id,
  assignment_id,
  score: null,
  grade: null,
  excused: false,
  late: false,
  missing,
  seconds_late: null,
  attempt: 0,
  submitted_at: null,
  needs_grading: false,
  posted: false,
  comments: 0,
  points_deducted: null,
  unsent: null,
});

/** Work that is handed in nowhere cannot be missing. */
const nowhere: ReadonlySet<string> = new Set(['', 'none', 'not_graded', 'on_paper', 'wiki_page', 'external_tool']);

/** Nothing was handed in in time. */
export const isMissing = ({ submission_types = [] }: AssignmentJson, due: string | null, now: string): boolean =>
  due !== null && due < now && submission_types.some((type) => !nowhere.has(type));

export function withUnsent(
  cell: GradebookCell,
  intents: readonly GradeIntent[] | undefined,
  work: GradedWork,
  { use_rubric_for_grading = false }: AssignmentJson,
): GradebookCell {
  const last = intents?.at(-1);
  if (!intents || !last) return cell;
  let shown = cell;
  for (const { body } of intents) shown = withEntry(shown, body.entry, work, use_rubric_for_grading);
  const isGraded = shown.score !== null || shown.excused;
  return {
    ...shown,
    seconds_late: shown.late ? shown.seconds_late : null,
    needs_grading: cell.needs_grading && !isGraded,
    comments: cell.comments + intents.filter(({ body }) => body.entry.comment).length,
    // A deduction is computed by the server from the grade as it was.
    points_deducted: shown.score === cell.score ? cell.points_deducted : null,
    unsent: unsentOf(intents.find(({ hold }) => hold !== null) ?? last),
  };
}
