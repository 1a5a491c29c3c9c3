// What an institution asks of a password; kept among the root account's settings (reference 01 B1, `password_policy`).

import { bool, group, int, maybe, optional } from '@carrel/shared/wire/fields';

/** What an account may be told about passwords; a blank goes back to what is usual. */
export const passwordPolicyFields = optional(
  group({
    minimum_character_length: optional(maybe(int)),
    require_number_characters: optional(bool),
    require_symbol_characters: optional(bool),
  }),
);

const shortest = 8;
/** Longer ones are no safer, and somebody has to hash them. */
const longest = 255;

const asked = (settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof settings.password_policy === 'object' && settings.password_policy !== null
    ? (settings.password_policy as Record<string, unknown>)
    : {};

/** What is wrong with a password; nothing where it may be used. */
export function weakness(password: string, settings: Readonly<Record<string, unknown>>): 'too_short' | 'too_long' | 'invalid' | undefined {
  const policy = asked(settings);
  const least = typeof policy.minimum_character_length === 'number' ? policy.minimum_character_length : shortest;
  if ([...password].length < Math.min(longest, Math.max(1, least))) return 'too_short';
  if ([...password].length > longest) return 'too_long';
  if (policy.require_number_characters === true && !/\p{N}/u.test(password)) return 'invalid';
  if (policy.require_symbol_characters === true && !/[^\p{L}\p{N}\s]/u.test(password)) return 'invalid';
  return undefined;
}
