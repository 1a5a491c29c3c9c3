// The content of a course that can be copied, read in one round trip; with the files referenced in its HTML when only a part is copied.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { shared } from '../../database/shared';
import { kindFacts } from '../../rules/copied_kinds';
import { type Inventory, isEverything } from './plan';
import { mentionedIn } from './relink';
import { type Choice, type CopiedKind, copiedKinds } from './table';

/** Rows `o` of a course that are not deleted. */
const thereIn = (kind: CopiedKind, course_id: number): SQL =>
  sql`from ${sql.raw(getTableName(kindFacts[kind].table))} o where ${kindFacts[kind].there('o', shared('course', course_id))}`;

export async function inventoryOf(db: Database, course_id: number, choice: Choice): Promise<Inventory> {
  const found = await db.perform([
    ...copiedKinds.map((kind) => {
      const { planned } = kindFacts[kind];
      const columns = sql.raw(planned ? `, ${planned}` : '');
      return db.build.all<Record<string, unknown>>(sql`select o.id${columns} ${thereIn(kind, course_id)} order by o.id`);
    }),
  ]);
  const inventory = Object.fromEntries(copiedKinds.map((kind, at) => [kind, found[at]])) as unknown as Inventory;
  return isEverything(choice) || choice.alone ? inventory : withFiles(db, course_id, inventory);
}

const perPage = 100;

/** The inventory with the files that each text embeds or links to. */
async function withFiles(db: Database, course_id: number, inventory: Inventory): Promise<Inventory> {
  const result: Record<string, unknown> = {};
  for (const kind of copiedKinds) {
    const { text } = kindFacts[kind];
    if (!text) continue;
    const filesOf = new Map<number, number[]>();
    for (let after = 0; ; ) {
      const [page] = await db.perform([
        db.build.all<{ id: number; html: string }>(
          sql`select o.id, o.${sql.raw(text)} as html ${thereIn(kind, course_id)} and o.id > ${after} and instr(o.${sql.raw(text)}, '/files/') > 0 order by o.id limit ${atMost(perPage)}`,
        ),
      ]);
      for (const { id, html } of page) filesOf.set(id, [...(mentionedIn(html, course_id).ids.get('file') ?? [])]);
      after = page.at(-1)?.id ?? 0;
      if (page.length < perPage) break;
    }
    result[kind] = inventory[kind].map((thing) => ({ ...thing, file_ids: filesOf.get(thing.id) }));
  }
  return { ...inventory, ...result };
}
