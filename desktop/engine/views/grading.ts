// The grading view: one student's work on one assignment, and the queue of students.

import type { GradedAttempt, GradingComment, GradingConflict, GradingQueue, GradingView, RubricMark } from '../../contract/gradebook';
import { cellOf, hasFlag } from '../grading/cells';
import type { AttemptJson, GradedSubmissionJson } from '../model/graded_resources';
import type { AssignmentJson, AttachmentJson, CommentJson } from '../model/resources';
import { type GradeIntent, isConflict } from '../outbox/grades';
import type { Outbox } from '../outbox/outbox';
import { pathOfAttachment } from '../server/attachments';
import {
  assignedIn,
  columnOf,
  dueFor,
  enrolledStudent,
  type Grading,
  gradingChoiceOf,
  mayGrade,
  type OpenCourse,
  openGradedCourse,
  studentsIn,
} from '../server/grading_course';
import type { Leads } from '../text/offline';
import { plainText } from '../text/plain_text';
import { said } from '../text/shown_html';
import { blankCell, isMissing, keyOfResult, shownCell, unsentGrades, unsentOf, withUnsent } from './gradebook_cells';
import { leadIn } from './link_targets';

export interface GradingHere extends Grading {
  readonly outbox: Outbox;
  readonly now: () => Date;
  readonly signedIn: { readonly url: string; readonly user_id: number };
}

interface Place {
  readonly course_id: number;
  readonly assignment_id: number;
}

function openWork(here: GradingHere, { course_id, assignment_id }: Place) {
  if (!mayGrade(here, course_id) || gradingChoiceOf(here, course_id) !== 'chosen') return undefined;
  const graded = openGradedCourse(here.cache, course_id);
  const assignment = graded?.assignments.find(({ id }) => id === assignment_id);
  return graded && assignment && { graded, assignment };
}

export function gradingView(here: GradingHere, at: Place & { readonly user_id: number }): GradingView | null {
  const { cache, signedIn } = here;
  const open = openWork(here, at);
  const enrollments = cache.students.enrollmentsOf(at.course_id, at.user_id);
  if (!open || enrollments.length === 0) return null;
  const { graded, assignment } = open;
  const { user_id, name, avatar_url, section_ids } = enrolledStudent(enrollments);
  const submission = cache.students.submission(at.course_id, at.assignment_id, user_id);
  const intents = unsentGrades(here.outbox, at.course_id).get(keyOfResult(at.assignment_id, user_id)) ?? [];
  const conflict = intents.find(isConflict);
  const leads = { base: signedIn.url, to: leadIn(cache) };
  return {
    course_id: at.course_id,
    assignment: columnOf(graded, assignment, [user_id]),
    student: { user_id, name, avatar_url, section_ids },
    cell: cellFor(here, graded, assignment, user_id, submission, intents),
    attempts: attemptsOf(here, submission, leads),
    comments: commentsOf(submission, intents, signedIn.user_id),
    rubric: rubricFor(assignment, submission, intents),
    conflict: conflict ? conflictOf(conflict) : null,
  };
}

function cellFor(
  { now }: GradingHere,
  graded: OpenCourse,
  assignment: AssignmentJson,
  user: number,
  submission: GradedSubmissionJson | undefined,
  intents: readonly GradeIntent[],
): GradingView['cell'] {
  const missing = isMissing(assignment, dueFor(graded.facts, assignment, user), now().toISOString());
  const cell = submission ? shownCell(cellOf(submission)) : blankCell(user, assignment.id, missing);
  return withUnsent(cell, intents, graded.workOf(assignment), assignment);
}

/** The newest first. Without a history there is only the last one. */
function attemptsOf({ user }: GradingHere, submission: GradedSubmissionJson | undefined, leads: Leads): GradedAttempt[] {
  if (!submission) return [];
  const history: readonly AttemptJson[] = submission.submission_history?.length ? submission.submission_history : [submission];
  return history
    .filter(({ attempt, submitted_at }) => (attempt ?? 0) > 0 || submitted_at != null)
    .map((one) => ({
      attempt: one.attempt ?? 0,
      submitted_at: one.submitted_at ?? null,
      late: one.late === true,
      type: one.submission_type ?? null,
      html: one.submission_type === 'online_text_entry' && one.body ? said(one.body, leads) : null,
      url: one.url ?? null,
      files: (one.attachments ?? []).map((file) => fileOf(user, file)),
    }))
    .toSorted((a, b) => b.attempt - a.attempt);
}

const fileOf = (user: Grading['user'], { id, display_name, size = 0, 'content-type': type }: AttachmentJson) => ({
  id,
  name: display_name,
  size,
  content_type: type ?? null,
  is_here: pathOfAttachment(user, id) !== undefined,
});

function commentsOf(submission: GradedSubmissionJson | undefined, intents: readonly GradeIntent[], me: number): GradingComment[] {
  const sent = (submission?.submission_comments ?? []).map(
    ({ id, author_id, author_name, comment, created_at, attachments = [] }: CommentJson): GradingComment => ({
      id,
      author: author_name ?? null,
      is_mine: author_id === me,
      text: textOf(comment ?? ''),
      created_at,
      files: attachments.map(({ display_name }) => display_name),
      unsent: null,
    }),
  );
  const unsent = intents.flatMap((intent): GradingComment[] => {
    const { comment } = intent.body.entry;
    return comment
      ? [{ id: null, author: null, is_mine: true, text: comment, created_at: intent.created_at, files: [], unsent: unsentOf(intent) }]
      : [];
  });
  return [...sent.toSorted((a, b) => (a.created_at ?? '').localeCompare(b.created_at ?? '')), ...unsent];
}

/** Graders write plain text; some programs send HTML. */
const textOf = (comment: string): string => (/<[a-z][^>]*>/i.test(comment) ? plainText(comment) : comment);

function rubricFor(
  { rubric, use_rubric_for_grading = false }: AssignmentJson,
  submission: GradedSubmissionJson | undefined,
  intents: readonly GradeIntent[],
): GradingView['rubric'] {
  if (!rubric || rubric.length === 0) return null;
  const criteria = rubric.map(({ id, description, long_description, points, ratings = [] }) => ({
    id,
    title: description || id,
    details: plainText(long_description) || null,
    points: points ?? 0,
    ratings: ratings.map((rating, at) => ({
      id: rating.id ?? String(at),
      title: rating.description || '',
      details: plainText(rating.long_description) || null,
      points: rating.points ?? 0,
    })),
  }));
  const given = Object.entries(submission?.rubric_assessment ?? {}).map(([id, mark]): [string, RubricMark] => [
    id,
    { points: mark.points ?? null, rating_id: mark.rating_id ?? null, comments: mark.comments ?? '' },
  ]);
  const marks = Object.assign({}, Object.fromEntries(given), ...intents.map(({ body }) => body.entry.rubric ?? {}));
  return { criteria, marks, gives_grade: use_rubric_for_grading };
}

function conflictOf({ id, hold, body }: GradeIntent): GradingConflict {
  const { score, grade, excused, attempt, graded_at, grader } = { graded_at: null, grader: null, ...(body.meanwhile ?? body.known) };
  return {
    id,
    why: hold === 'newer attempt' ? hold : 'graded meanwhile',
    mine: body.entry,
    theirs: { grade, score, excused, attempt, graded_at, grader },
  };
}

/** Everyone to whom it is assigned, by name; those who have left are not graded any more. */
export function gradingQueue(here: GradingHere, at: Place): GradingQueue | null {
  const { cache, outbox } = here;
  const open = openWork(here, at);
  if (!open) return null;
  const { graded, assignment } = open;
  const cells = new Map(cache.students.cellsOfAssignment(at.course_id, at.assignment_id).map((cell) => [cell[0], cell]));
  const unsent = unsentGrades(outbox, at.course_id);
  const isAssigned = assignedIn(graded.facts, assignment);
  const students = studentsIn(cache, at.course_id)
    .filter(({ user_id, state }) => cells.has(user_id) || ((state === 'active' || state === 'invited') && (isAssigned?.(user_id) ?? true)))
    .map(({ user_id, name }) => {
      const intents = unsent.get(keyOfResult(at.assignment_id, user_id)) ?? [];
      const cell = cells.get(user_id);
      const shown = cell ? shownCell(cell) : blankCell(user_id, at.assignment_id, false);
      const now = withUnsent(shown, intents, graded.workOf(assignment), assignment);
      const isGraded = now.score !== null || now.grade !== null || (cell !== undefined && hasFlag(cell, 'graded') && intents.length === 0);
      const state = now.excused ? 'excused' : now.needs_grading ? 'to grade' : isGraded ? 'graded' : 'nothing';
      return { user_id, name, state, is_unsent: intents.length > 0, has_conflict: intents.some(isConflict) } as const;
    });
  return { assignment_id: assignment.id, title: assignment.name, students };
}
