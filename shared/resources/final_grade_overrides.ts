// Final grades that graders have set, by student (reference 03 §11).

import { mapOf, number, object, optional } from '../wire/fields';
import { resource } from './resource';

const grade = object({ percentage: number });

export const FinalGradeOverrides = resource('FinalGradeOverrides', {
  /** By the id of the student. */
  final_grade_overrides: mapOf(object({ course_grade: optional(grade), grading_period_grades: optional(mapOf(grade)) })),
});
