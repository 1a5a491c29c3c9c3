// The order of the items of a New Quiz: positions from 1 without gaps.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';

/** The position after the last item. */
export const afterLastItem = (quiz: number): SQL<number> =>
  sql<number>`(1 + coalesce((select max(i.position) from new_quiz_items i where i.new_quiz_id = ${quiz} and i.workflow_state = 'active'), 0))`;

/**
 * Numbers the items again, and writes those whose position changes.
 * @param moved an item and its new position, which may be beyond the last
 */
export function renumberNewQuizItems(db: Database, quiz: number, moved?: { readonly id: SQL; readonly position: number }): Statement {
  const place = moved
    ? sql`case when i.id = ${moved.id} then ${moved.position} + iif(${moved.position} > i.position, 0.5, -0.5) else i.position end`
    : sql`i.position`;
  return db.build.run(
    sql`update new_quiz_items set position = placed.place from (
        select i.id as item_id, row_number() over (order by ${place}, i.id) as place from new_quiz_items i
        where i.new_quiz_id = ${quiz} and i.workflow_state = 'active') placed
      where new_quiz_items.id = placed.item_id and new_quiz_items.position <> placed.place`,
  );
}
