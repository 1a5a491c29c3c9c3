// Stages modules and their items, once their content is staged.

import { lookUp } from '@carrel/shared/wire/look_up';
import { sql } from 'drizzle-orm';
import { requirementTypes } from '../../modules/table';
import type { ImportedKind } from '../table';
import type { PackagedModule } from './plain_modules';
import { shortName } from './stage_settings';
import type { Staging } from './staging';

type PackagedItem = NonNullable<PackagedModule['items']>[number];

/** The type of an item and the kind of its content. */
const types: Readonly<Record<string, { readonly type: string; readonly kind?: ImportedKind; readonly isOptional?: true }>> = {
  Attachment: { type: 'File', kind: 'file' },
  WikiPage: { type: 'Page', kind: 'page' },
  DiscussionTopic: { type: 'Discussion', kind: 'discussion_topic' },
  Assignment: { type: 'Assignment', kind: 'assignment' },
  'Quizzes::Quiz': { type: 'Quiz', kind: 'quiz' },
  ContextModuleSubHeader: { type: 'SubHeader' },
  ExternalUrl: { type: 'ExternalUrl' },
  ContextExternalTool: { type: 'ExternalTool', kind: 'external_tool', isOptional: true },
};

const isWeb = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');

/** Null for an item without content, undefined where the package lacks it. A tool of an account is not in it, and is found by the address. */
function contentOfItem(
  { kind, isOptional }: (typeof types)[string],
  { identifierref = '' }: PackagedItem,
  content: ReadonlyMap<string, number>,
): number | null | undefined {
  if (!kind) return null;
  return content.get(`${kind} ${identifierref}`) ?? (isOptional ? null : undefined);
}

/** Why an item is left out; the row otherwise. Pure. @param content the ids of staged content, by kind and identifier */
export function itemRow(
  module: string,
  item: PackagedItem,
  requirement: RequirementGiven | undefined,
  content: ReadonlyMap<string, number>,
) {
  const found = lookUp(types, item.content_type ?? '');
  const title = shortName(item.title, item.url ?? 'Untitled');
  if (!found) return { missing: title };
  const { type } = found;
  const content_id = contentOfItem(found, item, content);
  if (content_id === undefined) return { missing: title };
  const url = item.url?.trim() ?? '';
  const needsUrl = type === 'ExternalUrl' || type === 'ExternalTool';
  if (needsUrl && (!isWeb(url) || url.length > 2000)) return { missing: title };
  const rule = requirementTypes.find((one) => one === requirement?.type) ?? null;
  return {
    row: {
      identifier: item.identifier ?? '',
      module,
      position: Math.max(1, Math.floor(item.position ?? 1)),
      title,
      indent: Math.min(5, Math.max(0, Math.floor(item.indent ?? 0))),
      type,
      content_id,
      external_url: needsUrl ? url : null,
      new_tab: item.new_tab === true,
      requirement_type: rule,
      min_score: rule === 'min_score' ? (requirement?.min_score ?? 0) : null,
      min_percentage: rule === 'min_percentage' ? (requirement?.min_percentage ?? 0) : null,
      published: item.workflow_state !== 'unpublished',
    },
  };
}
type RequirementGiven = NonNullable<PackagedModule['requirements']>[number];

export async function stageModules(staging: Staging, modules: readonly PackagedModule[]): Promise<void> {
  const content = await staging.known('file', 'page', 'discussion_topic', 'assignment', 'quiz', 'external_tool');
  const course_id = sql`${staging.course}`;
  staging.insert(
    'modules',
    {
      course_id,
      name: true,
      position: true,
      unlock_at: true,
      require_sequential_progress: true,
      requirement_count: true,
      prerequisite_module_ids: sql`'[]'`,
      workflow_state: true,
    },
    modules.map(({ identifier = '', title, position, ...one }, at) => ({
      identifier,
      name: shortName(title, 'Module'),
      position: Math.max(1, Math.floor(position ?? at + 1)),
      unlock_at: one.unlock_at ?? null,
      require_sequential_progress: one.require_sequential_progress === true,
      requirement_count: one.requirement_count ? Math.floor(one.requirement_count) : null,
      workflow_state: one.workflow_state === 'unpublished' ? 'unpublished' : 'active',
    })),
    'module',
  );
  const rows = modules.flatMap(({ identifier = '', items = [], requirements = [] }) => {
    const required = new Map(requirements.toReversed().map((one) => [one.identifierref, one]));
    return items.flatMap((item) => {
      const made = itemRow(identifier, item, required.get(item.identifier), content);
      if (made.missing !== undefined)
        staging.issue('warning', `The module item ${made.missing} was not imported, because the package does not have its content.`);
      return made.row ? [made.row] : [];
    });
  });
  const { identifier, module, ...values } = rows[0] ?? { identifier: '', module: '' };
  staging.insert(
    'module_items',
    {
      course_id,
      module_id: staging.ref('module', 'module'),
      ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])),
      workflow_state: sql`'active'`,
    },
    rows,
    'module_item',
  );
  stagePrerequisites(staging, modules);
}

/** Only modules before a module can be its prerequisites, so that there are no cycles. */
function stagePrerequisites(staging: Staging, modules: readonly PackagedModule[]): void {
  const earlier = new Set<string>();
  for (const { identifier = '', prerequisites = [] } of modules) {
    const wanted = prerequisites.flatMap(({ identifierref }) => identifierref ?? []);
    const kept = wanted.filter((one) => earlier.has(one));
    earlier.add(identifier);
    if (kept.length < wanted.length) staging.issue('warning', 'A module requires a later module; that prerequisite was left out.');
    if (kept.length === 0) continue;
    staging.run(
      sql`update modules set prerequisite_module_ids = (select json_group_array(i.item_id) from json_each(${JSON.stringify(kept)}) w join imported_items i
          on i.context_type = 'Course' and i.context_id = ${staging.course} and i.kind = 'module' and i.identifier = w.value)
        where id = ${staging.found('module', sql`${identifier}`)}`,
    );
  }
}
