// The authorization endpoint (RFC 6749 §4.1.1): sign-in, consent, and redirect to the application with a code.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq } from 'drizzle-orm';
import { type DeveloperKeyRow, isSwitchedOn } from '../../contexts/developer_key';
import { cookieOf, csrfTokenOf, sessionCookie } from '../../contexts/session';
import type { Viewer } from '../../contexts/viewer';
import { newToken } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import type { Problem } from '../../http/problem';
import { type Reply, rawResponse } from '../../http/reply';
import { leadTo, signedIn } from '../../site/page';
import { tokens } from '../tokens/table';
import { type Authorization, type AuthorizationRequest, authorizationOf, authorizationParams, isRemembered } from './authorization';
import { keyStatements } from './client';
import { codePage, consentPage, deniedPage, refusalPage } from './consent_page';
import { invalidClient, invalidRequest } from './problem';
import { mayRedirectTo, oob, withAnswer } from './redirect';
import { authorization_codes } from './table';

type Visit = Pick<Call, 'db' | 'me' | 'now' | 'url' | 'request' | 'institution'> & { readonly params: AuthorizationRequest };

const pageOnly = { can: 'anyone', unscoped: true, params: authorizationParams, returns: { json: null } } as const;

/** Redirects to the application or, without a redirect URI, shows the result to the user. */
const tell = ({ redirect_uri = oob, state }: AuthorizationRequest, given: Readonly<Record<string, string>>): Reply => {
  const address = redirect_uri === oob ? `/login/oauth2/auth?${new URLSearchParams(given)}` : withAnswer(redirect_uri, { ...given, state });
  return rawResponse(
    new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' } }),
  );
};

/** API clients get JSON, browsers a page. */
function refuse({ request }: Pick<Visit, 'request'>, problem: Problem): Reply {
  if (!request.headers.get('accept')?.includes('text/html')) throw problem;
  const { error_description } = problem.body as { error_description: string };
  return refusalPage(problem.status, `This application cannot request access: ${error_description}.`);
}

interface Examined {
  readonly key: DeveloperKeyRow;
  readonly authorization: Authorization;
  readonly remembers: boolean;
}

/** Validates the request against the application's key; returns the error response otherwise. */
async function examine(call: Visit): Promise<Examined | { readonly reply: Reply }> {
  const { db, params, me, institution } = call;
  const who = signedIn(call);
  const [[key], said, before] = await db.perform([
    ...keyStatements(db, params.client_id),
    db.build
      .select({ developer_key_id: tokens.developer_key_id, scopes: tokens.scopes })
      .from(tokens)
      .where(and(eq(tokens.user_id, who ? me.id : 0), eq(tokens.remember_access, true), eq(tokens.workflow_state, 'active')))
      .limit(100),
  ]);
  if (!key || key.workflow_state === 'deleted') return { reply: refuse(call, invalidClient('unknown client')) };
  const { redirect_uri = '' } = params;
  if (!mayRedirectTo(key, redirect_uri)) return { reply: refuse(call, invalidRequest('redirect_uri does not match client settings')) };
  if (!isSwitchedOn(key, said, institution.root.id))
    return { reply: tell(params, { error: 'unauthorized_client', error_description: 'The client is not authorized here' }) };
  const authorization = authorizationOf(key, params);
  if ('error' in authorization) return { reply: tell(params, { ...authorization }) };
  const ofKey = before.filter((one) => one.developer_key_id === key.id);
  return { key, authorization, remembers: isActingForThemselves(me) && isRemembered(authorization.scopes, ofKey) };
}

const isActingForThemselves = (me: Viewer) => me.real_user_id === me.id;
const lifetime = 10 * 60_000;

/** Creates the code and redirects to the application. */
async function grant(call: Visit, { key, authorization }: Examined, remember_access: boolean): Promise<Reply> {
  const { db, me, now, params } = call;
  const code = newToken();
  await db.perform([
    db.build.insert(authorization_codes).values({
      code_hash: await sha256(code),
      developer_key_id: key.id,
      user_id: me.id,
      real_user_id: isActingForThemselves(me) ? null : me.real_user_id,
      redirect_uri: params.redirect_uri ?? oob,
      purpose: params.purpose?.slice(0, 255),
      remember_access,
      ...authorization,
      scopes: [...authorization.scopes],
      expires_at: wireTime(Date.parse(now) + lifetime),
      created_at: now,
    }),
  ]);
  return tell(params, { code });
}

const queryOf = (asked: Readonly<Record<string, string | undefined>>) =>
  new URLSearchParams(Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined)).toString();

/** Redirects to the login page and back; without parameters that would force another sign-in. */
function toSignIn({ params }: Visit): Reply {
  const { force_login, unique_id, ...asked } = params;
  return leadTo(
    `/login?${queryOf({ return_to: `/login/oauth2/auth?${queryOf(asked)}`, unique_id, ...(isYes(force_login) && { force_login: '1' }) })}`,
  );
}

const isYes = (word: string | undefined) => word !== undefined && /^(1|true|yes|on)$/i.test(word);

export const authorizeRoutes = absolute(
  get('/login/oauth2/auth', { ...pageOnly, summary: 'Authorize an application' }, async (call) => {
    const { params, url } = call;
    if (params.client_id === undefined && url.searchParams.has('code')) return codePage(url.searchParams.get('code') ?? '');
    if (params.client_id === undefined && url.searchParams.has('error')) return deniedPage();
    const examined = await examine(call);
    if ('reply' in examined) return examined.reply;
    const isSilent = params.prompt === 'none';
    if (!signedIn(call) || isYes(params.force_login))
      return isSilent ? tell(params, { error: 'login_required', error_description: 'No user is signed in' }) : toSignIn(call);
    if (examined.remembers) return grant(call, examined, true);
    if (isSilent) return tell(params, { error: 'interaction_required', error_description: 'The user must consent first' });
    return leadTo(`/login/oauth2/confirm?${queryOf({ ...params, force_login: undefined })}`);
  }),

  get('/login/oauth2/confirm', { ...pageOnly, summary: 'Show the consent page' }, async (call) => {
    const { params, request, operations, institution, me } = call;
    const examined = await examine(call);
    if ('reply' in examined) return examined.reply;
    if (!signedIn(call)) return toSignIn(call);
    return consentPage({
      institution: institution.root.name,
      name: me.user.name,
      realName: isActingForThemselves(me) ? undefined : 'somebody else',
      key: examined.key,
      asked: params,
      scopes: examined.authorization.scopes,
      operations: await operations(),
      authenticity_token: await csrfTokenOf(cookieOf(request, sessionCookie) ?? ''),
    });
  }),

  post('/login/oauth2/accept', { ...pageOnly, summary: 'Grant access to an application' }, async (call) => {
    const examined = await examine(call);
    if ('reply' in examined) return examined.reply;
    if (!signedIn(call)) return toSignIn(call);
    return grant(call, examined, isActingForThemselves(call.me) && isYes(textOf(call.tree.remember_access)));
  }),

  post('/login/oauth2/deny', { ...pageOnly, summary: 'Deny access to an application' }, async (call) => {
    const examined = await examine(call);
    if ('reply' in examined) return examined.reply;
    return tell(call.params, { error: 'access_denied', error_description: 'The user denied access' });
  }),
);

const textOf = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined);
