// What clients see of a to-do item and of a missing assignment (reference of the API: Users).

import { int, json, maybe, number, optional, text } from '../wire/fields';
import { Assignment } from './assignment';
import { PlannerOverride } from './planner_override';
import { Quiz } from './quiz';
import { resource } from './resource';

export const Todo = resource('Todo', {
  context_type: text,
  course_id: int,
  context_name: text,
  /** `grading` or `submitting`. */
  type: text,
  /** DELETE on these URLs hides the item until it changes, or permanently. */
  ignore: text,
  ignore_permanently: text,
  html_url: text,
  /** Or `quiz`, for practice quizzes and surveys. */
  assignment: optional(Assignment.field),
  quiz: optional(Quiz.field),
  needs_grading_count: optional(int),
});

export const TodoCount = resource('TodoCount', { needs_grading_count: number, assignments_needing_submitting: number });

export const MissedAssignment = resource('MissedAssignment', {
  ...Assignment.fields,
  planner_override: optional(maybe(PlannerOverride.field)),
  course: optional(json),
});
