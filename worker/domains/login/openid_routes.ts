// Sign-in through an identity provider: start and callback.

import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, sql } from 'drizzle-orm';
import { readId } from '../../contexts/references';
import { cookieOf } from '../../contexts/session';
import { seal, unseal } from '../../database/seal';
import type { Call } from '../../http/call';
import { absolute, get } from '../../http/endpoint';
import { leadTo, pathHere, signedInHome } from '../../site/page';
import { ssoSettingsOf } from '../authentication_providers/sso_settings';
import { authentication_providers as providers } from '../authentication_providers/table';
import { logins, users } from '../users/table';
import {
  comeBack,
  identityProviderOf,
  logFailure,
  nameThere,
  type OidcRequest,
  oidcRequestOf,
  setOut,
  speaksOpenId,
} from './openid_connect';
import { openLoginSession } from './opening';
import { troublePage } from './page';
import { provisionUser, refreshed } from './provision';

const pageOnly = { can: 'anyone', returns: { json: null } } as const;
const callbackOf = (origin: string) => `${origin}/login/oauth2/callback`;
const errandCookie = 'carrel_errand';
/** Maximum duration of a sign-in at the provider, in seconds. */
const patience = 15 * 60;

const carried = (value: string, origin: string, age: number) =>
  [
    `${errandCookie}=${value}`,
    'Path=/login',
    'SameSite=Lax',
    'HttpOnly',
    `Max-Age=${age}`,
    ...(origin.startsWith('https:') ? ['Secure'] : []),
  ].join('; ');

const active = and(eq(providers.account_id, 1), eq(providers.workflow_state, 'active'));

const closed = () =>
  troublePage('Sign-in method not available', 'Your school does not offer this sign-in method. Choose another one.', 404);
const failed = (error: unknown) => {
  logFailure(error);
  return troublePage(
    'Something went wrong',
    'Your school’s sign-in page could not be reached, or did not confirm your identity. Try again.',
    400,
  );
};

async function out(call: Pick<Call, 'db' | 'env' | 'origin' | 'now' | 'tree'>, id: number | undefined) {
  const { db, env, origin, now } = call;
  const [rows] = await db.perform([
    db.build
      .select()
      .from(providers)
      .where(and(active, id === undefined ? eq(providers.auth_type, 'openid_connect') : eq(providers.id, id)))
      .orderBy(providers.position)
      .limit(1),
  ]);
  const [provider] = rows;
  if (!provider || !speaksOpenId(provider.auth_type)) return closed();
  try {
    const house = await identityProviderOf(provider, env);
    const { errand, address } = await setOut(house, callbackOf(origin), {
      provider_id: provider.id,
      return_to: pathHere(call.tree.return_to, origin),
      at: Date.parse(now) / 1000,
    });
    const sealed = await seal(env.SIGNING_SECRET, oidcRequestOf, JSON.stringify(errand));
    return leadTo(address, [carried(sealed, origin, patience)]);
  } catch (error) {
    return failed(error);
  }
}

async function errandIn({ env, request, now }: Pick<Call, 'env' | 'request' | 'now'>): Promise<OidcRequest | undefined> {
  const opened = await unseal(env.SIGNING_SECRET, oidcRequestOf, cookieOf(request, errandCookie) ?? '');
  const errand = opened === undefined ? undefined : (JSON.parse(opened) as OidcRequest);
  return errand && errand.at + patience > Date.parse(now) / 1000 ? errand : undefined;
}

export const openidRoutes = absolute(
  get('/login/openid_connect', { ...pageOnly, summary: 'Sign in at the identity provider' }, (call) => out(call, undefined)),
  get('/login/openid_connect/:provider', { ...pageOnly, summary: 'Sign in at one of several identity providers' }, (call) =>
    out(call, readId(call.path.provider) ?? 0),
  ),

  get('/login/oauth2/callback', { ...pageOnly, summary: 'Identity provider callback' }, async (call) => {
    const { db, env, origin, now, url, institution } = call;
    const request = await errandIn(call);
    if (!request) return troublePage('The sign-in timed out', 'Sign in again.', 400);
    const [rows] = await db.perform([
      db.build
        .select()
        .from(providers)
        .where(and(active, eq(providers.id, request.provider_id))),
    ]);
    const [provider] = rows;
    if (!provider) return closed();
    const attribute = nameThere(provider);
    let unique_id: string;
    let claims: Awaited<ReturnType<typeof comeBack>>;
    try {
      const house = await identityProviderOf(provider, env);
      const wanted = [attribute, ...Object.values(provider.federated_attributes).map((one) => one.attribute)];
      claims = await comeBack(house, url, callbackOf(origin), request, wanted);
      unique_id = String(lookUp(claims, attribute) ?? '').trim();
      if (unique_id === '' || unique_id.length > 255) throw new Error(`the provider sent no ${attribute}`);
      if (provider.settings.hosted_domain && claims.hd !== provider.settings.hosted_domain)
        throw new Error('the user belongs to another domain');
    } catch (error) {
      return failed(error);
    }
    const theirs = () =>
      db.build
        .select({ id: logins.id, user_id: logins.user_id, unique_id: logins.unique_id, state: logins.workflow_state })
        .from(logins)
        .innerJoin(users, and(eq(users.id, logins.user_id), sql`users.workflow_state <> 'deleted'`))
        .where(
          and(
            eq(logins.account_id, 1),
            sql`lower(${logins.unique_id}) = lower(${unique_id})`,
            eq(logins.authentication_provider_id, provider.id),
            sql`logins.workflow_state <> 'deleted'`,
          ),
        )
        .limit(1);
    let [[login]] = await db.perform([theirs()]);
    // Subjects are case-sensitive; other login names are not.
    if (login && attribute === 'sub' && login.unique_id !== unique_id) return troublePage('No account found', unknownWords, 403);
    if (!login && provider.jit_provisioning) {
      const { statements } = provisionUser(db, provider, claims, unique_id, now);
      // A claimed login or SIS id may belong to another user already: then no user is created, and the sign-in fails.
      const made = await db.perform([...statements, theirs()]).catch((error: unknown) => {
        if (!isTaken(error)) throw error;
      });
      [login] = (made?.at(-1) ?? []) as Awaited<ReturnType<typeof theirs>>;
    }
    if (login?.state !== 'active') {
      const elsewhere = ssoSettingsOf(institution.root).unknown_user_url;
      return elsewhere ? leadTo(elsewhere, [carried('', origin, 0)]) : troublePage('No account found', unknownWords, 403);
    }
    const opened = await openLoginSession(call, { user_id: login.user_id, login_id: login.id, account_id: 1 });
    await db.perform([...refreshed(db, provider, claims, login.user_id, now), ...opened.statements]);
    return leadTo(request.return_to ?? signedInHome, [...opened.cookies, carried('', origin, 0)]);
  }),
);

const isTaken = (error: unknown): boolean =>
  error instanceof Error && (/UNIQUE constraint failed/.test(error.message) || isTaken(error.cause));

const unknownWords = 'Your school confirmed your identity, but you have no account here. Ask your school to create one.';
