// The module item sequence: the previous and next item across the modules of a course.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { readId } from '../../../contexts/references';
import { atMost } from '../../../database/at_most';
import { isInSelect } from '../../../database/ids';
import type { Call } from '../../../http/call';
import { ascending, rows } from '../../../http/listing';
import { problem } from '../../../http/problem';
import { planListing } from '../../../http/serializer';
import { pageIdOf } from '../../../rules/pages/which';
import { module } from '../json';
import { seenItems, visibleModules } from '../policy';
import { module_items, modules } from '../table';
import { moduleItem } from './json';

const assetTypes = ['ModuleItem', 'File', 'Page', 'Discussion', 'Assignment', 'Quiz', 'ExternalTool'];
/** An asset may be in several modules; at most this many are returned. */
const mostNodes = 10;

/** The items with this asset, as a condition on `seen`. */
function isAsset(course: CourseContext, type: string, given: string): SQL {
  const id = readId(given) ?? 0;
  switch (type) {
    case 'ModuleItem':
      return sql`id = ${id}`;
    case 'Page':
      return sql`type = 'Page' and content_id = (${pageIdOf({ context_type: 'Course', context_id: course.id }, given)})`;
    case 'Assignment':
      return sql`(type = 'Assignment' and content_id = ${id}) or (type = 'Discussion' and content_id in (select id from discussion_topics where assignment_id = ${id}))`;
    case 'Discussion':
      return sql`(type = 'Discussion' and content_id = ${id}) or (type = 'Assignment' and content_id = (select assignment_id from discussion_topics where id = ${id}))`;
    default:
      return sql`type = ${type} and content_id = ${id}`;
  }
}

const order = sql`order by modules.position, modules.id, module_items.position, module_items.id`;

/** @throws Problem 400 for an invalid asset type */
export async function sequenceOf(call: Call, course: CourseContext, type = '', id = '') {
  if (!assetTypes.includes(type)) throw problem(400, 'invalid asset_type');
  if (id === '') throw problem(400, 'missing asset_id');
  const { db } = call;
  const seen = sql`select module_items.id, module_items.type, module_items.content_id,
      lag(module_items.id) over (${order}) as prev, lead(module_items.id) over (${order}) as next
    from modules join module_items on module_items.module_id = modules.id where ${and(visibleModules(course, call), seenItems(course, call))}`;
  const nodes = sql`select * from (${seen}) seen where ${isAsset(course, type, id)} limit ${atMost(mostNodes)}`;
  const neighbours = sql`with nodes as materialized (${nodes}) select id from nodes union select prev from nodes union select next from nodes`;
  const items = planListing(moduleItem, rows(module_items, { where: isInSelect(module_items.id, neighbours) }), call);
  const around = planListing(
    module,
    rows(modules, {
      where: and(eq(modules.course_id, course.id), sql`${modules.id} in (select module_id from module_items where id in (${neighbours}))`),
      order: ascending(modules.position, modules.id),
    }),
    call,
  );
  const [found, ...results] = await db.perform([
    db.build
      .select({
        id: sql<number>`id`.as('id'),
        prev: sql<number | null>`prev`.as('prev'),
        next: sql<number | null>`next`.as('next'),
      })
      .from(sql`(${nodes})`),
    ...items.statements,
    ...around.statements,
  ]);
  const result = new Map(items.tell(results.slice(0, items.statements.length)).map(({ row, json }) => [row.id, json]));
  const item = (at: number | null) => (at === null ? null : (result.get(at) ?? null));
  return {
    items: found.map((node) => ({ prev: item(node.prev), current: item(node.id), next: item(node.next) })),
    modules: around.tell(results.slice(items.statements.length)).map(({ json }) => json),
  };
}
