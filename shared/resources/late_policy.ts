// What clients see of the late policy of a course (reference of the API: Late Policy).

import { bool, int, number, oneOf, time } from '../wire/fields';
import { resource } from './resource';

export const LatePolicy = resource('LatePolicy', {
  id: int,
  course_id: int,
  missing_submission_deduction_enabled: bool,
  missing_submission_deduction: number,
  late_submission_deduction_enabled: bool,
  late_submission_deduction: number,
  late_submission_interval: oneOf('day', 'hour'),
  late_submission_minimum_percent_enabled: bool,
  late_submission_minimum_percent: number,
  created_at: time,
  updated_at: time,
});

/** As the API returns it. */
export const LatePolicyEnvelope = resource('LatePolicyEnvelope', { late_policy: LatePolicy.field });
