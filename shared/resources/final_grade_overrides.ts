// Final grades that graders have set, by student (reference 03 §11).

import { int, mapOf, maybe, number, object, optional } from '../wire/fields';
import { resource } from './resource';

const grade = object({
  /** Null where only a status is set. */
  percentage: maybe(number),
  custom_grade_status_id: optional(int),
});

export const FinalGradeOverrides = resource('FinalGradeOverrides', {
  /** By the id of the student. */
  final_grade_overrides: mapOf(object({ course_grade: optional(grade), grading_period_grades: optional(mapOf(grade)) })),
});
