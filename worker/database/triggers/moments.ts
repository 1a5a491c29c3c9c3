// Triggers that store when each item changes by time alone.

import { kinds } from '@carrel/shared/sync/protocol';
import { context, courseScope } from './sources/source.ts';
import { everyEvent, trigger } from './trigger.ts';

/** The time columns of each kind. */
const clocks: readonly { table: string; kind: string; item: string; scope: string; fields: readonly string[]; prefix?: string }[] = [
  { table: 'assignments', kind: 'assignment', item: '$.id', scope: courseScope, fields: ['unlock_at', 'lock_at', 'due_at'] },
  {
    table: 'assignment_overrides',
    kind: 'assignment',
    item: '$.assignment_id',
    scope: courseScope,
    fields: ['unlock_at', 'lock_at', 'due_at'],
    prefix: "'override_' || $.id || '_' || ",
  },
  { table: 'modules', kind: 'module', item: '$.id', scope: courseScope, fields: ['unlock_at'] },
  { table: 'discussion_topics', kind: 'discussion_topic', item: '$.id', scope: context, fields: ['delayed_post_at', 'lock_at'] },
  { table: 'pages', kind: 'page', item: '$.id', scope: context, fields: ['publish_at'] },
  { table: 'folders', kind: 'folder', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
  { table: 'account_notifications', kind: 'account_notification', item: '$.id', scope: "'accounts'", fields: ['start_at', 'end_at'] },
  { table: 'files', kind: 'file', item: '$.id', scope: context, fields: ['unlock_at', 'lock_at'] },
  {
    table: 'files',
    kind: 'folder',
    item: '$.folder_id',
    scope: context,
    fields: ['unlock_at', 'lock_at'],
    prefix: "'file_' || $.id || '_' || ",
  },
];

/** By kind, so that the order of the triggers does not depend on the files. */
const byKind = kinds.flatMap((kind) => clocks.filter((clock) => clock.kind === kind));

export const momentTriggers = byKind.flatMap(({ table, kind, item, scope, fields, prefix = '' }) =>
  fields.flatMap((field) =>
    everyEvent.map((event) => {
      const row = event === 'delete' ? 'old' : 'new';
      const at = (sql: string) => sql.replaceAll('$.', `${row}.`);
      const name = `${at(prefix)}'${field}'`;
      const forget = `delete from moments where kind = '${kind}' and item_id = ${at(item)} and scope = ${at(scope)} and field = ${name};`;
      const note = `insert into moments (scope, kind, item_id, field, at) select ${at(scope)}, '${kind}', ${at(item)}, ${name}, new.${field} where new.${field} is not null;`;
      return trigger({
        on: table,
        name: `time_${kind}_${field}_${event}`,
        event,
        ...(event === 'update' && { of: [field] }),
        run: event === 'delete' ? [forget] : [forget, note],
        purpose: `Schedule the change of the \`${kind}\` at \`${field}\`.`,
      });
    }),
  ),
);
