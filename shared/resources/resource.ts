// A resource is what a client sees. One declaration gives the type, the whitelist, the OpenAPI component and the test oracle.

import { type Field, type Fields, object, type Shape } from '../wire/fields';
import { lookUp } from '../wire/look_up';

export interface Resource<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
  readonly field: Field;
}

export const resource = <const F extends Fields>(name: string, fields: F): Resource<F> => ({ name, fields, field: object(fields) });

/** The JSON of a resource. */
export type Json<R extends Resource> = Shape<R['fields']>;

/** Restricts JSON to the declared fields, so that a new column never leaks. */
export function cut<R extends Resource>(resource: R, json: object): Json<R> {
  const kept: Record<string, unknown> = {};
  for (const name in resource.fields) {
    const value = lookUp(json as Record<string, unknown>, name);
    if (value !== undefined) kept[name] = value;
  }
  return kept as Json<R>;
}
