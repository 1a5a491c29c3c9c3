// An export of a course's content or of files (reference of the API: Content exports).

import { int, oneOf, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';

export const ContentExport = resource('ContentExport', {
  id: int,
  user_id: int,
  /** Of exports of courses. */
  course_id: optional(int),
  export_type: oneOf('common_cartridge', 'qti', 'zip'),
  created_at: time,
  workflow_state: oneOf('created', 'exporting', 'exported', 'failed'),
  progress_url: optional(text),
  /** Once it is finished, for 30 days. */
  attachment: optional(File.field),
});
