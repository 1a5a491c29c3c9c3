// Dashboard cards: one per course of the caller, or per favorite if there are any.

import type { DashboardCard } from '@carrel/shared/resources/dashboard_card';
import type { Json } from '@carrel/shared/resources/resource';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { colorOf, courseNameSql } from '../calendar_events/json';
import { ownCourseIds } from '../courses/own_courses';
import { pictureAddress, pictureOf } from '../courses/pictures';
import { staffTypes } from '../enrollments/table';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly told: string;
  readonly course_code: string | null;
  readonly term: string | null;
  readonly type: string;
  readonly enrollment_state: string;
  readonly observee: string | null;
  readonly is_favorite: number;
  readonly is_homeroom: number | null;
  readonly color: string | null;
  readonly image: string | null;
  readonly workflow_state: string;
  readonly default_view: string;
}

const links = [
  ['announcements', 'icon-announcement', 'Announcements', '/announcements'],
  ['assignments', 'icon-assignment', 'Assignments', '/assignments'],
  ['discussions', 'icon-discussion', 'Discussions', '/discussion_topics'],
  ['files', 'icon-folder', 'Files', '/files'],
] as const;

/** Of several enrollments in a course, the one with the highest role is shown. */
const weight = sql.raw(
  "case e.type when 'TeacherEnrollment' then 1 when 'TaEnrollment' then 2 when 'DesignerEnrollment' then 3 when 'StudentEnrollment' then 4 when 'StudentViewEnrollment' then 5 else 6 end",
);

export async function dashboardCards(call: Call): Promise<Json<typeof DashboardCard>[]> {
  const { db, me, now } = call;
  const favorites = sql`select context_id from favorites where user_id = ${shared('user', me.id)} and context_type = 'Course'`;
  const [rows] = await db.perform([
    db.build.all<Row>(sql`with own(id) as materialized (${ownCourseIds(me.id, { enrollment_state: 'active' }, now)}), favorite(id) as materialized (${favorites})
      select c.id, c.name, ${courseNameSql(sql.raw('c.id'), call)} as told, c.course_code, case when t.is_default then null else t.name end as term, e.type, e.enrollment_state,
        (select u.name from users u where u.id = e.observed_user_id) as observee, c.id in (select id from favorite) as is_favorite,
        json_extract(c.settings, '$.homeroom_course') as is_homeroom, json_extract(c.settings, '$.course_color') as color, ${pictureOf(sql.raw('c.id'))} as image, c.workflow_state, c.default_view, min(${weight}) as weight
      from courses c join terms t on t.id = c.enrollment_term_id join enrollments e on e.course_id = c.id and e.user_id = ${shared('user', me.id)} and e.enrollment_state = 'active'
      where c.id in (select id from own) and (not exists (select 1 from favorite where favorite.id in (select id from own)) or c.id in (select id from favorite))
      group by c.id order by told collate nocase, c.id`),
  ]);
  return rows.map((row) => {
    const href = `/courses/${row.id}`;
    const isStaff = staffTypes.has(row.type);
    return {
      id: row.id,
      longName: row.course_code === null ? row.name : `${row.name} - ${row.course_code}`,
      shortName: row.told,
      originalName: row.name,
      courseCode: row.course_code,
      assetString: `course_${row.id}`,
      href,
      term: row.term,
      subtitle: `enrolled as: ${row.type.replace('Enrollment', '')}`,
      enrollmentType: row.type,
      enrollmentState: row.enrollment_state,
      observee: row.observee,
      isFavorited: row.is_favorite === 1,
      isHomeroom: row.is_homeroom === 1,
      image: pictureAddress(row.image, call.origin),
      color: colorOf(`course_${row.id}`, call) ?? row.color,
      position: lookUp(me.user.settings.dashboard_positions as Record<string, number> | undefined, `course_${row.id}`) ?? null,
      published: row.workflow_state === 'available' || row.workflow_state === 'completed',
      defaultView: row.default_view,
      canManage: isStaff,
      links: links.map(([css_class, icon, label, path]) => ({ css_class, icon, hidden: false, path: `${href}${path}`, label })),
    };
  });
}
