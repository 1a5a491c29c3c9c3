// Verification of JWTs signed by others.

import { constants, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSignedBy, type Jwk, readJwt } from './jwt';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const curves = { ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }), ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }) };
const jwkOf = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more }) as Jwk;

/** Signed with another library than the one that verifies. */
function signed(alg: string, key: KeyObject, header: object = {}): string {
  const text = `${part({ alg, ...header })}.${part({ sub: 'x' })}`;
  const digest = `sha${alg.slice(2)}`;
  const signature = alg.startsWith('ES')
    ? sign(digest, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
    : alg.startsWith('PS')
      ? sign(digest, Buffer.from(text), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
      : createSign(digest).update(text).sign(key);
  return `${text}.${signature.toString('base64url')}`;
}

const holds = async (token: string, ...keys: Jwk[]) => {
  const jwt = readJwt(token);
  return jwt !== undefined && isSignedBy(jwt, keys);
};

test('every offered algorithm verifies a foreign signature', async () => {
  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256'])
    expect(await holds(signed(alg, rsa.privateKey), jwkOf(rsa.publicKey)), alg).toBe(true);
  for (const alg of ['ES256', 'ES384'] as const)
    expect(await holds(signed(alg, curves[alg].privateKey), jwkOf(curves[alg].publicKey)), alg).toBe(true);
});

test('the named key among several is used, and never one for another purpose', async () => {
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const token = signed('RS256', rsa.privateKey, { kid: 'a' });
  const [mine, others] = [jwkOf(rsa.publicKey, { kid: 'a' }), jwkOf(other.publicKey, { kid: 'b' })];
  expect(await holds(token, others, mine)).toBe(true);
  expect(await holds(token, others)).toBe(false);
  expect(await holds(token, jwkOf(rsa.publicKey, { kid: 'b' }))).toBe(false);
  expect(await holds(token, jwkOf(rsa.publicKey))).toBe(true);
  expect(await holds(token, jwkOf(rsa.publicKey, { use: 'enc' }))).toBe(false);
  expect(await holds(token, jwkOf(rsa.publicKey, { alg: 'PS256' }))).toBe(false);
});

test('algorithm confusion and short keys are refused', async () => {
  const key = jwkOf(rsa.publicKey);
  const [, body, signature] = signed('RS256', rsa.privateKey).split('.');
  for (const alg of ['none', 'HS256', 'RS384', 'ES256', 'constructor'])
    expect(await holds(`${part({ alg })}.${body}.${signature}`, key), alg).toBe(false);
  expect(await holds(`${part({ alg: 'none' })}.${body}.`, key)).toBe(false);
  expect(await holds(`${part({ alg: 'RS256', crit: ['exp'] })}.${body}.${signature}`, key)).toBe(false);
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  expect(await holds(signed('RS256', short.privateKey), jwkOf(short.publicKey))).toBe(false);
  expect(await holds(signed('ES384', curves.ES384.privateKey), jwkOf(curves.ES256.publicKey))).toBe(false);
  expect(await holds(signed('RS256', rsa.privateKey), { kty: 'RSA' }, { kty: 'RSA', n: 'x'.repeat(400), e: '!' }, {})).toBe(false);
});

test('a text that is not a JWT is refused', () => {
  for (const text of ['', 'a.b', 'a.b.c', 'a.b.c.d', `${part({})}.${part([])}.x`, `${part({})}.bnVsbA.x`, `x${'y'.repeat(30_000)}.y.z`])
    expect(readJwt(text), text.slice(0, 50)).toBeUndefined();
});
