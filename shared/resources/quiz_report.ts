// A report on the attempts at a quiz, as a CSV file (reference of the API: Quiz reports).

import { bool, int, json, oneOf, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';

export const QuizReport = resource('QuizReport', {
  id: int,
  quiz_id: int,
  report_type: oneOf('student_analysis', 'item_analysis'),
  readable_type: text,
  includes_all_versions: bool,
  anonymous: bool,
  /** False for surveys, whose questions have no right answers to analyse. */
  generatable: bool,
  created_at: time,
  updated_at: time,
  url: text,
  /** Once it was requested. */
  progress_url: optional(text),
  /** Once it is finished. */
  file: optional(File.field),
  /** With `include[]=progress`. */
  progress: optional(json),
});
