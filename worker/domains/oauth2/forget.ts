// Retention of expired OAuth2 rows. Codes are kept for a day after expiry, so that their reuse is detected.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database } from '../../database/open';
import type { Retention } from '../../database/retention';

export const grantRetentions: readonly Retention[] = [
  { table: 'authorization_codes', by: 'expires_at', days: 1 },
  { table: 'service_tokens', by: 'expires_at', days: 0 },
  { table: 'used_assertions', by: 'expires_at', days: 0 },
];

const day = 86_400_000;
const atOnce = 1000;

/** Deletes applications that registered themselves more than a day ago and have no token. @returns whether more may be left */
export async function forgetUnusedApplications(db: Database, now: string): Promise<number> {
  const unused = sql`select id from developer_keys where is_self_registered = 1 and access_token_count = 0 and created_at < ${wireTime(Date.parse(now) - day)} order by created_at limit ${atMost(atOnce)}`;
  const [, gone] = await db.perform([
    db.build.run(sql`delete from developer_key_account_bindings where developer_key_id in (${unused})`),
    db.build.all<{ id: number }>(sql`delete from developer_keys where id in (${unused}) returning id`),
  ]);
  return gone.length < atOnce ? 0 : 1;
}
