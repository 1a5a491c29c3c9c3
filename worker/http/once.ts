// A write with an Idempotency-Key happens once: a repeated request gets the answer of the first.

import { among } from '../database/ids';
import type { Call } from './call';
import type { Endpoint, Returns } from './endpoint';
import { refuseOtherUse } from './idempotency';
import { type PreparedResponse, performReply, serializerOf } from './perform';
import { all, one, type Reply } from './reply';

/** The row that a key has claimed. */
export interface KeyRow {
  readonly fingerprint: string;
  readonly response: string | null;
  readonly row_ids: string | null;
}

/** Why a write failed, where another request with the same key may have made the change already. */
export class Contested extends Error {
  constructor(override readonly cause: unknown) {
    super('A write has failed.');
  }
}

const returnsList = (returns: Returns): boolean => Array.isArray(returns) || 'wrapped' in returns;

async function replay({ options: { returns } }: Endpoint, row: KeyRow, call: Call): Promise<PreparedResponse> {
  if (row.response !== null) return JSON.parse(row.response) as PreparedResponse;
  const of = serializerOf(returns);
  if (!of) return { json: {} };
  const ids = JSON.parse(row.row_ids ?? '[]') as number[];
  const listing = { table: of.table, where: among(of.table.id, ids) };
  // An endpoint that returns one row may return many where a parameter asks for it.
  const reply: Reply = ids.length > 1 || returnsList(returns) ? all(listing) : one(listing);
  return performReply(reply, returns, call);
}

interface Keys {
  /** The row of the request's key, as it was when the request came. */
  readonly known: KeyRow | undefined;
  /** The same, read again. */
  readonly readAgain: () => Promise<KeyRow | undefined>;
}

/**
 * @param work carries out the request; it may throw `Contested`
 * @throws Problem 422 where the key has served another request
 */
export async function once<T>(endpoint: Endpoint, call: Call, keys: Keys, work: () => Promise<T>): Promise<T | PreparedResponse> {
  const { idempotency } = call;
  const repeated = (row: KeyRow) => {
    refuseOtherUse(row, idempotency?.fingerprint ?? '');
    return replay(endpoint, row, call);
  };
  if (idempotency && keys.known) return repeated(keys.known);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Contested)) throw error;
    const row = idempotency && (await keys.readAgain());
    if (!row) throw error.cause;
    return repeated(row);
  }
}
