// The column words that tables are written in. Data keeps its wire name; times are the wire's text.

import { sql } from 'drizzle-orm';
import { customType, integer, real, text } from 'drizzle-orm/sqlite-core';

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
export const state = <const S extends readonly [string, ...string[]]>(...states: S) => text({ enum: states });
export const created = () => ({ created_at: text().notNull(), updated_at: text().notNull() });
/** The id once more: SQLite starts a page within equal keys along an index only where the index ends with a column that is not the id itself. */
export const sameId = () => integer().notNull().generatedAlwaysAs(sql`id`);
