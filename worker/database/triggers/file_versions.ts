// Earlier versions of files: one row for each replaced content, by any writer.

import { nowSql } from './now.ts';
import { trigger } from './trigger.ts';

/** Per file. Limits a file that is saved every few seconds, because versions do not count against a quota. */
export const mostVersions = 200;

const keep = (
  file: string,
) => `insert into file_versions (file_id, version, display_name, content_type, size, blob_id, updated_at, replaced_at)
    values (${file}, old.version, old.display_name, old.content_type, old.size, old.blob_id, coalesce(old.modified_at, old.created_at), ${nowSql});`;

const forgetOldest = (file: string) =>
  `delete from file_versions where id in (select v.id from file_versions v where v.file_id = ${file} order by v.version desc, v.id desc limit -1 offset ${mostVersions});`;

const isReplaced = "old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is not null";
const isGone = "old.workflow_state = 'available' and new.workflow_state = 'deleted' and new.replacement_file_id is null";

export const fileVersionTriggers = [
  // Versions move to the file that replaces this one.
  trigger({
    on: 'files',
    name: 'keep_replaced_file',
    event: 'update',
    of: ['workflow_state'],
    when: `${isReplaced} and old.blob_id is not null`,
    run: [
      'update file_versions set file_id = new.replacement_file_id where file_id = old.id;',
      keep('new.replacement_file_id'),
      forgetOldest('new.replacement_file_id'),
    ],
    purpose: 'Keep a replaced file as an earlier version of the new one.',
  }),
  trigger({
    on: 'files',
    name: 'keep_replaced_bytes',
    event: 'update',
    of: ['blob_id'],
    when: "old.workflow_state = 'available' and old.blob_id is not null and new.blob_id is not old.blob_id",
    run: [keep('new.id'), forgetOldest('new.id')],
    purpose: 'Keep replaced bytes as an earlier version of the file.',
  }),
  trigger({
    on: 'files',
    name: 'forget_versions_of_deleted',
    event: 'update',
    of: ['workflow_state'],
    when: isGone,
    run: ['delete from file_versions where file_id = old.id;'],
    purpose: 'Remove the earlier versions of a deleted file.',
  }),
  trigger({
    on: 'files',
    name: 'forget_versions_of_removed',
    event: 'delete',
    run: ['delete from file_versions where file_id = old.id;'],
    purpose: 'Remove the earlier versions of a file whose row is deleted.',
  }),
  trigger({
    on: 'file_versions',
    name: 'release_blob',
    event: 'delete',
    run: [`update blobs set unsure_since = ${nowSql} where id = old.blob_id;`],
    purpose: 'Queue a check whether the bytes are still in use.',
  }),
];
