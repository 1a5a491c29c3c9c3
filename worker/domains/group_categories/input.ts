// Parameters of a group category, and their validation (reference 02 §5.5).

import { bool, int, maybe, optional, text, time } from '@carrel/shared/wire/fields';
import type { CategoryRow } from '../../contexts/group';
import { differs } from '../../contexts/unchanged';
import { invalid, Problem, problem } from '../../http/problem';

export const groupCategoryFields = {
  name: optional(text),
  self_signup: optional(maybe(text)),
  self_signup_end_at: optional(maybe(time)),
  auto_leader: optional(maybe(text)),
  group_limit: optional(maybe(int)),
  create_group_count: optional(maybe(int)),
  split_group_count: optional(maybe(int)),
  /** Creates as many groups of this size as needed. */
  create_group_member_count: optional(maybe(int)),
  sis_group_category_id: optional(maybe(text)),
  enable_self_signup: optional(bool),
  restrict_self_signup: optional(bool),
  enable_auto_leader: optional(bool),
  auto_leader_type: optional(text),
};
export const creatable = { ...groupCategoryFields, non_collaborative: optional(bool) };

export interface GroupCategoryGiven {
  readonly name?: string | null;
  readonly self_signup?: string | null;
  readonly self_signup_end_at?: string | null;
  readonly auto_leader?: string | null;
  readonly group_limit?: number | null;
  readonly create_group_count?: number | null;
  readonly split_group_count?: number | null;
  readonly create_group_member_count?: number | null;
  readonly sis_group_category_id?: string | null;
  readonly enable_self_signup?: boolean;
  readonly restrict_self_signup?: boolean;
  readonly enable_auto_leader?: boolean;
  readonly auto_leader_type?: string;
}

type Before = Pick<CategoryRow, 'self_signup' | 'group_limit' | 'sis_group_category_id'> | undefined;

/** Undefined leaves it unchanged, null clears it. */
function word<const W extends string>(given: string | null | undefined, words: readonly W[], field: string): W | null | undefined {
  if (given === undefined || given === null) return given;
  const known = words.find((one) => one === given);
  if (known === undefined) throw invalid(field, 'inclusion', `is not one of ${words.join(', ')}`);
  return known;
}

const signups = ['enabled', 'restricted'] as const;
const leaders = ['first', 'random'] as const;

function signupOf(given: GroupCategoryGiven) {
  if (given.enable_self_signup === undefined) return word(given.self_signup, signups, 'self_signup');
  return given.enable_self_signup ? (given.restrict_self_signup ? 'restricted' : 'enabled') : null;
}

function leaderOf(given: GroupCategoryGiven) {
  if (given.enable_auto_leader === undefined) return word(given.auto_leader, leaders, 'auto_leader');
  return given.enable_auto_leader ? (word(given.auto_leader_type, leaders, 'auto_leader_type') ?? 'first') : null;
}

export const nameTaken = () => invalid('name', 'taken', 'is already in use');
export const groupCategoryRefusals = {
  'group_categories.sis_group_category_id': () => invalid('sis_group_category_id', 'taken'),
  'group_categories.context_type': nameTaken,
};

/**
 * The trimmed name. An update may leave it out.
 * @throws Problem for a name that is blank or too long
 */
function nameGiven({ name }: GroupCategoryGiven, isUpdate: boolean): string | undefined {
  const trimmed = name?.trim();
  if (!trimmed && !(isUpdate && name === undefined)) throw invalid('name', 'blank', 'is required');
  if ((trimmed?.length ?? 0) > 255) throw invalid('name', 'too_long', 'is too long');
  return trimmed;
}

/**
 * How many groups to create, and whether to distribute the students among them.
 * @throws Problem for numbers out of range, or students to distribute who sign up by themselves
 */
function groupsGiven({ create_group_count, split_group_count, create_group_member_count }: GroupCategoryGiven, hasSignup: boolean) {
  const splits = Boolean(split_group_count || create_group_member_count);
  if (splits && hasSignup) throw problem(400, 'Students cannot be split into groups with self sign-up');
  const count = create_group_count ?? split_group_count ?? 0;
  if (count < 0 || count > 200) throw invalid('create_group_count', 'invalid', 'must be between 0 and 200');
  if ((create_group_member_count ?? 1) < 1) throw invalid('create_group_member_count', 'invalid', 'must be greater than 0');
  return { count, perGroup: create_group_member_count ?? undefined, splits };
}

/** @throws Problem for invalid values */
export function groupCategoryColumnsOf(given: GroupCategoryGiven, before: Before, can: (permission: string) => boolean) {
  const name = nameGiven(given, before !== undefined);
  if (differs(given.sis_group_category_id, before?.sis_group_category_id) && !can('manage_sis'))
    throw new Problem(401, { message: 'You must have manage_sis permission to set sis_group_category_id' });
  const self_signup = signupOf(given);
  const signup = self_signup === undefined ? (before?.self_signup ?? null) : self_signup;
  const limit = given.group_limit === undefined ? before?.group_limit : given.group_limit;
  if (given.group_limit != null && given.group_limit < 2) throw invalid('group_limit', 'invalid', 'must be greater than 1');
  const created = groupsGiven(given, signup !== null);
  return {
    columns: {
      name: name || undefined,
      self_signup,
      self_signup_end_at: given.self_signup_end_at,
      auto_leader: leaderOf(given),
      // The limit applies only with self sign-up.
      group_limit: signup === null ? null : limit,
      sis_group_category_id: given.sis_group_category_id,
    },
    ...created,
  };
}
