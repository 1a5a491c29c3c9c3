// Reports and records changes of state.

import { sql } from 'drizzle-orm';
import { inTexts } from '../../database/many_rows';
import type { Notes } from './work';

/** The kind of a change of state. */
export function noteState(notes: Notes, model: string, id: number, before: string, after: string): void {
  if (before === after) return;
  if (after === 'deleted') notes.changed(model, 'deleted', id, before, after);
  else if (before === 'deleted') notes.changed(model, 'restored', id, before, after);
  else if (after === 'completed') notes.changed(model, 'concluded', id, before, after);
  else notes.changes.push({ model, items: [[id, before, after]] });
}

/** The state of a group in the file's terms: a closed group is still available. */
export const groupState =
  "case when groups.workflow_state = 'deleted' then 'deleted' when groups.standing = 'open' then 'available' else groups.standing end";

/** Rows created in this step, found again by SIS id. */
export const madeBy = (model: string, table: string, column: string, ids: readonly string[], state = 'workflow_state') => ({
  model,
  select: sql`select id, null as before, ${sql.raw(state)} as after from ${sql.raw(table)} where ${sql.raw(column)} is not null and ${inTexts(column, ids)}`,
});
