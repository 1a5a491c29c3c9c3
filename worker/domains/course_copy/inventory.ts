// The content of a course that can be copied, read in one round trip; with the files referenced in its HTML when only a part is copied.

import { getTableName, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import { shared } from '../../database/shared';
import { kindFacts } from '../../rules/copied_kinds';
import { type Inventory, isEverything } from './plan';
import { mentionedIn, mentionedInDocument } from './relink';
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

/** The texts of an item. */
interface Texts {
  readonly id: number;
  readonly html: string | null;
  /** JSON. */
  readonly document: string | null;
}

const filesIn = ({ html, document }: Texts, course_id: number): number[] =>
  [mentionedIn(html ?? '', course_id), mentionedInDocument(JSON.parse(document ?? 'null'), course_id)].flatMap(({ ids }) => [
    ...(ids.get('file') ?? []),
  ]);

/** The files that the texts of a kind embed or link to, by item. */
async function filesOfKind(db: Database, course_id: number, kind: CopiedKind): Promise<ReadonlyMap<number, readonly number[]>> {
  const { text, document } = kindFacts[kind];
  const filesOf = new Map<number, number[]>();
  const columns = [text, document].flatMap((one) => (one ? [`o.${one}`] : []));
  if (columns.length === 0) return filesOf;
  const value = (column: string | undefined) => sql.raw(column ? `o.${column}` : 'null');
  const hasFiles = sql.raw(columns.map((one) => `instr(${one}, '/files/') > 0`).join(' or '));
  for (let after = 0; ; ) {
    const [page] = await db.perform([
      db.build.all<Texts>(
        sql`select o.id, ${value(text)} as html, ${value(document)} as document ${thereIn(kind, course_id)} and o.id > ${after} and (${hasFiles}) order by o.id limit ${atMost(perPage)}`,
      ),
    ]);
    for (const one of page) filesOf.set(one.id, filesIn(one, course_id));
    after = page.at(-1)?.id ?? 0;
    if (page.length < perPage) return filesOf;
  }
}

/** The inventory with the files that each text embeds or links to. */
async function withFiles(db: Database, course_id: number, inventory: Inventory): Promise<Inventory> {
  const result: Record<string, unknown> = {};
  for (const kind of copiedKinds) {
    const filesOf = await filesOfKind(db, course_id, kind);
    if (filesOf.size > 0) result[kind] = inventory[kind].map((thing) => ({ ...thing, file_ids: filesOf.get(thing.id) }));
  }
  return { ...inventory, ...result };
}
