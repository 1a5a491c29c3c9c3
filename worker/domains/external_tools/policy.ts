// Which external tools there are in a context, and which of them a list asks for.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Listing } from '../../http/listing';
import { ascending, rows } from '../../http/listing';
import { external_tools as tools } from './table';

export interface ToolContext {
  readonly type: 'Course' | 'Account';
  readonly id: number;
  /** The accounts above, root first; of an account with itself. */
  readonly chain: readonly number[];
}

type Place = { readonly id: number; readonly chain: readonly number[] };

/** The course or account of a request. */
export const toolContextOf = ({ course, account }: { readonly course?: Place; readonly account?: Place }): ToolContext =>
  course ? { type: 'Course', id: course.id, chain: course.chain } : { type: 'Account', id: account?.id ?? 0, chain: account?.chain ?? [] };

// Written out, so that the partial indexes of active tools are found.
export const activeTool = sql`external_tools.workflow_state = 'active'`;

/** Tools of the context itself. */
export const ownTools = ({ type, id }: ToolContext): SQL =>
  and(sql`external_tools.context_type = ${type}`, eq(tools.context_id, id), activeTool) as SQL;

export const onlyTool = (context: ToolContext, id: number): SQL => and(eq(tools.id, id), ownTools(context)) as SQL;

/** Tools of the context and of all accounts above it. */
export const usableTools = ({ type, id, chain }: ToolContext): SQL => {
  const places = [...(type === 'Course' ? [[type, id]] : []), ...chain.map((account) => ['Account', account])];
  // One select of both columns: SQLite finds the index for no other form.
  return sql`((external_tools.context_type, external_tools.context_id) in (select p.value ->> 0, p.value ->> 1 from json_each(${JSON.stringify(places)}) p) and ${activeTool})`;
};

/** Active tools of several courses, and of the accounts above them. @param above a select of the accounts */
export const toolsOfCourses = (ids: SQL, above: SQL): SQL => {
  const at = (type: string, places: SQL) =>
    sql`select t.id from external_tools t where t.context_type = ${sql.raw(`'${type}'`)} and t.context_id in (${places}) and t.workflow_state = 'active'`;
  return sql`external_tools.id in (${at('Course', ids)} union all ${at('Account', above)})`;
};

/** 0 for the context itself, then upwards. */
const distance = ({ type, chain }: ToolContext): SQL => {
  const place = sql`(select j.key from json_each(${JSON.stringify(chain)}) j where j.value = external_tools.context_id)`;
  return type === 'Course'
    ? sql`iif(external_tools.context_type = 'Course', 0, ${chain.length} - ${place})`
    : sql`${chain.length - 1} - ${place}`;
};

/** The usable tools of a context, the nearest first. */
export const toolsFrom = (context: ToolContext, more?: SQL): Listing<typeof tools.$inferSelect> =>
  rows(tools, { where: and(usableTools(context), more), order: ascending(distance(context), tools.id) });

const hasPlacement = (names: readonly string[]): SQL =>
  sql`exists (select 1 from json_each(external_tools.placements) placed where placed.key in (select value from json_each(${JSON.stringify(names)})))`;

const choosing = ['assignment_selection', 'link_selection', 'resource_selection'];

/** Tools with one of the placements. One without placements for choosing is offered for assignments and links, unless it is not selectable. */
export const placedIn = (names: readonly string[]): SQL =>
  names.some((name) => name === 'assignment_selection' || name === 'link_selection')
    ? sql`(${hasPlacement(names)} or (external_tools.not_selectable = 0 and not ${hasPlacement(choosing)}))`
    : hasPlacement(names);

/** Tools that a teacher can choose for an assignment or a module. */
export const selectableTools: SQL = placedIn(choosing);
