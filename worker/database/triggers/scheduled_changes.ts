// Triggers that store when each item changes by time alone.

import { schedules } from './change_sources.ts';
import { everyEvent, ofRow, trigger } from './trigger.ts';

export const scheduleTriggers = schedules.flatMap(({ table, kind, item, scope, fields, when, prefix = '' }) =>
  fields.flatMap((field) =>
    everyEvent.map((event) => {
      const row = event === 'delete' ? 'old' : 'new';
      const at = (sql: string) => ofRow(sql, row);
      const name = `${at(prefix)}'${field}'`;
      const forget = `delete from scheduled_changes where kind = '${kind}' and item_id = ${at(item)} and scope = ${at(scope)} and field = ${name};`;
      const note = `insert into scheduled_changes (scope, kind, item_id, field, at) select ${at(scope)}, '${kind}', ${at(item)}, ${name}, new.${field} where new.${field} is not null${when ? ` and ${at(when)}` : ''};`;
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
