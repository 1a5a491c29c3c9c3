// Searches users by the fields visible to the caller: names, logins, SIS ids, addresses.

import { or, type SQL, sql } from 'drizzle-orm';
import { contains } from '../../../database/ids';
import { type SearchCondition, searchCondition } from '../../../database/search';

export type SearchableField = readonly ('name' | 'sortable_name' | 'short_name' | 'login' | 'sis_id' | 'integration_id' | 'address')[];

/** The user fields that a caller with these permissions may search in an account. */
export const searchableFields = (can: (permission: string) => boolean): SearchableField => [
  'name',
  'sortable_name',
  ...(can('view_user_logins') ? (['login'] as const) : []),
  ...(can('read_sis') || can('manage_sis') ? (['sis_id', 'integration_id'] as const) : []),
  ...(can('read_email_addresses') ? (['address'] as const) : []),
];

const loginColumns = {
  login: sql`l.unique_id`,
  sis_id: sql`coalesce(l.sis_user_id, '')`,
  integration_id: sql`coalesce(l.integration_id, '')`,
};

/** Whether the current `users` row matches the term. */
export function holding(term: string, seen: SearchableField): SQL {
  const ofLogins = Object.entries(loginColumns).flatMap(([column, text]) =>
    seen.includes(column as 'login') ? [contains(text, term)] : [],
  );
  const held = or(
    contains(sql`users.name`, term),
    contains(sql`users.sortable_name`, term),
    ofLogins.length > 0
      ? sql`exists (select 1 from logins l where l.user_id = users.id and l.workflow_state <> 'deleted' and (${or(...ofLogins)}))`
      : undefined,
    seen.includes('address')
      ? sql`exists (select 1 from communication_channels h where h.user_id = users.id and h.workflow_state <> 'deleted' and ${contains(sql`h.address`, term)})`
      : undefined,
  );
  return sql`(${held})`;
}

/** The number of rows that a search may read individually before the list is walked instead. */
export const mostFor = ({ per_page, number }: { readonly per_page: number; readonly number?: number }): number =>
  10 * per_page * (number ?? 1);

/** Few matches are read from the search index (`found`). If there are many, or the index cannot tell, the list is walked in order. */
export const fewOf = (words: readonly string[], seen: SearchableField, most: number): Pick<SearchCondition, 'isFew' | 'ids'> =>
  searchCondition('people', seen, words, most) ?? { isFew: sql`0`, ids: sql`select 0 as found where 0` };

/** A number is a user id. */
export const idIn = (term: string): number | undefined => (/^\d{1,15}$/.test(term) ? Number(term) : undefined);
