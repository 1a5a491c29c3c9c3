// What a hostile or broken client sends: parameters that fit their shape, with one of them spoiled. Everything comes from a seed.

import type { Fields } from '@carrel/shared/wire/fields';

/** A number from 0 up to 1, again and again; the same ones for the same seed (mulberry32). */
export function seeded(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    chance: (of: number) => next() < of,
    pick: <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T,
  };
}
export type Dice = ReturnType<typeof seeded>;

const nested = (depth: number, inner: unknown): unknown => (depth === 0 ? inner : { a: nested(depth - 1, inner) });
const pile = (depth: number): unknown => (depth === 0 ? [] : [pile(depth - 1)]);

export const spoiled: readonly (() => unknown)[] = [
  () => '',
  () => null,
  () => ' \t\n',
  () => 'nonsense',
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 53,
  () => -(2 ** 53),
  () => 1e308,
  () => '9223372036854775808',
  () => 2147483648,
  () => 99_999_999,
  () => 'NaN',
  () => 'Infinity',
  () => '1e999',
  () => '0x10',
  () => true,
  () => 'x'.repeat(100_000),
  () => 'é'.repeat(300),
  () => 'a\u0000b',
  () => '\u0000',
  () => '\ud800',
  () => 'ab\udfffcd',
  () => '👩‍🎓🇸🇪',
  () => '\u202eright to left\u200b',
  () => "'; drop table users; --",
  () => '% _ \\ " ) or 1=1',
  () => '<script>alert(1)</script><img src=x onerror=alert(1)><p>'.repeat(3),
  () => `${'<div>'.repeat(400)}deep`,
  () => '<a href="/courses/1/files/99999999/download?verifier=x">x</a>',
  () => '0000-00-00',
  () => '9999-12-31',
  () => '9999-12-31T23:59:59-14:00',
  () => '0000-01-01T00:00:00+14:00',
  () => '2026-02-30T25:61:61Z',
  () => '-271821-04-20',
  () => '../../../etc/passwd',
  () => 'course_99999999',
  () => 'user_0',
  () => 'course_-1',
  () => 'group_1',
  () => 'assignment_9007199254740993',
  () => 'sis_user_id:',
  () => 'sis_course_id:nobody',
  () => 'self',
  () => '1,2,3,,x',
  () => 'http://[::1',
  () => 'javascript:alert(1)',
  () => '__proto__',
  () => 'constructor',
  () => [],
  () => {},
  () => ({}),
  () => [null],
  () => [[]],
  () => [{}],
  () => ['x', 1, null, {}],
  () => [1, 1, 1],
  () => ({ a: 1 }),
  () => ({ id: 1 }),
  () => ({ '0': 'x', '1': { '0': 'y' } }),
  () => ({ '-1': 'x', '1e9': 'y' }),
  () => ({ constructor: 'x', toString: 'y', length: 1_000_000 }),
  () => JSON.parse('{"__proto__": {"polluted": true}}'),
  () => nested(50, 'deep'),
  () => pile(50),
  () => Array.from({ length: 500 }, (_, at) => at + 1),
  () => Array.from({ length: 500 }, () => 'x'),
  () => Array.from({ length: 500 }, () => ({ id: 1 })),
];

interface Schema {
  readonly type: string;
  readonly message?: unknown;
  readonly pipe?: readonly Schema[];
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly options?: readonly (Schema | string)[];
}

/** The schema that says what a field holds, below what makes it optional or reads it leniently. */
function core(given: Schema): Schema {
  if (given.wrapped) return core(given.wrapped);
  const [first, ...rest] = given.pipe ?? [];
  const telling = rest.find(
    (step) => step.type === 'array' || step.type === 'nullable' || (step.type === 'optional' && first?.type === 'unknown'),
  );
  if (telling) return core(telling);
  if (first?.pipe && first !== given) return core(first);
  return given;
}

/** Without these nothing is made. */
const wanted = new Set([
  'name',
  'title',
  'body',
  'message',
  'comment',
  'text_comment',
  'context_code',
  'recipients',
  'submission_type',
  'posted_grade',
  'type',
  'content_id',
  'todo_date',
  'start_at',
  'user_id',
  'purpose',
  'unique_id',
  'label',
]);

type Names = (name: string) => unknown;

/** A value that fits. `known` tells what the scene has under a name. */
function fitting(given: Schema, name: string, known: Names, dice: Dice): unknown {
  const field = core(given);
  const by = known(name);
  switch (field.type) {
    case 'object': {
      const entries = Object.entries(field.entries ?? {});
      // A few of many: too much at once is refused before it is looked at.
      const likely = Math.min(0.5, 3 / entries.length);
      return Object.fromEntries(
        entries
          .filter(([key, inner]) => inner.type !== 'optional' || wanted.has(key) || core(inner).type === 'object' || dice.chance(likely))
          .map(([key, inner]) => [key, fitting(inner, key, known, dice)]),
      );
    }
    case 'array':
      return [fitting(field.item as Schema, name, known, dice)];
    case 'record':
      return { 1: fitting(field.value as Schema, name, known, dice) };
    case 'picklist':
      return dice.pick(field.options as readonly string[]);
    case 'unknown':
      return by ?? 'something';
    case 'string':
      return String(field.message).includes('time') ? '2030-01-02T03:04:05Z' : '2030-01-02';
    case 'union':
      if (String(field.message).includes('text')) return by ?? 'Words';
      if (String(field.message).includes('boolean')) return dice.chance(0.5);
      if (/number|integer/.test(String(field.message))) return by ?? 1;
      return fitting(dice.pick(field.options as readonly Schema[]), name, known, dice);
    default:
      return by ?? 1;
  }
}

type Way = readonly string[];

/** Ways to every value of a shape, groups and lists themselves included. */
function waysIn(fields: Readonly<Record<string, Schema>>, before: Way = []): Way[] {
  return Object.entries(fields).flatMap(([name, given]) => {
    const way = [...before, name];
    const field = core(given);
    const inner = field.type === 'array' ? core(field.item as Schema) : field;
    const below = inner.type === 'object' ? waysIn(inner.entries ?? {}, field.type === 'array' ? [...way, '0'] : way) : [];
    return [way, ...below];
  });
}

/** Puts a value at the end of a way, making what leads there. */
function put(body: Record<string, unknown>, way: Way, value: unknown): void {
  let at: Record<string, unknown> = body;
  way.slice(0, -1).forEach((key, depth) => {
    const there = at[key];
    if (typeof there !== 'object' || there === null) at[key] = way[depth + 1] === '0' ? [] : {};
    at = at[key] as Record<string, unknown>;
  });
  const last = way.at(-1) as string;
  if (value === undefined) delete at[last];
  else Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true });
}

/** Bodies that fit a shape but for one value, every value in its turn. */
export function bodiesOf(fields: Fields, known: Names, dice: Dice) {
  const shape = fields as unknown as Readonly<Record<string, Schema>>;
  const ways = waysIn(shape);
  const start = Math.floor(dice.next() * ways.length);
  return {
    count: ways.length,
    body(turn: number): Record<string, unknown> {
      const body = fitting({ type: 'object', entries: shape }, '', known, dice) as Record<string, unknown>;
      // The first fits altogether: what spoils nothing must not be refused for reasons of ours.
      const way = turn === 0 ? undefined : ways[(start + turn) % ways.length];
      if (way) put(body, way, dice.pick(spoiled)());
      return body;
    },
  };
}

/** What may stand in a path in the place of an id or a word. */
export const spoiledPlaces: readonly string[] = [
  '0',
  '-1',
  'x',
  '1.5',
  '+1',
  '1e3',
  '99999999',
  '9007199254740993',
  '99999999999999999999',
  'self',
  'sis_user_id:',
  'sis_course_id:nobody',
  'sis_section_id:a%20b',
  'hex:zz',
  'hex:sis_user_id:zz',
  'uuid:nobody',
  '%00',
  '1%00',
  '%F0%9F%92%A9',
  '%ED%A0%80',
  '%',
  '%zz',
  '..%2F..%2Fx',
  "1'--",
  '1;select',
  '%25',
  'page_id:1',
  'page_id:x',
  '__proto__',
  'constructor',
  'assignment_99999999',
  'course_x',
  'y'.repeat(3000),
];

const bookmark = (values: unknown) =>
  `bookmark:${btoa(JSON.stringify(values)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;

/** Queries beside the parameters: pages, includes, and what the runner reads itself. */
export const spoiledQueries: readonly string[] = [
  'page=x',
  'page=-1',
  'page=0',
  'page=999999999',
  'page[]=1&page[]=x',
  'page[a]=1',
  'page=bookmark:',
  'page=bookmark:%25%25',
  `page=${bookmark([])}`,
  `page=${bookmark([1])}`,
  `page=${bookmark(['x'])}`,
  `page=${bookmark([null, null])}`,
  `page=${bookmark(['x', 1])}`,
  `page=${bookmark([1, 2, 3, 4, 5])}`,
  `page=${bookmark(['\ud800'])}`.replace(/%/g, ''),
  `page=${bookmark({ a: 1 })}`,
  `page=${bookmark(Array.from({ length: 200 }, () => 1))}`,
  'per_page=-1',
  'per_page=0',
  'per_page=x',
  'per_page=1e9',
  'per_page[]=1',
  'per_page[a]=1',
  'per_page=NaN&page=2',
  'include=nonsense',
  'include[a][b]=c',
  'include[]=&include[]=nonsense&include[]=%00',
  'include[__proto__]=x',
  '__proto__[a]=b',
  'constructor[prototype][a]=b',
  'a[b]=1&a=2',
  'a=1&a[b]=2',
  'a[]=1&a[b]=2',
  'a[b][]=1&a[b][c]=2',
  '[]=1',
  '[a]=1',
  'a[=1',
  'a]=1',
  '=',
  '&&&',
  '%',
  '%zz=%zz',
  'as_user_id=0',
  'as_user_id=x',
  'as_user_id[]=1',
  'as_user_id[a]=1',
  'as_user_id=99999999',
  'as_user_id=sis_user_id:',
  'as_user_id=hex:zz',
  'as_user_id=',
  'use_sis_id=true',
  'use_sis_id[]=1',
  '_method=DELETE&_method=x',
  '_method=',
  'access_token=x',
  'access_token[]=x',
  `${'a'.repeat(3000)}=1`,
  `${'a[b]'.repeat(1)}${'[c]'.repeat(200)}=1`,
  `${Array.from({ length: 300 }, (_, at) => `k${at}=1`).join('&')}`,
];

interface Sent {
  readonly type: string;
  readonly body: string;
}

const deep = 4000;

/** Bodies that their encoding does not allow, or hardly. */
export const spoiledBodies: readonly Sent[] = [
  { type: 'application/json', body: '[]' },
  { type: 'application/json', body: '[1,null,{"id":1},"x"]' },
  { type: 'application/json', body: '[{"id":1,"all_dates":[{"id":"x"}]}]' },
  { type: 'application/json', body: 'null' },
  { type: 'application/json', body: '1' },
  { type: 'application/json', body: '"x"' },
  { type: 'application/json', body: '{"a":' },
  { type: 'application/json', body: '{"a":1}{' },
  { type: 'application/json', body: '\ufeff{}' },
  { type: 'application/json', body: '' },
  { type: 'application/json', body: '{"__proto__":{"x":1},"constructor":{"prototype":1}}' },
  { type: 'application/json', body: '{"page":{"a":1},"per_page":[[]],"include":{"a":{}},"as_user_id":{"a":1}}' },
  { type: 'application/json', body: '{"include":[null,{},[1]],"access_token":{"a":1}}' },
  { type: 'application/json', body: `{"a":${'['.repeat(deep)}${']'.repeat(deep)}}` },
  { type: 'application/json', body: `{"a":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}}` },
  { type: 'application/json; charset=utf-16', body: '{}' },
  { type: 'application/x-www-form-urlencoded', body: 'a=1&a=2&a[]=3' },
  { type: 'application/x-www-form-urlencoded', body: 'a[b]=1&a=2' },
  { type: 'application/x-www-form-urlencoded', body: `a${'[b]'.repeat(deep)}=1` },
  { type: 'application/x-www-form-urlencoded', body: `a${'[]'.repeat(deep)}=1` },
  { type: 'application/x-www-form-urlencoded', body: '%zz=%00&=&[]=1' },
  { type: 'multipart/form-data', body: 'no boundary' },
  { type: 'multipart/form-data; boundary=x', body: '--y\r\n\r\n--y--' },
  { type: 'multipart/form-data; boundary=x', body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1' },
  { type: 'text/plain', body: 'a=1' },
  { type: 'application/xml', body: '<a/>' },
  { type: 'application/octet-stream', body: '\u0000\u0001' },
  { type: 'nonsense', body: 'x' },
];

/** A multipart body in which every parameter is a file. */
export function asFiles(names: readonly string[]): Sent {
  const parts = names.map(
    (name) => `--carrel\r\nContent-Disposition: form-data; name="${name}"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\nbytes\r\n`,
  );
  return { type: 'multipart/form-data; boundary=carrel', body: `${parts.join('')}--carrel--\r\n` };
}
