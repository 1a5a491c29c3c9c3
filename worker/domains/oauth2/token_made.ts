// Creates an application's token and the token response.

import { wireTime } from '@carrel/shared/wire/fields';
import type { DeveloperKeyRow } from '../../contexts/developer_key';
import type { UserRow } from '../../contexts/viewer';
import { newToken } from '../../database/tokens';
import { sha256 } from '../../http/idempotency';
import { answer, type Reply } from '../../http/reply';
import { identityScope } from '../../http/scopes';
import { noStore } from './problem';

const lifetime = 3600;

interface Secrets {
  readonly access_token: string;
  readonly token_hash: string;
  readonly token_hint: string;
}

export const newSecrets = async (): Promise<Secrets> => {
  const access_token = newToken();
  return { access_token, token_hash: await sha256(access_token), token_hint: `${access_token.slice(0, 5)}...` };
};

export const newRefresh = async () => {
  const refresh_token = newToken();
  return { refresh_token, refresh_token_hash: await sha256(refresh_token) };
};

/** When a token created now expires. */
export const endOf = (key: Pick<DeveloperKeyRow, 'auto_expire_tokens'>, now: string): string | null =>
  key.auto_expire_tokens ? wireTime(Date.parse(now) + lifetime * 1000) : null;

/** The global form of an id, as used by multi-shard systems. */
const globalId = (id: number) => String(10_000_000_000_000 + id);

const person = ({ id, name }: Pick<UserRow, 'id' | 'name'>) => ({ id, name, global_id: globalId(id) });

interface Made {
  readonly key: DeveloperKeyRow;
  readonly user: UserRow;
  readonly realUser: UserRow | undefined;
  readonly scopes: readonly string[];
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
}

/** Scopes that only identify the user yield no access token. */
export const isIdentityAlone = (scopes: readonly string[]): boolean => scopes.length === 1 && scopes[0] === identityScope;

export function tokenResponse({ key, user, realUser, scopes, access_token, refresh_token }: Made): Reply {
  const who = {
    user: { ...person(user), effective_locale: user.locale ?? 'en' },
    ...(realUser && { real_user: person(realUser) }),
  };
  const result = isIdentityAlone(scopes)
    ? { access_token: null, token_type: 'Bearer', ...who }
    : {
        access_token,
        token_type: 'Bearer',
        ...who,
        ...(refresh_token !== undefined && { refresh_token }),
        ...(key.auto_expire_tokens && { expires_in: lifetime }),
      };
  return answer(result, 200, noStore);
}
