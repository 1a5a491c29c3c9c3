// Announcements of several courses at once.

import { bool, commaList, optional, referenceTo, text } from '@carrel/shared/wire/fields';
import { and, type SQL, sql } from 'drizzle-orm';
import { isActiveOrPastStaff } from '../../contexts/predicates';
import { type CourseRows, courseContextsOf, courseStatements } from '../../contexts/several';
import { theIds } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { ascending, descending, marksOf, rows } from '../../http/listing';
import { notFound, unauthorized } from '../../http/problem';
import { pageOfRows, type Reply } from '../../http/reply';
import { planListing } from '../../http/serializer';
import { rosterAccounts } from '../conversations/recipients/reach';
import { discussionTopic } from '../discussion_topics/json';
import { announcedAt } from '../discussion_topics/listing';
import { discussion_topics as topics } from '../discussion_topics/table';

import { announcementWindowOf, courseIdsNamed } from './window';

export const about = { title: 'Announcements', description: 'Announcements of several courses in one list.' };

interface Params {
  readonly context_codes?: readonly string[];
  readonly start_date?: string;
  readonly end_date?: string;
  readonly active_only?: boolean;
  readonly latest_only?: boolean;
}

/** Whether the caller sees unpublished announcements of this course, as its staff or administrators do. */
const isStaffIn = (call: Call, course_id: SQL): SQL =>
  sql`(exists (select 1 from enrollments e where e.user_id = ${call.me.id} and e.course_id = ${course_id} and ${isActiveOrPastStaff('e')})
    or exists (select 1 from courses c where c.id = ${course_id} and c.account_id in (${rosterAccounts(call.me)})))`;

/** Addressed to the whole course, or to one of the caller's sections. */
const isAddressed = (me: number): SQL =>
  sql`(discussion_topics.section_ids is null or exists (select 1 from json_each(discussion_topics.section_ids) s join enrollments e on e.course_section_id = s.value where e.user_id = ${me} and e.enrollment_state not in ('deleted', 'rejected')))`;

function shown(call: Call, named: readonly number[], given: Params): SQL {
  const ids = theIds(named);
  // A single course is compared with `=`, so that SQLite walks its index in order.
  const which = named.length === 1 ? sql`= ${named[0]}` : sql`in (${ids})`;
  const { now, me, institution } = call;
  const { start, end } = announcementWindowOf(
    given.start_date,
    given.end_date,
    now,
    me.user.time_zone ?? institution.root.default_time_zone,
  );
  const isOut = sql`(discussion_topics.workflow_state = 'active' or (discussion_topics.workflow_state = 'post_delayed' and discussion_topics.delayed_post_at <= ${now}))`;
  const staffInAll = sql`not exists (select 1 from (${ids}) named where not ${isStaffIn(call, sql`named.value`)})`;
  return and(
    sql`discussion_topics.context_type = 'Course' and discussion_topics.context_id ${which} and discussion_topics.is_announcement = 1`,
    // A separate bound at the bookmark, so that SQLite can start in the middle of the index.
    sql`${announcedAt} >= ${start}${call.page.after && !given.latest_only ? sql`` : sql` and ${announcedAt} <= ${end}`}`,
    given.active_only ? isOut : sql`(${isOut} or (discussion_topics.workflow_state = 'post_delayed' and ${staffInAll}))`,
    sql`(${isAddressed(call.me.id)} or ${isStaffIn(call, sql`discussion_topics.context_id`)})`,
  ) as SQL;
}

async function announcements(call: Call): Promise<Reply> {
  const { db, me, institution, now } = call;
  const given = call.params as Params;
  const named = courseIdsNamed(given.context_codes);
  const ids = theIds(named);
  const where = shown(call, named, given);
  const latest = sql`discussion_topics.id in (select id from (select discussion_topics.id, row_number() over (partition by discussion_topics.context_id order by ${announcedAt} desc, discussion_topics.id desc) as place from discussion_topics where ${where}) where place = 1)`;
  const listing = given.latest_only
    ? rows(topics, { where: latest, order: ascending(topics.context_id, topics.id) })
    : rows(topics, { where, order: descending(announcedAt, topics.id) });
  const { per_page, after, number } = call.page;
  const span = { limit: per_page + 1, offset: number === undefined ? 0 : (number - 1) * per_page, after };
  const plan = planListing(discussionTopic, listing, Object.assign(call, { courseIds: ids }), span);
  const courseParts = courseStatements(db, ids, me);
  const results = await db.perform([...courseParts, ...plan.statements]);
  const courses = courseContextsOf(results.slice(0, courseParts.length) as unknown as CourseRows, me, institution, now);
  if (named.some((id) => !courses.some((course) => course.id === id))) throw notFound();
  if (!courses.every((course) => course.canRead && course.can('read_announcements'))) throw unauthorized();
  Object.assign(call, { courses: new Map(courses.map((course) => [course.id, course])) });
  const result = plan.tell(results.slice(courseParts.length));
  const last = result.slice(0, per_page).at(-1);
  return pageOfRows(
    result.slice(0, per_page).map(({ json: { assignment: _, ...json } }) => json),
    result.length > per_page && last ? marksOf(listing, last.row as Record<string, unknown>) : null,
  );
}

export const announcementRoutes = [
  get(
    '/announcements',
    {
      can: 'user',
      params: {
        context_codes: optional(commaList(referenceTo('context'))),
        start_date: optional(text),
        end_date: optional(text),
        active_only: optional(bool),
        latest_only: optional(bool),
        text_only: optional(bool),
      },
      include: ['sections', 'sections_user_count'],
      returns: [discussionTopic],
      summary: 'List announcements of courses',
    },
    announcements,
  ),
];
