// The changes of one step of an import, as statements for one batch.

import { sanitise } from '@carrel/shared/html/sanitise';
import { sql } from 'drizzle-orm';
import { among } from '../../../database/ids';
import type { Database, Statement } from '../../../database/open';
import { deleteGroup, deleteUnlinked } from '../groups/writes';
import { learning_outcome_links } from '../table';
import type { OutcomeImportRow } from './facts';
import type { ImportPlan, ImportRef, OutcomeValues } from './plan';

const listed = (values: readonly object[]) => sql`json_each(${JSON.stringify(values)}) j`;

/** The id that a reference names: its own, or that of what this batch has created. */
const idNamed = (ref: 'group' | 'outcome' | 'parent', { context_type, context_id }: OutcomeImportRow) => {
  const table = ref === 'outcome' ? 'learning_outcomes' : 'learning_outcome_groups';
  return sql`coalesce(j.value ->> ${sql.raw(`'$.${ref}.id'`)}, (select min(n.id) from ${sql.raw(table)} n where n.vendor_guid = j.value ->> ${sql.raw(`'$.${ref}.guid'`)}
    and n.context_type = ${context_type} and n.context_id = ${context_id} and n.workflow_state = 'active'))`;
};

/** Whether another import has created what this one read as new. */
const isUnknown = (table: 'learning_outcomes' | 'learning_outcome_groups', { context_type, context_id }: OutcomeImportRow) =>
  sql`not exists (select 1 from ${sql.raw(table)} n where n.vendor_guid = j.value ->> 'guid' and n.context_type = ${context_type} and n.context_id = ${context_id} and n.workflow_state = 'active')`;

interface PlacedGroup {
  readonly parent: ImportRef;
}

/** New groups begin below the target, because their parents may be new, too. */
function writeGroups(
  db: Database,
  work: OutcomeImportRow,
  target: number,
  { newGroups, changedGroups }: ImportPlan,
  now: string,
): Statement[] {
  const { context_type, context_id, id } = work;
  const created =
    newGroups.length === 0
      ? []
      : [
          db.build.run(sql`insert into learning_outcome_groups (context_type, context_id, parent_outcome_group_id, title, description, vendor_guid, outcome_import_id, created_at, updated_at)
      select ${context_type}, ${context_id}, ${target}, j.value ->> 'title', j.value ->> 'description', j.value ->> 'guid', ${id}, ${now}, ${now}
      from ${listed(newGroups)} where ${isUnknown('learning_outcome_groups', work)} order by j.key`),
        ];
  const inside = newGroups.filter(({ parent }: PlacedGroup) => !('id' in parent && parent.id === target));
  const placed = [
    ...changedGroups.map((one) => ({ ...one, self: { id: one.id } })),
    ...inside.map((one) => ({ ...one, self: { guid: one.guid } })),
  ];
  if (placed.length === 0) return created;
  return [
    ...created,
    db.build.run(sql`update learning_outcome_groups set parent_outcome_group_id = moved.parent, title = moved.title, description = moved.description, workflow_state = 'active', updated_at = ${now}
      from (select ${idNamed('group', work)} as id, ${idNamed('parent', work)} as parent, j.value ->> 'title' as title, j.value ->> 'description' as description
        from ${listed(placed.map(({ self, ...one }) => ({ ...one, group: self })))}) moved
      where learning_outcome_groups.id = moved.id and moved.parent is not null`),
  ];
}

const cleaned = <V extends OutcomeValues>(values: V): V => ({ ...values, description: values.description && sanitise(values.description) });

const outcomeNames = [
  'title',
  'display_name',
  'description',
  'friendly_description',
  'mastery_points',
  'points_possible',
  'calculation_method',
  'calculation_int',
] as const;
const columns = sql.raw(outcomeNames.join(', '));
const cells = sql.raw(outcomeNames.map((name) => `j.value ->> '${name}'`).join(', '));
const assignments = sql.raw([...outcomeNames, 'ratings'].map((name) => `${name} = j.value ->> '${name}'`).join(', '));

function writeOutcomes(db: Database, work: OutcomeImportRow, { newOutcomes, changedOutcomes }: ImportPlan, now: string): Statement[] {
  const { context_type, context_id } = work;
  const changed = listed(changedOutcomes.map(cleaned));
  return [
    ...(newOutcomes.length === 0
      ? []
      : [
          db.build.run(sql`insert into learning_outcomes (context_type, context_id, vendor_guid, ratings, ${columns}, created_at, updated_at)
        select ${context_type}, ${context_id}, j.value ->> 'guid', j.value ->> 'ratings', ${cells}, ${now}, ${now}
        from ${listed(newOutcomes.map(cleaned))} where ${isUnknown('learning_outcomes', work)} order by j.key`),
        ]),
    ...(changedOutcomes.length === 0
      ? []
      : [
          db.build.run(
            sql`update learning_outcomes set ${assignments}, workflow_state = 'active', updated_at = ${now} from ${changed} where learning_outcomes.id = j.value ->> 'id'`,
          ),
          db.build.run(
            sql`update learning_outcome_links set title = j.value ->> 'title' from ${changed} where learning_outcome_links.learning_outcome_id = j.value ->> 'id' and learning_outcome_links.title <> j.value ->> 'title'`,
          ),
        ]),
  ];
}

function writeLinks(db: Database, work: OutcomeImportRow, { links, removedLinks, unlinkedOutcomes }: ImportPlan, now: string): Statement[] {
  const { context_type, context_id } = work;
  return [
    ...(links.length === 0
      ? []
      : [
          db.build.run(sql`insert into learning_outcome_links (learning_outcome_group_id, learning_outcome_id, context_type, context_id, title, created_at, updated_at)
        select p.place, o.id, ${context_type}, ${context_id}, o.title, ${now}, ${now}
        from (select ${idNamed('group', work)} as place, ${idNamed('outcome', work)} as linked, j.key as nth from ${listed(links)}) p join learning_outcomes o on o.id = p.linked
        where p.place is not null order by p.nth on conflict (learning_outcome_group_id, learning_outcome_id) do nothing`),
        ]),
    ...(removedLinks.length === 0 ? [] : [db.build.delete(learning_outcome_links).where(among(learning_outcome_links.id, removedLinks))]),
    ...(unlinkedOutcomes.length === 0
      ? []
      : [
          db.build.delete(learning_outcome_links).where(sql`${among(learning_outcome_links.learning_outcome_id, unlinkedOutcomes)}
        and ${learning_outcome_links.context_type} = ${context_type} and ${learning_outcome_links.context_id} = ${context_id}`),
          deleteUnlinked(db, sql`select value from json_each(${JSON.stringify(unlinkedOutcomes)})`, now),
        ]),
  ];
}

/** @param target the group below which the file is imported */
export const importStatements = (db: Database, work: OutcomeImportRow, target: number, plan: ImportPlan, now: string): Statement[] => [
  ...writeGroups(db, work, target, plan, now),
  ...writeOutcomes(db, work, plan, now),
  ...writeLinks(db, work, plan, now),
  ...plan.deletedGroups.flatMap((group) => deleteGroup(db, group, now)),
];
