// Simplifies the schemas of the OpenAPI document: removes the traces of request coercion.

import type { Field } from '../shared/wire/fields.ts';

export type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (schema: unknown) => isObject(schema) && Object.keys(schema).length === 0;
const typesOf = (choices: readonly unknown[]) => choices.map((one) => (isObject(one) ? one.type : undefined));

/** Numbers and booleans are also accepted as text, so such a union is described as a string. */
const isText = (choices: readonly unknown[]) => typesOf(choices).join() === 'string,number,boolean';

function plainChoice(choices: readonly unknown[], rest: Schema): Schema {
  const plain = choices.map((one) => plainSchema(one as Schema));
  // A union with "anything" is "anything".
  if (plain.some(isEmpty)) return rest;
  if (isText(plain)) return { ...rest, type: 'string' };
  const [only, nothing] = plain;
  if (plain.length === 2 && nothing?.type === 'null' && typeof only?.type === 'string' && !only.enum)
    return { ...rest, ...only, type: [only.type, 'null'] };
  return { ...rest, anyOf: plain };
}

/** @returns the schema with all unions and limits simplified, recursively */
export function plainSchema(schema: Schema): Schema {
  const { anyOf, minimum, maximum, ...rest } = schema;
  const bounds = {
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
  const inside = Object.fromEntries(
    Object.entries(rest).map(([key, value]): [string, unknown] => {
      if (key === 'properties' || key === '$defs')
        return [key, Object.fromEntries(Object.entries(value as Schema).map(([name, one]) => [name, plainSchema(one as Schema)]))];
      return [key, isObject(value) && key !== 'example' ? plainSchema(value) : value];
    }),
  );
  const plain = { ...inside, ...bounds };
  return Array.isArray(anyOf) ? plainChoice(anyOf, plain) : plain;
}

/** The properties by which a field contains others. */
const single = ['item', 'rest', 'wrapped', 'key', 'value'];
const several = ['pipe', 'items', 'options', 'entries'];

/** A field and all fields that it contains, at any depth. */
export function fieldsWithin(field: Field, found = new Set<Field>()): ReadonlySet<Field> {
  if (typeof field !== 'object' || field === null || found.has(field)) return found;
  found.add(field);
  const has = field as unknown as Readonly<Record<string, Field | Readonly<Record<string, Field>> | undefined>>;
  for (const name of single) fieldsWithin(has[name] as Field, found);
  for (const name of several) for (const one of Object.values(has[name] ?? {})) fieldsWithin(one as Field, found);
  return found;
}
