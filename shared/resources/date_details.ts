// What clients see of the dates of an assignment (reference of the API: Learning Object Dates).

import { bool, int, listOf, maybe, time } from '../wire/fields';
import { AssignmentOverride } from './assignment_override';
import { resource } from './resource';

export const DateDetails = resource('DateDetails', {
  id: int,
  due_at: maybe(time),
  unlock_at: maybe(time),
  lock_at: maybe(time),
  only_visible_to_overrides: bool,
  visible_to_everyone: bool,
  graded: bool,
  overrides: listOf(AssignmentOverride.field),
});
