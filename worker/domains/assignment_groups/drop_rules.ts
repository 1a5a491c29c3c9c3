// The rules by which an assignment group drops scores.

import type { DropRules } from './table';

export interface RulesGiven {
  readonly drop_lowest?: number;
  readonly drop_highest?: number;
  readonly never_drop?: readonly number[];
}

/** Rules without effect are not stored. */
export const keptRules = (given: RulesGiven): DropRules => ({
  ...(given.drop_lowest ? { drop_lowest: given.drop_lowest } : {}),
  ...(given.drop_highest ? { drop_highest: given.drop_highest } : {}),
  ...(given.never_drop?.length ? { never_drop: [...given.never_drop] } : {}),
});

/** Whether two sets of rules drop the same scores. */
export const isSameRules = (one: DropRules, other: DropRules): boolean =>
  (one.drop_lowest ?? 0) === (other.drop_lowest ?? 0) &&
  (one.drop_highest ?? 0) === (other.drop_highest ?? 0) &&
  String([...(one.never_drop ?? [])].sort()) === String([...(other.never_drop ?? [])].sort());

/** The reason why these rules are invalid for the group; undefined when they are valid. */
export function refusalOfRules(given: RulesGiven, assignmentIds: readonly number[]): string | undefined {
  for (const rule of ['drop_lowest', 'drop_highest'] as const) {
    const count = given[rule];
    if (count === undefined) continue;
    if (count < 0) return `${rule} must not be negative`;
    if (count > assignmentIds.length) return `${rule} exceeds the number of assignments`;
  }
  const foreign = given.never_drop?.find((id) => !assignmentIds.includes(id));
  return foreign === undefined ? undefined : `never_drop includes ${foreign}, which is not an assignment of the group`;
}
