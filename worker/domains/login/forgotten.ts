// Password reset: the code in the email to a user's address, valid for an hour and once.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';
import { hashPassword } from '../../database/passwords';
import type { Retention } from '../../database/retention';
import { randomText } from '../../database/tokens';
import { queueNotification } from '../comm_messages/queue_notification';
import { withPassword } from '../users/logins/with_password';
import { logins, users } from '../users/table';
import { password_resets as resets } from './table';

const hour = 3_600_000;

/** For an existing login with a confirmed address: creates a code that replaces earlier ones, and queues the email. */
export function codeFor(db: Database, unique_id: string, now: string): Statement[] {
  const code = randomText(40);
  const isWrittenTo = sql`exists (select 1 from communication_channels c join users u on u.id = c.user_id
    where c.user_id = logins.user_id and c.type = 'email' and c.workflow_state = 'active' and u.workflow_state <> 'deleted')`;
  return [
    db.build.run(sql`insert into password_resets (login_id, code, expires_at)
      select logins.id, ${code}, ${wireTime(Date.parse(now) + hour)} from logins where ${withPassword(unique_id)} and ${isWrittenTo}
      on conflict (login_id) do update set code = excluded.code, expires_at = excluded.expires_at`),
    queueNotification(db, { notification: 'forgot_password', item_id: sql`(select id from password_resets where code = ${code})`, now }),
  ];
}

/** The login that a code belongs to. */
export const loginOf = (db: Database, code: string, now: string) =>
  db.build
    .select({ id: logins.id, user_id: logins.user_id, unique_id: logins.unique_id })
    .from(resets)
    .innerJoin(logins, and(eq(logins.id, resets.login_id), eq(logins.workflow_state, 'active')))
    .where(and(eq(resets.code, code), gt(resets.expires_at, now)));

/**
 * Sets the new password if the code is valid (the first statement then returns a row). The code is used up, and a pre-registered user becomes
 * registered.
 */
export async function resetPassword(
  db: Database,
  login: { readonly id: number; readonly user_id: number },
  code: string,
  password: string,
  now: string,
) {
  const isGood = sql`exists (select 1 from password_resets r where r.login_id = ${login.id} and r.code = ${code} and r.expires_at > ${now})`;
  return [
    db.build
      .update(logins)
      .set({ password_hash: await hashPassword(password), updated_at: now })
      .where(and(eq(logins.id, login.id), isGood))
      .returning({ id: logins.id }),
    db.build
      .update(users)
      .set({ workflow_state: 'registered', updated_at: now })
      .where(and(eq(users.id, login.user_id), eq(users.workflow_state, 'pre_registered'), isGood)),
    db.build.delete(resets).where(and(eq(resets.login_id, login.id), eq(resets.code, code))),
  ] as const;
}

export const resetRetention: Retention = { table: 'password_resets', by: 'expires_at', days: 0 };
