// The author as a column, so that a page of texts by a hundred authors is read in one statement.

import { type SQL, sql } from 'drizzle-orm';
import type { DisplayRow } from '../users/display';

/** JSON of the user with the given id. */
export const personColumn = (id: SQL): SQL<string | null> =>
  sql<string | null>`(select json_array(u.id, u.short_name, u.avatar_url, u.pronouns, u.is_test_student) from users u where u.id = ${id})`;

export function personOf(result: string | null): DisplayRow | undefined {
  if (result === null) return undefined;
  const [id, short_name, avatar_url, pronouns, is_test_student] = JSON.parse(result) as [
    number,
    string,
    string | null,
    string | null,
    number,
  ];
  return { id, short_name, avatar_url, pronouns, is_test_student: is_test_student === 1 };
}
