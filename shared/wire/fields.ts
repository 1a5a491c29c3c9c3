// The words of the wire: each reads what clients send (reference A3) and describes what the service answers.
// The only file that imports valibot.

import * as v from 'valibot';
import { endOfDay, startOfDay } from './clock';
import { isBlank } from './form';
import { lookUp } from './look_up';

export type Field = v.GenericSchema<unknown, unknown>;
export type Fields = Readonly<Record<string, Field>>;
/** What a shape holds once it has been read. */
export type Of<F extends Field> = v.InferOutput<F>;
export type Shape<F extends Fields> = v.InferOutput<v.ObjectSchema<F, undefined>>;

const yes = new Set(['true', '1', 'yes', 'y', 't', 'on']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off']);

/** Text as given; numbers and booleans become their text, because form clients send everything as text. */
export const text = v.pipe(
  v.union([v.string(), v.number(), v.boolean()], 'is not a text'),
  v.transform((given) => String(given)),
);

const readNumber = (given: string | number) => (typeof given === 'number' ? given : given.trim() === '' ? Number.NaN : Number(given));

export const number = v.pipe(
  v.union([v.number(), v.string()], 'is not a number'),
  v.transform(readNumber),
  v.number('is not a number'),
  v.finite('is not a number'),
);

export const int = v.pipe(
  v.union([v.number(), v.string()], 'is not an integer'),
  v.transform(readNumber),
  v.number('is not an integer'),
  v.safeInteger('is not an integer'),
);

/** `true`, `1`, `yes`, … in any case; a blank or unknown word counts as not given (reference A3). */
export const bool = v.pipe(
  v.union([v.boolean(), v.string(), v.number()], 'is not a boolean'),
  v.transform((given): boolean | undefined => {
    const word = String(given).toLowerCase();
    return yes.has(word) ? true : no.has(word) ? false : undefined;
  }),
  v.optional(v.boolean()),
) as unknown as v.GenericSchema<boolean | string | number, boolean>;

const first = Date.parse('0000-01-01T00:00:00Z');
const last = Date.parse('9999-12-31T23:59:59Z');

/** A whole second in UTC, as stored and as answered; what four digits cannot write as a year stops at the last that they can. */
export const wireTime = (at: number | Date) => `${new Date(Math.min(last, Math.max(first, Number(at)))).toISOString().slice(0, 19)}Z`;

/** Ruby writes the time zone as a word, `2026-12-01 10:00:00 UTC`. */
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(?:(Z|UTC|GMT)|([+-]\d{2}):?(\d{2})?)?)?$/i;

/** Where bare dates are read: set for the length of one reading, which waits for nothing, so that no other comes in between. */
let zone = 'Etc/UTC';

type Bare = (date: string, zone: string) => string;

/** Whether the calendar has it: what it has not, `Date` counts on into the next month. */
const isDay = (date: string): boolean => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
};

function readTime(given: string, bare: Bare): string | undefined {
  const [, date, clock, , hours, minutes = '00'] = isoTime.exec(given.trim()) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  if (clock === undefined) return bare(date, zone);
  const at = Date.parse(`${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  // An offset may lead out of the years that four digits can write.
  return at >= first && at <= last ? wireTime(at) : undefined;
}

const timeWith = (bare: Bare) =>
  v.pipe(
    v.string('is not a date and time'),
    v.transform((given) => readTime(given, bare) ?? ''),
    v.minLength(1, 'is not a date and time'),
  );

/** ISO 8601; without an offset it is UTC, a bare date is its midnight where the caller lives. */
export const time = timeWith((date, zone) => startOfDay(date, zone));

/** The same at the end of a range: a bare date is its last second. */
export const endTime = timeWith((date, zone) => endOfDay(date, zone));

/** `YYYY-MM-DD`. */
export const date = v.pipe(v.string('is not a date'), v.regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date'));

/** A reference to a resource as clients write it: `12`, `self`, `sis_course_id:X`. */
export const reference = text;

/** Objects from a form have no prototype, which builders of statements and text conversions rely on. */
function withPrototypes(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return given.map(withPrototypes);
  const prototype = Object.getPrototypeOf(given);
  if (prototype !== null && prototype !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withPrototypes(value)]));
}

/** Any JSON, kept as it is, whatever encoding it came in. */
export const json = v.pipe(v.unknown(), v.transform(withPrototypes));

/** What an id that a client sends may name. `content` is an id whose type another parameter gives, `context` a code such as `course_12`. */
export type Kind =
  | 'account'
  | 'assignment'
  | 'assignment_group'
  | 'assignment_override'
  | 'content'
  | 'context'
  | 'conversation'
  | 'course'
  | 'discussion_topic'
  | 'file'
  | 'folder'
  | 'group'
  | 'group_category'
  | 'login_provider'
  | 'module'
  | 'participant'
  | 'recipient'
  | 'role'
  | 'section'
  | 'submission'
  | 'term'
  | 'user';

/** A field that holds ids of a kind, as the API's description says, too: a test sends it ids that the caller may not read (test/api/foreign_ids.test.ts). */
const of = <F extends Field>(kind: Kind, field: F) =>
  v.pipe(field, v.metadata({ 'x-id-of': kind })) as unknown as v.GenericSchema<v.InferInput<F>, v.InferOutput<F>>;

/** A number that is the id of something. */
export const idField = (kind: Kind) => of(kind, int);

/** A text that names something: `12`, `self`, `sis_course_id:X`, `course_12`; a blank names nothing. */
export const referenceTo = (kind: Kind) => of(kind, word);

/** JSON that holds ids in a form of its own. */
export const idsWithin = (kind: Kind) => of(kind, json);

/** Null, or the field; a blank text clears it (reference A3). */
export const maybe = <F extends Field>(field: F) =>
  v.pipe(
    v.unknown(),
    v.transform((given) => (given === '' ? null : given)),
    v.nullable(field),
  ) as unknown as v.GenericSchema<v.InferInput<F> | '' | null, v.InferOutput<F> | null>;

type Reading = { value: unknown; typed?: boolean; issues?: unknown };

/** The same schema, with its way to read replaced: valibot has no word for a value that counts as absent. */
const reading = <S>(schema: S, run: (given: Reading, usual: (given: Reading) => Reading) => Reading): S => {
  const usual = schema as { '~run'(given: Reading, config: never): Reading };
  return { ...schema, '~run': (given: Reading, config: never) => run(given, (one) => usual['~run'](one, config)) };
};

/** A field that may be absent; what it cannot hold counts as absent where `ignores` says so, and is refused elsewhere. */
const absentable = <F extends Field>(field: F, ignores: (given: unknown) => boolean) =>
  reading(v.optional(field), (given, usual) => {
    const { value } = given;
    if (isList(field) && (value === null || value === '')) return { typed: true, value: undefined };
    const read = usual(given);
    return read.issues !== undefined && ignores(value) ? { typed: true, value: undefined } : read;
  }) as v.OptionalSchema<F, undefined>;

/**
 * A field that may be absent. Null or a blank clears what can be cleared (`maybe`), is a text where the field is a `text`, and counts as
 * absent everywhere else (reference A3): clients send back what they were given.
 */
export const optional = <F extends Field>(field: F) => absentable(field, isBlank);

/** Many; one alone counts as a list of one, a map with integer keys as a list in their order; blanks and null are dropped. */
export const list = <F extends Field>(field: F): v.GenericSchema<unknown, v.InferOutput<F>[]> =>
  asList(
    v.pipe(
      v.unknown(),
      v.transform((given) => asArray(given).filter((member) => member !== '' && member !== null)),
      v.array(field),
    ) as unknown as v.GenericSchema<unknown, v.InferOutput<F>[]>,
  );

const lists = new WeakSet<object>();
const asList = <F extends Field>(field: F): F => {
  lists.add(field);
  return field;
};

/** Whether a scalar name that came several times is meant as a list by this field. */
export const isList = (field: Field | undefined): boolean =>
  field !== undefined && (lists.has(field) || isList((field as { wrapped?: Field }).wrapped));

function asArray(given: unknown): unknown[] {
  if (Array.isArray(given)) return given;
  if (given === null || given === undefined) return [];
  if (typeof given === 'object') {
    const keys = Object.keys(given);
    if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key)))
      return keys.sort((a, b) => Number(a) - Number(b)).map((key) => lookUp(given as Record<string, unknown>, key));
  }
  return [given];
}

/** A list that clients may also write as one text with commas. */
export const commaList = <F extends Field>(field: F) =>
  asList(
    v.pipe(
      v.unknown(),
      v.transform((given) => (typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given)),
      list(field),
    ) as unknown as v.GenericSchema<unknown, v.InferOutput<F>[]>,
  );

export const oneOf = <const W extends readonly string[]>(...words: W) =>
  v.picklist(words, `is not one of ${words.join(', ')}`) as v.GenericSchema<W[number], W[number]>;

/** A list of known words in which unknown ones are ignored, as `include[]` is read everywhere. */
export const someOf = <const W extends readonly string[]>(...words: W) =>
  asList(
    v.pipe(
      list(text),
      v.transform((given) => given.filter((word): word is W[number] => words.includes(word))),
    ) as unknown as v.GenericSchema<unknown, W[number][]>,
  );

/** One of several known words where a list is read (`sort`, `scope`, `type`): any other counts as absent (reference A3). */
export const choice = <const W extends readonly string[]>(...words: W) => absentable(oneOf(...words), () => true);

/** Several known words where a list is read: others are dropped, and where none is left the list counts as absent. */
export const choices = <const W extends readonly string[]>(...words: W) =>
  reading(v.optional(someOf(...words)), (given, usual) => {
    const read = usual(given);
    return (read.value as unknown[] | undefined)?.length === 0 || read.issues ? { typed: true, value: undefined } : read;
  });

/** A text that says something: a blank counts as absent where it is optional. */
export const word = v.pipe(
  text,
  v.trim(),
  v.check((given) => given !== '', 'is blank'),
);

/** What to search for; a blank is no search. */
export const searchTerm = optional(word);

/** One kind of value or another; the first that fits. */
export const either = <const F extends readonly [Field, Field, ...Field[]]>(...fields: F) => v.union(fields);

/** A key that counts as absent is no key of what was read: rules ask `in`, and spread what was given. */
const withoutAbsent = <S>(schema: S): S =>
  reading(schema, (given, usual) => {
    const read = usual(given);
    const kept = read.value as Record<string, unknown>;
    if (read.typed) for (const [key, value] of Object.entries(kept)) if (value === undefined) delete kept[key];
    return read;
  });

/** A nested object, `assignment[name]`. */
export const group = <F extends Fields>(fields: F) => withoutAbsent(v.object(fields, 'is not an object'));

/**
 * A map from any key to a value of one kind.
 * @param keys what the keys name, where they name something
 */
export const mapOf = <F extends Field>(field: F, keys?: Kind) =>
  withoutAbsent(
    v.record(keys ? v.pipe(v.string(), v.metadata({ 'x-id-of': keys })) : v.string(), optional(field), 'is not an object'),
  ) as unknown as v.RecordSchema<v.StringSchema<undefined>, F, 'is not an object'>;

export interface Refusal {
  /** The parameter as the client wrote it: `assignment[due_at]`. */
  readonly parameter: string;
  readonly message: string;
  readonly isMissing: boolean;
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

const bracketed = (path: readonly { key: unknown }[]) =>
  path.map(({ key }, depth) => (depth === 0 ? String(key) : `[${typeof key === 'number' ? '' : String(key)}]`)).join('');

const shapes = new WeakMap<Fields, v.GenericSchema<unknown, unknown>>();

/**
 * Reads a tree of parameters by their shape. Unknown parameters are ignored; the first malformed one is named.
 * @param where the time zone of whoever has written it
 */
export function read<F extends Fields>(fields: F, given: unknown, where = 'Etc/UTC'): Read<Shape<F>> {
  let shape = shapes.get(fields);
  if (!shape) {
    shape = withoutAbsent(v.object(fields)) as unknown as v.GenericSchema<unknown, unknown>;
    shapes.set(fields, shape);
  }
  zone = where;
  const result = v.safeParse(shape, given, { abortEarly: true });
  if (result.success) return { ok: true, value: result.output as Shape<F> };
  const issue = result.issues[0];
  const isMissing = issue.input === undefined || issue.input === null;
  return {
    ok: false,
    refusal: {
      parameter: bracketed((issue.path ?? []) as { key: unknown }[]),
      message: isMissing ? 'is missing' : issue.message,
      isMissing,
    },
  };
}

/** Whether a value is exactly what the field promises: the oracle that tests hold answers against. */
export function mismatch(field: Field, answered: unknown): string | undefined {
  const result = v.safeParse(field, answered);
  if (!result.success) return `${bracketed((result.issues[0].path ?? []) as { key: unknown }[]) || 'body'} ${result.issues[0].message}`;
  const more = undeclared(answered, result.output, '');
  return more && `${more} is told and not declared`;
}

/** The names that the reader of maps leaves out. */
const unread = new Set(['__proto__', 'constructor', 'prototype']);

/** What an answer says besides: an object that is read by its declaration keeps the declared keys alone. */
function undeclared(answered: unknown, read: unknown, path: string): string | undefined {
  if (answered === read || typeof answered !== 'object' || answered === null || typeof read !== 'object' || read === null) return undefined;
  for (const [key, value] of Object.entries(answered)) {
    if (value === undefined || unread.has(key)) continue;
    if (!Object.hasOwn(read, key)) return `${path}[${key}]`;
    const found = undeclared(value, lookUp(read as Record<string, unknown>, key), `${path}[${key}]`);
    if (found) return found;
  }
  return undefined;
}
