// Idempotency: a repeated write happens once, because the key's row is part of the batch of the change.

import { type SQL, sql } from 'drizzle-orm';
import { idempotency_keys } from '../database/housekeeping';
import type { Database, Statement } from '../database/open';
import type { Idempotency } from './call';
import { selectIds } from './listing';
import { invalid, type Problem, problem, refusedByLock } from './problem';
import type { Reply } from './reply';

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @throws Problem 422 when the key was used for another request */
export function refuseOtherUse(row: { fingerprint: string }, fingerprint: string): void {
  if (row.fingerprint !== fingerprint) throw problem(422, 'Idempotency-Key has been used for a different request');
}

/** A key that is already claimed fails the whole batch: the change has already been made. */
export const isReplay = (error: unknown): boolean => /UNIQUE constraint failed: idempotency_keys/.test(chainText(error));

/**
 * The error for a constraint violation that the reply declares, that a lock of a blueprint causes, or that the input explains.
 * @param sent the parameters as the client sent them
 */
export async function foreseen(reply: Reply | undefined, error: unknown, sent: unknown): Promise<Problem | undefined> {
  const text = chainText(error);
  const broken = /(?:UNIQUE|NOT NULL) constraint failed: (.*)/.exec(text)?.[0];
  const own = reply?.kind === 'write' && broken !== undefined ? Object.entries(reply.refusals ?? {}) : [];
  return (await own.find(([part]) => broken?.includes(part))?.[1]()) ?? refusedByLock(text) ?? blamedOnSent(text, sent);
}

/** Whether the input contains a field of this name, at any depth. */
const isIn = (sent: unknown, name: string): boolean =>
  typeof sent === 'object' && sent !== null && (Object.hasOwn(sent, name) || Object.values(sent).some((inner) => isIn(inner, name)));

/** A client's value that is already in use or must not be empty: errors that endpoints need not declare. */
function blamedOnSent(text: string, sent: unknown): Problem | undefined {
  const [, kind, columns = ''] = /(UNIQUE|NOT NULL) constraint failed: ([\w., ]+)/.exec(text) ?? [];
  const names = [...columns.matchAll(/\.(\w+)/g)].map(([, name = '']) => name);
  const name = names.findLast((one) => isIn(sent, one));
  if (name === undefined) return undefined;
  return kind === 'UNIQUE' ? invalid(name, 'taken', 'is already in use') : invalid(name, 'blank', "can't be blank");
}

function chainText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.cause === undefined ? '' : chainText(error.cause)}`;
}

/** What the claim stores: the response if it is already known, else the ids to read again. */
export interface Claim {
  readonly user_id: number;
  readonly idempotency: Idempotency;
  readonly now: string;
  readonly response?: { readonly json: unknown; readonly status?: number };
  readonly row_ids?: readonly number[] | SQL;
}

/** The row that claims a key. Durable Objects add it to the batch of the change. */
export const claimRow = (db: Database, { user_id, idempotency, now, response, row_ids }: Claim): Statement =>
  db.build.insert(idempotency_keys).values({
    user_id,
    key: idempotency.key,
    fingerprint: idempotency.fingerprint,
    created_at: now,
    response: response ? JSON.stringify(response) : null,
    row_ids: row_ids === undefined ? null : 'queryChunks' in row_ids ? row_ids : JSON.stringify(row_ids),
  });

/** The claim of a reply. */
export function claimFor(db: Database, user_id: number, idempotency: Idempotency, then: Reply, now: string): Statement {
  const claim = { user_id, idempotency, now };
  if ('listing' in then)
    return claimRow(db, { ...claim, row_ids: sql`(select json_group_array(id) from (${selectIds(db, then.listing)}))` });
  if (then.kind === 'row') return claimRow(db, { ...claim, row_ids: then.row ? [(then.row as { id: number }).id] : [] });
  return claimRow(db, { ...claim, ...(then.kind === 'answer' && { response: { json: then.json, status: then.status } }) });
}
