// A tool of LTI for tests: installed, opened as a browser would, and asking the services.

import { SELF } from 'cloudflare:test';
import { isSignedBy, type Jwk, readJwt } from '@carrel/worker/crypto/jwt';
import { expect } from 'vitest';
import { as, base, noteRoute, ok } from './api';
import { assert, clientKey } from './client_keys';
import type { Person } from './ground';

export const ltiClaim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
export const deepLinkClaim = (name: string) => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;

const ags = 'https://purl.imsglobal.org/spec/lti-ags/scope';
export const toolScopes = {
  items: `${ags}/lineitem`,
  itemsReadonly: `${ags}/lineitem.readonly`,
  results: `${ags}/result.readonly`,
  score: `${ags}/score`,
  roster: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
};

export interface InstalledTool {
  readonly id: number;
  readonly client_id: number;
  readonly host: string;
  readonly deployment_id: string;
}

const choosing = ['assignment_selection', 'link_selection', 'editor_button', 'homework_submission'];

/** Configures a tool of LTI 1.3 and installs it in a course or account. */
export async function installTool(admin: Person, host: string, path: string): Promise<InstalledTool> {
  const configuration = {
    title: `Tool of ${host}`,
    target_link_uri: `https://${host}/launch`,
    oidc_initiation_url: `https://${host}/login`,
    public_jwk: clientKey,
    scopes: Object.values(toolScopes),
    extensions: [
      {
        platform: 'canvas.instructure.com',
        privacy_level: 'public',
        domain: host,
        settings: {
          placements: choosing.map((placement) => ({
            placement,
            message_type: 'LtiDeepLinkingRequest',
            target_link_uri: `https://${host}/choose`,
          })),
        },
      },
    ],
  };
  const body = { configuration, redirect_uris: [`https://${host}/launch`] };
  const key = ok(await as(admin).post('/api/lti/accounts/1/developer_keys/tool_configuration', body, { json: true }));
  const client_id = key.developer_key.id;
  const made = ok(await as(admin).post(`${path}/external_tools`, { client_id }));
  return { id: made.id, client_id, host, deployment_id: made.deployment_id };
}

/** A request of a browser, without redirects. */
export async function browse(address: string, init: RequestInit = {}): Promise<Response> {
  const response = (await SELF.fetch(address.startsWith('http') ? address : `${base}${address}`, {
    redirect: 'manual',
    ...init,
  } as never)) as unknown as Response;
  noteRoute(response.headers, response.status);
  return response;
}

export const unescapedText = (text: string) => text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The form of a page. */
export function pageForm(html: string) {
  const pairs = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    unescapedText(name),
    unescapedText(value),
  ]);
  return { action: unescapedText(/action="([^"]*)"/.exec(html)?.[1] ?? ''), given: Object.fromEntries(pairs) as Record<string, string> };
}

/** Posts a form as the page of a tool does. */
export async function postForm(address: string, given: Readonly<Record<string, string>>) {
  const response = await browse(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://tool.example' },
    body: new URLSearchParams(given).toString(),
  });
  return { status: response.status, html: await response.text() };
}

/** Opens a tool up to its login, or for LTI 1.1 up to its form. */
export async function openTool(who: Person, path: string, query: object) {
  const { url } = ok(await as(who).get(`${path}/external_tools/sessionless_launch`, query));
  const response = await browse(url);
  const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { status: response.status, ...pageForm(await response.text()), cookie };
}

/** The claims of a launch with LTI 1.3. */
export async function launchClaimsOf(who: Person, path: string, tool: Pick<InstalledTool, 'host'>, query: object) {
  const { given, cookie } = await openTool(who, path, query);
  const asked = new URLSearchParams({
    scope: 'openid',
    response_type: 'id_token',
    response_mode: 'form_post',
    prompt: 'none',
    client_id: given.client_id ?? '',
    redirect_uri: `https://${tool.host}/launch`,
    login_hint: given.login_hint ?? '',
    lti_message_hint: given.lti_message_hint ?? '',
    state: 'the state',
    nonce: crypto.randomUUID(),
  });
  const page = pageForm(await (await browse(`/api/lti/authorize_redirect?${asked}`, { headers: { Cookie: cookie } })).text());
  const { keys } = (await (await browse('/api/lti/security/jwks')).json()) as { keys: Jwk[] };
  const jwt = readJwt(page.given.id_token ?? '');
  expect(jwt && (await isSignedBy(jwt, keys)), JSON.stringify(page.given)).toBe(true);
  return jwt?.claims as Record<string, unknown>;
}

/** A client with a token of the tool. */
export async function serviceOf({ client_id }: Pick<InstalledTool, 'client_id'>, ...scopes: string[]) {
  const now = Math.floor(Date.now() / 1000);
  const client_assertion = await assert({
    iss: String(client_id),
    sub: String(client_id),
    aud: `${base}/login/oauth2/token`,
    iat: now,
    exp: now + 300,
    jti: crypto.randomUUID(),
  });
  const answer = await as().post('/login/oauth2/token', {
    grant_type: 'client_credentials',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion,
    scope: scopes.join(' '),
  });
  return as({ token: ok(answer).access_token } as Person);
}

export interface ContentAsked {
  readonly deep_link_return_url: string;
  readonly data: string;
  readonly accept_types: string[];
}

/** Opens a tool to choose content. */
export const contentAsked = async (who: Person, path: string, tool: InstalledTool, query: object): Promise<ContentAsked> =>
  (await launchClaimsOf(who, path, tool, { id: tool.id, ...query }))[deepLinkClaim('deep_linking_settings')] as ContentAsked;

/** Returns content from a tool. */
export async function chooseContent(tool: InstalledTool, { deep_link_return_url, data }: ContentAsked, content_items: readonly object[]) {
  const now = Math.floor(Date.now() / 1000);
  const JWT = await assert({
    iss: String(tool.client_id),
    aud: [base],
    iat: now,
    exp: now + 300,
    nonce: crypto.randomUUID(),
    [ltiClaim('deployment_id')]: tool.deployment_id,
    [ltiClaim('message_type')]: 'LtiDeepLinkingResponse',
    [ltiClaim('version')]: '1.3.0',
    [deepLinkClaim('data')]: data,
    [deepLinkClaim('content_items')]: content_items,
  });
  return postForm(deep_link_return_url, { JWT });
}
