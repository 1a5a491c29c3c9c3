// Stages links to resources of tools. A package names the tool of a link by its address only, so it must be one that the course has, or that comes with the
// package. Assignments, module items and texts name links by their lookup uuids.

import { sql } from 'drizzle-orm';
import type { PackagedResourceLink } from '../../../cartridge/content/resource_link';
import type { AssignmentSettings } from '../../../cartridge/settings/assignment';
import { toolFor } from '../../external_tools/matching';
import type { PackagedModule } from './plain_modules';
import { shortName } from './stage_settings';
import type { Staging } from './staging';

interface ToolAround {
  readonly id: number;
  readonly url: string | null;
  readonly domain: string | null;
}

/** The tools that the course has or gets, the nearest first. */
export async function toolsAround({ work, course }: Staging): Promise<readonly ToolAround[]> {
  const [tools] = await work.db.perform([
    work.db.build.all<ToolAround>(
      sql`select t.id, t.url, t.domain from (select 'Course' as type, c.value as id from json_each(${JSON.stringify([work.it.context_id, course])}) c
            union all select 'Account', up.ancestor_id from courses here join account_ancestors up on up.account_id = here.account_id where here.id = ${work.it.context_id}) p
          cross join external_tools t on t.context_type = p.type and t.context_id = p.id and t.workflow_state = 'active'
          order by (case p.type when 'Course' then 0 else 1 end), p.id desc, t.id`,
    ),
  ]);
  return tools;
}

const mostCustom = 100;
const longestValue = 4096;

/** The columns of a link; undefined where nothing can name it, or no tool opens it. Pure. */
export function linkRow({ title, url, custom, lookup_uuid }: PackagedResourceLink, tools: readonly ToolAround[]) {
  const tool = url.length <= 2000 ? toolFor(tools, url) : undefined;
  if (!tool || !/^[\w-]{1,100}$/.test(lookup_uuid)) return undefined;
  const values = Object.entries(custom).filter(([name, value]) => name !== '' && name.length <= 255 && value.length <= longestValue);
  return {
    identifier: lookup_uuid,
    external_tool_id: tool.id,
    title: shortName(title, '') || null,
    url,
    custom: Object.fromEntries(values.slice(0, mostCustom)),
  };
}

export async function stageResourceLinks(staging: Staging, given: readonly PackagedResourceLink[]): Promise<void> {
  const tools = await toolsAround(staging);
  const rows = new Map<string, NonNullable<ReturnType<typeof linkRow>>>();
  for (const link of given) {
    const row = linkRow(link, tools);
    if (row) rows.set(row.identifier, row);
    else
      staging.issue('warning', `The link to ${shortName(link.title, 'a tool')} was not imported, because the course has no tool for it.`);
  }
  staging.insert(
    'lti_resource_links',
    {
      course_id: sql`${staging.course}`,
      external_tool_id: true,
      resource_type: sql`'rich_content'`,
      resource_link_uuid: sql`lower(hex(randomblob(20)))`,
      lookup_uuid: sql`j.value ->> 'identifier'`,
      title: true,
      url: true,
      custom: true,
      workflow_state: sql`'active'`,
    },
    [...rows.values()],
  );
}

/** A staged link that nothing has yet. */
const freeLink = (
  staging: Staging,
) => sql`lti_resource_links.course_id = ${staging.course} and lti_resource_links.lookup_uuid = j.value ->> 'link'
  and lti_resource_links.assignment_id is null and lti_resource_links.module_item_id is null`;

/** Gives staged assignments their links, and what their tools have said of their line items. */
export function tieAssignmentLinks(staging: Staging, given: readonly AssignmentSettings[]): void {
  const rows = given.flatMap(({ identifier, resource_link_lookup_uuid: link, line_items = [] }) => {
    const said = line_items.find(({ coupled }) => coupled !== false);
    return link
      ? [{ identifier, link, tag: said?.tag?.slice(0, 1000) ?? null, resource_id: said?.resource_id?.slice(0, 1000) ?? null }]
      : [];
  });
  if (rows.length === 0) return;
  const assignment = staging.ref('assignment', 'identifier');
  const all = sql`json_each(${JSON.stringify(rows)}) j`;
  staging.run(
    sql`update lti_resource_links set resource_type = 'assignment', assignment_id = a.id, resource_link_uuid = a.lti_context_id
      from ${all} join assignments a on a.id = ${assignment} where ${freeLink(staging)}`,
  );
  staging.run(
    sql`insert into line_items (id, course_id, external_tool_id, is_coupled, tag, resource_id, created_at, updated_at)
      select l.assignment_id, ${staging.course}, l.external_tool_id, 1, j.value ->> 'tag', j.value ->> 'resource_id', ${staging.now}, ${staging.now}
      from ${all} join lti_resource_links l on l.assignment_id = ${assignment} and l.course_id = ${staging.course}
      where j.value ->> 'tag' is not null or j.value ->> 'resource_id' is not null on conflict (id) do nothing`,
  );
}

export function tieItemLinks(staging: Staging, modules: readonly PackagedModule[]): void {
  const rows = modules.flatMap(({ items = [] }) =>
    items.flatMap(({ identifier = '', lti_resource_link_lookup_uuid: link }) => (link ? [{ identifier, link }] : [])),
  );
  if (rows.length === 0) return;
  const item = staging.ref('module_item', 'identifier');
  staging.run(
    sql`update lti_resource_links set resource_type = 'module_item', module_item_id = ${item}
      from json_each(${JSON.stringify(rows)}) j where ${freeLink(staging)} and ${item} is not null`,
  );
}
