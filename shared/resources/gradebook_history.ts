// What clients see of the history of a gradebook (reference of the API: Gradebook History).

import { bool, int, listOf, maybe, number, optional, text, time } from '../wire/fields';
import { Assignment } from './assignment';
import { resource } from './resource';
import { SubmissionAttempt } from './submission';

export const HistoryGrader = resource('GradebookHistoryGrader', {
  /** 0 for grades that the service gave. */
  id: int,
  name: text,
  assignments: listOf(Assignment.field),
});

export const HistoryDay = resource('GradebookHistoryDay', { date: text, graders: listOf(HistoryGrader.field) });

const version = {
  ...SubmissionAttempt.fields,
  assignment_name: text,
  user_name: text,
  /** The name of the grader. */
  grader: maybe(text),
  current_grade: maybe(text),
  current_graded_at: maybe(time),
  current_grader: maybe(text),
};

/** A submission as of one change of its grade. */
export const SubmissionVersion = resource('SubmissionVersion', version);

/** The same with the change before it. */
export const GradedSubmissionVersion = resource('GradedSubmissionVersion', {
  ...version,
  previous_grade: maybe(text),
  previous_graded_at: maybe(time),
  previous_grader: maybe(text),
  new_grade: maybe(text),
  new_graded_at: maybe(time),
  new_grader: maybe(text),
  new_score: optional(maybe(number)),
});

export const SubmissionGradeHistory = resource('SubmissionHistory', {
  submission_id: int,
  versions: listOf(GradedSubmissionVersion.field),
});

/** A change, which pages group by day and grader. */
export const DatedGradeChange = resource('DatedGradeChange', {
  created_at: time,
  grader_id: int,
  grader_name: text,
  /** Absent when it is deleted. */
  assignment: optional(Assignment.field),
});

/** Pages leave out what is hidden. */
const marked = { is_hidden: bool };
export const MarkedSubmissionVersion = resource('MarkedSubmissionVersion', { ...version, ...marked });
export const MarkedSubmissionHistory = resource('MarkedSubmissionHistory', { ...SubmissionGradeHistory.fields, ...marked });
