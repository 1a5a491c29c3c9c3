// Field types of the API: each parses what clients send (reference A3) and describes what the service returns.
// The only file that imports valibot.

import * as v from 'valibot';
import { endOfDay, readTime, startOfDay } from './clock';
import { isBlank } from './form';
import { lookUp } from './look_up';
import { undeclared } from './undeclared';

export { wireTime } from './clock';

export type Field = v.GenericSchema<unknown, unknown>;
export type Fields = Readonly<Record<string, Field>>;
/** The type of a parsed field. */
export type Of<F extends Field> = v.InferOutput<F>;
export type Shape<F extends Fields> = v.InferOutput<v.ObjectSchema<F, undefined>>;

const yes = new Set(['true', '1', 'yes', 'y', 't', 'on']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off']);

/** Text as given; numbers and booleans become text, because form clients send everything as text. */
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

/** `true`, `1`, `yes`, … in any case; a blank or unknown value counts as absent (reference A3). */
export const bool = v.pipe(
  v.union([v.boolean(), v.string(), v.number()], 'is not a boolean'),
  v.transform((given): boolean | undefined => {
    const word = String(given).toLowerCase();
    return yes.has(word) ? true : no.has(word) ? false : undefined;
  }),
  v.optional(v.boolean()),
) as unknown as v.GenericSchema<boolean | string | number, boolean>;

/** The time zone for dates without one. Set during a synchronous parse only, so concurrent requests cannot interfere. */
let zone = 'Etc/UTC';

/** @param ofDay the time that a date without a time means in a zone */
const timeWith = (ofDay: (date: string, zone: string) => string) =>
  v.pipe(
    v.string('is not a date and time'),
    v.transform((given) => readTime(given, (date) => ofDay(date, zone)) ?? ''),
    v.minLength(1, 'is not a date and time'),
  );

/** ISO 8601; UTC without an offset; a date without time is midnight in the caller's time zone. */
export const time = timeWith(startOfDay);

/** The same for the end of a range: a date without time is its last second. */
export const endTime = timeWith(endOfDay);

/** `YYYY-MM-DD`. */
export const date = v.pipe(v.string('is not a date'), v.regex(/^\d{4}-\d{2}-\d{2}$/, 'is not a date'));

/** A reference to a resource: `12`, `self`, `sis_course_id:X`. */
export const reference = text;

/** Objects from a form have no prototype, but statement builders and text conversion need one. */
function withPrototypes(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) return given.map(withPrototypes);
  const prototype = Object.getPrototypeOf(given);
  if (prototype !== null && prototype !== Object.prototype) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, withPrototypes(value)]));
}

/** Any JSON, unchanged, in any encoding. */
export const json = v.pipe(v.unknown(), v.transform(withPrototypes));

/**
 * What an id in a parameter refers to. `content` is an id whose type is in another parameter, `context` a code such as `course_12`, `rubric_part` a
 * criterion or rating, whose id counts only within its rubric, `quiz_question_part` an answer or match of a question.
 */
export type IdKind =
  | 'account'
  | 'assignment'
  | 'assignment_group'
  | 'assignment_override'
  | 'content'
  | 'content_export'
  | 'context'
  | 'conversation'
  | 'course'
  | 'custom_grade_status'
  | 'custom_gradebook_column'
  | 'developer_key'
  | 'discussion_topic'
  | 'external_tool'
  | 'file'
  | 'folder'
  | 'grading_standard'
  | 'grading_period'
  | 'grading_period_set'
  | 'group'
  | 'group_category'
  | 'learning_outcome'
  | 'login_provider'
  | 'module'
  | 'module_item'
  | 'new_quiz_item'
  | 'outcome_group'
  | 'participant'
  | 'poll_choice'
  | 'provisional_grade'
  | 'question_bank'
  | 'quiz'
  | 'quiz_group'
  | 'quiz_question'
  | 'quiz_question_part'
  | 'quiz_submission'
  | 'recipient'
  | 'role'
  | 'rubric'
  | 'rubric_association'
  | 'rubric_part'
  | 'section'
  | 'submission'
  | 'term'
  | 'user';

/**
 * Marks a field as containing ids of a kind, also in the API description: a test sends ids that the caller may not read
 * (test/api/foreign_ids.test.ts).
 */
const of = <F extends Field>(kind: IdKind, field: F) =>
  v.pipe(field, v.metadata({ 'x-id-of': kind })) as unknown as v.GenericSchema<v.InferInput<F>, v.InferOutput<F>>;

/** A numeric id. */
export const idField = (kind: IdKind) => of(kind, int);

/** A reference as text: `12`, `self`, `sis_course_id:X`, `course_12`; blank means none. */
export const referenceTo = (kind: IdKind) => of(kind, word);

/** JSON that contains ids. */
export const idsWithin = (kind: IdKind) => of(kind, json);

/** Null, or the field; a blank text clears it (reference A3). */
export const maybe = <F extends Field>(field: F) =>
  v.pipe(
    v.unknown(),
    v.transform((given) => (given === '' ? null : given)),
    v.nullable(field),
  ) as unknown as v.GenericSchema<v.InferInput<F> | '' | null, v.InferOutput<F> | null>;

type Reading = { value: unknown; typed?: boolean; issues?: unknown };

/** The same schema with another parser: valibot has no concept of a value that counts as absent. */
const reading = <S>(schema: S, run: (given: Reading, usual: (given: Reading) => Reading) => Reading): S => {
  const usual = schema as { '~run'(given: Reading, config: never): Reading };
  return { ...schema, '~run': (given: Reading, config: never) => run(given, (one) => usual['~run'](one, config)) };
};

/** A field that may be absent. An invalid value counts as absent if `ignores` allows it, otherwise it is an error. */
const absentable = <F extends Field>(field: F, ignores: (given: unknown) => boolean) =>
  reading(v.optional(field), (given, usual) => {
    const { value } = given;
    if (isList(field) && (value === null || value === '')) return { typed: true, value: undefined };
    const read = usual(given);
    return read.issues !== undefined && ignores(value) ? { typed: true, value: undefined } : read;
  }) as v.OptionalSchema<F, undefined>;

/**
 * A field that may be absent. Null or blank clears a field that can be cleared (`maybe`), is a value for a `text`, and counts as absent otherwise
 * (reference A3), because clients send back what they received.
 */
export const optional = <F extends Field>(field: F) => absentable(field, isBlank);

/** A list; a single value becomes a list of one, a map with integer keys a list in key order; blanks and nulls are dropped. */
export const listOf = <F extends Field>(field: F): v.GenericSchema<unknown, v.InferOutput<F>[]> =>
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

/** Whether repeated values of a scalar name form a list for this field. */
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

/** A list, also accepted as comma-separated text. */
export const commaList = <F extends Field>(field: F) =>
  asList(
    v.pipe(
      v.unknown(),
      v.transform((given) => (typeof given === 'string' ? given.split(',').map((part) => part.trim()) : given)),
      listOf(field),
    ) as unknown as v.GenericSchema<unknown, v.InferOutput<F>[]>,
  );

export const oneOf = <const W extends readonly string[]>(...words: W) =>
  v.picklist(words, `is not one of ${words.join(', ')}`) as v.GenericSchema<W[number], W[number]>;

/** A list of known values in which unknown ones are ignored, as in `include[]`. */
export const someOf = <const W extends readonly string[]>(...words: W) =>
  asList(
    v.pipe(
      listOf(text),
      v.transform((given) => given.filter((word): word is W[number] => words.includes(word))),
    ) as unknown as v.GenericSchema<unknown, W[number][]>,
  );

/** One of several known values in a list request (`sort`, `scope`, `type`): unknown values count as absent (reference A3). */
export const choice = <const W extends readonly string[]>(...words: W) => absentable(oneOf(...words), () => true);

/** Several known values in a list request: unknown ones are dropped, and an empty rest counts as absent. */
export const choices = <const W extends readonly string[]>(...words: W) =>
  reading(v.optional(someOf(...words)), (given, usual) => {
    const read = usual(given);
    return (read.value as unknown[] | undefined)?.length === 0 || read.issues ? { typed: true, value: undefined } : read;
  });

/** A non-blank text: blank counts as absent if the field is optional. */
export const word = v.pipe(
  text,
  v.trim(),
  v.check((given) => given !== '', 'is blank'),
);

/** A search term; blank means no search. */
export const searchTerm = optional(word);

/** One of two types; the first that fits. */
export const either = <const F extends readonly [Field, Field, ...Field[]]>(...fields: F) => v.union(fields);

/** Removes keys whose value counts as absent, because rules use `in` and spread the input. */
const withoutAbsent = <S>(schema: S): S =>
  reading(schema, (given, usual) => {
    const read = usual(given);
    const kept = read.value as Record<string, unknown>;
    if (read.typed) for (const [key, value] of Object.entries(kept)) if (value === undefined) delete kept[key];
    return read;
  });

/** A nested object, `assignment[name]`. */
export const object = <F extends Fields>(fields: F) => withoutAbsent(v.object(fields, 'is not an object'));

/**
 * A map from any key to values of one type.
 * @param keys the kind of ids that the keys are, if any
 */
export const mapOf = <F extends Field>(field: F, keys?: IdKind) =>
  withoutAbsent(
    v.record(keys ? v.pipe(v.string(), v.metadata({ 'x-id-of': keys })) : v.string(), optional(field), 'is not an object'),
  ) as unknown as v.RecordSchema<v.StringSchema<undefined>, F, 'is not an object'>;

interface Refusal {
  /** The parameter in the client's notation: `assignment[due_at]`. */
  readonly parameter: string;
  readonly message: string;
  readonly isMissing: boolean;
}

type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

const bracketed = (path: readonly { key: unknown }[]) =>
  path.map(({ key }, depth) => (depth === 0 ? String(key) : `[${typeof key === 'number' ? '' : String(key)}]`)).join('');

const shapes = new WeakMap<Fields, v.GenericSchema<unknown, unknown>>();

/**
 * Parses a tree of parameters. Unknown parameters are ignored; the first malformed one is reported.
 * @param where the caller's time zone
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

/** Whether a value matches the field exactly: the oracle for responses in tests. */
export function mismatch(field: Field, answered: unknown): string | undefined {
  const result = v.safeParse(field, answered);
  if (!result.success) return `${bracketed((result.issues[0].path ?? []) as { key: unknown }[]) || 'body'} ${result.issues[0].message}`;
  const more = undeclared(answered, result.output, '');
  return more && `${more} is told and not declared`;
}
