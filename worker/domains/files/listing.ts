// Filters and sort orders of file lists (reference 02 §8.1).

import type { Shape } from '@carrel/shared/wire/fields';
import { listOf, optional, searchTerm, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { contains } from '../../database/ids';
import { ascending, collated, descending, type Listing, rows } from '../../http/listing';
import { termTooShort } from '../../http/problem';
import { users } from '../users/table';
import { files } from './table';

export const listParams = {
  content_types: optional(listOf(text)),
  exclude_content_types: optional(listOf(text)),
  search_term: searchTerm,
  sort: optional(text),
  sort_by: optional(text),
  order: optional(text),
  only: optional(listOf(text)),
  use_verifiers: optional(text),
};

type Wanted = Shape<typeof listParams>;

/** `image` means every image type, `image/png` only that one. */
const isOfType = (types: readonly string[]): SQL => {
  const whole = JSON.stringify(types.filter((type) => type.includes('/')));
  const kinds = JSON.stringify(types.filter((type) => !type.includes('/')));
  const type = files.content_type;
  return sql`(${type} in (select value from json_each(${whole})) or substr(${type}, 1, instr(${type}, '/') - 1) in (select value from json_each(${kinds})))`;
};

/** @throws Problem 400 for a search term of one character */
export function fileFilter({ content_types, exclude_content_types, search_term }: Wanted): SQL | undefined {
  if (search_term && search_term.length < 2) throw termTooShort();
  return and(
    content_types?.length ? isOfType(content_types) : undefined,
    exclude_content_types?.length ? sql`not ${isOfType(exclude_content_types)}` : undefined,
    search_term ? contains(files.display_name, search_term) : undefined,
  );
}

const byName = [collated(files.display_name), files.id];
const orders = {
  name: byName,
  position: byName,
  size: [files.size, files.id],
  created_at: [files.created_at, files.id],
  updated_at: [files.updated_at, files.id],
  modified_at: [files.updated_at, files.id],
  content_type: [files.content_type, files.id],
  user: [sql`coalesce(${users.sort_name}, '') collate nocase`, files.id],
} as const;

/** Sorts files; an unknown sort key means by name. */
export function fileListing(where: SQL | undefined, { sort, sort_by, order }: Pick<Wanted, 'sort' | 'sort_by' | 'order'>): Listing {
  const wanted = sort ?? sort_by ?? 'name';
  const by = lookUp<(typeof orders)[keyof typeof orders]>(orders, wanted) ?? byName;
  return rows(files, {
    where,
    order: order === 'desc' ? descending(...by) : ascending(...by),
    ...(wanted === 'user' && { join: (select) => select.leftJoin(users, eq(users.id, files.user_id)) }),
  });
}
