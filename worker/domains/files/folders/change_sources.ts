// Writes and times that change a folder in the feed, and what blueprints record of it.

import {
  type BlueprintSource,
  context,
  courseContent,
  type ScheduleSource,
  type TriggerSource,
} from '../../../database/triggers/source.ts';

// `0` follows `/` in ASCII: a range, so that the index on paths is used.
export const pathIsBelow =
  "d.context_type = $.context_type and d.context_id = $.context_id and d.full_name > $.full_name || '/' and d.full_name < $.full_name || '0'";

export const foldersBelow = `select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where ${pathIsBelow}`;

/** The version is updated in the same statement as the change it counts, which is already logged. */
export const keepsVersion = 'new.version is old.version';

export const folderSources: readonly TriggerSource[] = [
  // Account files belong to jobs and are not in any feed.
  { table: 'folders', kind: 'folder', item: '$.id', scope: context, when: "$.context_type <> 'Account'", onUpdate: keepsVersion },
  {
    table: 'folders',
    kind: 'folder',
    as: 'below',
    logs: 'each `folder` below',
    events: ['update'],
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
    select: foldersBelow,
  },
  // A folder's JSON contains the number of its folders visible to the caller.
  {
    table: 'folders',
    kind: 'folder',
    as: 'parent',
    logs: 'the parent `folder`',
    item: '$.parent_folder_id',
    scope: context,
    when: "$.parent_folder_id is not null and $.context_type <> 'Account'",
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
  },
  // A folder's JSON contains the number of its files visible to the caller.
  {
    table: 'files',
    kind: 'folder',
    item: '$.folder_id',
    scope: context,
    when: "$.workflow_state <> 'pending' and $.context_type <> 'Account'",
    columns: ['workflow_state', 'locked', 'hidden', 'lock_at', 'unlock_at', 'folder_id'],
  },
];

export const folderSchedule: readonly ScheduleSource[] = [
  { table: 'folders', kind: 'folder', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
  {
    table: 'files',
    kind: 'folder',
    item: '$.folder_id',
    scope: context,
    fields: ['unlock_at', 'lock_at'],
    prefix: "'file_' || $.id || '_' || ",
  },
];

export const folderBlueprint: BlueprintSource = {
  table: 'folders',
  kind: 'folder',
  ...courseContent,
  noted: ['name', 'parent_folder_id', 'lock_at', 'unlock_at', 'locked', 'hidden', 'workflow_state'],
};
