// After a write, notifies the sockets of the users concerned. Runs after the response.

import { textOfType } from '../contexts/predicates';
import { staffOf } from '../domains/enrollments/table';
import type { Platform } from '../platform';

/** How far back the change log is searched: a batch rarely changes more, and a missed notification costs only latency. */
const recent = 400;

const whomItConcerns = `
  with fresh(scope) as (
    select distinct scope from changes where seq > (select coalesce(max(seq), 0) - ${recent} from changes) and changed_at >= ?
  )
  select user_id from live_users l
  where exists (
    select 1 from fresh where scope = 'accounts'
    union all
    select 1 from fresh where scope = 'user_' || l.user_id
    union all
    select 1 from fresh join enrollments e on fresh.scope = 'course_' || e.course_id or (fresh.scope = 'staff_' || e.course_id and ${textOfType(staffOf, 'e')})
      where e.user_id = l.user_id and e.enrollment_state <> 'deleted'
    union all
    -- Includes users who have just left.
    select 1 from group_memberships m join fresh on fresh.scope = 'group_' || m.group_id where m.user_id = l.user_id
  )`;

/** @param since when the writing request began */
export async function notifySockets(env: Platform, since: string): Promise<void> {
  const { results } = await env.DB.prepare(whomItConcerns).bind(since).all<{ user_id: number }>();
  await Promise.all(results.map(({ user_id }) => env.USER_FEED.get(env.USER_FEED.idFromName(String(user_id))).nudge()));
}
