// A user's calendars: their own, those of their courses and visible sections, and of their groups.

import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { answer } from '../../http/reply';
import { colorOf, courseNameSql } from './json';
import { isOwnSection } from './readable_contexts';

interface Found {
  readonly code: string;
  readonly name: string;
  readonly sections: string;
}

/** Courses by name, then groups by name. */
const places = (call: Pick<Call, 'db' | 'me'>) =>
  call.db.build.all<Found>(sql`select 1 as place, 'course_' || c.id as code, ${courseNameSql(sql.raw('c.id'), call)} as name,
      (select json_group_array(json_object('id', cast(s.id as text), 'name', s.name, 'asset_string', 'course_section_' || s.id)) from sections s
        where s.course_id = c.id and s.workflow_state = 'active' and ${isOwnSection(sql.raw('s'), call)}) as sections
    from courses c where c.workflow_state = 'available' and c.id in (select course_id from enrollments where user_id = ${shared('user', call.me.id)} and enrollment_state = 'active')
    union all select 2, 'group_' || g.id, g.name, '[]' from groups g join group_memberships m on m.group_id = g.id
    where m.user_id = ${shared('user', call.me.id)} and m.workflow_state = 'accepted' and g.workflow_state = 'available'
    order by place, name, code`);

export const visibleContexts = get(
  '/calendar_events/visible_contexts',
  { can: 'user', returns: { json: null }, summary: 'List visible calendar contexts' },
  async (call) => {
    const { db, me } = call;
    const [found] = await db.perform([places(call)]);
    const context = (asset_string: string, name: string, sections: unknown) => ({
      id: asset_string.slice(asset_string.lastIndexOf('_') + 1),
      name,
      asset_string,
      color: colorOf(asset_string, call),
      selected: true,
      sections,
    });
    return answer({
      contexts: [context(`user_${me.id}`, me.user.name, []), ...found.map((one) => context(one.code, one.name, JSON.parse(one.sections)))],
    });
  },
);
