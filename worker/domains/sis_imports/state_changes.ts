// How changes of state are told and remembered.

import { sql } from 'drizzle-orm';
import { inTexts } from './changes_of_rows';
import type { Notes } from './work';

/** What a change of state is called. */
export function noteState(notes: Notes, model: string, id: number, before: string, after: string): void {
  if (before === after) return;
  if (after === 'deleted') notes.changed(model, 'deleted', id, before, after);
  else if (before === 'deleted') notes.changed(model, 'restored', id, before, after);
  else if (after === 'completed') notes.changed(model, 'concluded', id, before, after);
  else notes.changes.push({ model, items: [[id, before, after]] });
}

/** Rows made in this step, found again by their SIS ids. */
export const madeBy = (model: string, table: string, column: string, ids: readonly string[]) => ({
  model,
  select: sql`select id, null as before, workflow_state as after from ${sql.raw(table)} where ${sql.raw(column)} is not null and ${inTexts(column, ids)}`,
});
