// Finds course content that matches a search and that the caller may read; locked bodies are neither searched nor returned.

import { and, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { atMost } from '../../database/at_most';
import type { Statement } from '../../database/open';
import { type CourseText, isUnspaced, wordsMatch } from '../../database/triggers/course_words';
import type { Call } from '../../http/call';
import { effectiveDate } from '../../rules/assigned';
import { visibleAssignments } from '../assignments/policy';
import { overridesSeen } from '../assignments/viewpoint';
import { visibleTopics } from '../discussion_topics/policy';
import { listedPages } from '../pages/policy';
import { wikiOf } from '../pages/wiki';

export interface FoundRow {
  readonly id: number;
  readonly title: string;
  readonly body: string | null;
  /** The slug, for pages. */
  readonly url: string | null;
  readonly is_announcement: number;
  readonly workflow_state: string;
  readonly due_at: string | null;
  readonly modules: string;
}

/** Maximum number of matches per kind to rank. */
const most = 200;

/** Locked by a module or by dates; never for staff. */
const isShut = (type: string, id: string, now: string, dates: SQL): SQL =>
  sql`(exists (select 1 from module_items i join modules m on m.id = i.module_id where i.type = ${sql.raw(`'${type}'`)} and i.content_id = ${sql.raw(id)} and i.workflow_state = 'active' and m.workflow_state = 'active'
    and (m.unlock_at > ${now} or m.require_sequential_progress = 1 or json_array_length(m.prerequisite_module_ids) > 0)) or ${dates})`;

const datesShut = (assignment: string, now: string): SQL =>
  sql`exists (select 1 from assignments d where d.id = ${sql.raw(assignment)} and (d.unlock_at > ${now} or d.lock_at < ${now}
    or exists (select 1 from assignment_overrides v where v.assignment_id = d.id and v.workflow_state = 'active' and (v.unlock_at > ${now} or v.lock_at < ${now}))))`;

const modulesOf = (type: string, id: string, course: CourseContext): SQL<string> =>
  sql<string>`(select json_group_array(json_object('id', m.id, 'name', m.name, 'position', m.position, 'published', m.workflow_state)) from module_items i join modules m on m.id = i.module_id
    where i.type = ${sql.raw(`'${type}'`)} and i.content_id = ${sql.raw(id)} and i.workflow_state = 'active' and m.workflow_state ${sql.raw(course.readsAsAdmin ? "<> 'deleted'" : "= 'active'")})`;

interface Sought {
  readonly kind: CourseText;
  readonly table: string;
  readonly title: string;
  /** The body, as far as the caller may read it. */
  readonly body: SQL;
  readonly listed: SQL | undefined;
  readonly more: SQL;
}

/** Statements that read candidates, in the order of `kinds`. A match in a locked body is included without its body, and ranking then drops it. */
export function selectFinds(call: Call & { readonly course: CourseContext }, words: readonly string[]) {
  const { db, course, now } = call;
  const bodyOf = (column: string, shut: SQL) =>
    course.readsAsAdmin ? sql.raw(column) : sql`(case when ${shut} then null else ${sql.raw(column)} end)`;
  const find = ({ kind, table, title, body, listed, more }: Sought) => {
    const parts = words
      .filter(isUnspaced)
      .map((word) => sql`(instr(lower(${sql.raw(title)}), ${word}) > 0 or instr(lower(coalesce(${body}, '')), ${word}) > 0)`);
    // Walks the index backwards, so that no more rows are read than ranked.
    return db.build.all<FoundRow>(
      sql`select ${sql.raw(`${table}.id, ${title} as title`)}, ${body} as body, ${more} from course_words cross join ${sql.raw(table)} on ${sql.raw(table)}.id = course_words.rowid >> 2
        where course_words match ${wordsMatch(kind, course.id, words, !course.readsAsAdmin)} and ${and(listed, ...parts)}
        order by course_words.rowid desc limit ${atMost(words.length === 0 ? 0 : most)}`,
    );
  };
  return {
    pages: find({
      kind: 'p',
      table: 'pages',
      title: 'pages.title',
      body: bodyOf('pages.body', isShut('Page', 'pages.id', now, sql`0`)),
      listed: listedPages(wikiOf(call)),
      more: sql`pages.url, 0 as is_announcement, pages.workflow_state, null as due_at, ${modulesOf('Page', 'pages.id', course)} as modules`,
    }),
    assignments: find({
      kind: 'a',
      table: 'assignments',
      title: 'assignments.name',
      body: bodyOf('assignments.description', isShut('Assignment', 'assignments.id', now, datesShut('assignments.id', now))),
      listed: visibleAssignments(course, call),
      more: sql`null as url, 0 as is_announcement, assignments.workflow_state, ${effectiveDate('due_at', overridesSeen(call), now)} as due_at, ${modulesOf('Assignment', 'assignments.id', course)} as modules`,
    }),
    discussion_topics: find({
      kind: 't',
      table: 'discussion_topics',
      title: 'discussion_topics.title',
      body: bodyOf(
        'discussion_topics.message',
        isShut(
          'Discussion',
          'discussion_topics.id',
          now,
          sql`(coalesce(discussion_topics.delayed_post_at > ${now}, 0) or coalesce(discussion_topics.lock_at < ${now}, 0) or ${datesShut('discussion_topics.assignment_id', now)})`,
        ),
      ),
      listed: visibleTopics(course, call),
      more: sql`null as url, discussion_topics.is_announcement, discussion_topics.workflow_state, null as due_at, ${modulesOf('Discussion', 'discussion_topics.id', course)} as modules`,
    }),
  } satisfies Record<string, Statement>;
}
