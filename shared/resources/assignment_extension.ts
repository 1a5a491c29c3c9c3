// What clients see of extra attempts (reference of the API: Assignment Extensions).

import { int, listOf, object } from '../wire/fields';
import { resource } from './resource';

export const AssignmentExtensions = resource('AssignmentExtensions', {
  assignment_extensions: listOf(object({ assignment_id: int, user_id: int, extra_attempts: int })),
});
