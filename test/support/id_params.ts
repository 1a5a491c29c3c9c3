// Which parameters of an endpoint hold ids, and of what: read from the declared fields, so that a new parameter is found by existing.

import type { Fields, Kind } from '@carrel/shared/wire/fields';

interface Schema {
  readonly type: string;
  readonly pipe?: readonly Schema[];
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly key?: Schema;
  readonly value?: Schema;
  readonly options?: readonly (Schema | string)[];
  readonly metadata?: { readonly 'x-id-of'?: Kind };
}

/** Steps into a body that are no names: into a list, and to any key of a map. */
export const inList = '[]';
export const anyKey = '[*]';

export interface Param {
  /** Names, and the steps above. */
  readonly steps: readonly string[];
  /** The kind of ids that it holds. */
  readonly kind: Kind | undefined;
  /** The keys of a map hold them, not its values. */
  readonly isKey: boolean;
}

/** What a schema is made of: itself, what it wraps, the steps that it takes, and the ways that it chooses from. */
function layers(given: Schema): Schema[] {
  const ways = (given.options ?? []).filter((one): one is Schema => typeof one === 'object');
  const inner = [...(given.wrapped ? [given.wrapped] : []), ...(given.pipe ?? []), ...ways];
  return [given, ...inner.flatMap(layers)];
}

/** Every value that a field can hold, groups and lists opened. */
function valuesOf(given: Schema, steps: readonly string[]): Param[] {
  const all = layers(given);
  const kindAmong = (some: readonly Schema[]) => some.flatMap(({ metadata }) => metadata?.['x-id-of'] ?? [])[0];
  const { item } = all.find((one) => one.item) ?? {};
  if (item) return valuesOf(item, [...steps, inList]);
  const { key, value } = all.find((one) => one.key) ?? {};
  if (key && value) return [{ steps, kind: kindAmong(layers(key)), isKey: true }, ...valuesOf(value, [...steps, anyKey])];
  const entries = Object.entries(all.find((one) => one.entries)?.entries ?? {});
  const nested = entries.flatMap(([name, inner]) => valuesOf(inner, [...steps, name]));
  const kind = kindAmong(all);
  return nested.length > 0 && !kind ? nested : [{ steps, kind, isKey: false }, ...nested];
}

export const paramsOf = (fields: Fields): Param[] =>
  Object.entries(fields).flatMap(([name, field]) => valuesOf(field as unknown as Schema, [name]));

/** As clients write it: `comment[file_ids][]`. */
export const nameOf = ({ steps, isKey }: Param): string =>
  [...steps, ...(isKey ? [anyKey] : [])].map((step, at) => (at === 0 || step === inList || step === anyKey ? step : `[${step}]`)).join('');

/** The last name of it. */
export const lastName = ({ steps }: Param): string => steps.findLast((step) => step !== inList && step !== anyKey) as string;
