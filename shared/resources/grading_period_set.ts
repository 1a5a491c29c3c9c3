// What clients see of a set of grading periods (reference of the API: Grading Period Sets).

import { bool, int, listOf, maybe, object, optional, text, time } from '../wire/fields';
import { GradingPeriod } from './grading_period';
import { resource } from './resource';

export const GradingPeriodSet = resource('GradingPeriodSet', {
  id: int,
  title: text,
  account_id: int,
  course_id: optional(maybe(int)),
  weighted: bool,
  display_totals_for_all_grading_periods: bool,
  enrollment_term_ids: listOf(int),
  grading_periods: listOf(GradingPeriod.field),
  permissions: object({ read: bool, create: bool, update: bool, delete: bool }),
  created_at: time,
});
