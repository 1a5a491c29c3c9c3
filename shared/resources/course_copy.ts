// A copy of a course's content into another, as far as it has come.

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const CourseCopy = resource('CourseCopy', {
  id: int,
  /** Percent; null until it has begun. */
  progress: maybe(int),
  created_at: time,
  workflow_state: text,
  status_url: text,
});
