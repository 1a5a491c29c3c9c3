// What clients see of a course copy and its progress.

import { int, maybe, text, time } from '../wire/fields';
import { resource } from './resource';

export const CourseCopy = resource('CourseCopy', {
  id: int,
  /** Percentage; null until it starts. */
  progress: maybe(int),
  created_at: time,
  workflow_state: text,
  status_url: text,
});
