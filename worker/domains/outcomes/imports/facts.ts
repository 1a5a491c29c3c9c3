// Reads what a step of an import needs to know of the groups and outcomes that its rows name.

import type { CalculationMethod } from '@carrel/shared/grading/outcome_scores';
import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../../database/open';
import { holdsNeeded } from '../groups/writes';
import type { OutcomeRating, outcome_imports } from '../table';
import { existingIdIn, type ImportFacts, type KnownGroup, type KnownOutcome } from './plan';
import type { ImportedRow } from './rows';

export type OutcomeImportRow = typeof outcome_imports.$inferSelect;

/** What rows name, as guids and as ids. */
function named(type: ImportedRow['type'], guids: readonly string[]): SQL {
  const refs = [...new Set(guids)].map((guid) => {
    const existing = existingIdIn(guid);
    return { guid, id: existing?.type === type ? existing.id : null };
  });
  return sql`json_each(${JSON.stringify(refs)}) w`;
}

const isHere = ({ context_type, context_id }: OutcomeImportRow, row: string): SQL =>
  sql`${sql.raw(row)}.context_type = ${context_type} and ${sql.raw(row)}.context_id = ${context_id}`;

/** The group below which the file is imported, then the groups above it. */
const targetAndAbove = (work: OutcomeImportRow): SQL => {
  const target =
    work.learning_outcome_group_id === null
      ? sql`g.parent_outcome_group_id is null`
      : sql`g.id = ${work.learning_outcome_group_id} and g.workflow_state = 'active'`;
  return sql`with recursive up(id, parent) as (select g.id, g.parent_outcome_group_id from learning_outcome_groups g where ${target} and ${isHere(work, 'g')}
    union select p.id, p.parent_outcome_group_id from learning_outcome_groups p join up on p.id = up.parent) select up.id as id from up`;
};

interface GroupFound {
  readonly guid: string;
  readonly id: number;
  readonly parent: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly is_active: number;
}

const groupColumns = sql`w.value ->> 'guid' as guid, g.id as id, g.parent_outcome_group_id as parent, g.title as title, g.description as description,
  g.workflow_state = 'active' as is_active`;

/** Groups of the context; of several with one guid, those that exist come first. */
const groupsNamed = (work: OutcomeImportRow, groups: SQL): SQL =>
  sql`select ${groupColumns} from ${groups} join learning_outcome_groups g on g.id = w.value ->> 'id' and ${isHere(work, 'g')}
    union all select ${groupColumns} from ${groups} join learning_outcome_groups g on g.vendor_guid = w.value ->> 'guid' and ${isHere(work, 'g')}
    order by is_active desc, id`;

interface OutcomeFound {
  readonly guid: string;
  readonly id: number;
  readonly is_own: number;
  readonly is_active: number;
  readonly is_needed: number;
  readonly title: string;
  readonly display_name: string | null;
  readonly description: string | null;
  readonly friendly_description: string | null;
  readonly mastery_points: number;
  readonly points_possible: number;
  readonly ratings: string;
  readonly calculation_method: CalculationMethod;
  readonly calculation_int: number | null;
  readonly links: string;
}

/** The context, the accounts above it and the institution: their outcomes may be linked. */
const usablePlaces = ({ context_type, context_id }: OutcomeImportRow): SQL => {
  const account = context_type === 'Course' ? sql`(select c.account_id from courses c where c.id = ${context_id})` : sql`${context_id}`;
  return sql`(select ${context_type} as type, ${context_id} as id union select 'Account', up.ancestor_id from account_ancestors up where up.account_id = ${account} union select 'Global', 0)`;
};

/** Outcomes that the context may use; of several with one guid, its own come first, and those that exist. */
function outcomesNamed(work: OutcomeImportRow, outcomes: SQL): SQL {
  const columns = sql`w.value ->> 'guid' as guid, o.id as id, ${isHere(work, 'o')} as is_own, o.workflow_state <> 'deleted' as is_active,
    exists (select 1 from outcome_alignments al where al.learning_outcome_id = o.id)
      and not exists (select 1 from learning_outcome_links far where far.learning_outcome_id = o.id and not (${isHere(work, 'far')})) as is_needed,
    o.title as title, o.display_name as display_name, o.description as description, o.friendly_description as friendly_description, o.mastery_points as mastery_points,
    o.points_possible as points_possible, o.ratings as ratings, o.calculation_method as calculation_method, o.calculation_int as calculation_int,
    (select json_group_array(json_object('id', l.id, 'group', l.learning_outcome_group_id)) from learning_outcome_links l where l.learning_outcome_id = o.id and ${isHere(work, 'l')}) as links`;
  const places = usablePlaces(work);
  return sql`select ${columns} from ${outcomes} join learning_outcomes o on o.id = w.value ->> 'id' and (o.context_type, o.context_id) in (select place.type, place.id from ${places} place)
    union all select ${columns} from ${outcomes} cross join ${places} place
      join learning_outcomes o on o.vendor_guid = w.value ->> 'guid' and o.context_type = place.type and o.context_id = place.id and (o.workflow_state <> 'deleted' or ${isHere(work, 'o')})
    order by is_own desc, is_active desc, id`;
}

/** The first row of each guid. */
const byGuid = <R extends { readonly guid: string }, K>(found: readonly R[], known: (row: R) => K): ReadonlyMap<string, K> =>
  new Map([...found].reverse().map((row) => [row.guid, known(row)]));

const knownGroup = ({ id, parent, title, description, is_active }: GroupFound): KnownGroup => ({
  id,
  parent,
  title,
  description,
  isActive: is_active === 1,
});

const knownOutcome = ({ is_own, is_active, is_needed, ratings, links, ...row }: OutcomeFound): KnownOutcome => ({
  ...row,
  ratings: JSON.parse(ratings) as OutcomeRating[],
  isOwn: is_own === 1,
  isActive: is_active === 1,
  isNeededHere: is_needed === 1,
  links: JSON.parse(links) as { id: number; group: number }[],
});

/** @returns undefined when the group below which to import is gone */
export async function readImportFacts(
  db: Database,
  work: OutcomeImportRow,
  rows: readonly ImportedRow[],
): Promise<ImportFacts | undefined> {
  const guidsOf = (type: ImportedRow['type']) => rows.filter((row) => row.type === type).map(({ guid }) => guid);
  const [above, groupsFound, outcomesFound] = await db.perform([
    db.build.all<{ id: number }>(targetAndAbove(work)),
    db.build.all<GroupFound>(groupsNamed(work, named('group', [...guidsOf('group'), ...rows.flatMap(({ parents }) => parents)]))),
    db.build.all<OutcomeFound>(outcomesNamed(work, named('outcome', guidsOf('outcome')))),
  ]);
  const [target] = above;
  if (!target) return undefined;
  const groups = byGuid(groupsFound, knownGroup);
  // A step deletes at most one group.
  const deleted = rows.find((row) => row.type === 'group' && row.isDeleted);
  const doomed = deleted && groups.get(deleted.guid);
  const [[needed]] = doomed
    ? await db.perform([db.build.all<{ is_needed: number }>(sql`select ${holdsNeeded(doomed.id)} as is_needed`)])
    : [[]];
  return {
    target: target.id,
    above: new Set(above.map(({ id }) => id)),
    groups,
    outcomes: byGuid(outcomesFound, knownOutcome),
    neededGroups: new Set(doomed && needed?.is_needed === 1 ? [doomed.id] : []),
  };
}
