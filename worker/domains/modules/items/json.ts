// Module items as clients see them.

import { ModuleItem } from '@carrel/shared/resources/module_item';
import type { Json } from '@carrel/shared/resources/resource';
import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { lockFields } from '../lock_fields';
import { isBound, judgeLocks, lockNameOf } from '../locks';
import { isHeldBack, type ModuleFacts, type Progression } from '../progress/decide';
import { type FactsRow, noFacts, selectFacts } from '../progress/facts';
import { settleLater } from '../progress/record';
import { module_items } from '../table';
import { studentInPlay, viewingStudent } from '../viewpoint';
import { contentColumn, type ItemContent } from './content';

export type ModuleItemRow = RowOf<typeof module_items> & { readonly content: ItemContent };

const addresses = {
  Page: (item: ModuleItemRow) => `pages/${item.content.page_url}`,
  Assignment: (item: ModuleItemRow) => `assignments/${item.content_id}`,
  Discussion: (item: ModuleItemRow) => `discussion_topics/${item.content_id}`,
  File: (item: ModuleItemRow) => `files/${item.content_id}`,
  Quiz: (item: ModuleItemRow) => `quizzes/${item.content_id}`,
  ExternalTool: (item: ModuleItemRow) => `external_tools/sessionless_launch?launch_type=module_item&module_item_id=${item.id}`,
} as const;
const assetNames: Partial<Record<ModuleItemRow['type'], string>> = {
  Page: 'wiki_page',
  Assignment: 'assignment',
  Discussion: 'discussion_topic',
  File: 'attachment',
  Quiz: 'quiz',
};
const namesContent = new Set<string>(['File', 'Discussion', 'Assignment', 'Quiz', 'ExternalTool']);
const leadsOut = new Set<string>(['ExternalUrl', 'ExternalTool']);

const addressOf = (item: ModuleItemRow, origin: string) =>
  item.type in addresses ? `${origin}/api/v1/courses/${item.course_id}/${addresses[item.type as keyof typeof addresses](item)}` : undefined;

function pageAddressOf(item: ModuleItemRow, origin: string): string | undefined {
  if (item.type === 'SubHeader') return undefined;
  if (item.type === 'ExternalUrl') return `${origin}/api/v1/courses/${item.course_id}/module_item_redirect/${item.id}`;
  return `${origin}/courses/${item.course_id}/modules/items/${item.id}`;
}

type Requirement = NonNullable<Json<typeof ModuleItem>['completion_requirement']>;

function requirementOf(item: ModuleItemRow, progression: Progression | undefined): Requirement | undefined {
  if (item.requirement_type === null) return undefined;
  return {
    type: item.requirement_type,
    ...(item.requirement_type === 'min_score' && { min_score: item.min_score ?? 0 }),
    ...(item.requirement_type === 'min_percentage' && { min_percentage: item.min_percentage ?? 0 }),
    ...(progression && { completed: progression.requirements_met.some(({ id }) => id === item.id) }),
  };
}

/** The module that locks the item for the caller. */
function lockingModule(item: ModuleItemRow, facts: readonly FactsRow[], now: string) {
  const row = facts.find(({ id }) => id === item.module_id);
  if (!row) return undefined;
  const known = judgeLocks(facts, now);
  const isLocked = isHeldBack(known.facts.get(row.id) as ModuleFacts, known.progressions.get(row.id) as Progression, item.position, now);
  return isLocked ? lockNameOf(row) : undefined;
}

function detailsOf(item: ModuleItemRow, facts: readonly FactsRow[], { course, now, origin }: Call) {
  const { content } = item;
  const known = Object.fromEntries(
    (['points_possible', 'due_at', 'unlock_at', 'lock_at', 'display_name', 'hidden', 'locked', 'usage_rights'] as const)
      .map((name) => [name, content[name]] as const)
      .filter(([, value]) => value !== null && value !== undefined),
  );
  const bound = course ? isBound(course) : false;
  const lock = lockFields(
    {
      asset_string: `${assetNames[item.type] ?? 'context_module_item'}_${item.content_id ?? item.id}`,
      ...(bound && { unlock_at: content.unlock_at, lock_at: content.lock_at, module: lockingModule(item, facts, now) }),
      ...(bound && item.type === 'File' && { manually_locked: content.locked === true }),
    },
    now,
  );
  const isShown = content.picture && !lock.locked_for_user;
  return {
    ...known,
    ...(item.type === 'File' && { thumbnail_url: isShown ? `${origin}/images/thumbnails/${item.content_id}/${content.picture}` : null }),
    ...lock,
  };
}

/** Computed columns of every read of items. */
export const itemColumns = (call: Call) => ({
  content: contentColumn(
    call.include.has('content_details'),
    call.course && (studentInPlay(call.course, call) ?? viewingStudent(call.course, call)),
    call.now,
  ),
});

function factsFor(ids: SQL, call: Call) {
  const student = call.course && studentInPlay(call.course, call);
  if (student === undefined) return noFacts(call.db);
  // A list of one module's items passes the module id, so that the items need not be read to find it.
  const module_ids =
    call.request.method === 'GET' && call.path.module_id
      ? sql`select ${Number(call.path.module_id)}`
      : sql`select module_id from module_items where id in (${ids})`;
  return selectFacts(call.db, student, module_ids);
}

/** @param facts about the items' modules, for the student whose progress is shown */
export function moduleItemJson(item: ModuleItemRow, call: Call, facts: readonly FactsRow[]) {
  const { course, origin, include } = call;
  const student = course && studentInPlay(course, call);
  if (student !== undefined) settleLater(call, facts, student);
  const isStaff = course?.readsAsAdmin ?? false;
  return {
    id: item.id,
    module_id: item.module_id,
    position: item.position,
    title: item.title,
    indent: item.indent,
    type: item.type,
    content_id: namesContent.has(item.type) ? (item.content_id ?? undefined) : undefined,
    page_url: item.type === 'Page' ? (item.content.page_url ?? undefined) : undefined,
    html_url: pageAddressOf(item, origin),
    url: addressOf(item, origin),
    ...(leadsOut.has(item.type) && { external_url: item.external_url ?? '', new_tab: item.new_tab }),
    completion_requirement: requirementOf(
      item,
      student === undefined ? undefined : judgeLocks(facts, call.now).progressions.get(item.module_id),
    ),
    ...(isStaff && { published: item.content.published, unpublishable: item.content.unpublishable }),
    ...(item.type === 'Page' && { publish_at: item.content.publish_at }),
    iframe: item.iframe ?? undefined,
    ...(include.has('content_details') && { content_details: detailsOf(item, facts, call) }),
    ...(include.has('mastery_paths') && { mastery_paths: null }),
  };
}

export const moduleItem = serializer({
  resource: ModuleItem,
  table: module_items,
  columns: itemColumns,
  also: (ids, call) => ({ facts: factsFor(ids, call) }),
  json: (item: ModuleItemRow, call, { facts }) => moduleItemJson(item, call, facts),
});

/** An item with the new positions of all items of its module. */
export const duplicatedItem = serializer({
  resource: ModuleItem,
  table: module_items,
  columns: itemColumns,
  also: (ids, { db }) => ({
    positions: db.build
      .select({ id: module_items.id, position: module_items.position })
      .from(module_items)
      .where(sql`workflow_state = 'active' and module_id in (select module_id from module_items where id in (${ids}))`)
      .orderBy(module_items.position),
  }),
  json: (item: ModuleItemRow, call, { positions }) => ({
    ...moduleItemJson(item, call, []),
    new_positions: positions.map(({ id, position }) => ({ content_tag: { id, position } })),
  }),
});
