// Grading: what graders send for a student, and the change that it becomes (reference 03 §4.5).

import { bool, idField, int, listOf, maybe, object, optional, type Shape, text } from '@carrel/shared/wire/fields';
import type { RowOf } from '../../../http/listing';
import { Problem } from '../../../http/problem';
import type { AssignmentScheme } from '../../../rules/grading_schemes';
import { mediaFields } from '../../../rules/media_comments';
import type { assignments } from '../../assignments/table';
import { ratedField } from '../../rubrics/assessments/input';
import type { AssessmentWrite } from '../../rubrics/assessments/writes';
import { checkSticker } from './stickers';

const gradeFields = {
  posted_grade: optional(maybe(text)),
  excuse: optional(bool),
  late_policy_status: optional(maybe(text)),
  seconds_late_override: optional(maybe(int)),
  custom_grade_status_id: optional(maybe(idField('custom_grade_status'))),
  sticker: optional(maybe(text)),
  provisional: optional(bool),
  final: optional(bool),
};
const commentFields = {
  text_comment: optional(maybe(text)),
  attempt: optional(maybe(int)),
  file_ids: optional(listOf(idField('file'))),
  group_comment: optional(bool),
  ...mediaFields,
};
export const gradeParams = {
  submission: optional(object(gradeFields)),
  comment: optional(object(commentFields)),
  prefer_points_over_scheme: optional(bool),
  rubric_assessment: optional(ratedField),
};

export type GradeGiven = Shape<typeof gradeFields> & {
  /** Of a provisional grade: whether its grader saw no names. */
  readonly graded_anonymously?: boolean | undefined;
};
export type CommentGiven = Shape<typeof commentFields>;

/** Work that is handed in with its grade. */
export interface WorkWithGrade {
  readonly attempt: number;
  readonly submitted_at: string;
  readonly body: string;
  /** New Quizzes are handed in as work in a tool. */
  readonly submission_type: 'online_quiz' | 'basic_lti_launch';
}

/** The change to one student's submission. */
export interface GradeWrite {
  readonly assignment: Pick<
    RowOf<typeof assignments>,
    'id' | 'course_id' | 'grading_type' | 'points_possible' | 'options' | 'submission_types'
  > & {
    readonly scheme?: AssignmentScheme;
  };
  readonly user_id: number;
  readonly grade?: GradeGiven;
  readonly comment?: CommentGiven;
  readonly prefersPoints?: boolean;
  /** Replaces what was handed in before; the caller keeps that as a version. */
  readonly work?: WorkWithGrade;
  /** Whose grade it is, if another user writes it: publication keeps the graders of provisional grades. */
  readonly grader_id?: number;
  /** By the assignment's rubric (rubric_part.ts). */
  readonly rated?: AssessmentWrite;
}

const statuses = ['late', 'missing', 'extended', 'none'] as const;
export type GraderStatus = (typeof statuses)[number];
const refuse = (error: string) => new Problem(400, { error });

/** @throws Problem 400 for contradictory input */
export function checkGrade(given: GradeGiven): void {
  const { posted_grade, excuse, late_policy_status: status } = given;
  if (excuse && posted_grade) throw refuse('a submission cannot be graded and excused at once');
  checkSticker(given);
  if (status && given.custom_grade_status_id) throw refuse('late_policy_status and custom_grade_status_id exclude each other');
  if (status && !statuses.includes(status as GraderStatus)) throw refuse(`late_policy_status is not one of ${statuses.join(', ')}`);
}

export const asksForGrade = (given: GradeGiven | undefined): given is GradeGiven =>
  given !== undefined && Object.values(given).some((value) => value !== undefined);

/** @throws Problem 400 for a grade, also one by a rubric, where the student's due date is in a closed grading period */
export function refuseClosedGrade({ grade }: GradeWrite, { is_closed }: { readonly is_closed: number }): void {
  if (is_closed && asksForGrade(grade)) throw refuse('This assignment is in a closed grading period for this student');
}

export const saysSomething = (comment: CommentGiven | undefined) =>
  Boolean(comment?.text_comment?.trim()) || (comment?.file_ids?.length ?? 0) > 0 || Boolean(comment?.media_comment_id);
