// How folders are copied to another course.

import { sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { freshVersion } from '../../../database/version';
import { type CopiedKindFacts, ofCourseContext } from '../../../rules/copied_kind';
import { folders } from './table';

export const folderCopied: CopiedKindFacts = {
  kind: 'folder',
  table: folders,
  asset: 'folder',
  title: 'full_name',
  there: (a, course) =>
    sql`${ofCourseContext(a, course)} and ${sql.raw(a)}.workflow_state = 'visible' and ${sql.raw(a)}.for_submissions = 0`,
  planned: "length(o.full_name) - length(replace(o.full_name, '/', '')) as depth, o.parent_folder_id",
  adopts: 't.full_name = o.full_name',
  isShared: true,
  kept: ['parent_folder_id', 'name', 'full_name', 'unique_type', 'position', 'version', 'files_count', 'folders_count'],
  differing: ({ to }) => ({
    context_id: shared('course', to),
    parent_folder_id: sql`(select p.id from folders p where ${ofCourseContext('p', shared('course', to))} and p.workflow_state = 'visible' and p.full_name = substr(o.full_name, 1, length(o.full_name) - length(o.name) - 1))`,
    files_count: sql`0`,
    folders_count: sql`0`,
    version: sql.raw(freshVersion),
  }),
};
