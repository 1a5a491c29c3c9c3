// Identifies and authenticates the client application.

import { eq, type SQL } from 'drizzle-orm';
import { type DeveloperKeyRow, isSwitchedOn } from '../../contexts/developer_key';
import { readId } from '../../contexts/references';
import type { Database, ResultOf } from '../../database/open';
import { sameText } from '../../database/tokens';
import { sha256 } from '../../http/idempotency';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import { invalidClient, unauthorizedClient } from './problem';

export interface Credentials {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

const unform = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

/** From the body or HTTP Basic, whose parts are form-encoded (RFC 6749 §2.3.1). */
export function credentialsOf(request: Request, given: Credentials): Credentials {
  const sent = /^basic\s+([A-Za-z0-9+/]+=*)\s*$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!sent) return given;
  try {
    const [id = '', ...secret] = atob(sent).split(':');
    return { client_id: unform(id), client_secret: unform(secret.join(':')) || given.client_secret };
  } catch {
    return given;
  }
}

/** Global ids like 10000000000007 map to local ids. */
const localId = (client_id: string | undefined): number => {
  const id = readId(client_id ?? '') ?? 0;
  return id > 10_000_000_000_000 ? id - 10_000_000_000_000 : id;
};

export const keyStatements = (db: Database, client_id: string | undefined) => {
  const of = (column: Parameters<typeof eq>[0]): SQL => eq(column, localId(client_id));
  return [
    db.build.select().from(developer_keys).where(of(developer_keys.id)),
    db.build.select().from(bindings).where(of(bindings.developer_key_id)),
  ] as const;
};
type Found = readonly [ResultOf<ReturnType<typeof keyStatements>[0]>, ResultOf<ReturnType<typeof keyStatements>[1]>, ...unknown[]];

/** @throws Problem for an unknown or disabled application */
export function developerKeyOf([[key], said]: Found, root_id: number): DeveloperKeyRow {
  if (!key || key.workflow_state === 'deleted') throw invalidClient('unknown client');
  if (!isSwitchedOn(key, said, root_id)) throw unauthorizedClient('this application is disabled');
  return key;
}

/** @throws Problem 401 for a wrong secret. Public clients need none, but one that is sent must be right. */
export async function checkSecret(key: DeveloperKeyRow, client_secret: string | undefined): Promise<void> {
  if (key.client_type === 'public' && client_secret === undefined) return;
  if (!sameText(await sha256(client_secret ?? ''), key.secret_hash)) throw invalidClient('invalid client_secret');
}
