// The platform for tools of LTI 1.3: its configuration and keys, and the endpoint that answers a tool's login with the launch (reference 06 §8).

import { placementNames } from '@carrel/shared/resources/external_tool';
import { optional, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { eq } from 'drizzle-orm';
import { isSwitchedOn } from '../../contexts/developer_key';
import { cookieOf } from '../../contexts/session';
import { sameText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { answer, type Reply, rawResponse } from '../../http/reply';
import { contentChoiceAt } from '../../rules/content_choices';
import { offeredScopes } from '../../rules/lti_scopes';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import { contentChoiceOf, placeAddress } from '../external_tools/launch/content_request';
import { type LaunchFacts, launchFacts, launchStatements } from '../external_tools/launch/facts';
import { autoPostPage, launchTrouble } from '../external_tools/launch/page';
import { choiceLifetime, launchCookie, returnAddressOf } from '../external_tools/launch/start';
import { isUsedAgain, type LaunchTicket, type OpenedTicket, openTicket, sealTicket, useOnce } from '../external_tools/launch/ticket';
import { variableNames } from '../external_tools/launch/variables';
import { launchClaims } from './id_token';
import { platformKeys, selectKeys, signAsPlatform } from './platform_keys';
import { offeredClaims } from './registration/tool_registration';

export const about = {
  title: 'LTI Advantage',
  description: 'Services for external tools of LTI 1.3: launches, deep linking, assignments and grades, names and roles.',
};

const loginParams = {
  scope: optional(text),
  response_type: optional(text),
  response_mode: optional(text),
  prompt: optional(text),
  client_id: optional(text),
  redirect_uri: optional(text),
  login_hint: optional(text),
  lti_message_hint: optional(text),
  state: optional(text),
  nonce: optional(text),
};

type Login = { readonly [name in keyof typeof loginParams]?: string | undefined };
type Asking = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'request' | 'institution'> & { readonly params: Login };

const required: Readonly<Partial<Record<keyof Login, string>>> = {
  scope: 'openid',
  response_type: 'id_token',
  response_mode: 'form_post',
  prompt: 'none',
};

/** What is wrong with the request itself. */
function faultOf(given: Login): string | undefined {
  const wrong = Object.entries(required).find(([name, value]) => lookUp<unknown>(given, name) !== value);
  if (wrong) return `The '${wrong[0]}' must be '${wrong[1]}'`;
  const missing = (['nonce', 'login_hint', 'lti_message_hint'] as const).find((name) => !given[name]);
  return missing ? `The '${missing}' is required` : undefined;
}

/** Sends the result to the tool's redirect URI, which was compared before. */
const tell = (redirect_uri: string, pairs: readonly (readonly [string, string | undefined])[]): Promise<Reply> =>
  autoPostPage({
    target: redirect_uri,
    title: 'Opening the tool',
    pairs: pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  });

const longest = 4000;

/** The launch that a hint names; undefined unless it is of this browser and has not expired. */
async function launchOf({ env, now, request, params }: Asking) {
  const opened = await openTicket<LaunchTicket>(env, 'hint', params.lti_message_hint ?? '', now);
  const secret = cookieOf(request, launchCookie);
  return opened && secret && sameText(await sha256(secret), opened.ticket.browser ?? '') ? opened : undefined;
}

/** A launch about nothing, so that every request reads the same. */
const nowhere: LaunchTicket = { user_id: 0, real_user_id: 0, context_type: 'Account', context_id: 0, tool_id: 0 };

/** Reads the client, the keys and what the launch is about. */
async function readLogin({ db, now, params }: Asking, ticket: LaunchTicket) {
  const id = /^\d{1,18}$/.test(params.client_id ?? '') ? Number(params.client_id) : 0;
  const [[key], said, platform, ...facts] = await db.perform([
    db.build.select().from(developer_keys).where(eq(developer_keys.id, id)),
    db.build.select().from(bindings).where(eq(bindings.developer_key_id, id)),
    selectKeys(db),
    ...launchStatements(db, ticket, now),
  ]);
  return { key, said, platform, facts: launchFacts(ticket, facts) };
}

/** Marks a launch as used. @returns false where it was used before */
async function isFirstUse({ db }: Asking, opened: OpenedTicket<LaunchTicket>): Promise<boolean> {
  try {
    await db.perform([useOnce(db, opened)]);
    return true;
  } catch (error) {
    if (isUsedAgain(error)) return false;
    throw error;
  }
}

/** What comes back with the content; nothing for other launches. */
async function choosingIn({ env, now, origin }: Asking, facts: LaunchFacts) {
  const { ticket } = facts;
  const choice = contentChoiceOf(facts);
  if (!choice) return {};
  const { browser: _, ...place } = ticket;
  const data = await sealTicket(env, 'content', place, now, choiceLifetime);
  return { choosing: { choice, address: `${placeAddress(facts, origin)}/deep_linking_response`, data } };
}

async function authorizeLaunch(call: Asking): Promise<Reply> {
  const { env, now, origin, params, institution } = call;
  const opened = await launchOf(call);
  const { key, said, platform, facts } = await readLogin(call, opened?.ticket ?? nowhere);
  const redirect_uri = params.redirect_uri ?? '';
  // Redirect URIs are compared exactly.
  if (!key?.redirect_uris.includes(redirect_uri) || redirect_uri.length > longest)
    return launchTrouble(400, 'The tool is unknown, or asks for an address that is not registered.');
  const refuse = (error: string, error_description: string) =>
    tell(redirect_uri, [
      ['error', error],
      ['error_description', error_description],
      ['state', params.state],
    ]);
  const fault = faultOf(params);
  if (fault) return refuse('invalid_request_object', fault);
  if (!isSwitchedOn(key, said, institution.root.id)) return refuse('unauthorized_client', 'Client not authorized in requested context');
  if (!opened || !facts) return refuse('launch_no_longer_valid', 'The launch has either expired or already been consumed');
  if (params.login_hint !== facts.user.uuid) return refuse('login_required', 'The user is not logged in');
  if (facts.tool.developer_key_id !== key.id) return refuse('unauthorized_client', 'Client not authorized in requested context');
  if (!(await isFirstUse(call, opened))) return refuse('launch_no_longer_valid', 'The launch has either expired or already been consumed');
  const { ticket } = opened;
  const claims = launchClaims(facts, {
    ...(await choosingIn(call, facts)),
    origin,
    target: ticket.url ?? '',
    isFramed: ticket.isFramed ?? false,
    nonce: params.nonce ?? '',
    now: Math.floor(Date.parse(now) / 1000),
    returnAddress: returnAddressOf(facts, origin),
    scopes: key.scopes,
  });
  const keys = platform.length > 0 ? platform : await platformKeys(call.db, env, now);
  return tell(redirect_uri, [
    ['id_token', await signAsPlatform(keys, env, claims)],
    ['state', params.state],
    ['lti_storage_target', '_parent'],
  ]);
}

// A tool's page posts here from its own site, so no session counts: the launch itself is bound to the browser.
const open = { can: 'anyone', unscoped: true, withoutCaller: true, params: loginParams, returns: { json: null } } as const;

const authorization = (['/api/lti/authorize_redirect', '/api/lti/authorize'] as const).flatMap((path) => [
  get(path, { ...open, changes: true, summary: 'Authorize a launch of LTI 1.3' }, authorizeLaunch),
  post(path, { ...open, summary: 'Authorize a launch of LTI 1.3 by a form' }, authorizeLaunch),
]);

/** Where content is chosen, and where a tool is only opened. */
const choicePlacements = placementNames.filter((name) => contentChoiceAt(name) !== undefined);
const launchPlacements = placementNames.filter((name) => contentChoiceAt(name) === undefined);

const published = { can: 'anyone', unscoped: true, withoutCaller: true, returns: { json: null } } as const;

export const ltiAuthorizeRoutes = absolute(
  get('/api/lti/security/jwks', { ...published, summary: 'Get the public keys for external tools (JWKS)' }, async ({ db, env, now }) => {
    const keys = await platformKeys(db, env, now);
    return rawResponse(
      new Response(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }), {
        headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
      }),
    );
  }),

  get(
    '/api/lti/security/openid-configuration',
    { ...published, summary: 'Get the configuration for the registration of tools' },
    ({ origin, institution }) =>
      answer({
        issuer: origin,
        authorization_endpoint: `${origin}/api/lti/authorize_redirect`,
        registration_endpoint: `${origin}/api/lti/registrations`,
        jwks_uri: `${origin}/api/lti/security/jwks`,
        token_endpoint: `${origin}/login/oauth2/token`,
        token_endpoint_auth_methods_supported: ['private_key_jwt'],
        token_endpoint_auth_signing_alg_values_supported: ['RS256'],
        scopes_supported: offeredScopes,
        response_types_supported: ['id_token'],
        id_token_signing_alg_values_supported: ['RS256'],
        claims_supported: offeredClaims,
        subject_types_supported: ['public'],
        authorization_server: new URL(origin).host,
        'https://purl.imsglobal.org/spec/lti-platform-configuration': {
          product_family_code: 'canvas',
          version: 'OpenSource',
          messages_supported: [
            { type: 'LtiResourceLinkRequest', placements: launchPlacements },
            { type: 'LtiDeepLinkingRequest', placements: choicePlacements },
          ],
          variables: variableNames,
          'https://canvas.instructure.com/lti/account_name': institution.root.name,
        },
      }),
  ),

  ...authorization,
);
