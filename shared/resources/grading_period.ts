// What clients see of a grading period (reference of the API: Grading Periods).

import { bool, int, maybe, number, object, text, time } from '../wire/fields';
import { resource } from './resource';

export const GradingPeriod = resource('GradingPeriod', {
  id: int,
  title: text,
  start_date: time,
  end_date: time,
  close_date: time,
  weight: maybe(number),
  grading_period_group_id: int,
  is_last: bool,
  is_closed: bool,
  permissions: object({ read: bool, create: bool, update: bool, delete: bool }),
});
