// Settings that accounts pass down to those below, to their courses, and may lock.

import { lookUp } from '@carrel/shared/wire/look_up';

interface Settled {
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Inherited {
  /** Absent where nobody has said anything. */
  readonly value?: boolean;
  /** Somebody above has decided: what stands below does not count. */
  readonly locked: boolean;
}

/** What a setting is at the last of some accounts, root first: the nearest value, unless one above is locked. */
export function settingOf(accounts: readonly Settled[], name: string): Inherited {
  let value: boolean | undefined;
  for (const { settings } of accounts) {
    const own = lookUp(settings, name) as { value?: unknown; locked?: unknown } | undefined;
    if (typeof own?.value === 'boolean') value = own.value;
    if (own?.locked === true) return { ...(value !== undefined && { value }), locked: true };
  }
  return { ...(value !== undefined && { value }), locked: false };
}

/** What a setting is in a course below these accounts. */
export function settingIn(course: Settled, accounts: readonly Settled[], name: string): boolean {
  const { value, locked } = settingOf(accounts, name);
  if (!locked && Object.hasOwn(course.settings, name)) return lookUp(course.settings, name) === true;
  return value ?? false;
}
