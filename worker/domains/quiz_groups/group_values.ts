// What a group is after a write, and what is wrong with what was sent.

export interface GroupGiven {
  readonly name?: string | null;
  readonly pick_count?: string | null;
  readonly question_points?: string | null;
}

export interface GroupValues {
  readonly name: string;
  readonly pick_count: number;
  readonly question_points: number;
}

export const defaultGroup: GroupValues = { name: 'Question Group', pick_count: 1, question_points: 1 };

const longestName = 255;

/** A number that is not negative; undefined when it is none. */
const amountOf = (given: string, isWhole: boolean): number | undefined => {
  const value = Number(given);
  return Number.isFinite(value) && value >= 0 && value <= 1_000_000 && (!isWhole || Number.isInteger(value)) ? value : undefined;
};

/**
 * The values of a group after a write; fields that are not sent, or blank, keep their values.
 * @returns the values, or by field what is wrong
 */
export function groupAfter(
  given: GroupGiven,
  before: GroupValues,
): { readonly values: GroupValues } | { readonly errors: Readonly<Record<string, string>> } {
  const amount = (name: 'pick_count' | 'question_points') => (given[name] ? amountOf(given[name], name === 'pick_count') : before[name]);
  const pick_count = amount('pick_count');
  const question_points = amount('question_points');
  const name = given.name || before.name;
  const errors = {
    ...(pick_count === undefined && { pick_count: 'must be a whole number of at least 0' }),
    ...(question_points === undefined && { question_points: 'must be a number of at least 0' }),
    ...(name.length > longestName && { name: 'is too long' }),
  };
  return pick_count === undefined || question_points === undefined || 'name' in errors
    ? { errors }
    : { values: { name, pick_count, question_points } };
}
