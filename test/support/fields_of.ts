// What a declared field is, below what makes it optional: tests derive from it which parameters are words of a known set.

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

/** What a field reads; undefined where it counts as absent, and `refused` where the request would be refused. */
export const refused = Symbol('refused');
export function readBy(field: Field, value: unknown): unknown {
  const read = declared(field)['~run']({ value }, {});
  return read.issues === undefined ? read.value : refused;
}

/** Whether it is one of several words, and refuses every other. */
export const isClosed = (field: Field): boolean =>
  JSON.stringify(declared(field)).includes('"picklist"') && readBy(field, 'no such word') === refused;

/** Whether unknown words count as absent: a `choice`, or several of them. */
export const isChoice = (field: Field): boolean =>
  declared(field).type === 'optional' && readBy(field, 'no such word') === undefined && readBy(field, 'true') === undefined;
