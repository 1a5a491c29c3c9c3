// The declared field without its optional wrappers: tests derive from it which parameters have a closed set of values.

import type { Field } from '@carrel/shared/wire/fields';

export interface Declared {
  readonly type: string;
  readonly wrapped?: Declared;
  readonly pipe?: readonly Declared[];
  readonly options?: readonly (Declared | string)[];
  readonly entries?: Readonly<Record<string, Declared>>;
  readonly item?: Declared;
  readonly value?: Declared;
  readonly '~run': (given: { value: unknown }, config: object) => { value: unknown; issues?: unknown };
}

export const declared = (field: Field): Declared => field as unknown as Declared;

/** What a field parses a value to; undefined when it counts as absent, `refused` when the request would be refused. */
const refused = Symbol('refused');
export function readBy(field: Field, value: unknown): unknown {
  const read = declared(field)['~run']({ value }, {});
  return read.issues === undefined ? read.value : refused;
}

/** Whether it accepts one of several words and refuses all others. */
export const isClosed = (field: Field): boolean =>
  JSON.stringify(declared(field)).includes('"picklist"') && readBy(field, 'no such word') === refused;

/** Whether unknown words count as absent: a `choice`, or a list of them. */
export const isChoice = (field: Field): boolean =>
  declared(field).type === 'optional' && readBy(field, 'no such word') === undefined && readBy(field, 'true') === undefined;
