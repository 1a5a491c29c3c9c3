// The choice of a course copy or export for what a client has selected, from the content that the course has now.

import type { Database } from '../../../database/open';
import { kindFacts } from '../../../rules/copied_kinds';
import { migrationIdOf } from '../../course_copy/identity';
import { inventoryOf } from '../../course_copy/inventory';
import { type Choice, type CopiedKind, copiedKinds } from '../../course_copy/table';
import type { Selection } from '../table';
import { copyChoice, type FindSource } from './selection';

/** @param skips names of importers to skip */
export async function choiceFor(
  db: Database,
  course_id: number,
  selection: Selection | null,
  skips: readonly string[] = [],
): Promise<Choice> {
  if (selection === null || selection.everything || !selection.items) return copyChoice(selection, skips, () => undefined);
  const inventory = await inventoryOf(db, course_id, { alone: true });
  const find = await finder(selection, (kind) => inventory[kind].map(({ id }) => id));
  return copyChoice(selection, skips, find, (folder) => inventory.file.filter(({ folder_id }) => folder_id === folder).map(({ id }) => id));
}

/** Finds items by their ids, asset strings and migration ids; these are computed only where one is named. */
async function finder({ items = {} }: Selection, idsOf: (kind: CopiedKind) => readonly number[]): Promise<FindSource> {
  const wantsHashes = Object.values(items).some((named) => named.some((one) => /^[ig][0-9a-f]{32}$/.test(one)));
  const known = new Map<CopiedKind, Map<string, number>>();
  for (const kind of copiedKinds) {
    const names = new Map<string, number>();
    for (const id of idsOf(kind)) {
      names.set(String(id), id);
      names.set(`${kindFacts[kind].asset}_${id}`, id);
      if (wantsHashes) names.set(await migrationIdOf(kind, id), id);
    }
    known.set(kind, names);
  }
  return (kind, named) => known.get(kind)?.get(named);
}
