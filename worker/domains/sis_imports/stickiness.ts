// Stickiness: values changed by hand stay, unless the import overrides it.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { ImportOptions } from './table';

type Value = string | number | boolean | null;
export type StickyValues = Readonly<Record<string, Value | undefined>>;

export type StickyOptions = Pick<ImportOptions, 'override_sis_stickiness' | 'add_sis_stickiness' | 'clear_sis_stickiness'>;

/** `,name,short_name,` as a set. */
export const stuckIn = (stuck: string | null): ReadonlySet<string> => new Set((stuck ?? '').split(',').filter((field) => field !== ''));
const written = (fields: ReadonlySet<string>): string | null => (fields.size === 0 ? null : `,${[...fields].join(',')},`);

/**
 * The sticky fields after an import. One that overrides stickiness can clear the fields that it names, or add those that it changes.
 * @param named the columns that the import names, of those that can be sticky
 * @param changed those of them whose value changes
 */
function stuckAfter(
  stuck: ReadonlySet<string>,
  named: readonly string[],
  changed: readonly string[],
  options: StickyOptions,
): ReadonlySet<string> {
  if (options.override_sis_stickiness !== true) return stuck;
  if (options.clear_sis_stickiness === true) return new Set([...stuck].filter((name) => !named.includes(name)));
  return options.add_sis_stickiness === true ? new Set([...stuck, ...changed]) : stuck;
}

/**
 * @param before the current row
 * @param wanted the import's values; undefined is not sent
 * @param sticky the columns that can be sticky
 * @returns all columns that the import names and the new sticky fields; undefined without a change
 */
export function acceptedValues<V extends StickyValues>(
  before: StickyValues & { readonly stuck_sis_fields: string | null },
  wanted: V,
  sticky: readonly string[],
  options: StickyOptions,
): (V & { stuck_sis_fields: string | null }) | undefined {
  const stuck = stuckIn(before.stuck_sis_fields);
  const current = (name: string): Value => lookUp(before, name) ?? null;
  const isStuck = (name: string) => stuck.has(name) && sticky.includes(name) && options.override_sis_stickiness !== true;
  const named = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const changed = named.filter(([name, value]) => !isStuck(name) && value !== current(name));
  const namesOf = (entries: typeof named) => entries.map(([name]) => name).filter((name) => sticky.includes(name));
  const after = stuckAfter(stuck, namesOf(named), namesOf(changed), options);
  const hasSameStuck = after.size === stuck.size;
  if (changed.length === 0 && hasSameStuck) return undefined;
  const values = {
    ...Object.fromEntries(Object.keys(wanted).map((name) => [name, current(name)])),
    ...Object.fromEntries(changed),
  };
  return { ...(values as V), stuck_sis_fields: hasSameStuck ? before.stuck_sis_fields : written(after) };
}
