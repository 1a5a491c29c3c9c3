// openid-client, unmodified from the registry: an application that signs users in and is configured only by our metadata.

import * as oauth from 'openid-client';
import { beforeAll, expect, inject, test } from 'vitest';
import { clientOf } from '../support/client';

const { url, admin, learner, course } = inject('started');
const back = 'http://127.0.0.1:39999/back';
const insecure = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' as const };

const rest = (token: string) => clientOf((to, init) => fetch(to, init as RequestInit), url, token);

/** A browser without scripts: it keeps cookies, follows redirects within the service, and submits forms. */
function aBrowser() {
  const cookies = new Map<string, string>();
  async function visit(address: string, form?: URLSearchParams): Promise<{ at: string; text: string }> {
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        Accept: 'text/html',
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form && { Origin: url, 'Sec-Fetch-Site': 'same-origin' }),
      },
      ...(form && { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    const next = response.headers.get('location');
    if (next === null) return { at: address, text };
    const to = new URL(next, address).href;
    return to.startsWith(url) ? visit(to) : { at: to, text: '' };
  }
  /** Submits the form of a page with its own values and the given ones. */
  const send = ({ at, text }: { at: string; text: string }, filled: Record<string, string>, button?: string) => {
    const action = button ?? /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? '';
    const plain = (value: string) => value.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      plain(value),
    ]);
    return visit(new URL(action, at).href, new URLSearchParams([...hidden, ...Object.entries(filled)]));
  };
  return { visit, send };
}

let key: { id: number; api_key: string };
beforeAll(async () => {
  const made = await rest(admin.token).post('/accounts/1/developer_keys', {
    developer_key: {
      name: 'Star charts',
      redirect_uris: [back],
      require_scopes: true,
      scopes: ['url:GET|/api/v1/users/:id', 'url:GET|/api/v1/courses'],
    },
  });
  key = made.body;
});

const discover = (secret: string | undefined, authentication: oauth.ClientAuth) =>
  oauth.discovery(new URL(url), String(key.id), secret, authentication, insecure);

async function wish(config: oauth.Configuration) {
  const pkceCodeVerifier = oauth.randomPKCECodeVerifier();
  const expectedState = oauth.randomState();
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: back,
    scope: 'url:GET|/api/v1/users/:id',
    code_challenge: await oauth.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
  return { address: address.href, checks: { pkceCodeVerifier, expectedState } };
}

test('a user signs in and consents, and the application gets, uses, renews and revokes a token', async () => {
  const config = await discover(key.api_key, oauth.ClientSecretBasic(key.api_key));
  const { address, checks } = await wish(config);
  const browser = aBrowser();
  const login = await browser.visit(address);
  expect(login.text).toContain('Sign in');
  const consent = await browser.send(login, {
    'pseudonym_session[unique_id]': learner.login,
    'pseudonym_session[password]': learner.password,
  });
  expect(consent.text).toContain('Star charts');
  const yes = await browser.send(consent, {});
  expect(yes.at.startsWith(`${back}?`)).toBe(true);

  const tokens = await oauth.authorizationCodeGrant(config, new URL(yes.at), checks);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id: learner.id, name: 'Lea Learner' } });
  const me = await oauth.fetchProtectedResource(config, tokens.access_token, new URL(`${url}/api/v1/users/self`), 'GET');
  expect(await me.json()).toMatchObject({ id: learner.id });
  expect((await rest(tokens.access_token).get(`/courses/${course.id}`)).status).toBe(401);

  const renewed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect((await rest(tokens.access_token).get('/users/self')).status).toBe(401);
  expect((await rest(renewed.access_token).get('/users/self')).status).toBe(200);
  expect((await rest(renewed.access_token).del('/login/oauth2/token')).status).toBe(200);
  await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({ error: 'invalid_grant' });

  // The browser is still signed in, so it is asked for consent at once, and may refuse.
  const second = await wish(config);
  const asked = await browser.visit(second.address);
  expect(asked.text).toContain('Star charts');
  const no = await browser.send(asked, {}, '/login/oauth2/deny');
  await expect(oauth.authorizationCodeGrant(config, new URL(no.at), second.checks)).rejects.toMatchObject({ error: 'access_denied' });
});

test('a wrong client secret or code verifier gets no token', async () => {
  const browser = aBrowser();
  const config = await discover('wrong', oauth.ClientSecretPost('wrong'));
  const { address, checks } = await wish(config);
  const login = await browser.visit(address);
  const consent = await browser.send(login, {
    'pseudonym_session[unique_id]': learner.login,
    'pseudonym_session[password]': learner.password,
  });
  const yes = new URL((await browser.send(consent, {})).at);
  await expect(oauth.authorizationCodeGrant(config, yes, checks)).rejects.toMatchObject({ cause: expect.anything() });
  const right = await discover(key.api_key, oauth.ClientSecretPost(key.api_key));
  const other = { ...checks, pkceCodeVerifier: oauth.randomPKCECodeVerifier() };
  await expect(oauth.authorizationCodeGrant(right, yes, other)).rejects.toMatchObject({ error: 'invalid_grant' });
});
