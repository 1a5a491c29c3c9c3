// Signing in to a running service: by keyboard, with a wrong password, through an identity provider.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import Provider from 'oidc-provider';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientOf } from '../support/client';
import { groundOf, type Person } from '../support/ground';
import { type Server, startServer, withDatabase } from '../support/server';
import { openBrowser, openPage } from './support/browser';

let persist: string;
let server: Server;
let browser: Browser;
let admin: Person;
const houses: HttpServer[] = [];

beforeAll(async () => {
  persist = await mkdtemp(join(tmpdir(), 'carrel-login-'));
  admin = await withDatabase(persist, async (d1) => {
    const ground = groundOf(d1);
    await ground.nameInstitution('Whitmore College');
    await ground.person({ name: 'Noor Haddad', login: 'noor', password: 'open sesame', sis_user_id: 'S1' });
    return ground.admin();
  });
  [server, browser] = await Promise.all([startServer({ persist, vars: { PROVIDER_HOSTS: '127.0.0.1' } }), openBrowser()]);
}, 120_000);

afterAll(async () => {
  for (const provider of houses) provider.close();
  await browser?.close();
  await server?.kill();
  await rm(persist, { recursive: true, force: true });
});

const api = () => clientOf((url, init) => fetch(url, init), server.url, admin.token);
const whoAmI = async (page: Page) => (await page.goto(`${server.url}/api/v1/users/self`))?.json();

async function violations(page: Page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

test('a user signs in and out with the keyboard alone, after a wrong password', async () => {
  const page = await openPage(browser, { javaScriptEnabled: true, colorScheme: 'dark' });
  await page.goto(`${server.url}/login?return_to=/docs`);
  await page.getByText('Whitmore College').waitFor();
  await page.keyboard.type('noor');
  await page.keyboard.press('Tab');
  await page.keyboard.type('close sesame');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Login').inputValue()).toBe('noor');
  expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violations(page)).toEqual([]);
  // The password field already has the focus.
  await page.keyboard.type('open sesame');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs');
  expect((await whoAmI(page)).name).toBe('Noor Haddad');
  await page.goto(`${server.url}/profile/settings`);
  await page.getByLabel('Purpose').fill('My computer at home');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('status').locator('pre').textContent()).toMatch(/^\w{64}$/);
  expect(await violations(page)).toEqual([]);
  await page.goto(`${server.url}/logout`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('You have signed out.').waitFor();
  expect((await whoAmI(page)).status).toBe('unauthenticated');
  await page.context().close();
});

test('a user creates an ePortfolio, writes a page, and shares the link with someone who has no account', async () => {
  const page = await openPage(browser, { colorScheme: 'light' });
  await page.goto(`${server.url}/eportfolios`);
  await page.getByLabel('Login').fill('noor');
  await page.getByLabel('Password').fill('open sesame');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your ePortfolios' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Name').fill('Works on paper');
  await page.getByRole('button', { name: 'Create ePortfolio' }).click();
  await page.getByLabel('Name of the page').fill('About me');
  await page.getByLabel('Text').fill('I draw birds.\n\nMostly in winter, when they come to the window of the library.');
  await page.getByRole('button', { name: 'Save page' }).click();
  await page.getByLabel('Name of the new page').fill('Herons');
  await page.getByRole('button', { name: 'Add page' }).click();
  await page.getByRole('link', { name: 'Herons' }).first().waitFor();
  await page.getByRole('button', { name: 'Move Herons up' }).click();
  await page.getByLabel('Name of the new section').fill('Writing');
  await page.getByRole('button', { name: 'Add section' }).click();
  await page.getByLabel('Public').check();
  await page.getByRole('button', { name: 'Save settings' }).click();
  await page.getByText('Public', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'View' }).click();
  const address = page.url().split('?')[0] as string;
  await page.context().close();

  const reader = await openPage(browser, { viewport: { width: 390, height: 800 } });
  await reader.goto(address);
  await reader.getByRole('link', { name: 'About me' }).click();
  await reader.getByText('I draw birds.').waitFor();
  expect(await violations(reader)).toEqual([]);
  expect(await reader.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
  await reader.context().close();
});

test('an OpenID Connect provider signs users in, and creates new ones', async () => {
  const house = createServer();
  houses.push(house);
  await new Promise<void>((settle) => house.listen(0, '127.0.0.1', settle));
  const issuer = `http://127.0.0.1:${(house.address() as AddressInfo).port}`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'carrel',
        client_secret: 'between us two, and long',
        redirect_uris: [`${server.url}/login/oauth2/callback`],
        post_logout_redirect_uris: [`${server.url}/login?signed_out=1`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'family_name', 'given_name'], email: ['email'] },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: `Person ${sub}`, given_name: 'Person', family_name: sub, email: `${sub}@whitmore.example` }),
    }),
    pkce: { required: () => true },
  });
  house.on('request', oidc.callback());
  const made = await api().post('/accounts/1/authentication_providers', {
    auth_type: 'openid_connect',
    client_id: 'carrel',
    client_secret: 'between us two, and long',
    authorize_url: `${issuer}/auth`,
    token_url: `${issuer}/token`,
    end_session_endpoint: `${issuer}/session/end`,
    jit_provisioning: true,
    federated_attributes: { name: 'name', email: { attribute: 'email', provisioning_only: true } },
  });
  expect([made.status, made.body.client_secret]).toEqual([200, undefined]);

  const signIn = async (name: string) => {
    const page = await openPage(browser);
    await page.goto(`${server.url}/login?return_to=/docs`);
    await page.getByRole('link', { name: /Sign in with/ }).click();
    await page.locator('input[name=login]').fill(name);
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    await page.locator('button[type=submit]').click();
    await page.waitForURL(`${server.url}/**`);
    return page;
  };
  const first = await signIn('mira');
  expect(first.url()).toBe(`${server.url}/docs`);
  const mira = await whoAmI(first);
  expect(mira).toMatchObject({ name: 'Person mira', sortable_name: 'mira, Person' });
  await first.context().close();
  await api().put(`/accounts/1/authentication_providers/${made.body.id}`, { jit_provisioning: false });
  const again = await signIn('mira');
  expect((await whoAmI(again)).id).toBe(mira.id);
  // Signing out here also signs out at the provider.
  await again.goto(`${server.url}/logout`);
  await again.getByRole('button', { name: 'Sign out' }).click();
  await again.locator('button[value=yes]').click();
  await again.getByText('You have signed out.').waitFor();
  await again.context().close();
  const stranger = await signIn('omar');
  await stranger.getByRole('heading', { name: 'No account found' }).waitFor();
  expect((await whoAmI(stranger)).status).toBe('unauthenticated');
  await stranger.context().close();
});

const base64 = (given: string | ArrayBuffer) => Buffer.from(given as never).toString('base64url');

test('an id token counts only with a valid signature, for this sign-in, and in this browser', async () => {
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
  const [own, others] = await Promise.all([1, 2].map(() => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])));
  const keys = { keys: [{ ...(await crypto.subtle.exportKey('jwk', (own as CryptoKeyPair).publicKey)), kid: 'own', use: 'sig' }] };
  let issuer = '';
  let word: () => Promise<string> = async () => '';
  const house = createServer(async (request, response) => {
    const endpoints = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
    const body = request.url?.startsWith('/.well-known')
      ? {
          ...endpoints,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }
      : request.url === '/jwks'
        ? keys
        : { access_token: 'x', token_type: 'Bearer', id_token: await word() };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  houses.push(house);
  await new Promise<void>((settle) => house.listen(0, '127.0.0.1', settle));
  issuer = `http://127.0.0.1:${(house.address() as AddressInfo).port}`;
  const { body } = await api().post('/accounts/1/authentication_providers', {
    auth_type: 'openid_connect',
    client_id: 'carrel',
    issuer,
    jit_provisioning: true,
    federated_attributes: { sis_user_id: 'number' },
  });

  const attempt = async (change: object, key: CryptoKeyPair | undefined, keepsCookie = true) => {
    const out = await fetch(`${server.url}/login/openid_connect/${body.id}`, { redirect: 'manual' });
    const to = new URL(out.headers.get('location') as string);
    const cookie = out.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(to.searchParams.get('code_challenge_method')).toBe('S256');
    word = async () => {
      const at = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: 'carrel', sub: 'pia', iat: at, exp: at + 60, nonce: to.searchParams.get('nonce'), ...change };
      const signed = `${base64(JSON.stringify({ alg: 'RS256', kid: 'own' }))}.${base64(JSON.stringify(claims))}`;
      const signature = await crypto.subtle.sign(algorithm.name, (key as CryptoKeyPair).privateKey, Buffer.from(signed));
      return `${signed}.${base64(signature)}`;
    };
    const back = `${server.url}/login/oauth2/callback?code=abc&state=${to.searchParams.get('state')}`;
    const answer = await fetch(back, { redirect: 'manual', headers: keepsCookie ? { Cookie: cookie } : {} });
    return [answer.status, answer.headers.getSetCookie().some((line) => /^carrel_session=\w/.test(line))];
  };
  const refused = [400, false];
  expect(await attempt({}, own)).toEqual([303, true]);
  expect(await attempt({}, others)).toEqual(refused);
  expect(await attempt({ nonce: 'another' }, own)).toEqual(refused);
  expect(await attempt({ aud: 'somebody else' }, own)).toEqual(refused);
  expect(await attempt({ iss: 'https://evil.example' }, own)).toEqual(refused);
  expect(await attempt({ exp: 1 }, own)).toEqual(refused);
  expect(await attempt({ sub: 'PIA' }, own)).toEqual([403, false]);
  // An identity that already belongs to a user creates no new one.
  expect(await attempt({ sub: 'qi', number: 'S1' }, own)).toEqual([403, false]);
  expect(await attempt({}, own, false)).toEqual(refused);
});

test('an application asks for access, gets consent, and is not asked for it again', async () => {
  const application = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Star charts</title>'),
  );
  houses.push(application);
  await new Promise<void>((settle) => application.listen(0, '127.0.0.1', settle));
  const back = `http://127.0.0.1:${(application.address() as AddressInfo).port}/back`;
  const { body: key } = await api().post('/accounts/1/developer_keys', {
    developer_key: {
      name: 'Star charts',
      redirect_uris: ['http://127.0.0.1/back'],
      require_scopes: true,
      scopes: ['url:GET|/api/v1/courses', 'url:POST|/api/v1/planner_notes'],
    },
  });
  const query = { client_id: key.id, response_type: 'code', redirect_uri: back, state: 's', scope: key.scopes.join(' ') };
  const ask = `${server.url}/login/oauth2/auth?${new URLSearchParams(query)}`;
  const signIn = async (page: Page) => {
    await page.goto(ask);
    await page.getByLabel('Login').fill('noor');
    await page.getByLabel('Password').fill('open sesame');
    await page.keyboard.press('Enter');
  };
  const page = await openPage(browser);
  await signIn(page);
  await page.getByRole('heading', { name: 'Star charts' }).waitFor();
  await page.getByText('Noor Haddad').waitFor();
  expect(await page.getByRole('listitem').count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Do not ask again').check();
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.waitForURL(`${back}?**`);
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const given = { grant_type: 'authorization_code', client_id: key.id, client_secret: key.api_key, redirect_uri: back, code };
  expect((await api().post('/login/oauth2/token', given)).body.user.name).toBe('Noor Haddad');
  await page.context().close();

  const again = await openPage(browser);
  await signIn(again);
  await again.waitForURL(`${back}?**`);
  expect(new URL(again.url()).searchParams.get('code')).toBeTruthy();
  await again.goto(ask.replace('scope=', 'prompt=consent&scope='));
  expect(new URL(again.url()).searchParams.get('error')).toBe('unsupported_prompt_type');
  await again.context().close();
});
