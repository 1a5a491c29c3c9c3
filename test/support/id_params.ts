// The id parameters of an endpoint and the kinds they refer to, read from the declared fields, so that new parameters are found automatically.

import type { Fields, IdKind } from '@carrel/shared/wire/fields';

interface Schema {
  readonly type: string;
  readonly pipe?: readonly Schema[];
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly key?: Schema;
  readonly value?: Schema;
  readonly options?: readonly (Schema | string)[];
  readonly metadata?: { readonly 'x-id-of'?: IdKind };
}

/** Steps in a body that are not names: into a list, and to any key of a map. */
export const inList = '[]';
export const anyKey = '[*]';

export interface Param {
  /** Names, and the steps above. */
  readonly steps: readonly string[];
  /** The kind of object that it identifies. */
  readonly kind: IdKind | undefined;
  /** The keys of a map are the ids, not its values. */
  readonly isKey: boolean;
}

/** The inner schemas of a schema: itself, what it wraps, its pipeline and its options. */
function layers(given: Schema): Schema[] {
  const ways = (given.options ?? []).filter((one): one is Schema => typeof one === 'object');
  const inner = [...(given.wrapped ? [given.wrapped] : []), ...(given.pipe ?? []), ...ways];
  return [given, ...inner.flatMap(layers)];
}

/** Every value of a field, including those in groups and lists. */
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
export const paramNameOf = ({ steps, isKey }: Param): string =>
  [...steps, ...(isKey ? [anyKey] : [])].map((step, at) => (at === 0 || step === inList || step === anyKey ? step : `[${step}]`)).join('');

/** Its last name. */
export const lastName = ({ steps }: Param): string => steps.findLast((step) => step !== inList && step !== anyKey) as string;
