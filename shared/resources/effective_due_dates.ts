// Effective due dates: by assignment id, then by student id.

import { bool, int, mapOf, maybe, object, time } from '../wire/fields';

export const EffectiveDueDates = {
  name: 'EffectiveDueDates',
  fields: {},
  field: mapOf(mapOf(object({ due_at: maybe(time), grading_period_id: maybe(int), in_closed_grading_period: bool }))),
};
