// A course with the user's e-book of it (reference of the API: ePub exports).

import { bool, int, object, oneOf, optional, text, time } from '../wire/fields';
import { File } from './file';
import { resource } from './resource';

export const CourseEpubExport = resource('CourseEpubExport', {
  /** Of the course. */
  id: int,
  name: text,
  /** Absent until one is started. */
  epub_export: optional(
    object({
      id: int,
      course_id: int,
      user_id: int,
      content_export_id: int,
      workflow_state: oneOf('created', 'exporting', 'generating', 'generated', 'failed'),
      created_at: time,
      updated_at: time,
      progress_id: optional(int),
      progress_url: optional(text),
      permissions: object({ download: bool, regenerate: bool }),
      /** Once it is generated, for 30 days. */
      attachment: optional(object({ url: text })),
      epub_attachment: optional(File.field),
      /** The files that the book cannot contain, if there are any. */
      zip_attachment: optional(File.field),
    }),
  ),
});
