// Links to resources of tools in copied courses: the copy of an assignment, a module item or a text has a link of its own, with the same custom values.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../database/open';
import { shared } from '../database/shared';
import { copyOf, type Route, randomHex } from './copied_kind';
import { newestLink, type PlaceOfLink } from './resource_links';

/** The copy of a tool, or the tool itself where the target can use it: one of the target or of its accounts. Null without one. */
export const toolThere = (id: SQL, route: Route): SQL => sql`(select tool.id from external_tools tool
  where tool.id = coalesce(${copyOf('external_tool', id, route)}, ${id}) and tool.workflow_state = 'active'
    and ((tool.context_type = 'Course' and tool.context_id = ${shared('course', route.to)}) or (tool.context_type = 'Account'
      and tool.context_id in (select up.ancestor_id from courses here join account_ancestors up on up.account_id = here.account_id where here.id = ${shared('course', route.to)}))))`;

/** The links `o` of the originals of a step, with the copy of their place and of their tool. */
const copiedPlaces = (
  place: PlaceOfLink,
  ids: SQL,
  route: Route,
): SQL => sql`select l.item_id as place, o.title, o.url, o.custom, o.lookup_uuid,
    ${toolThere(sql`o.external_tool_id`, route)} as tool
  from copied_items l join lti_resource_links o on o.id = ${newestLink(place, sql`l.source_id`)}
  where l.course_id = ${shared('course', route.to)} and l.kind = ${sql.raw(`'${place}'`)} and l.source_id in ${ids} and l.copy_id = ${shared('item', route.copy_id)}`;

/** A link keeps its lookup uuid in the other course, because texts and packages name it by that. */
const freeLookup = (uuid: SQL, { to }: Route): SQL =>
  sql`case when exists (select 1 from lti_resource_links x where x.lookup_uuid = ${uuid} and x.course_id = ${shared('course', to)}) then ${randomHex} else ${uuid} end`;

/**
 * Gives the copies of assignments or module items the links of their originals.
 * @param ids a select of the originals
 */
export function linksFollowPlaces(db: Database, place: PlaceOfLink, ids: SQL, route: Route): Statement[] {
  const stamp = shared('time', route.now);
  const column = sql.raw(`${place}_id`);
  const uuid = place === 'assignment' ? sql`(select a.lti_context_id from assignments a where a.id = n.place)` : randomHex;
  return [
    db.build.run(sql`update lti_resource_links set title = n.title, url = n.url, custom = n.custom, external_tool_id = n.tool, workflow_state = 'active', updated_at = ${stamp}
      from (${copiedPlaces(place, ids, route)}) n where lti_resource_links.${column} = n.place and n.tool is not null`),
    db.build.run(sql`insert into lti_resource_links (course_id, external_tool_id, resource_type, ${column}, resource_link_uuid, lookup_uuid, title, url, custom, workflow_state, created_at, updated_at)
      select ${shared('course', route.to)}, n.tool, ${sql.raw(`'${place}'`)}, n.place, ${uuid}, ${freeLookup(sql`n.lookup_uuid`, route)}, n.title, n.url, n.custom, 'active', ${stamp}, ${stamp}
      from (${copiedPlaces(place, ids, route)}) n where n.tool is not null and not exists (select 1 from lti_resource_links x where x.${column} = n.place)
      on conflict do nothing`),
  ];
}

/** The duplicate of an assignment in its own course has a link of its own, too. @param copy its id, as SQL */
export const duplicateLink = (db: Database, source: number, copy: SQL, now: string): Statement =>
  db.build.run(sql`insert into lti_resource_links (course_id, external_tool_id, resource_type, assignment_id, resource_link_uuid, lookup_uuid, title, url, custom, workflow_state, created_at, updated_at)
    select o.course_id, o.external_tool_id, 'assignment', a.id, a.lti_context_id, ${randomHex}, o.title, o.url, o.custom, 'active', ${shared('time', now)}, ${shared('time', now)}
    from lti_resource_links o join assignments a on a.id = ${copy} where o.id = ${newestLink('assignment', sql`${source}`)}`);

/** What a tool has said about the line items of copied assignments that open it. */
export const lineItemsFollowCopies = (db: Database, ids: SQL, route: Route): Statement[] => [
  db.build.run(sql`insert into line_items (id, course_id, external_tool_id, is_coupled, tag, resource_id, launch_url, created_at, updated_at)
    select n.place, ${shared('course', route.to)}, n.tool, 1, n.tag, n.resource_id, n.launch_url, ${shared('time', route.now)}, ${shared('time', route.now)}
    from (select l.item_id as place, o.tag, o.resource_id, o.launch_url, ${toolThere(sql`o.external_tool_id`, route)} as tool
      from copied_items l join line_items o on o.id = l.source_id
      where l.course_id = ${shared('course', route.to)} and l.kind = 'assignment' and l.source_id in ${ids} and l.copy_id = ${shared('item', route.copy_id)} and o.is_coupled = 1) n
    where n.tool is not null
    on conflict (id) do update set tag = excluded.tag, resource_id = excluded.resource_id, updated_at = excluded.updated_at`),
];

const mention = /[?&;]resource_link_lookup_uuid=([\w-]{1,100})/g;

/** The lookup uuids of the links in a text. Pure. */
export const linksMentioned = (html: string | null): string[] => [...(html ?? '').matchAll(mention)].map(([, uuid]) => uuid as string);

/** Copies the links that texts contain, under the same lookup uuids. */
export function linksFollowTexts(db: Database, texts: readonly (string | null)[], route: Route): Statement[] {
  const uuids = [...new Set(texts.flatMap(linksMentioned))];
  if (uuids.length === 0) return [];
  const stamp = shared('time', route.now);
  return [
    db.build.run(sql`insert into lti_resource_links (course_id, external_tool_id, resource_type, resource_link_uuid, lookup_uuid, title, url, custom, workflow_state, created_at, updated_at)
      select ${shared('course', route.to)}, n.tool, 'rich_content', ${randomHex}, n.lookup_uuid, n.title, n.url, n.custom, 'active', ${stamp}, ${stamp}
      from (select o.lookup_uuid, o.title, o.url, o.custom, ${toolThere(sql`o.external_tool_id`, route)} as tool from json_each(${JSON.stringify(uuids)}) j
        join lti_resource_links o on o.lookup_uuid = j.value and o.course_id = ${route.from} and o.workflow_state = 'active') n
      where n.tool is not null
      on conflict (lookup_uuid, course_id) do update set title = excluded.title, url = excluded.url, custom = excluded.custom,
        external_tool_id = excluded.external_tool_id, workflow_state = 'active', updated_at = excluded.updated_at
        where lti_resource_links.resource_type = 'rich_content'`),
  ];
}
