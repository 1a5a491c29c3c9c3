// The endpoints of a course copy: what can be selected, and which copy each item has.

import { sql } from 'drizzle-orm';
import { loadedCourseRows, loadedCourses } from '../../../contexts/loaded_courses';
import type { Database, ResultOf } from '../../../database/open';
import { shared } from '../../../database/shared';
import type { Call } from '../../../http/call';
import { found, notFound, problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { courses } from '../../courses/table';
import { courseCopyType, isCartridge } from '../migrators';
import { contextOfMigrations, migrationHere } from '../policy';
import { content_migrations } from '../table';
import { countTypes, isTreeType, itemNodes, readItems, type TreeNames, topNodes } from './content_tree';

/** @throws Problem 400 for an unknown type */
function typeOf(given: string | undefined): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (!isTreeType(given)) throw problem(400, 'type is not a type of content that can be selected');
  return given;
}

const treeStatements = (db: Database, type: string | undefined, course: ReturnType<typeof sql>) =>
  type === undefined ? countTypes(db, course) : [...readItems(db, type, course)];

const nodesOf = (type: string | undefined, results: readonly unknown[], names: TreeNames): object[] | Promise<object[]> =>
  type === undefined
    ? topNodes(results as Parameters<typeof topNodes>[0], names)
    : itemNodes(type, results as Parameters<typeof itemNodes>[1], names);

/** The content of the course itself. */
export async function contentList({ db, course, origin, params }: Call & { readonly params: { readonly type?: string } }): Promise<Reply> {
  const it = found(course);
  const type = typeOf(params.type);
  const results = await db.perform(treeStatements(db, type, sql`${shared('course', it.id)}`));
  return answer(await nodesOf(type, results, { parameter: 'select', address: `${origin}/api/v1/courses/${it.id}/content_list` }));
}

/** The content of the source of a migration; nothing for one whose content cannot be selected. */
export async function selectiveData(call: Call & { readonly id: number; readonly params: { readonly type?: string } }): Promise<Reply> {
  const { db, id, origin, params } = call;
  const type = typeOf(params.type);
  const here = migrationHere(call, id);
  // A package is in its staging course.
  const source = sql`select coalesce(iif(is_staged = 1, staging_course_id, null), source_course_id) from content_migrations where ${here}`;
  const [migrations, sources, standing, ...results] = await db.perform([
    db.build.select().from(content_migrations).where(here),
    db.build.select().from(courses).where(sql`${courses.id} in (${source}) and ${courses.workflow_state} <> 'deleted'`),
    loadedCourseRows(source, call),
    ...treeStatements(db, type, sql`(${source})`),
  ]);
  const it = found(migrations[0]);
  if (it.migration_type !== courseCopyType && !(isCartridge(it.migration_type) && it.is_staged)) return answer([]);
  const [course] = sources;
  // Who may select may not be who started it.
  const readsSource = course && loadedCourses(standing as ResultOf<ReturnType<typeof loadedCourseRows>>, call)(course).context.readsAsAdmin;
  if (it.migration_type === courseCopyType && !readsSource) throw notFound();
  const { type: context, id: context_id } = contextOfMigrations(call);
  const address = `${origin}/api/v1/${context.toLowerCase()}s/${context_id}/content_migrations/${id}/selective_data`;
  return answer(await nodesOf(type, results, { parameter: 'copy', address }));
}

const mapped = sql`case l.kind when 'discussion_topic' then iif((select t.is_announcement from discussion_topics t where t.id = l.item_id) = 1, 'announcements', 'discussion_topics')
  when 'assignment' then 'assignments' when 'file' then 'files' when 'module_item' then 'module_items' when 'module' then 'modules' when 'page' then 'pages' when 'quiz' then 'quizzes' end`;

/** The copies of all items that were ever copied between the two courses. */
export async function assetIdMapping(call: Call & { readonly id: number }): Promise<Reply> {
  const { db, id, course } = call;
  const here = migrationHere(call, id);
  const [[it], pairs] = await db.perform([
    db.build.select().from(content_migrations).where(here),
    db.build.all<{ type: string; source_id: number; item_id: number }>(
      sql`select ${mapped} as type, l.source_id, l.item_id from copied_items l where l.course_id = ${found(course).id}
        and l.source_course_id = (select source_course_id from content_migrations where ${here}) and l.kind in ('assignment', 'discussion_topic', 'file', 'module_item', 'module', 'page', 'quiz')`,
    ),
  ]);
  const { workflow_state, source_course_id } = found(it);
  if (source_course_id === null) throw problem(400, 'The migration has no source course');
  if (workflow_state !== 'imported') throw problem(400, 'The migration is not complete');
  const mapping: Record<string, Record<string, string>> = {};
  for (const [type, some] of Map.groupBy(pairs, (pair) => pair.type))
    mapping[type] = Object.fromEntries(some.map(({ source_id, item_id }) => [String(source_id), String(item_id)]));
  return answer(mapping);
}
