// Settings that accounts pass on to sub-accounts and courses, and may lock.

import { lookUp } from '@carrel/shared/wire/look_up';

interface Settled {
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Inherited {
  /** Absent when no account sets it. */
  readonly value?: boolean;
  /** Locked by an ancestor, so lower values do not count. */
  readonly locked: boolean;
}

/** A setting in the last of some accounts, root first: the nearest value, unless an ancestor locks it. */
export function settingOf(accounts: readonly Settled[], name: string): Inherited {
  let value: boolean | undefined;
  for (const { settings } of accounts) {
    const own = lookUp(settings, name) as { value?: unknown; locked?: unknown } | undefined;
    if (typeof own?.value === 'boolean') value = own.value;
    if (own?.locked === true) return { ...(value !== undefined && { value }), locked: true };
  }
  return { ...(value !== undefined && { value }), locked: false };
}

/** A setting in a course of these accounts. */
export function settingIn(course: Settled, accounts: readonly Settled[], name: string): boolean {
  const { value, locked } = settingOf(accounts, name);
  if (!locked && Object.hasOwn(course.settings, name)) return lookUp(course.settings, name) === true;
  return value ?? false;
}
