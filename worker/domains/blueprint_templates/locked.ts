// Whether an item of an associated course is locked by its blueprint, as SQL; rules/blueprint_locks.ts refuses edits by the same rule.

import { type SQL, sql } from 'drizzle-orm';
import type { CopiedKind } from '../course_copy/table';

/** The tail of a select: the locks `b` on the blueprint item that an item is a copy of. */
const locksOn = (kind: CopiedKind, item_id: SQL): SQL =>
  sql`from copied_items l join blueprint_items b on b.kind = l.kind and b.item_id = l.source_id
    join blueprint_subscriptions s on s.course_id = l.course_id and s.workflow_state = 'active'
    join blueprint_templates t on t.id = s.template_id and t.course_id = b.course_id and t.workflow_state = 'active'
    where l.kind = ${sql.raw(`'${kind}'`)} and l.item_id = ${item_id}`;

export const isLocked = (kind: CopiedKind, item_id: SQL): SQL =>
  sql`exists (select 1 ${locksOn(kind, item_id)} and (b.content or b.points or b.due_dates or b.availability_dates or b.state))`;
