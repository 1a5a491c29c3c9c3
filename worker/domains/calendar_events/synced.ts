// A calendar event in the feed: of the course or group, or the caller's own.

import { sql } from 'drizzle-orm';
import { rows } from '../../http/listing';
import type { SyncedKind } from '../../rules/synced_kind';
import { calendarEvent } from './json';
import { calendarCodes } from './readable_contexts';
import { calendar_events } from './table';

export const calendarEventSynced: SyncedKind = {
  kind: 'calendar_event',
  serializer: calendarEvent,
  home: (item) =>
    `(select case when code like 'group\\_%' escape '\\' then -cast(substr(code, 7) as integer) when code like 'course\\_%' escape '\\' and code not like 'course\\_section%' escape '\\' then cast(substr(code, 8) as integer) end
      from (select coalesce(effective_context_code, context_code) as code from calendar_events where id = ${item}))`,
  listing: (call) => {
    const own = call.group ? `group_${call.group.id}` : `user_${call.me.id}`;
    const codes = call.course ? calendarCodes([], sql`select ${call.course.id}`, call.me.id, call) : sql`select ${own}`;
    return rows(calendar_events, {
      where: sql`${calendar_events.workflow_state} <> 'deleted' and ${calendar_events.context_code} in (${codes})`,
    });
  },
};
