// What in a course holds the words of a search, as far as the caller may read it: a body that is shut for them is neither searched nor told.

import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import { visible as visibleAssignments } from '../assignments/policy';
import { assignments } from '../assignments/table';
import { visible as visibleTopics } from '../discussion_topics/policy';
import { discussion_topics } from '../discussion_topics/table';
import { listed as listedPages } from '../pages/policy';
import { pages } from '../pages/table';
import { wikiOf } from '../pages/wiki';

export interface FoundRow {
  readonly id: number;
  readonly title: string;
  readonly body: string | null;
  /** The slug of a page. */
  readonly url: string | null;
  readonly is_announcement: number;
  readonly workflow_state: string;
  readonly due_at: string | null;
  readonly modules: string;
}

/** So many of each kind are weighed. */
const most = 200;

/** What a module holds back, or its dates do; whoever teaches is never shut out. */
const isShut = (type: string, id: string, now: string, dates: SQL): SQL =>
  sql`(exists (select 1 from module_items i join modules m on m.id = i.module_id where i.type = ${sql.raw(`'${type}'`)} and i.content_id = ${sql.raw(id)} and i.workflow_state = 'active' and m.workflow_state = 'active'
    and (m.unlock_at > ${now} or m.require_sequential_progress = 1 or json_array_length(m.prerequisite_module_ids) > 0)) or ${dates})`;

const datesShut = (assignment: string, now: string): SQL =>
  sql`exists (select 1 from assignments d where d.id = ${sql.raw(assignment)} and (d.unlock_at > ${now} or d.lock_at < ${now}
    or exists (select 1 from assignment_overrides v where v.assignment_id = d.id and v.workflow_state = 'active' and (v.unlock_at > ${now} or v.lock_at < ${now}))))`;

const modulesOf = (type: string, id: string, course: CourseContext): SQL<string> =>
  sql<string>`(select json_group_array(json_object('id', m.id, 'name', m.name, 'position', m.position, 'published', m.workflow_state)) from module_items i join modules m on m.id = i.module_id
    where i.type = ${sql.raw(`'${type}'`)} and i.content_id = ${sql.raw(id)} and i.workflow_state = 'active' and m.workflow_state ${sql.raw(course.readsAsAdmin ? "<> 'deleted'" : "= 'active'")})`;

/** Statements that read what may hold the words, in the order of `kinds`. */
export function selectFinds(call: Call & { readonly course: CourseContext }, words: readonly string[]) {
  const { db, course, now } = call;
  const holds = (title: string, body: SQL) =>
    words.map((word) => sql`(instr(lower(${sql.raw(title)}), ${word}) > 0 or instr(lower(coalesce(${body}, '')), ${word}) > 0)`);
  const bodyOf = (column: string, shut: SQL) =>
    course.readsAsAdmin ? sql.raw(column) : sql`(case when ${shut} then null else ${sql.raw(column)} end)`;
  const ofPages = bodyOf('pages.body', isShut('Page', 'pages.id', now, sql`0`));
  const ofAssignments = bodyOf('assignments.description', isShut('Assignment', 'assignments.id', now, datesShut('assignments.id', now)));
  const ofTopics = bodyOf(
    'discussion_topics.message',
    isShut(
      'Discussion',
      'discussion_topics.id',
      now,
      sql`(coalesce(discussion_topics.delayed_post_at > ${now}, 0) or coalesce(discussion_topics.lock_at < ${now}, 0) or ${datesShut('discussion_topics.assignment_id', now)})`,
    ),
  );
  const find = (select: SQL, from: SQL, where: SQL | undefined) =>
    db.build.all<FoundRow>(sql`select ${select} from ${from} where ${where} order by 1 desc limit ${most}`);
  return {
    pages: find(
      sql`pages.id, pages.title, ${ofPages} as body, pages.url, 0 as is_announcement, pages.workflow_state, null as due_at, ${modulesOf('Page', 'pages.id', course)} as modules`,
      sql`${pages}`,
      and(listedPages(wikiOf(call)), ...holds('pages.title', ofPages)),
    ),
    assignments: find(
      sql`assignments.id, assignments.name as title, ${ofAssignments} as body, null as url, 0 as is_announcement, assignments.workflow_state, assignments.due_at, ${modulesOf('Assignment', 'assignments.id', course)} as modules`,
      sql`${assignments}`,
      and(visibleAssignments(course, call), ...holds('assignments.name', ofAssignments)),
    ),
    discussion_topics: find(
      sql`discussion_topics.id, discussion_topics.title, ${ofTopics} as body, null as url, discussion_topics.is_announcement, discussion_topics.workflow_state, null as due_at, ${modulesOf('Discussion', 'discussion_topics.id', course)} as modules`,
      sql`${discussion_topics}`,
      and(visibleTopics(course, call), ...holds('discussion_topics.title', ofTopics)),
    ),
  } satisfies Record<string, Statement>;
}
