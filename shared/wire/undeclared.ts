// Finds keys of a response that its field does not declare, for the oracle of tests.

import { lookUp } from './look_up';

/** Keys that the map parser drops. */
const unread = new Set(['__proto__', 'constructor', 'prototype']);

/** Undeclared keys of a response: objects are parsed to their declared keys only. */
export function undeclared(answered: unknown, read: unknown, path: string): string | undefined {
  if (answered === read || typeof answered !== 'object' || answered === null || typeof read !== 'object' || read === null) return undefined;
  for (const [key, value] of Object.entries(answered)) {
    if (value === undefined || unread.has(key)) continue;
    if (!Object.hasOwn(read, key)) return `${path}[${key}]`;
    const found = undeclared(value, lookUp(read as Record<string, unknown>, key), `${path}[${key}]`);
    if (found) return found;
  }
  return undefined;
}
