// Grades that a student calculates with scores of their own choice.

import { int, listOf, mapOf, maybe, number, object, optional } from '../wire/fields';
import { resource } from './resource';

const total = object({ grade: maybe(number), total: number, possible: number, dropped: listOf(int) });
const groups = mapOf(
  object({ id: int, global_id: int, score: number, possible: number, weight: number, grade: maybe(number), dropped: listOf(int) }),
);

export const WhatIfGrades = resource('WhatIfGrades', {
  /** Empty where the course hides totals from students. */
  grades: listOf(object({ current: total, current_groups: groups, final: total, final_groups: groups })),
  submission: optional(object({ id: int, student_entered_score: maybe(number) })),
});
