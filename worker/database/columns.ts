// The column words that tables are written in. Data keeps its wire name; times are the wire's text.

import { sql } from 'drizzle-orm';
import { customType, integer, real, text } from 'drizzle-orm/sqlite-core';
import { freshVersion } from './version';

export const id = () => integer().primaryKey({ autoIncrement: true });
export const int = () => integer();
export const number = () => real();
export const string = () => text();
/** Text that compares, sorts and is indexed without regard to case. */
export const folded = customType<{ data: string; driverData: string }>({ dataType: () => 'text collate nocase' });
export const bool = () => integer({ mode: 'boolean' });
/** `YYYY-MM-DDTHH:MM:SSZ`, so that text order is time order. */
export const time = () => text();
export const json = <T>() => text({ mode: 'json' }).$type<T>();
/** One of a few words. They are written into statements, not bound: an index of the rows in one state is then found when the statement is first prepared, not each time it is sent. */
export const state = <const S extends readonly [string, ...string[]]>(...states: S) =>
  customType<{ data: S[number]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (word) => (states.includes(word) ? sql.raw(`'${word}'`) : word),
  })();
export const created = () => ({ created_at: text().notNull(), updated_at: text().notNull() });
/** Kept by triggers (triggers/versions.ts). */
export const version = () => integer().notNull().default(sql.raw(freshVersion));
/** The id once more: SQLite starts a page within equal keys along an index only where the index ends with a column that is not the id itself. */
export const sameId = () => integer().notNull().generatedAlwaysAs(sql`id`);
