// Reads the items of a kind as its domain declares it in `synced.ts`.

import type { Kind, Withheld } from '@carrel/shared/sync/protocol';
import { syncedKinds } from '../../dist/synced_kinds';
import type { Call } from '../../http/call';
import { type Plan, planChosen } from '../../http/serializer';
import type { SyncedKind } from '../../rules/synced_kind';

export interface FeedRow {
  readonly id: number;
  readonly is_listed?: number;
}

/** The reason why lists omit a row, if they do. */
export function withheldOf({ is_listed }: FeedRow, json: Readonly<Record<string, unknown>>): Withheld | undefined {
  if (is_listed !== 0) return undefined;
  const { locked_for_user, hidden_for_user, lock_info, lock_explanation } = json;
  if (!locked_for_user) return { why: hidden_for_user ? 'hidden' : 'unlisted' };
  const { unlock_at } = (lock_info ?? {}) as { unlock_at?: string };
  return { why: 'locked', ...(unlock_at && { unlock_at }), ...(typeof lock_explanation === 'string' && { explanation: lock_explanation }) };
}

const byKind = new Map<Kind, SyncedKind>(syncedKinds.map((one) => [one.kind, one]));

export const syncedKindOf = (kind: Kind): SyncedKind | undefined => byKind.get(kind);

/** Plans the read of the items that are visible to the caller; the others are left out. */
export function feedPlanOf(kind: Kind, call: Call, ids: readonly number[]): Plan<FeedRow> | undefined {
  const declared = syncedKindOf(kind);
  const listing = declared?.listing(call);
  if (!declared || !listing) return undefined;
  const { serializer, include } = { ...declared, ...(call.isGraded && declared.graded) };
  return planChosen(serializer, listing, ids, { ...call, params: {}, include: new Set(include) }) as Plan<FeedRow>;
}
