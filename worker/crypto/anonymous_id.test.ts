import { expect, test } from 'vitest';
import { anonymousId, userOfAnonymousId } from './anonymous_id';

const place = { secret: 'a secret', assignment_id: 7 };

test('an anonymous id has five characters and belongs to one student', () => {
  const users = [1, 2, 3, 8191, 8192, 50_000, 2 ** 26 - 1];
  const ids = users.map((user) => anonymousId(place, user));
  expect(ids.every((id) => /^[1-9A-HJ-NP-Za-km-z]{5}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(users.length);
  expect(ids.map((id) => userOfAnonymousId(place, id))).toEqual(users);
});

test('an anonymous id differs by assignment and by service', () => {
  const ids = [place, { ...place, assignment_id: 8 }, { ...place, secret: 'another' }].map((one) => anonymousId(one, 5));
  expect(new Set(ids).size).toBe(3);
});

test('a text that is no anonymous id has no user', () => {
  for (const text of ['', '1234', '123456', '0OIl1', 'zzzzz', '2é345']) expect(userOfAnonymousId(place, text)).toBeUndefined();
});
