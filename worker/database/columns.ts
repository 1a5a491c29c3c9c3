// Column types. Columns have their wire names; times are stored as on the wire.

import { sql } from 'drizzle-orm';
import { customType, integer, real, text } from 'drizzle-orm/sqlite-core';
import { freshVersion } from './version';

export const id = () => integer().primaryKey({ autoIncrement: true });
export const int = () => integer();
export const number = () => real();
export const string = () => text();
/** Case-insensitive text, for comparison, sorting and indexes. */
export const folded = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate nocase' });
export const bool = () => integer({ mode: 'boolean' });
/** `YYYY-MM-DDTHH:MM:SSZ`, so that text order is time order. */
export const time = () => text();
export const json = <T>() => text({ mode: 'json' }).$type<T>();
/** An enumeration. Values are inlined, not bound, so that a partial index on them is found when the statement is prepared. */
export const state = <const S extends readonly [string, ...string[]]>(...states: S) =>
  customType<{ data: S[number]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (word) => (states.includes(word) ? sql.raw(`'${word}'`) : word),
  })();
export const created = () => ({ created_at: text().notNull(), updated_at: text().notNull() });
/** Kept by triggers (triggers/versions.ts). */
export const version = () => integer().notNull().default(sql.raw(freshVersion));
/** A copy of the id: SQLite can start within equal keys of an index only if the index ends with a column other than the rowid. */
export const sameId = () => integer().notNull().generatedAlwaysAs(sql`id`);
