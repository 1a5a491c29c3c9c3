// Changes of groups and links, as statements for one batch (reference 04 §13.4).

import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../../database/open';
import type { OutcomeContext } from '../context';
import { learning_outcome_groups, learning_outcome_links, learning_outcomes } from '../table';

/** The root group of a context, unless it exists. */
export const makeRoot = (db: Database, { type, id, name }: OutcomeContext, now: string): Statement =>
  db.build
    .insert(learning_outcome_groups)
    .values({ context_type: type, context_id: id, parent_outcome_group_id: null, title: name, created_at: now, updated_at: now })
    .onConflictDoNothing();

/** Links an outcome to a group, unless it is linked there. @param outcome its id */
export const linkOutcome = (db: Database, { type, id }: OutcomeContext, group: SQL, outcome: SQL, now: string): Statement =>
  db.build.run(sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
    select ${group}, o.id, ${type}, ${id}, o.title, ${now}, ${now} from learning_outcomes o where o.id = ${outcome} on conflict (learning_outcome_group_id, learning_outcome_id) do nothing`);

/** Deletes outcomes that have no link any more. @param ids a select of outcomes */
export const deleteUnlinked = (db: Database, ids: SQL, now: string): Statement =>
  db.build
    .update(learning_outcomes)
    .set({ workflow_state: 'deleted', updated_at: now })
    .where(
      sql`${learning_outcomes.id} in (${ids}) and ${learning_outcomes.workflow_state} <> 'deleted'
        and not exists (select 1 from learning_outcome_links l where l.learning_outcome_id = ${learning_outcomes.id})`,
    );

/** Whether the link is the last one of an outcome that something assesses. @param link its alias */
const isNeeded = (link: string, inside: SQL): SQL =>
  sql`(exists (select 1 from outcome_alignments aligned where aligned.learning_outcome_id = ${sql.raw(link)}.learning_outcome_id)
    and not exists (select 1 from learning_outcome_links other where other.learning_outcome_id = ${sql.raw(link)}.learning_outcome_id and not ${inside}))`;

/** Removes a link, and the outcome with its last one; a link that is needed stays. */
export function unlinkOutcome(db: Database, group: number, outcome: number, now: string): Statement[] {
  const it = and(eq(learning_outcome_links.learning_outcome_group_id, group), eq(learning_outcome_links.learning_outcome_id, outcome));
  const isThis = sql.raw('other.id = learning_outcome_links.id');
  return [
    db.build.delete(learning_outcome_links).where(and(it, sql`not ${isNeeded('learning_outcome_links', isThis)}`)),
    deleteUnlinked(db, sql`${outcome}`, now),
  ];
}

/** The group and all below it. */
export const groupsBelow = (group: number): SQL =>
  sql`with recursive below(id) as (select ${group} union select g.id from learning_outcome_groups g join below on g.parent_outcome_group_id = below.id where g.workflow_state = 'active') select id from below`;

/** Whether deleting the group would remove the last link of an outcome that something assesses. */
export const holdsNeeded = (group: number): SQL => {
  const inside = sql`other.learning_outcome_group_id in (select id from gone)`;
  return sql`exists (with gone(id) as materialized (${groupsBelow(group)}) select 1 from gone join learning_outcome_links l on l.learning_outcome_group_id = gone.id where ${isNeeded('l', inside)})`;
};

/** Deletes a group with the groups and links below it, and outcomes without another link; nothing if one is needed. */
export function deleteGroup(db: Database, group: number, now: string): Statement[] {
  const free = sql`not ${holdsNeeded(group)}`;
  const inside = sql`select id from (${groupsBelow(group)})`;
  return [
    db.build
      .update(learning_outcomes)
      .set({ workflow_state: 'deleted', updated_at: now })
      .where(
        sql`${free} and ${learning_outcomes.id} in (select l.learning_outcome_id from learning_outcome_links l where l.learning_outcome_group_id in (${inside}))
          and not exists (select 1 from learning_outcome_links l where l.learning_outcome_id = ${learning_outcomes.id} and l.learning_outcome_group_id not in (${inside}))`,
      ),
    db.build.delete(learning_outcome_links).where(sql`${learning_outcome_links.learning_outcome_group_id} in (${inside}) and ${free}`),
    db.build
      .update(learning_outcome_groups)
      .set({ workflow_state: 'deleted', updated_at: now })
      .where(sql`${learning_outcome_groups.id} in (${inside}) and ${free}`),
  ];
}

/** A group of a tree that is copied: its place in the copy, and that of its parent. */
export interface CopiedGroup {
  readonly id: number;
  readonly parent: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly vendor_guid: string | null;
}

/**
 * Copies a tree of groups with links to the same outcomes.
 * @param tree the root of the tree first, and parents before their groups
 */
export function copyTree(
  db: Database,
  { type, id }: OutcomeContext,
  target: number,
  tree: readonly CopiedGroup[],
  now: string,
): Statement[] {
  const placeOf = new Map(tree.map((group, at) => [group.id, at]));
  const items = tree.map(({ parent, ...group }) => ({ ...group, parent: parent === null ? null : (placeOf.get(parent) ?? 0) }));
  const list = sql`json_each(${JSON.stringify(items)}) j`;
  const first = firstOfCopy(tree.length);
  return [
    // The ids of the copies follow those of all groups, so that a copy knows that of its parent.
    db.build.run(sql`insert into learning_outcome_groups (id, context_type, context_id, parent_outcome_group_id, title, description, vendor_guid, created_at, updated_at)
      select last.id + 1 + j.key, ${type}, ${id}, case when j.value ->> 'parent' is null then ${target} else last.id + 1 + (j.value ->> 'parent') end,
        j.value ->> 'title', j.value ->> 'description', j.value ->> 'vendor_guid', ${now}, ${now}
      from ${list}, (select seq as id from sqlite_sequence where name = 'learning_outcome_groups') last where true`),
    db.build.run(sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
      select ${first} + j.key, l.learning_outcome_id, ${type}, ${id}, l.title, ${now}, ${now}
      from ${list} join learning_outcome_links l on l.learning_outcome_group_id = j.value ->> 'id' where true`),
  ];
}

/** The id of the first copy, in the batch that has made it. */
export const firstOfCopy = (count: number): SQL => sql`((select max(g.id) from learning_outcome_groups g) - cast(${count - 1} as integer))`;
