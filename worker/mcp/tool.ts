// A tool is a value in a table: its name, what it is for, its input as JSON Schema, and what it asks of the REST interface.

import type { Rest } from './ask';

/** A property of an input, in the part of JSON Schema that all clients understand. */
interface Property {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

type Properties = Readonly<Record<string, Property>>;
type Kinds = { string: string; integer: number; number: number; boolean: boolean; object: Readonly<Record<string, unknown>> };
type Read<P extends Property> = P extends { enum: readonly (infer E)[] } ? E : Kinds[P['type']];
type Input<P extends Properties, R extends keyof P> = { readonly [K in R]: Read<P[K]> } & {
  readonly [K in Exclude<keyof P, R>]?: Read<P[K]>;
};

interface Facts {
  readonly title: string;
  readonly description: string;
  /** Needs the scope for writing. */
  readonly writes?: true;
}

export interface Tool extends Facts {
  readonly name: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  /**
   * @param input checked by its schema
   * @throws RestRefusal when the REST interface refuses
   */
  run(input: unknown, rest: Rest): Promise<object>;
}

export const tool = <const P extends Properties, const R extends keyof P & string>(
  name: string,
  facts: Facts & { readonly properties: P; readonly required: readonly R[] },
  run: (input: Input<P, R>, rest: Rest) => Promise<object>,
): Tool => ({ name, ...facts, run: (input, rest) => run(input as Input<P, R>, rest) });

export const courseId = { type: 'integer', description: 'The id of a course, from list_courses', minimum: 1 } as const;
export const assignmentId = { type: 'integer', description: 'The id of an assignment', minimum: 1 } as const;
