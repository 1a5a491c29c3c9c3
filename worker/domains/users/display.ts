// A user as embedded in other resources; `{}` without a user.

import type { Json } from '@carrel/shared/resources/resource';
import type { UserDisplay } from '@carrel/shared/resources/user_display';
import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Database } from '../../database/open';
import { users } from './table';

const { id, name, short_name, avatar_url, pronouns, is_test_student } = getTableColumns(users);
/** Columns for embedding; select them for the users on a page. */
export const displayColumns = { id, name, short_name, avatar_url, pronouns, is_test_student };

export interface DisplayRow {
  readonly id: number;
  readonly short_name: string;
  readonly avatar_url: string | null;
  readonly pronouns: string | null;
  readonly is_test_student: boolean;
}

/** A statement that reads the users with the selected ids. */
export const displayRows = (db: Database, ids: SQL) => db.build.select(displayColumns).from(users).where(isInSelect(users.id, ids));

const truth = (condition: string) => `json(case when ${condition} then 'true' else 'false' end)`;

/** The user with the given id as a JSON column; null without a user. */
export const displayColumn = (id: SQL) =>
  sql`(select json_object('id', who.id, 'short_name', who.short_name, 'avatar_url', who.avatar_url, 'pronouns', who.pronouns,
    'is_test_student', ${sql.raw(truth('who.is_test_student'))}) from users who where who.id = ${id})`.mapWith(
    (given: string) => JSON.parse(given) as DisplayRow,
  );

/** The user's avatar, or the default image. */
export const avatarOf = (person: { readonly avatar_url: string | null }, origin: string): string =>
  person.avatar_url ?? `${origin}/images/messages/avatar-50.png`;

/** @param person from `displayRows`, or a whole user row */
export const userDisplay = (person: DisplayRow | undefined, origin: string): Json<typeof UserDisplay> =>
  person === undefined
    ? {}
    : {
        id: person.id,
        anonymous_id: person.id.toString(36),
        display_name: person.short_name,
        avatar_image_url: avatarOf(person, origin),
        html_url: `${origin}/users/${person.id}`,
        ...(person.pronouns !== null && { pronouns: person.pronouns }),
        ...(person.is_test_student && { fake_student: true }),
      };
