// JWTs for services next to this one.

import { SELF } from 'cloudflare:test';
import { isSignedBy, type Jwk, readJwt, signingKey, signJwt } from '@carrel/worker/crypto/jwt';
import { claimsOf, renewableFor } from '@carrel/worker/domains/jwts/claims';
import { beforeAll, expect, test } from 'vitest';
import { as, base, ground, noteRoute, ok, within } from '../support/api';
import { testJwtKey } from '../support/client_keys';
import { aCourse } from '../support/ground';

let scene: Awaited<ReturnType<typeof aCourse>>;
beforeAll(async () => {
  scene = await aCourse(ground);
});

const claims = (token: string) => readJwt(token)?.claims ?? {};

test('a signed-in user gets a JWT for an hour, a new one each time', async () => {
  const { student } = scene;
  const made = ok(within(await as(student).post('/jwts'), 3));
  expect(Object.keys(made)).toEqual(['token']);
  const now = Math.floor(Date.now() / 1000);
  const said = claims(made.token);
  expect(said).toMatchObject({ iss: base, aud: base, sub: String(student.id), domain: 'carrel.test' });
  expect((said.exp as number) - (said.iat as number)).toBe(3600);
  expect(Math.abs((said.iat as number) - now)).toBeLessThan(60);
  expect(said).not.toHaveProperty('context_id');
  expect(ok(await as(student).post('/jwts')).token).not.toBe(made.token);
  expect(claims(ok(await as(student).post('/jwts', { canvas_audience: false })).token).aud).toBe('carrel.test');
  ok(await as().post('/jwts'), 401);
});

test('it is verified with our public keys, and with nothing else', async () => {
  const { token } = ok(await as(scene.student).post('/jwts'));
  const response = await SELF.fetch(`${base}/.well-known/jwks.json`);
  noteRoute(response.headers, response.status);
  const { keys } = (await response.json()) as { keys: Jwk[] };
  expect(response.headers.get('cache-control')).toContain('max-age');
  expect(keys).toHaveLength(1);
  expect(keys[0]).not.toHaveProperty('d');
  const jwt = readJwt(token);
  expect(jwt && (await isSignedBy(jwt, keys))).toBe(true);
  const [head, body, signature] = token.split('.');
  const other = readJwt(`${head}.${btoa(JSON.stringify({ ...claims(token), sub: '1' })).replaceAll('=', '')}.${signature}`);
  expect(other && (await isSignedBy(other, keys))).toBe(false);
  const none = readJwt(`${btoa('{"alg":"none"}').replaceAll('=', '')}.${body}.`);
  expect(none && (await isSignedBy(none, keys))).toBe(false);
});

test('a JWT names a course, a user or an account that the caller may read', async () => {
  const { course, student, stranger, teacher, student2 } = scene;
  const admin = await ground.admin();
  const make = async (person: typeof student, given: object, status = 200) => {
    const answer = await as(person).post('/jwts', given);
    return status === 200 ? claims(ok(within(answer, 3)).token) : ok(answer, status);
  };
  const rich = { workflows: ['rich_content'] };
  expect(await make(student, { ...rich, context_type: 'course', context_id: course.id })).toMatchObject({
    context_type: 'Course',
    context_id: String(course.id),
    workflows: ['rich_content'],
  });
  const { uuid } = ok(await as(teacher).get(`/courses/${course.id}`));
  expect(await make(teacher, { ...rich, context_type: 'Course', context_uuid: uuid })).toMatchObject({ context_id: String(course.id) });
  expect(await make(student, { context_type: 'USER', context_id: 'self' })).toMatchObject({
    context_type: 'User',
    context_id: String(student.id),
  });
  expect(await make(teacher, { context_type: 'User', context_id: student2.id })).toMatchObject({ context_id: String(student2.id) });
  expect(await make(admin, { context_type: 'Account', context_id: 'self' })).toMatchObject({ context_type: 'Account', context_id: '1' });
  expect((await make(stranger, { context_type: 'Course', context_id: course.id }, 401)).error).toBeTruthy();
  expect((await make(student, { context_type: 'Account', context_id: 1 }, 401)).error).toBeTruthy();
  expect((await make(stranger, { context_type: 'User', context_id: student.id }, 404)).error).toBeTruthy();
  for (const nowhere of [{ context_id: 999_999 }, { context_id: 'letters' }, { context_uuid: 'nothing like it' }])
    expect((await make(student, { context_type: 'Course', ...nowhere }, 404)).error).toBeTruthy();
  for (const wrong of [
    { ...rich },
    { ...rich, context_type: 'Course' },
    { ...rich, context_id: course.id },
    { ...rich, context_type: 'Course', context_id: course.id, context_uuid: uuid },
    { ...rich, context_type: 'Group', context_id: 1 },
    { context_id: course.id },
    { context_type: 'Course', context_id: course.id, context_uuid: uuid },
  ])
    expect((await make(student, wrong, 400)).error, JSON.stringify(wrong)).toBeTruthy();
});

test('a JWT is refreshed by its user, with the same claims and a new id', async () => {
  const { course, student, student2 } = scene;
  const first = ok(
    await as(student).post('/jwts', { workflows: ['rich_content', 'ui'], context_type: 'Course', context_id: course.id }),
  ).token;
  const second = ok(within(await as(student).post('/jwts/refresh', { jwt: first }), 3)).token;
  const third = ok(await as(student).post('/jwts/refresh', { jwt: second })).token;
  expect(new Set([first, second, third]).size).toBe(3);
  expect(claims(third)).toMatchObject({
    context_type: 'Course',
    context_id: String(course.id),
    workflows: ['rich_content', 'ui'],
    aud: base,
  });
  expect(claims(third).first_iat).toBe(claims(first).first_iat);
  const refused = async (body: object, person = student) => ok(await as(person).post('/jwts/refresh', body), 400).errors.jwt;
  expect(await refused({})).toBe('required');
  expect(await refused({ jwt: 'garbled' })).toBe('invalid refresh');
  expect(await refused({ jwt: `${first.slice(0, -4)}AAAA` })).toBe('invalid refresh');
  expect(await refused({ jwt: first }, student2)).toBe('invalid refresh');
  const key = await signingKey(testJwtKey);
  const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;
  const old = (seconds: number) => signJwt({ ...claims(first), jti: 'x', first_iat: ago(seconds), exp: ago(seconds - 3600) }, key);
  ok(await as(student).post('/jwts/refresh', { jwt: await old(6 * 3600) }));
  expect(await refused({ jwt: await old(7 * 3600 + 5) })).toBe('invalid refresh');
});

test('a JWT is no access token, and cannot create one', async () => {
  const { student } = scene;
  const { token } = ok(await as(student).post('/jwts'));
  const bearing = as({ ...student, token });
  const refused = await bearing.get('/users/self');
  expect(ok(refused, 401)).toEqual({ errors: [{ message: 'Invalid access token.' }] });
  expect(refused.headers.get('www-authenticate')).toContain('Bearer');
  expect(ok(await bearing.post('/jwts'), 403).error).toBeTruthy();
  expect(ok(await bearing.post('/jwts/refresh', { jwt: token }), 403).error).toBeTruthy();
});

test('a masquerading user is named in the JWT, and refreshes it in both roles', async () => {
  const { student } = scene;
  const admin = await ground.admin();
  const { token } = ok(await as(admin).post('/jwts', { as_user_id: student.id }));
  expect(claims(token)).toMatchObject({ sub: String(student.id), masq_sub: String(admin.id) });
  expect(ok(await as(student).post('/jwts/refresh', { jwt: token }), 400).errors.jwt).toBe('invalid refresh');
  ok(await as(admin).post('/jwts/refresh', { as_user_id: student.id, jwt: token }));
  const me = { id: 5, real_user_id: 5 } as never;
  const said = claimsOf(me, base, { aud: base }, 1000);
  expect(renewableFor(me, said, 1000 + 7 * 3600)).toBeDefined();
  expect(renewableFor(me, said, 1001 + 7 * 3600)).toBeUndefined();
});
