// Earlier versions of files: one row for each replaced content, by any writer.

import { now } from './now.ts';

/** Per file. Limits a file that is saved every few seconds, because versions do not count against a quota. */
export const mostVersions = 200;

const keep = (
  file: string,
) => `insert into file_versions (file_id, version, display_name, content_type, size, blob_id, updated_at, replaced_at)
    values (${file}, old.version, old.display_name, old.content_type, old.size, old.blob_id, coalesce(old.modified_at, old.created_at), ${now});`;

const forgetOldest = (file: string) =>
  `delete from file_versions where id in (select v.id from file_versions v where v.file_id = ${file} order by v.version desc, v.id desc limit -1 offset ${mostVersions});`;

const isReplaced = "old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is not null";
const isGone = "old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is null";

export const fileVersionTriggers: readonly string[] = [
  // Versions move to the file that replaces this one.
  `create trigger keep_replaced_file after update of workflow_state on files when ${isReplaced} and old.blob_id is not null begin
  update file_versions set file_id = new.replacement_file_id where file_id = old.id;
  ${keep('new.replacement_file_id')}
  ${forgetOldest('new.replacement_file_id')}
end;`,
  `create trigger keep_replaced_bytes after update of blob_id on files when old.workflow_state = 'available' and old.blob_id is not null and new.blob_id is not old.blob_id begin
  ${keep('new.id')}
  ${forgetOldest('new.id')}
end;`,
  `create trigger forget_versions_of_deleted after update of workflow_state on files when ${isGone} begin
  delete from file_versions where file_id = old.id;
end;`,
  `create trigger forget_versions_of_removed after delete on files begin
  delete from file_versions where file_id = old.id;
end;`,
  `create trigger release_blob_of_version after delete on file_versions begin
  update blobs set unsure_since = ${now} where id = old.blob_id;
end;`,
];
