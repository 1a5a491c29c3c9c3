// Modules, their items, and what items contain.

import { lookUp } from '@carrel/shared/wire/look_up';
import { eq } from 'drizzle-orm';
import { module_items, modules } from '../../domains/modules/table';
import type { Args, Graph, GraphItem } from '../graph';
import type { RestJson } from '../rest';
import type { TypeModule } from '../type_module';
import { isTrue, key, objectArg } from '../values';

export const moduleItemOf = (graph: Graph, json: RestJson, course: number | undefined): GraphItem =>
  graph.item('ModuleItem', json, { course, module: json.module_id as number });

async function itemsOf(module: GraphItem, graph: Graph): Promise<GraphItem[]> {
  const { course } = module.place;
  const isComplete = Array.isArray(module.json.items) && module.json.items.length === module.json.items_count;
  const all = isComplete
    ? (module.json.items as RestJson[])
    : await graph.all(`/courses/${course}/modules/${module.json.id}/items`, { include: ['content_details'] });
  return (all ?? []).map((json) => moduleItemOf(graph, json, course));
}

const paths: Readonly<Record<string, readonly [type: string, segment: string]>> = {
  Assignment: ['Assignment', 'assignments'],
  Discussion: ['Discussion', 'discussion_topics'],
  File: ['File', 'files'],
  Quiz: ['Quiz', 'quizzes'],
  Page: ['Page', 'pages'],
};

/** The content of an item; null where the caller may not see it. */
async function contentOf(item: GraphItem, graph: Graph): Promise<GraphItem | null> {
  const { json, place } = item;
  const course = place.course;
  const found = lookUp(paths, String(json.type));
  if (!found) {
    const types: Readonly<Record<string, string>> = {
      ExternalTool: 'ModuleExternalTool',
      ExternalUrl: 'ExternalUrl',
      SubHeader: 'SubHeader',
    };
    return graph.item(lookUp(types, String(json.type)) ?? 'SubHeader', { ...json, url: json.external_url ?? json.url }, place);
  }
  const [type, segment] = found;
  const id = json.type === 'Page' ? encodeURIComponent(String(json.page_url)) : json.content_id;
  const content = await graph.one(type, `/courses/${course}/${segment}/${id}`, {}, { course });
  return (
    content &&
    graph.item(
      type,
      { ...content.json, module_item: json },
      { course, ...(type === 'Assignment' && { assignment: json.content_id as number }) },
    )
  );
}

/** The items before or after this one, with those of the other modules. */
async function neighbours(item: GraphItem, graph: Graph, isNext: boolean): Promise<GraphItem[]> {
  const { course } = item.place;
  const all = await graph.some(`/courses/${course}/modules`, { include: ['items'] });
  const items = (all ?? []).flatMap(({ items: own }) => (own ?? []) as RestJson[]);
  const at = items.findIndex(({ id }) => id === item.json.id);
  if (at < 0) return [];
  const found = isNext ? items.slice(at + 1) : items.slice(0, at).reverse();
  return found.map((json) => moduleItemOf(graph, json, course));
}

const itemsConnection = (isNext: boolean) => async (item: GraphItem, args: Args, graph: Graph) =>
  graph.complete(args, await neighbours(item, graph, isNext));

const contentFields = `
  title: String
  type: String
  graded: Boolean
  published: Boolean
  pointsPossible: Float
  canUnpublish: Boolean
  canDuplicate: Boolean
  isLockedByMasterCourse: Boolean
  modules: [Module!]`;

export { contentFields };

/** The module of the item through which the content was read. */
export async function modulesOfContent(content: GraphItem, _args: Args, graph: Graph): Promise<GraphItem[]> {
  const id = objectArg(content.json.module_item).module_id;
  const module =
    id === undefined
      ? null
      : await graph.one('Module', `/courses/${content.place.course}/modules/${id}`, {}, { ...content.place, module: id as number });
  return module ? [module] : [];
}

export const moduleTypes: TypeModule = {
  sdl: `
interface ModuleItemInterface {
  title: String
  type: String
  graded: Boolean
  published: Boolean
  pointsPossible: Float
  canUnpublish: Boolean
  canDuplicate: Boolean
  isLockedByMasterCourse: Boolean
  modules: [Module!]
}
type ModuleCompletionRequirement {
  id: ID!
  type: String!
  minScore: Float
  minPercentage: Float
}
type ModulePrerequisite {
  id: ID!
  name: String!
  type: String!
}
type ModuleProgression {
  workflowState: String
  completedAt: DateTime
}
type Module implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  name: String
  position: Int
  published: Boolean
  unlockAt: DateTime
  requireSequentialProgress: Boolean
  requirementCount: Int
  completionRequirements: [ModuleCompletionRequirement!]
  prerequisites: [ModulePrerequisite!]
  moduleItems: [ModuleItem!]
  progression: ModuleProgression
  estimatedDuration: ISO8601Duration
}
type ModuleItem implements Node & LegacyIDInterface & Timestamped {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  title: String
  content: ModuleItemInterface
  module: Module
  position: Int
  indent: Int
  published: Boolean
  url: URL
  next: ModuleItem
  previous: ModuleItem
  nextItemsConnection: ModuleItemConnection
  previousItemsConnection: ModuleItemConnection
  estimatedDuration: ISO8601Duration
}
type SubHeader implements ModuleItemInterface {${contentFields}
}
type ExternalUrl implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  url: String
  newTab: Boolean${contentFields}
}
type ModuleExternalTool implements Node & LegacyIDInterface & Timestamped & ModuleItemInterface {
  id: ID!
  _id: ID!
  createdAt: DateTime
  updatedAt: DateTime
  url: String${contentFields}
}
`,
  resolvers: {
    Module: {
      moduleItems: (module, _args, graph) => itemsOf(module, graph),
      async completionRequirements(module, _args, graph) {
        return (await itemsOf(module, graph)).flatMap(({ json }) => {
          const { type, min_score, min_percentage } = objectArg(json.completion_requirement);
          return type === undefined ? [] : [{ id: json.id, type, minScore: min_score, minPercentage: min_percentage }];
        });
      },
      async prerequisites({ json, place }, _args, graph) {
        const ids = (json.prerequisite_module_ids ?? []) as number[];
        const all = ids.length === 0 ? [] : await graph.all(`/courses/${place.course}/modules`);
        return (all ?? []).filter(({ id }) => ids.includes(id as number)).map(({ id, name }) => ({ id, name, type: 'context_module' }));
      },
      progression: ({ json }) => (json.state === undefined ? null : { workflowState: json.state, completedAt: json.completed_at }),
    },
    ModuleItem: {
      content: (item, _args, graph) => contentOf(item, graph),
      module: ({ json, place }, _args, graph, info) =>
        graph.reference('Module', json.module_id, info, () =>
          graph.one('Module', `/courses/${place.course}/modules/${json.module_id}`, {}, place),
        ),
      url: key('html_url'),
      next: async (item, _args, graph) => (await neighbours(item, graph, true))[0] ?? null,
      previous: async (item, _args, graph) => (await neighbours(item, graph, false))[0] ?? null,
      nextItemsConnection: itemsConnection(true),
      previousItemsConnection: itemsConnection(false),
    },
    SubHeader: { type: () => 'SubHeader', modules: modulesOfItem },
    ExternalUrl: { type: () => 'ExternalUrl', newTab: isTrue('new_tab'), modules: modulesOfItem },
    ModuleExternalTool: { type: () => 'ModuleExternalTool', modules: modulesOfItem },
  },
  loaders: {
    async Module(id, graph) {
      const [row] = await graph.locate<{ course: number }[]>((build) =>
        build.select({ course: modules.course_id }).from(modules).where(eq(modules.id, id)),
      );
      return row ? graph.one('Module', `/courses/${row.course}/modules/${id}`, {}, { course: row.course, module: id }) : null;
    },
    async ModuleItem(id, graph) {
      const [row] = await graph.locate<{ course: number; module: number }[]>((build) =>
        build
          .select({ course: modules.course_id, module: module_items.module_id })
          .from(module_items)
          .innerJoin(modules, eq(modules.id, module_items.module_id))
          .where(eq(module_items.id, id)),
      );
      if (!row) return null;
      const query = { include: ['content_details'] };
      return graph.one('ModuleItem', `/courses/${row.course}/modules/${row.module}/items/${id}`, query, row);
    },
  },
};

function modulesOfItem({ json, place }: GraphItem, args: Args, graph: Graph) {
  return modulesOfContent(graph.item('SubHeader', { module_item: json }, place), args, graph);
}
