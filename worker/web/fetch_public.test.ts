// Requests to identity providers reach private addresses only where the deployment trusts them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { publicWeb } from '../../test/support/public_web';
import { fetchTrusted } from './fetch_public';

test.each([
  ['https://10.0.0.7/.well-known/openid-configuration', []],
  ['http://id.school.internal/token', ['other.school.internal']],
  ['http://accounts.example.org/token', ['id.school.internal']],
])('an authentication provider at %s is not asked where the deployment trusts %j', async (address, hosts) => {
  await expect(fetchTrusted(hosts)(address, {})).rejects.toThrow('the URL is not public');
});

test('a provider whose name resolves to a private address is not requested unless trusted; names are resolved once', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: URL | string) => {
    asked.push(new URL(address).hostname);
    const { status, body } = publicWeb(String(address));
    return new Response(body, { status });
  });
  try {
    for (let n = 0; n < 2; n += 1)
      await expect(fetchTrusted([])('https://localtest.me/token', {})).rejects.toThrow('the URL is not public');
    expect(asked).toEqual(['cloudflare-dns.com', 'cloudflare-dns.com']);
    await expect(fetchTrusted([])('https://unresolved.carrel.org/token', {})).rejects.toThrow('could not be resolved');
    expect(asked).toContain('dns.google');
    expect(await (await fetchTrusted(['localtest.me'])('http://localtest.me/token', {})).text()).toBe('secret');
  } finally {
    vi.unstubAllGlobals();
  }
});

test('npm start trusts local hosts only if a variable names them', () => {
  for (const file of ['scripts/start.ts', 'test/support/server.ts'])
    expect(readFileSync(join(import.meta.dirname, '../..', file), 'utf8')).not.toMatch(/PROVIDER_HOSTS['"]?:/);
});
