// Changes caused by pages, files and folders.

import { context, holders, type TriggerSource } from './source.ts';

// `0` follows `/` in ASCII: a range, so that the index on paths is used.
const isBelow =
  "d.context_type = $.context_type and d.context_id = $.context_id and d.full_name > $.full_name || '/' and d.full_name < $.full_name || '0'";

const filesBelow = `select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select $.id union all select d.id from folders d where ${isBelow})`;

const foldersBelow = `select lower(d.context_type) || '_' || d.context_id, 'folder', d.id from folders d where ${isBelow}`;

/** If nothing is restricted, moving a folder changes nothing else for anyone. */
const isRestricting = `exists (select 1 from folders r where r.context_type = $.context_type and r.context_id = $.context_id
    and r.workflow_state = 'visible' and (r.hidden = 1 or r.locked = 1 or r.lock_at is not null or r.unlock_at is not null))`;

/** The version is updated in the same statement as the change it counts, which is already logged. */
const isNoVersion = 'new.version is old.version';

export const ofContent: readonly TriggerSource[] = [
  { table: 'pages', kind: 'page', item: '$.id', scope: context },
  { table: 'pages', kind: 'module', columns: ['title', 'url', 'workflow_state', 'front_page', 'publish_at'], ...holders('Page') },
  // Account files belong to jobs and are not in any feed.
  { table: 'folders', kind: 'folder', item: '$.id', scope: context, when: "$.context_type <> 'Account'", onUpdate: isNoVersion },
  {
    table: 'folders',
    kind: 'file',
    logs: 'each `file` below',
    events: ['update'],
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
    select: filesBelow,
  },
  {
    table: 'folders',
    kind: 'folder',
    as: 'below',
    logs: 'each `folder` below',
    events: ['update'],
    columns: ['locked', 'hidden', 'lock_at', 'unlock_at'],
    select: foldersBelow,
  },
  {
    table: 'folders',
    kind: 'file',
    as: 'moved',
    logs: 'each `file` and `folder` below',
    events: ['update'],
    columns: ['parent_folder_id'],
    when: isRestricting,
    select: `${filesBelow} union all ${foldersBelow}`,
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
  {
    table: 'files',
    kind: 'file',
    item: '$.id',
    scope: context,
    when: "$.workflow_state <> 'pending' and $.context_type <> 'Account'",
    // A change of a deleted file changes nothing for clients.
    onUpdate: `${isNoVersion} and (new.workflow_state <> 'deleted' or old.workflow_state <> 'deleted')`,
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
  {
    table: 'files',
    kind: 'module',
    when: "$.workflow_state <> 'pending'",
    columns: ['display_name', 'workflow_state', 'locked', 'hidden', 'lock_at', 'unlock_at', 'usage_rights'],
    ...holders('File'),
  },
];
