// Modules as clients see them: with a student's progress and, when included, their items.

import { Module } from '@carrel/shared/resources/module';
import { ModuleItem } from '@carrel/shared/resources/module_item';
import { cut } from '@carrel/shared/resources/resource';
import { and, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { contains, isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { itemColumns, type ModuleItemRow, moduleItemJson } from './items/json';
import { judgeLocks } from './locks';
import { itemsCount, seenItems } from './policy';
import { noFacts, selectFacts } from './progress/facts';
import { settleLater } from './progress/record';
import { module_items, modules } from './table';
import { studentInPlay } from './viewpoint';

export type ModuleRow = RowOf<typeof modules>;
type Counted = ModuleRow & { readonly items_count: number };

/** Items of larger modules are not included. */
const mostItems = 100;

/** Modules small enough to include their items. */
const readable = (ids: SQL): SQL =>
  sql`select module_id from module_items where module_id in (${ids}) and workflow_state = 'active' group by module_id having count(*) <= ${10 * mostItems}`;

const termOf = ({ params }: Pick<Call, 'params'>) => (params as { search_term?: string }).search_term || undefined;

/** A module whose name matches shows all its items, any other only matching items. */
function matching(term: string | undefined): SQL | undefined {
  if (term === undefined) return undefined;
  return sql`(${contains(module_items.title, term)} or exists (select 1 from modules where modules.id = module_items.module_id and ${contains(modules.name, term)}))`;
}

const selectItems = (ids: SQL, call: Call) =>
  call.db.build
    .select({ ...getTableColumns(module_items), ...itemColumns(call) })
    .from(module_items)
    .where(and(isInSelect(module_items.module_id, readable(ids)), seenItems(call.course, call), matching(termOf(call))))
    .orderBy(module_items.module_id, module_items.position, module_items.id);

export const module = serializer({
  resource: Module,
  table: modules,
  columns: (call) => ({ items_count: itemsCount(call.course, call).as('items_count') }),
  also(ids, call) {
    const student = call.course && studentInPlay(call.course, call);
    return {
      facts: student === undefined ? noFacts(call.db) : selectFacts(call.db, student, ids),
      items: call.include.has('items') ? selectItems(ids, call) : undefined,
    };
  },
  json(row: Counted, call, { facts, items }) {
    const student = call.course && studentInPlay(call.course, call);
    if (student !== undefined) settleLater(call, facts, student);
    const progression = student === undefined ? undefined : judgeLocks(facts, call.now).progressions.get(row.id);
    const own = items?.filter(({ module_id }) => module_id === row.id);
    return {
      ...row,
      requirement_type: row.requirement_count === 1 ? 'one' : 'all',
      requirement_count: row.requirement_count ?? undefined,
      published: call.course?.readsAsAdmin ? row.workflow_state === 'active' : undefined,
      items_url: `${call.origin}/api/v1/courses/${row.course_id}/modules/${row.id}/items`,
      // A module without a match gets no items, and the list then omits it.
      items:
        own && (row.items_count <= mostItems || (own.length === 0 && termOf(call) !== undefined))
          ? own.map((item) => cut(ModuleItem, moduleItemJson(item as ModuleItemRow, call, facts)))
          : undefined,
      ...(progression && { state: progression.state, completed_at: progression.completed_at }),
    };
  },
});
