// OpenID Connect client: authorization code flow with PKCE, state and nonce; ID tokens are verified with the provider's keys.

import { lookUp } from '@carrel/shared/wire/look_up';
import * as oauth from 'oauth4webapi';
import { unseal } from '../../database/seal';
import type { Platform } from '../../platform';
import { fetchTrusted } from '../../web/fetch_public';
import { type ProviderRow, providerKinds, secretsOf } from '../authentication_providers/kinds';

/** The state of a sign-in, sealed in a cookie between start and end. */
export interface OidcRequest {
  readonly provider_id: number;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly return_to?: string;
  /** Unix time in seconds. */
  readonly at: number;
}

export const oidcRequestOf = 'sign-in elsewhere';

/** Provider types that support OpenID Connect, with their issuers. */
const issuers: Partial<Record<ProviderRow['auth_type'], (settings: ProviderRow['settings']) => string | undefined>> = {
  google: () => 'https://accounts.google.com',
  linkedin: () => 'https://www.linkedin.com/oauth',
  // Only a specific tenant: "common" would accept any Microsoft account.
  microsoft: ({ tenant }) => tenant && `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/v2.0`,
  openid_connect: ({ issuer, discovery_url, authorize_url }) =>
    issuer ?? discovery_url?.replace(/\/\.well-known\/openid-configuration\/?$/, '') ?? (authorize_url && new URL(authorize_url).origin),
};

export const speaksOpenId = (auth_type: ProviderRow['auth_type']): boolean => auth_type in issuers;

/** Explicitly trusted hosts may use plain HTTP. */
const options = (trusted: readonly string[]) => ({
  [oauth.customFetch]: fetchTrusted(trusted) as typeof fetch,
  [oauth.allowInsecureRequests]: trusted.length > 0,
  signal: () => AbortSignal.timeout(10_000),
});

interface House {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly secret: string | undefined;
  readonly options: ReturnType<typeof options>;
  readonly scope: string;
}

type Trust = Pick<Platform, 'SIGNING_SECRET' | 'PROVIDER_HOSTS'>;

/** @throws Error when the provider cannot be reached */
export async function identityProviderOf({ auth_type, settings, secrets }: ProviderRow, env: Trust): Promise<House> {
  const written = issuers[auth_type]?.(settings);
  if (!written) throw new Error('the provider has no issuer');
  const issuer = new URL(written);
  const how = options(env.PROVIDER_HOSTS?.split(/[\s,]+/).filter(Boolean) ?? []);
  const found = await oauth
    .discoveryRequest(issuer, { ...how, algorithm: 'oidc' })
    .then((response) => oauth.processDiscoveryResponse(issuer, response));
  const { authorize_url, token_url, userinfo_endpoint, client_id, application_id, scope } = settings;
  const opened = secrets === null ? undefined : await unseal(env.SIGNING_SECRET, secretsOf, secrets);
  const hidden = (opened === undefined ? {} : JSON.parse(opened)) as Record<string, string | undefined>;
  return {
    server: {
      ...found,
      ...(authorize_url && { authorization_endpoint: authorize_url }),
      ...(token_url && { token_endpoint: token_url }),
      ...(userinfo_endpoint && { userinfo_endpoint }),
    },
    client: { client_id: client_id ?? application_id ?? '' },
    secret: hidden.client_secret ?? hidden.application_secret,
    options: how,
    scope: [...new Set(['openid', ...(scope ?? 'openid profile email').split(/[\s,]+/)])].filter(Boolean).join(' '),
  };
}

/** The URL to redirect the browser to, and the sealed state to set as a cookie. */
export async function setOut(provider: House, callback: string, given: Pick<OidcRequest, 'provider_id' | 'return_to' | 'at'>) {
  const errand: OidcRequest = {
    ...given,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  };
  const address = new URL(provider.server.authorization_endpoint ?? '');
  const query = {
    client_id: provider.client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: provider.scope,
    state: errand.state,
    nonce: errand.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(errand.verifier),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return { errand, address: address.href };
}

const proofOf = ({ server, secret }: House): oauth.ClientAuth => {
  if (secret === undefined) return oauth.None();
  const known = server.token_endpoint_auth_methods_supported;
  return known && !known.includes('client_secret_basic') ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
};

export type IdTokenClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * The claims of a returning user.
 * @param wants required claims, which are fetched from the userinfo endpoint when missing
 * @throws Error for a response that is invalid or does not match the state
 */
export async function comeBack(
  house: House,
  address: URL,
  callback: string,
  request: OidcRequest,
  wants: readonly string[],
): Promise<IdTokenClaims> {
  const { server, client, options: how } = house;
  const given = oauth.validateAuthResponse(server, client, address, request.state);
  const response = await oauth.authorizationCodeGrantRequest(server, client, proofOf(house), given, callback, request.verifier, how);
  const word = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: request.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, how);
  const claims = oauth.getValidatedIdTokenClaims(word) as IdTokenClaims;
  if (!server.userinfo_endpoint || wants.every((name) => lookUp(claims, name) !== undefined)) return claims;
  const asked = await oauth.userInfoRequest(server, client, word.access_token, how);
  const more = await oauth.processUserInfoResponse(server, client, claims.sub, asked);
  return { ...more, ...claims };
}

/** The user's identifier at the provider. */
export const nameThere = ({ auth_type, login_attribute }: Pick<ProviderRow, 'auth_type' | 'login_attribute'>): string =>
  login_attribute ?? providerKinds[auth_type].login_attribute ?? 'sub';

/** Details go to the log only: the cause may be an attacker. */
export const logFailure = (error: unknown): void => {
  const { code } = error as { readonly code?: unknown };
  console.warn(JSON.stringify({ sign_in: 'failed at the identity provider', code, error: String(error) }));
};
