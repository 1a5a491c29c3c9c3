// The kinds that are copied, as their domains declare them.

import { lookUp } from '@carrel/shared/wire/look_up';
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { shared } from '../database/shared';
import { declaredCopies } from '../dist/copied_kinds';
import type { CopiedKind } from '../domains/course_copy/table';
import type { CopiedKindFacts, Route } from './copied_kind';

export const kindFacts = Object.fromEntries(declaredCopies.map((facts) => [facts.kind, facts])) as Readonly<
  Record<CopiedKind, CopiedKindFacts>
>;

/** Whether the original `o` has a live copy in the target. */
export const hasCopy = (kind: CopiedKind, { to }: Route): SQL =>
  sql`exists (select 1 from copied_items l join ${sql.raw(getTableName(kindFacts[kind].table))} t on t.id = l.item_id where l.course_id = ${shared('course', to)} and l.kind = ${sql.raw(`'${kind}'`)} and l.source_id = o.id and ${kindFacts[kind].there('t', shared('course', to))})`;

/** The columns of a copy, and the value of each from the original `o`. */
export function copiedColumnsOf(kind: CopiedKind, route: Route, named: string): [name: string, value: SQL][] {
  const { table, text, differing, renamed } = kindFacts[kind];
  const others: Record<string, SQL> = {
    created_at: sql`${route.now}`,
    updated_at: sql`${route.now}`,
    ...differing(route),
    // Written later; a column that takes no null is empty until then.
    ...(text && { [text]: lookUp(getTableColumns(table), text)?.notNull ? sql`''` : sql`null` }),
  };
  return (
    Object.entries(getTableColumns(table))
      // Generated columns cannot be written.
      .filter(([name, column]) => name !== 'id' && column.generated === undefined)
      .map(([name]) => {
        const value = lookUp(others, name) ?? sql.raw(`o.${name}`);
        return [name, renamed?.includes(name) ? sql`coalesce(${nameIn(named, name)}, ${value})` : value];
      })
  );
}

const nameIn = (named: string, column: string) =>
  sql`(select n.value ->> ${`$.${column}`} from json_each(${named}) n where n.key = cast(o.id as text))`;
