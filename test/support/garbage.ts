// Malformed input: parameters that fit their schema, with one of them spoiled. Deterministic from a seed.

import type { Fields } from '@carrel/shared/wire/fields';
import { spoiled } from './spoiled';

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
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

/** The schema of a field's value, without optional and lenient wrappers. */
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

/** Fields without which nothing is created. */
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

/** A valid value. `known` returns the scene's value for a name. */
function fitting(given: Schema, name: string, known: Names, dice: Dice): unknown {
  const field = core(given);
  const by = known(name);
  switch (field.type) {
    case 'object': {
      const entries = Object.entries(field.entries ?? {});
      // A few of many, because too many at once are refused unread.
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

/** Paths to every value of a schema, including groups and lists themselves. */
function waysIn(fields: Readonly<Record<string, Schema>>, before: Way = []): Way[] {
  return Object.entries(fields).flatMap(([name, given]) => {
    const way = [...before, name];
    const field = core(given);
    const inner = field.type === 'array' ? core(field.item as Schema) : field;
    const below = inner.type === 'object' ? waysIn(inner.entries ?? {}, field.type === 'array' ? [...way, '0'] : way) : [];
    return [way, ...below];
  });
}

/** Sets a value at a path, creating the containers on the way. */
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

/** Bodies that are valid except for one value, for every value in turn. */
export function bodiesOf(fields: Fields, known: Names, dice: Dice) {
  const shape = fields as unknown as Readonly<Record<string, Schema>>;
  const ways = waysIn(shape);
  const start = Math.floor(dice.next() * ways.length);
  return {
    count: ways.length,
    body(turn: number): Record<string, unknown> {
      const body = fitting({ type: 'object', entries: shape }, '', known, dice) as Record<string, unknown>;
      // The first is fully valid: it must not be refused for internal reasons.
      const way = turn === 0 ? undefined : ways[(start + turn) % ways.length];
      if (way) put(body, way, dice.pick(spoiled)());
      return body;
    },
  };
}
