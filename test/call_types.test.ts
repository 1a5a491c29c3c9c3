// The call of a handler has the parts that its endpoint declares, and no others: the type check fails where an expected error is missing.

import { listOf, optional, text } from '@carrel/shared/wire/fields';
import { conditionOf } from '@carrel/worker/http/conditional';
import { get, post } from '@carrel/worker/http/endpoint';
import { answer } from '@carrel/worker/http/reply';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';

const json = { returns: { json: null } } as const;
const named = optional(listOf(text));

const endpoints = [
  get('/courses/:course_id/things/:id', { can: 'read', params: { named }, include: ['parts'], ...json }, (call) => {
    call.course.id satisfies number;
    call.id satisfies number;
    call.path.course_id satisfies string;
    call.params.named satisfies readonly string[] | undefined;
    call.include.has('parts');
    // @ts-expect-error the path names no account
    call.account;
    // @ts-expect-error the path names no user
    call.user;
    // @ts-expect-error the path has no such parameter
    call.path.user_id;
    // @ts-expect-error there is no such parameter
    call.params.other;
    // @ts-expect-error `include[]` has no such value
    call.include.has('others');
    // @ts-expect-error it does not resolve ids that are no numbers
    call.named_id;
    // @ts-expect-error its body is no array
    call.array;
    // @ts-expect-error it declares no condition
    conditionOf(call);
    return answer(null);
  }),
  get('/things', { can: 'user', ...json }, (call) => {
    // @ts-expect-error the path has no `:id`
    call.id;
    // @ts-expect-error it declares no includes
    call.include.has('parts');
    // @ts-expect-error it declares no parameters
    call.params.named;
    return answer(null);
  }),
  post(
    '/files/:id',
    {
      within: ({ id }) => ({ course: sql`select course_id from things where id = ${id}`, id: sql`select 1` }),
      // A context may not exist when the permission is decided.
      can: (call) => call.course?.canRead === true,
      takesArray: true,
      conditional: 'item',
      ...json,
    },
    (call) => {
      call.course?.id satisfies number | undefined;
      call.named_id satisfies number | undefined;
      call.array satisfies readonly unknown[] | undefined;
      call.conditional satisfies 'item';
      // @ts-expect-error its course may not exist
      call.course.id;
      // @ts-expect-error it finds no group
      call.group;
      return answer(conditionOf(call));
    },
  ),
  get(
    '/groups/:group_id/things',
    {
      // @ts-expect-error the path names no course
      can: (call) => call.course?.canRead === true,
      ...json,
    },
    (call) => answer(call.group.id),
  ),
];

test('endpoints are declared with the parts of their calls', () => {
  expect(endpoints.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'GET']);
});
