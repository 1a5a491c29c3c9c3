// Which events a list holds. Each calendar is walked along its index only as far as one page reaches.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { ascending, rows } from '../../http/listing';
import { startAfter } from '../../http/page';
import { calendar_events } from './table';

export const startsAt = sql`coalesce(calendar_events.start_at, '')`;

/**
 * @param codes a select of the codes whose events are wanted
 * @param within a condition on a row of calendar_events, by the name that it goes by
 */
export function eventsOf(codes: SQL, within: (event: SQL) => SQL, { page }: Pick<Call, 'page'>) {
  const most = page.per_page * (page.number ?? 1);
  const after = startAfter(page, 2);
  const chosen = (event: SQL) => {
    const beyond = after
      ? sql` and coalesce(${event}.start_at, '') >= ${after[0]} and (coalesce(${event}.start_at, ''), ${event}.id) > (${after[0]}, ${after[1]})`
      : sql``;
    return sql`${event}.context_code = code.code and ${event}.workflow_state <> 'deleted' and ${within(event)}${beyond}`;
  };
  // The page cannot reach beyond the event that would end it if this calendar were the only one.
  const end = sql`coalesce((select coalesce(c.start_at, '') from calendar_events c where ${chosen(sql.raw('c'))}
    order by coalesce(c.start_at, ''), c.id limit 1 offset ${most}), '~')`;
  return rows(calendar_events, {
    join: (select) => select.innerJoin(sql`(${codes}) code`, sql`${chosen(sql.raw('calendar_events'))} and ${startsAt} <= ${end}`),
    where: undefined,
    order: ascending(startsAt, calendar_events.id),
  });
}
