// Writes and times that change a file in the feed, and what blueprints record and lock of it.

import { type BlueprintSource, context, courseContent, type ScheduleSource, type TriggerSource } from '../../database/triggers/source.ts';
import { foldersBelow, keepsVersion, pathIsBelow } from './folders/change_sources.ts';

const filesBelow = `select lower(f.context_type) || '_' || f.context_id, 'file', f.id from files f
    where f.folder_id in (select $.id union all select d.id from folders d where ${pathIsBelow})`;

/** If nothing is restricted, moving a folder changes nothing else for anyone. */
const isRestricting = `exists (select 1 from folders r where r.context_type = $.context_type and r.context_id = $.context_id
    and r.workflow_state = 'visible' and (r.hidden = 1 or r.locked = 1 or r.lock_at is not null or r.unlock_at is not null))`;

export const fileSources: readonly TriggerSource[] = [
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
    kind: 'file',
    as: 'moved',
    logs: 'each `file` and `folder` below',
    events: ['update'],
    columns: ['parent_folder_id'],
    when: isRestricting,
    select: `${filesBelow} union all ${foldersBelow}`,
  },
  {
    table: 'files',
    kind: 'file',
    item: '$.id',
    scope: context,
    when: "$.workflow_state <> 'pending' and $.context_type <> 'Account'",
    // A change of a deleted file changes nothing for clients.
    onUpdate: `${keepsVersion} and (new.workflow_state <> 'deleted' or old.workflow_state <> 'deleted')`,
  },
];

export const fileSchedule: readonly ScheduleSource[] = [
  { table: 'files', kind: 'file', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
];

export const fileBlueprint = {
  table: 'files',
  kind: 'file',
  ...courseContent,
  of: `${courseContent.of} and $.workflow_state <> 'pending'`,
  locks: { content: ['display_name', 'blob_id'], availability_dates: ['unlock_at', 'lock_at'], state: ['locked', 'hidden'] },
} as const satisfies BlueprintSource;
