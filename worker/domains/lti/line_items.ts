// Line items: the assignments of a course that belong to a tool (reference 06 §8). An assignment that opens the tool has one from the start.

import { LineItem } from '@carrel/shared/resources/lti';
import { type SQL, sql } from 'drizzle-orm';
import { atMost, limitOf } from '../../database/at_most';
import type { Database } from '../../database/open';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { assignments } from '../assignments/table';
import type { ToolRow } from '../external_tools/json';
import { toolFor } from '../external_tools/matching';
import type { ServiceCaller } from './service_caller';
import { line_items } from './table';

export const submissionTypeClaim = 'https://canvas.instructure.com/lti/submission_type';
export const launchUrlClaim = 'https://canvas.instructure.com/lti/launch_url';

type AssignmentRow = RowOf<typeof assignments>;
export interface LineItemRow {
  readonly assignment: AssignmentRow;
  readonly item: RowOf<typeof line_items> | undefined;
}

const present = sql`assignments.workflow_state <> 'deleted'`;
/** Line items of deleted assignments keep their rows, so that they are there again when the assignment is restored. */
const isPresent = (item: string) =>
  sql`exists (select 1 from assignments work where work.id = ${sql.raw(item)}.id and work.workflow_state <> 'deleted')`;
// Literal, to match the partial index of these assignments.
const opensTool = sql`instr(assignments.submission_types, 'external_tool') > 0`;

/** Assignments that open some tool, and the line items that tools have made: two selects, each in the order of ids. */
export const lineItemStatements = (
  { build }: Database,
  course_id: number,
  only: { readonly id?: number; readonly after?: number; readonly limit: number },
) => {
  const which: SQL = only.id === undefined ? sql`assignments.id > ${only.after ?? 0}` : sql`assignments.id = ${only.id}`;
  return [
    build
      .select()
      .from(assignments)
      .where(sql`assignments.course_id = ${course_id} and ${opensTool} and ${present} and ${which}`)
      .orderBy(assignments.id)
      .limit(limitOf(only.limit)),
    build
      .select()
      .from(line_items)
      .where(
        only.id === undefined
          ? sql`line_items.course_id = ${course_id} and line_items.id > ${only.after ?? 0} and ${isPresent('line_items')}`
          : sql`line_items.id = ${only.id} and line_items.course_id = ${course_id}`,
      )
      .orderBy(line_items.id)
      .limit(limitOf(only.limit)),
    build
      .select()
      .from(assignments)
      .where(
        sql`assignments.id in (select l.id from line_items l where l.course_id = ${course_id} and ${only.id === undefined ? sql`l.id > ${only.after ?? 0}` : sql`l.id = ${only.id}`} and ${isPresent('l')} order by l.id limit ${atMost(only.limit)}) and ${present}`,
      ),
  ] as const;
};

type Found = readonly [readonly AssignmentRow[], readonly RowOf<typeof line_items>[], readonly AssignmentRow[]];

/** The tool that an assignment opens. */
export function toolOfAssignment({ options }: Pick<AssignmentRow, 'options'>, tools: readonly ToolRow[]): ToolRow | undefined {
  const { url, content_id } = (options.external_tool_tag_attributes ?? {}) as { readonly url?: string; readonly content_id?: number };
  return url ? toolFor(tools, url, content_id) : undefined;
}

/** Those of the caller's tool, by id: assignments that open it, and those that it has made. */
export function ownLineItems([opening, items, made]: Found, { all, own }: ServiceCaller): LineItemRow[] {
  const isOwn = (tool_id: number | undefined) => own.some(({ id }) => id === tool_id);
  const itemOf = (id: number) => items.find((one) => one.id === id);
  const coupled = opening.filter((one) => {
    const item = itemOf(one.id);
    return item ? false : isOwn(toolOfAssignment(one, all)?.id);
  });
  const created = made.filter((one) => {
    const item = itemOf(one.id);
    return isOwn(item?.is_coupled ? toolOfAssignment(one, all)?.id : item?.external_tool_id);
  });
  return [...coupled, ...created].sort((a, b) => a.id - b.id).map((assignment) => ({ assignment, item: itemOf(assignment.id) }));
}

/** One page, and the id after which the next one starts. The statements read one row more than the page has. */
export function pageOfLineItems(
  found: Found,
  caller: ServiceCaller,
  limit: number,
): { readonly page: LineItemRow[]; readonly after: number | undefined } {
  // Beyond the last row of a list that goes on, rows of the other may be missing.
  const ends = [found[0], found[1]].flatMap((list) => (list.length > limit ? [list[limit - 1]?.id ?? 0] : []));
  const horizon = Math.min(...ends, Number.MAX_SAFE_INTEGER);
  const all = ownLineItems(found, caller).filter(({ assignment }) => assignment.id <= horizon);
  const page = all.slice(0, limit);
  if (all.length > limit) return { page, after: page.at(-1)?.assignment.id };
  return { page, after: ends.length > 0 ? horizon : undefined };
}

export const lineItemAddress = (origin: string, course_id: number, id: number): string =>
  `${origin}/api/lti/courses/${course_id}/line_items/${id}`;

interface Said {
  readonly tag: string | null;
  readonly resource_id: string | null;
  readonly resource_link_id: string | null;
}

/** A line item as its tool sees it. An assignment that opens the tool is a link itself. @param isWide with the launch address */
export function lineItemJson(assignment: AssignmentRow, item: Said | undefined, origin: string, isWide: boolean) {
  const attributes = (assignment.options.external_tool_tag_attributes ?? {}) as { readonly url?: string };
  const opens = assignment.submission_types.includes('external_tool');
  const resourceLinkId = item?.resource_link_id ?? (opens ? assignment.lti_context_id : undefined);
  return {
    id: lineItemAddress(origin, assignment.course_id, assignment.id),
    scoreMaximum: assignment.points_possible ?? 0,
    label: assignment.name,
    ...(item?.resource_id && { resourceId: item.resource_id }),
    ...(item?.tag && { tag: item.tag }),
    ...(resourceLinkId && { resourceLinkId }),
    ...(assignment.unlock_at && { startDateTime: assignment.unlock_at }),
    ...(assignment.due_at && { endDateTime: assignment.due_at }),
    [submissionTypeClaim]: opens ? { type: 'external_tool', external_tool_url: attributes.url ?? '' } : { type: 'none' },
    ...(isWide && opens && { [launchUrlClaim]: attributes.url ?? '' }),
  };
}

/** After a write. */
export const lineItem = serializer({
  resource: LineItem,
  table: assignments,
  columns: () => ({
    item: sql`(select json_object('tag', l.tag, 'resource_id', l.resource_id, 'resource_link_id', l.resource_link_id) from line_items l where l.id = assignments.id)`.as(
      'item',
    ),
  }),
  json: (row: AssignmentRow & { readonly item: string | null }, { origin }) =>
    lineItemJson(row, row.item === null ? undefined : (JSON.parse(row.item) as Said), origin, false),
});
