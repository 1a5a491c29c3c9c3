// Adds the tallies of page views to the counters. Each pass reads the oldest tallies and deletes them in one transaction, so that none is counted
// twice. Called by the scheduled run.

import { type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import type { Retention } from '../../database/retention';

/** A pass reads tallies up to this number of entries, from this many rows. */
const mostEntries = 50_000;
const mostTallies = 200;

/** At most 4000 entries are in a row, so that one row always fits. */
const oldest = sql`(select max(id) from (select t.id, sum(t.size) over (order by t.id) as total from (select id, size from page_view_tallies order by id limit ${atMost(mostTallies)}) t)
  where total <= ${atMost(mostEntries)})`;

const week = sql.raw('(j.value ->> 2) / 168 * 168 * 3600');
/** The start of an hour as a day. */
const day = sql.raw("strftime('%Y-%m-%d', (j.value ->> 2) * 3600, 'unixepoch')");
/** The members of an entry: see `TallyEntry`. */
const member = (nth: number): SQL => sql.raw(`(j.value ->> ${nth})`);
const [course, user, hour, category, views, participations, participated] = [0, 1, 2, 3, 4, 5, 6].map(member) as [
  SQL,
  SQL,
  SQL,
  SQL,
  SQL,
  SQL,
  SQL,
];

/** The counters that the tallies up to an id are added to. */
function additions({ build }: Database, last: number): Statement[] {
  const entries = sql`from page_view_tallies t cross join json_each(t.entries) j where t.id <= ${last}`;
  const ofStudents = sql`${entries} and exists (select 1 from course_students s where s.course_id = ${course} and s.user_id = ${user} and s.is_student = 1)`;
  return [
    build.run(sql`insert into course_activity (course_id, day, views, participations)
      select ${course}, ${day}, sum(${views}), sum(${participations}) ${entries} group by 1, 2
      on conflict (course_id, day) do update set views = views + excluded.views, participations = participations + excluded.participations`),
    build.run(sql`insert into course_categories (course_id, category, views)
      select ${course}, ${category}, sum(${views}) ${entries} group by 1, 2
      on conflict (course_id, category) do update set views = views + excluded.views`),
    build.run(sql`insert into student_weeks (course_id, user_id, week, hours, participated)
      select ${course}, ${user}, ${week}, group_concat(${hour} || ' ' || ${views} || ',', ''), group_concat(${participated}, '') ${ofStudents} group by 1, 2, 3
      on conflict (course_id, user_id, week) do update set hours = hours || excluded.hours, participated = participated || excluded.participated`),
    build.run(sql`update course_students set page_views = page_views + added.views, participations = course_students.participations + added.participations
      from (select ${course} as course_id, ${user} as user_id, sum(${views}) as views, sum(${participations}) as participations ${entries} group by 1, 2) added
      where course_students.course_id = added.course_id and course_students.user_id = added.user_id`),
    build.run(sql`insert into course_figures (course_id, workflow_state) select distinct ${course}, 'stale' ${entries}
      on conflict (course_id) do update set workflow_state = 'stale' where workflow_state <> 'stale'`),
    build.run(sql`delete from page_view_tallies where id <= ${last}`),
  ];
}

/** @returns how many tallies are left */
export async function countViews(db: Database): Promise<number> {
  const [[first]] = await db.perform([db.build.all<{ last: number | null }>(sql`select ${oldest} as last`)]);
  const last = first?.last ?? 0;
  if (last === 0) return 0;
  const results: readonly unknown[] = await db.perform([
    ...additions(db, last),
    db.build.all<{ count: number }>(
      sql`select count(*) as count from (select 1 from page_view_tallies where id > ${last} limit ${atMost(mostTallies)})`,
    ),
  ]);
  return (results.at(-1) as { count: number }[])[0]?.count ?? 0;
}

/** A course's activity is kept for a school year with its holidays, a student's for a term. */
export const activityRetentions: readonly Retention[] = [
  { table: 'course_activity', by: 'day', days: 400 },
  { table: 'student_weeks', by: 'week', days: 120, isInSeconds: true },
];
