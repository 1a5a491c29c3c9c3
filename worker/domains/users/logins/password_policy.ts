// Password policy of the institution, stored in the root account's settings (reference 01 B1, `password_policy`).

import { bool, int, maybe, object, optional } from '@carrel/shared/wire/fields';

/** Policy fields of an account; a blank value resets to the default. */
export const passwordPolicyFields = optional(
  object({
    minimum_character_length: optional(maybe(int)),
    require_number_characters: optional(bool),
    require_symbol_characters: optional(bool),
  }),
);

const shortest = 8;
/** Longer passwords add no security but cost time to hash. */
const longest = 255;

const asked = (settings: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  typeof settings.password_policy === 'object' && settings.password_policy !== null
    ? (settings.password_policy as Record<string, unknown>)
    : {};

/** The reason why a password is not allowed; undefined when it is. */
export function weakness(password: string, settings: Readonly<Record<string, unknown>>): 'too_short' | 'too_long' | 'invalid' | undefined {
  const policy = asked(settings);
  const least = typeof policy.minimum_character_length === 'number' ? policy.minimum_character_length : shortest;
  if ([...password].length < Math.min(longest, Math.max(1, least))) return 'too_short';
  if ([...password].length > longest) return 'too_long';
  if (policy.require_number_characters === true && !/\p{N}/u.test(password)) return 'invalid';
  if (policy.require_symbol_characters === true && !/[^\p{L}\p{N}\s]/u.test(password)) return 'invalid';
  return undefined;
}
