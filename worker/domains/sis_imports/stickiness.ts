// Stickiness: values changed by hand stay, unless the import overrides it.

import { lookUp } from '@carrel/shared/wire/look_up';
import type { ImportOptions } from './table';

type Value = string | number | boolean | null;
export type Values = Readonly<Record<string, Value | undefined>>;

export type StickyOptions = Pick<ImportOptions, 'override_sis_stickiness' | 'add_sis_stickiness' | 'clear_sis_stickiness'>;

/** `,name,short_name,` as a set. */
export const stuckIn = (stuck: string | null): ReadonlySet<string> => new Set((stuck ?? '').split(',').filter((field) => field !== ''));
const written = (fields: ReadonlySet<string>): string | null => (fields.size === 0 ? null : `,${[...fields].join(',')},`);

/**
 * @param before the current row
 * @param wanted the import's values; undefined is not sent
 * @param sticky the columns that can be sticky
 * @returns all columns that the import names and the new sticky fields; undefined without a change
 */
export function taken<V extends Values>(
  before: Values & { readonly stuck_sis_fields: string | null },
  wanted: V,
  sticky: readonly string[],
  options: StickyOptions,
): (V & { stuck_sis_fields: string | null }) | undefined {
  const stuck = stuckIn(before.stuck_sis_fields);
  const after = new Set(stuck);
  const values: Record<string, Value> = {};
  let differs = false;
  for (const [name, value] of Object.entries(wanted)) {
    const now = lookUp(before, name) ?? null;
    const isKept = value === undefined || (stuck.has(name) && sticky.includes(name) && options.override_sis_stickiness !== true);
    const next = isKept ? now : value;
    values[name] = next;
    if (isKept) continue;
    if (next !== now) differs = true;
    if (options.override_sis_stickiness !== true || !sticky.includes(name)) continue;
    if (options.clear_sis_stickiness === true) after.delete(name);
    else if (options.add_sis_stickiness === true && next !== now) after.add(name);
  }
  const stuck_sis_fields =
    after.size === stuck.size && [...after].every((field) => stuck.has(field)) ? before.stuck_sis_fields : written(after);
  if (!differs && stuck_sis_fields === before.stuck_sis_fields) return undefined;
  return { ...(values as V), stuck_sis_fields };
}
