// The version of a file or folder changes with its name, parent, content and state, by any writer.

import { freshVersion } from '../version.ts';
import { columnsDiffer, trigger } from './trigger.ts';

const counted = {
  files: ['display_name', 'folder_id', 'blob_id', 'workflow_state'],
  folders: ['name', 'parent_folder_id', 'workflow_state'],
} as const;

/** A file that replaces another must get a newer version, even within a millisecond. */
const newest = {
  files: 'max(old.version, coalesce((select max(r.version) from files r where r.replacement_file_id = new.id), 0))',
  folders: 'old.version',
} as const;

export const versionTriggers = (['files', 'folders'] as const).map((table) =>
  trigger({
    on: table,
    name: 'count_version',
    event: 'update',
    of: counted[table],
    when: columnsDiffer(counted[table]),
    run: [`update ${table} set version = max(${newest[table]} + 1, ${freshVersion}) where id = new.id;`],
    purpose: 'Assign a new version after each change of name, parent folder, bytes or state.',
  }),
);
