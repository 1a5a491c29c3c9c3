// The version of a file or folder changes with its name, parent, content and state, by any writer.

import { freshVersion } from '../version.ts';

const counted = {
  files: ['display_name', 'folder_id', 'blob_id', 'workflow_state'],
  folders: ['name', 'parent_folder_id', 'workflow_state'],
} as const;

/** A file that replaces another must get a newer version, even within a millisecond. */
const newest = {
  files: 'max(old.version, coalesce((select max(r.version) from files r where r.replacement_file_id = new.id), 0))',
  folders: 'old.version',
} as const;

export const versionTriggers: readonly string[] = (['files', 'folders'] as const).map((table) => {
  const differs = counted[table].map((column) => `new.${column} is not old.${column}`).join(' or ');
  return `create trigger version_${table} after update of ${counted[table].join(', ')} on ${table} when ${differs} begin
  update ${table} set version = max(${newest[table]} + 1, ${freshVersion}) where id = new.id;
end;`;
});
