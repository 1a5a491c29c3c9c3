// How files are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import { freshVersion } from '../../database/version';
import { type CopiedKindFacts, copyOf, ofCourseContext, randomHex } from '../../rules/copied_kind';
import { files } from './table';

export const fileCopied: CopiedKindFacts = {
  kind: 'file',
  table: files,
  asset: 'attachment',
  title: 'display_name',
  there: (a, course) =>
    sql`${ofCourseContext(a, course)} and ${sql.raw(a)}.workflow_state = 'available' and ${sql.raw(a)}.blob_id is not null`,
  planned: 'o.folder_id',
  kept: ['folder_id', 'display_name', 'uuid', 'user_id', 'version'],
  renamed: ['display_name'],
  only: (route) => sql`${copyOf('folder', sql`o.folder_id`, route)} is not null`,
  differing: (route) => ({
    context_id: shared('course', route.to),
    folder_id: copyOf('folder', sql`o.folder_id`, route),
    uuid: randomHex,
    user_id: shared('user', route.user_id),
    replacement_file_id: sql`null`,
    copied_from_id: sql`o.id`,
    is_submitted: sql`0`,
    submission_id: sql`null`,
    upload: sql`null`,
    version: sql.raw(freshVersion),
    modified_at: sql`coalesce(o.modified_at, o.updated_at)`,
  }),
};
