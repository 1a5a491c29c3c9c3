// Earlier versions of files: a row for each content that is replaced, by any writer.

import { now } from './now.ts';

/** Of one file. A file that is saved every few seconds must not keep its bytes a million times, which no quota counts. */
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
  // Earlier versions pass to the file that takes the place.
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
