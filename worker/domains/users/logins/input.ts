// Parameters of a login (name, password, provider), and who may set them.

import { and, eq, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import { readId } from '../../../contexts/references';
import { differs } from '../../../contexts/unchanged';
import type { Database } from '../../../database/open';
import { verifyPassword } from '../../../database/passwords';
import type { Call } from '../../../http/call';
import type { RowOf } from '../../../http/listing';
import { invalid, unauthorized } from '../../../http/problem';
import { authentication_providers as providers } from '../../authentication_providers/table';
import type { logins } from '../table';
import { weakness } from './password_policy';

/** @throws Problem 400 for an invalid name or password */
export function checkGiven({ unique_id, password }: { unique_id?: string; password?: string }, settings: AccountContext['settings']): void {
  if (unique_id !== undefined && unique_id.trim() === '') throw invalid('unique_id', 'blank');
  if ((unique_id?.length ?? 0) > 255) throw invalid('unique_id', 'too_long');
  const weak = password === undefined ? undefined : weakness(password, settings);
  if (weak) throw invalid('password', weak);
}

/** The provider of a login, by id or type; the first of several. */
export const providerNamed = (db: Database, given: string | null | undefined) =>
  db.build
    .select({ id: providers.id, auth_type: providers.auth_type })
    .from(providers)
    .where(
      given
        ? and(
            eq(providers.account_id, 1),
            eq(providers.workflow_state, 'active'),
            /^\d+$/.test(given) ? eq(providers.id, readId(given) ?? 0) : sql`${providers.auth_type} = ${given}`,
          )
        : sql`0`,
    )
    .orderBy(providers.position, providers.id)
    .limit(1);

/** @throws Problem 400 for an unknown provider, and for a password with an external provider */
export function checkedProvider(
  given: string | null | undefined,
  found: { id: number; auth_type: string } | undefined,
  kept: { id: number; auth_type: string } | undefined,
  password: string | undefined,
): number | null | undefined {
  if (given && !found) throw invalid('authentication_provider_id', 'invalid');
  const after = given === undefined ? kept : found;
  if (password !== undefined && after && after.auth_type !== 'canvas')
    throw invalid('password', 'invalid', 'The password of this login is managed by its identity provider');
  return given === undefined ? undefined : (found?.id ?? null);
}

/** @throws Problem 401 for a field that the caller may not change, 400 for an invalid value */
export async function checkLoginChange(
  sent: {
    unique_id?: string;
    password?: string;
    old_password?: string;
    sis_user_id?: string | null;
    integration_id?: string | null;
    declared_user_type?: string | null;
    authentication_provider_id?: string | null;
    workflow_state?: 'active' | 'suspended';
  },
  row: RowOf<typeof logins>,
  { me, account }: { me: Call['me']; account: AccountContext },
) {
  const manages = account.can('manage_user_logins');
  const needsManager =
    differs(sent.unique_id, row.unique_id) ||
    differs(sent.workflow_state, row.workflow_state) ||
    differs(sent.declared_user_type, row.declared_user_type) ||
    differs(sent.authentication_provider_id, row.authentication_provider_id);
  if (needsManager && !manages) throw unauthorized();
  const changesSis = differs(sent.sis_user_id, row.sis_user_id) || differs(sent.integration_id, row.integration_id);
  if (changesSis && !account.can('manage_sis')) throw unauthorized();
  if (sent.password !== undefined) {
    const isOwn = row.user_id === me.id;
    if (isOwn && !(await verifyPassword(sent.old_password ?? '', row.password_hash)).isRight) throw unauthorized();
    if (!isOwn && !(manages && account.settings.admins_can_change_passwords === true)) throw unauthorized();
  }
  checkGiven(sent, account.settings);
}
