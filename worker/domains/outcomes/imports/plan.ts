// What the rows of one step of an import change, and which of them cannot be imported (reference 04 §14). Pure.

import { BadCalculation, calculationOf, scaleOf } from '../criterion';
import type { learning_outcomes, OutcomeImportError } from '../table';
import { BadImportRow, type ImportedGroup, type ImportedOutcome, type ImportedRow } from './rows';

/** A group or an outcome: its id, or the guid of one that the same step creates. */
export type ImportRef = { readonly id: number } | { readonly guid: string };

export interface KnownGroup {
  readonly id: number;
  readonly parent: number | null;
  readonly title: string;
  readonly description: string | null;
  readonly isActive: boolean;
}

type Stored = typeof learning_outcomes.$inferSelect;
/** What an import can change of an outcome. */
export type OutcomeValues = Pick<
  Stored,
  | 'title'
  | 'display_name'
  | 'description'
  | 'friendly_description'
  | 'mastery_points'
  | 'points_possible'
  | 'ratings'
  | 'calculation_method'
  | 'calculation_int'
>;

export interface KnownOutcome extends OutcomeValues {
  readonly id: number;
  /** Of the context of the import, and not of an account above it. */
  readonly isOwn: boolean;
  readonly isActive: boolean;
  /** Something assesses it, and it has no link in another context. */
  readonly isNeededHere: boolean;
  /** In the context of the import. */
  readonly links: readonly { readonly id: number; readonly group: number }[];
}

export interface ImportFacts {
  /** The group below which the file is imported. */
  readonly target: number;
  /** The target and the groups above it. */
  readonly above: ReadonlySet<number>;
  /** By the guid in the file. */
  readonly groups: ReadonlyMap<string, KnownGroup>;
  readonly outcomes: ReadonlyMap<string, KnownOutcome>;
  /** Groups that cannot be deleted, because they have the last link of an outcome that something assesses. */
  readonly neededGroups: ReadonlySet<number>;
}

interface GroupValues {
  readonly title: string;
  readonly description: string | null;
  readonly parent: ImportRef;
}

export interface ImportPlan {
  readonly newGroups: (GroupValues & { readonly guid: string })[];
  readonly changedGroups: (GroupValues & { readonly id: number })[];
  readonly deletedGroups: number[];
  readonly newOutcomes: (OutcomeValues & { readonly guid: string })[];
  readonly changedOutcomes: (OutcomeValues & { readonly id: number })[];
  /** Outcomes that lose all their links in the context. */
  readonly unlinkedOutcomes: number[];
  readonly links: { readonly outcome: ImportRef; readonly group: ImportRef }[];
  readonly removedLinks: number[];
  readonly errors: OutcomeImportError[];
}

/** `canvas_outcome:7` and `canvas_outcome_group:7` name what exists, and create nothing. */
export const existingIdIn = (guid: string): { readonly type: ImportedRow['type']; readonly id: number } | undefined => {
  const [, ofGroup, digits] = /^canvas_outcome(_group)?:(\d{1,15})$/.exec(guid) ?? [];
  return digits === undefined ? undefined : { type: ofGroup ? 'group' : 'outcome', id: Number(digits) };
};

/** The known object of a row. @throws BadImportRow for a reference to one that is not available here */
function knownOf<K>({ guid, type }: ImportedRow, known: ReadonlyMap<string, K>): K | undefined {
  const found = known.get(guid);
  if (found === undefined && existingIdIn(guid)) throw new BadImportRow(`the ${type} ${guid} does not exist in this context`);
  return found;
}

const kept = <T>(value: T | undefined, before: T | undefined): T | null => (value === undefined ? (before ?? null) : value);

/** @throws BadImportRow */
function valuesOf(row: ImportedOutcome, before: KnownOutcome | undefined): OutcomeValues {
  const { calculation_method, calculation_int } = row;
  try {
    return {
      title: row.title,
      display_name: kept(row.display_name, before?.display_name),
      description: kept(row.description, before?.description),
      friendly_description: kept(row.friendly_description, before?.friendly_description),
      ...scaleOf(row.ratings, row.mastery_points, before),
      ...calculationOf({ ...(calculation_method && { calculation_method }), calculation_int: calculation_int ?? null }, before),
    };
  } catch (error) {
    throw error instanceof BadCalculation ? new BadImportRow(`calculation_int ${error.message}`) : error;
  }
}

const valuesText = (values: OutcomeValues): string =>
  JSON.stringify([
    ...[values.title, values.display_name, values.description, values.friendly_description],
    ...[values.mastery_points, values.points_possible, values.calculation_method, values.calculation_int],
    values.ratings.map(({ points, description }) => [points, description]),
  ]);

const idOfRef = (ref: ImportRef): number | undefined => ('id' in ref ? ref.id : undefined);

class Planning {
  readonly plan: ImportPlan = {
    newGroups: [],
    changedGroups: [],
    deletedGroups: [],
    newOutcomes: [],
    changedOutcomes: [],
    unlinkedOutcomes: [],
    links: [],
    removedLinks: [],
    errors: [],
  };
  /** Groups that the step creates or restores. */
  private readonly made = new Map<string, ImportRef>();

  constructor(private readonly facts: ImportFacts) {}

  /** @throws BadImportRow for a parent that an earlier row could not import, or has deleted */
  private parentsOf({ parents }: ImportedRow): ImportRef[] {
    const { groups, target } = this.facts;
    if (parents.length === 0) return [{ id: target }];
    return parents.map((guid) => {
      const known = groups.get(guid);
      const ref = this.made.get(guid) ?? (known?.isActive ? { id: known.id } : undefined);
      if (!ref) throw new BadImportRow(`the parent ${guid} was not imported`);
      return ref;
    });
  }

  group(row: ImportedGroup): void {
    const { plan, facts } = this;
    const before = knownOf(row, facts.groups);
    if (before && (before.parent === null || facts.above.has(before.id)))
      throw new BadImportRow(`the group ${row.guid} contains the group below which the file is imported`);
    if (row.isDeleted) {
      if (before && facts.neededGroups.has(before.id)) throw new BadImportRow('the group has an outcome that is aligned to content');
      if (before?.isActive) plan.deletedGroups.push(before.id);
      return;
    }
    const [parent = { id: facts.target }] = this.parentsOf(row);
    const values = { title: row.title, description: kept(row.description, before?.description), parent };
    this.made.set(row.guid, before ? { id: before.id } : { guid: row.guid });
    if (!before) plan.newGroups.push({ guid: row.guid, ...values });
    else if (
      !before.isActive ||
      before.title !== values.title ||
      before.description !== values.description ||
      before.parent !== idOfRef(parent)
    )
      plan.changedGroups.push({ id: before.id, ...values });
  }

  outcome(row: ImportedOutcome): void {
    const before = knownOf(row, this.facts.outcomes);
    if (!row.isDeleted) this.keep(row, before);
    else if (before?.isNeededHere) throw new BadImportRow('the outcome is aligned to content');
    else if (before && before.links.length > 0) this.plan.unlinkedOutcomes.push(before.id);
  }

  private keep(row: ImportedOutcome, before: KnownOutcome | undefined): void {
    const { plan } = this;
    const parents = this.parentsOf(row);
    const values = valuesOf(row, before);
    const isChanged = before !== undefined && (!before.isActive || valuesText(values) !== valuesText(before));
    if (isChanged && !before.isOwn) throw new BadImportRow(`the outcome ${row.guid} belongs to another context and cannot be changed here`);
    if (!before) plan.newOutcomes.push({ guid: row.guid, ...values });
    else if (isChanged) plan.changedOutcomes.push({ id: before.id, ...values });
    const wanted = new Set(parents.map(idOfRef));
    const there = new Set(before?.links.map(({ group }) => group));
    const outcome = before ? { id: before.id } : { guid: row.guid };
    for (const group of parents) if (!there.has(idOfRef(group) ?? 0)) plan.links.push({ outcome, group });
    for (const link of before?.links ?? []) if (!wanted.has(link.group)) plan.removedLinks.push(link.id);
  }
}

/**
 * The changes of the next rows.
 * @returns also how many of them: a row about what an earlier one has changed waits for the next step, which reads it again
 */
export function planImport(rows: readonly ImportedRow[], facts: ImportFacts): { readonly plan: ImportPlan; readonly count: number } {
  const planning = new Planning(facts);
  const changed = new Set<string>();
  for (const [count, row] of rows.entries()) {
    const known = (row.type === 'group' ? facts.groups : facts.outcomes).get(row.guid);
    const name = `${row.type} ${known?.id ?? row.guid}`;
    if (changed.has(name)) return { plan: planning.plan, count };
    changed.add(name);
    try {
      if (row.type === 'group') planning.group(row);
      else planning.outcome(row);
    } catch (error) {
      if (!(error instanceof BadImportRow)) throw error;
      planning.plan.errors.push([row.row, error.message]);
    }
  }
  return { plan: planning.plan, count: rows.length };
}
