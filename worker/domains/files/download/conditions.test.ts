// Byte ranges, names and types of files.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { publicWeb } from '../../../../test/support/public_web';
import { fetchTrusted } from '../../../web/fetch_public';
import { isPublic } from '../../../web/public_address';
import { namesInTurn, storedName } from '../names';
import { judge, type Verdict } from './conditions';
import { disposition } from './content_headers';

const etag = '"abc"';
const file = { size: 100, etag, modified_at: '2026-09-01T08:00:00Z' };
const then = 'Tue, 01 Sep 2026 08:00:00 GMT';
const before = 'Mon, 31 Aug 2026 08:00:00 GMT';
const later = 'Wed, 02 Sep 2026 08:00:00 GMT';

const whole: Verdict = { kind: 'whole' };
const part = (offset: number, length: number): Verdict => ({ kind: 'range', offset, length });
const unchanged: Verdict = { kind: 'unchanged' };
const failed: Verdict = { kind: 'failed' };
const unsatisfiable: Verdict = { kind: 'unsatisfiable' };

const cases: [Record<string, string>, Verdict, string?][] = [
  [{}, whole],
  [{ range: 'bytes=0-9' }, part(0, 10)],
  [{ range: 'bytes=10-' }, part(10, 90)],
  [{ range: 'bytes=-10' }, part(90, 10)],
  [{ range: 'bytes=-1000' }, part(0, 100)],
  [{ range: 'bytes=90-1000' }, part(90, 10)],
  [{ range: 'BYTES=5-5' }, part(5, 1)],
  [{ range: 'bytes=100-' }, unsatisfiable],
  [{ range: 'bytes=-0' }, unsatisfiable],
  [{ range: 'bytes=9-1' }, whole],
  [{ range: 'bytes=0-1,5-6' }, whole],
  [{ range: 'items=0-1' }, whole],
  [{ range: 'bytes=a-b' }, whole],
  [{ range: 'bytes=-' }, whole],
  [{ range: 'bytes=0-9' }, whole, 'HEAD'],
  [{ range: 'bytes=0-9', 'if-range': etag }, part(0, 10)],
  [{ range: 'bytes=0-9', 'if-range': '"other"' }, whole],
  [{ range: 'bytes=0-9', 'if-range': `W/${etag}` }, whole],
  [{ range: 'bytes=0-9', 'if-range': then }, part(0, 10)],
  [{ range: 'bytes=0-9', 'if-range': before }, whole],
  [{ 'if-none-match': etag }, unchanged],
  [{ 'if-none-match': `W/${etag}` }, unchanged],
  [{ 'if-none-match': `"x", ${etag}` }, unchanged],
  [{ 'if-none-match': '*' }, unchanged],
  [{ 'if-none-match': '"x"' }, whole],
  [{ 'if-none-match': '"x"', 'if-modified-since': later }, whole],
  [{ 'if-modified-since': then }, unchanged],
  [{ 'if-modified-since': later }, unchanged],
  [{ 'if-modified-since': before }, whole],
  [{ 'if-modified-since': 'yesterday' }, whole],
  [{ 'if-none-match': etag, range: 'bytes=0-9' }, unchanged],
  [{ 'if-match': etag }, whole],
  [{ 'if-match': '*' }, whole],
  [{ 'if-match': '"x"' }, failed],
  [{ 'if-match': `W/${etag}` }, failed],
  [{ 'if-unmodified-since': before }, failed],
  [{ 'if-unmodified-since': then }, whole],
  [{ 'if-match': '"x"', 'if-none-match': etag }, failed],
];

test.each(cases)('%j → %j %s', (headers, verdict, method = 'GET') => {
  expect(judge(method, new Headers(headers), file)).toEqual(verdict);
});

test('an empty file has no range', () => {
  expect(judge('GET', new Headers({ range: 'bytes=0-' }), { ...file, size: 0 })).toEqual(unsatisfiable);
});

test.each([
  ['a.txt', 'uuid', ['a.txt', 'a-1.txt', 'a-2.txt']],
  ['b.tar.gz', 'uuid', ['b.tar.gz', 'b-1.tar.gz', 'b-2.tar.gz']],
  ['.profile', 'uuid', ['.profile', '.profile-1', '.profile-2']],
  ['no extension', 'uuid', ['no extension', 'no extension-1', 'no extension-2']],
])('%s is numbered when the name exists', (name, unique, first) => {
  const names = namesInTurn(name, unique);
  expect(names.slice(0, 3)).toEqual(first);
  expect(names).toHaveLength(9);
  expect(names.at(-1)).toContain('-uuid');
});

test('a storage key is escaped, uses + for spaces, and is short', () => {
  expect(storedName("it's 100% (läuft).txt")).toBe('it%27s+100%25+%28l%C3%A4uft%29.txt');
  const long = storedName(`${'ü'.repeat(400)}.pdf`);
  expect(long.length).toBeLessThanOrEqual(180);
  expect(long.endsWith('%BC.pdf')).toBe(true);
});

test('Content-Disposition names the file for every client', () => {
  expect(disposition('Übung "1"/2.pdf', false)).toBe(
    'attachment; filename="Ubung _1__2.pdf"; filename*=UTF-8\'\'%C3%9Cbung%20%221%22%2F2.pdf',
  );
  expect(disposition("x\r\nSet-Cookie: a=b'", true)).toBe(
    "inline; filename=\"x__Set-Cookie: a=b'\"; filename*=UTF-8''x%0D%0ASet-Cookie%3A%20a%3Db%27",
  );
});

test.each([
  ['https://files.carrel.org/a.pdf', true],
  ['http://8.8.8.8/a', true],
  ['http://[2606:4700::1111]/a', true],
  ['ftp://files.carrel.org/a', false],
  ['https://user:word@files.carrel.org/a', false],
  ['http://localhost/a', false],
  ['http://printer/a', false],
  ['http://a.local/', false],
  ['http://metadata.google.internal/', false],
  ['http://127.0.0.1/', false],
  ['http://2130706433/', false],
  ['http://0x7f.1/', false],
  ['http://10.1.2.3/', false],
  ['http://100.64.0.1/', false],
  ['http://169.254.169.254/', false],
  ['http://172.31.0.1/', false],
  ['http://192.168.0.1/', false],
  ['http://198.18.0.1/', false],
  ['http://224.0.0.1/', false],
  ['http://[::1]/', false],
  ['http://[::ffff:127.0.0.1]/', false],
  ['http://[fd00::1]/', false],
  ['http://[fe80::1]/', false],
  ['http://[2002:7f00:1::]/', false],
  ['http://[2001:db8::1]/', false],
  ['http://[64:ff9b::7f00:1]/', false],
  ['http://[64:ff9b:1::7f00:1]/', false],
  ['http://[3fff::1]/', false],
  ['http://[2001::1]/', false],
  ['http://168.63.129.16/', false],
  ['http://0250.077.0201.020/', false],
  ['http://2822734096/', false],
  ['http://100.100.100.200/', false],
  ['http://192.0.0.192/', false],
  ['http://192.88.99.1/', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublic(new URL(address))).toBe(expected);
});

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
    expect(readFileSync(join(import.meta.dirname, '../../../../..', file), 'utf8')).not.toMatch(/PROVIDER_HOSTS['"]?:/);
});
