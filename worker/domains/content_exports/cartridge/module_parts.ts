// The modules of a cartridge: as Canvas states them, and as the tree of the manifest.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { toolItemSuffix, writeToolLink } from '../../../cartridge/content/tool_link';
import { writeWebLink } from '../../../cartridge/content/topic';
import { packageKey } from '../../../cartridge/keys';
import type { ManifestItem, PackageFile } from '../../../cartridge/manifest';
import type { Packaged } from '../../../cartridge/settings/shape';
import type { modulesShape } from '../../../cartridge/settings/shapes';
import { among } from '../../../database/ids';
import { newestLink } from '../../../rules/resource_links';
import { kindOfItem } from '../../course_copy/plan';
import { external_tools } from '../../external_tools/table';
import { module_items, modules } from '../../modules/table';
import type { ExportedCourse, PackagePart } from '../quiz_parts';
import type { PartsOf } from './documents';
import type { ChosenIds } from './plan';
import { packagedTools } from './tool_parts';

type ModuleRow = typeof modules.$inferSelect;
type ItemRow = typeof module_items.$inferSelect;
type PackagedModules = NonNullable<Packaged<typeof modulesShape>['modules']>;

const contentTypes: Readonly<Record<ItemRow['type'], string>> = {
  File: 'Attachment',
  Page: 'WikiPage',
  Discussion: 'DiscussionTopic',
  Assignment: 'Assignment',
  Quiz: 'Quizzes::Quiz',
  SubHeader: 'ContextModuleSubHeader',
  ExternalUrl: 'ExternalUrl',
  ExternalTool: 'ContextExternalTool',
};

export interface ModuleTree {
  readonly modules: readonly ModuleRow[];
  readonly items: readonly ItemRow[];
  /** The tools of the package. */
  readonly tools: ReadonlySet<number>;
  /** The lookup uuids of the links of items, by item. */
  readonly links: ReadonlyMap<number, string>;
}

export async function moduleTree(
  { db, course }: PartsOf,
  { module: chosen = [], module_item: items = [], external_tool: tools = [] }: ChosenIds,
): Promise<ModuleTree> {
  const [rows, theirs, own, links] = await db.perform([
    db.build
      .select()
      .from(modules)
      .where(sql`${among(modules.id, chosen)} and ${modules.course_id} = ${course.id} and ${modules.workflow_state} <> 'deleted'`)
      .orderBy(modules.position, modules.id),
    db.build
      .select()
      .from(module_items)
      .where(
        sql`${among(module_items.id, items)} and ${module_items.course_id} = ${course.id} and ${module_items.workflow_state} = 'active'`,
      )
      .orderBy(module_items.position, module_items.id),
    db.build.select({ id: external_tools.id }).from(external_tools).where(packagedTools(course, tools)),
    db.build.all<{ id: number; lookup_uuid: string }>(
      sql`select j.value as id, o.lookup_uuid from json_each(${JSON.stringify(items)}) j cross join lti_resource_links o on o.id = ${newestLink('module_item', sql.raw('j.value'))} where o.course_id = ${course.id}`,
    ),
  ]);
  return {
    modules: rows,
    items: theirs,
    tools: new Set(own.map(({ id }) => id)),
    links: new Map(links.map(({ id, lookup_uuid }) => [id, lookup_uuid])),
  };
}

const itemsOf = ({ items }: ModuleTree, { id }: ModuleRow) => items.filter(({ module_id }) => module_id === id);

/** The identifier of the resource of an item. Pure. */
function resourceOf(
  { uuid }: ExportedCourse,
  { tools }: Pick<ModuleTree, 'tools'>,
  { id, type, content_id, external_url }: ItemRow,
): string | undefined {
  if (type === 'ExternalUrl') return `${packageKey(uuid, 'module_item', id)}_link`;
  // A tool that the package does not have is a link to its address.
  if (type === 'ExternalTool' && (content_id === null || !tools.has(content_id)))
    return external_url === null ? undefined : `${packageKey(uuid, 'module_item', id)}${toolItemSuffix}`;
  const kind = lookUp(kindOfItem, type);
  return kind && content_id !== null ? packageKey(uuid, kind, content_id) : undefined;
}

/** Pure. */
export const manifestItems = (course: ExportedCourse, tree: ModuleTree): ManifestItem[] =>
  tree.modules.map((one) => ({
    identifier: packageKey(course.uuid, 'module', one.id),
    title: one.name,
    items: itemsOf(tree, one).map((item) => {
      const resource = resourceOf(course, tree, item);
      return {
        identifier: packageKey(course.uuid, 'module_item', item.id),
        title: item.title,
        ...(resource === undefined ? {} : { resource }),
        items: [],
      };
    }),
  }));

/** Pure. */
export function packagedModules(course: ExportedCourse, tree: ModuleTree): PackagedModules {
  const keyOf = (kind: string, id: number) => packageKey(course.uuid, kind, id);
  const names = new Map(tree.modules.map(({ id, name }) => [id, name]));
  return tree.modules.map((one) => ({
    identifier: keyOf('module', one.id),
    title: one.name,
    workflow_state: one.workflow_state,
    position: one.position,
    unlock_at: one.unlock_at,
    require_sequential_progress: one.require_sequential_progress,
    ...(one.requirement_count === null ? {} : { requirement_count: one.requirement_count }),
    prerequisites: one.prerequisite_module_ids.flatMap((id) =>
      names.has(id) ? [{ type: 'context_module', title: names.get(id) ?? '', identifierref: keyOf('module', id) }] : [],
    ),
    items: itemsOf(tree, one).map((item) => {
      const identifierref = resourceOf(course, tree, item);
      const lookup_uuid = tree.links.get(item.id);
      return {
        identifier: keyOf('module_item', item.id),
        content_type: contentTypes[item.type],
        workflow_state: item.published ? 'active' : 'unpublished',
        title: item.title,
        ...(identifierref === undefined ? {} : { identifierref }),
        ...(item.external_url === null ? {} : { url: item.external_url }),
        ...(lookup_uuid === undefined ? {} : { lti_resource_link_lookup_uuid: lookup_uuid }),
        position: item.position,
        new_tab: item.new_tab,
        indent: item.indent,
      };
    }),
    requirements: itemsOf(tree, one).flatMap((item) =>
      item.requirement_type === null
        ? []
        : [
            {
              type: item.requirement_type,
              ...(item.min_score === null ? {} : { min_score: item.min_score }),
              ...(item.min_percentage === null ? {} : { min_percentage: item.min_percentage }),
              identifierref: keyOf('module_item', item.id),
            },
          ],
    ),
  }));
}

/** The links of modules, to the web and to tools, are resources of their own. Pure. */
export function linkParts({ course, types }: PartsOf, tree: ModuleTree): PackagePart[] {
  return tree.items.flatMap((item) => {
    const identifier = resourceOf(course, tree, item);
    const [title, url] = [item.title, item.external_url ?? ''];
    const path = `${identifier}.xml`;
    if (item.type === 'ExternalUrl') {
      const content = writeWebLink({ title, url, ...(item.new_tab ? { target: '_blank' } : {}) });
      return [partOf(identifier as string, types.link, { path, content })];
    }
    if (item.type !== 'ExternalTool' || !identifier?.endsWith(toolItemSuffix)) return [];
    const content = writeToolLink({ title, url, description: null, icon_url: null, custom_fields: {}, extensions: {}, placements: {} });
    return [partOf(identifier, types.tool, { path, content })];
  });
}

const partOf = (identifier: string, type: string, file: PackageFile): PackagePart => ({
  files: [file],
  resources: [{ identifier, type, files: [file.path], dependencies: [] }],
});
