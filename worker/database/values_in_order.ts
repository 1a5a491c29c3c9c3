// The cells of an `insert … select`, which must name the value of every column.

import { lookUp } from '@carrel/shared/wire/look_up';
import { type Column, type SQL, sql } from 'drizzle-orm';

/** All columns of a table in order; null for those that are not given. */
export const valuesInOrder = (columns: Record<string, Column>, given: Record<string, SQL>) =>
  sql.join(
    // Generated columns cannot be written.
    Object.entries(columns).flatMap(([name, { generated }]) => (generated ? [] : [lookUp(given, name) ?? sql`null`])),
    sql`, `,
  );
