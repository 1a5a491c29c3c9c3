// The login that a row of users.csv or logins.csv refers to: by SIS id, by name and provider, or by integration id.

import type { ParsedRow } from '../../row_rules';
import type { ImportOptions } from '../../table';
import type { LoginFacts, PeopleFacts } from './user_facts';

/** A name is unique per provider; without a provider it is a password login. */
const nameAt = (unique_id: string, provider: number | null | undefined) => `${provider ?? 1}/${unique_id.toLowerCase()}`;

/** The provider named in a row, by id or type. */
export const providerOf = ({ authentication_provider_id: given }: ParsedRow['cells'], { providers }: PeopleFacts) =>
  given ? providers.get(given.toLowerCase()) : undefined;

/** Logins by all their ids: live ones take precedence over deleted ones, and later over earlier ones. */
export function indexed({ logins, channels }: PeopleFacts) {
  const live = logins.filter(({ workflow_state }) => workflow_state !== 'deleted');
  const gone = logins.filter(({ workflow_state }) => workflow_state === 'deleted');
  return {
    bySisId: new Map([...gone, ...live].map((login) => [login.sis_user_id, login])),
    byName: new Map(live.map((login) => [nameAt(login.unique_id, login.authentication_provider_id), login])),
    byIntegration: new Map(live.map((login) => [login.integration_id, login])),
    channelsOf: Map.groupBy(channels, ({ user_id }) => user_id),
  };
}

export type KnownLogins = ReturnType<typeof indexed>;

interface Seeking {
  readonly known: KnownLogins;
  readonly options: ImportOptions;
  readonly facts: PeopleFacts;
}

/** The login that the row refers to, or the error. */
export function findLogin(
  { cells }: ParsedRow,
  { known, options, facts }: Seeking,
): { login: LoginFacts | undefined } | { refusal: string } {
  const bySisId = known.bySisId.get(cells.user_id ?? '');
  const provider = providerOf(cells, facts) ?? bySisId?.authentication_provider_id;
  const byName = known.byName.get(nameAt(cells.login_id ?? '', provider));
  const byIntegration = cells.integration_id ? known.byIntegration.get(cells.integration_id) : undefined;
  const isClaimed = byName !== undefined && byName !== bySisId;
  if (isClaimed && cells.status?.toLowerCase() === 'deleted') return { login: bySisId };
  if (isClaimed && (bySisId !== undefined || (byName.sis_user_id !== null && options.update_sis_id_if_login_claimed !== true)))
    return { refusal: `the login "${cells.login_id}" already belongs to user ${byName.sis_user_id ?? byName.user_id}` };
  const login = bySisId ?? byName;
  if (byIntegration && byIntegration !== login)
    return { refusal: `the integration id "${cells.integration_id}" already belongs to another user` };
  return { login };
}
