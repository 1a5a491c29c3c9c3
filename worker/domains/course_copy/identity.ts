// Migration ids of copied items: `i` and the MD5 of `assignment_12` (reference 06 §1.5).

import { kindFacts } from '../../rules/copied_kinds';
import type { CopiedKind } from './table';

export async function migrationIdOf(kind: CopiedKind, id: number): Promise<string> {
  const digest = await crypto.subtle.digest('MD5', new TextEncoder().encode(`${kindFacts[kind].asset}_${id}`));
  return `i${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Migration ids as JSON, by item id. */
export async function migrationIds(kind: CopiedKind, ids: readonly number[]): Promise<string> {
  const pairs = await Promise.all(ids.map(async (id) => [id, await migrationIdOf(kind, id)] as const));
  return JSON.stringify(Object.fromEntries(pairs));
}
