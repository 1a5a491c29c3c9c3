// Finds users without walking the whole institution: among few candidates from an index, or else within a scan window of the list.

import { type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import { atMost } from '../../../database/at_most';
import { nameKey } from '../../../database/name_key';
import { holdingElsewhere, isPlain, searchCondition } from '../../../database/search';
import { shared } from '../../../database/shared';
import { united } from '../../../database/united';
import type { Call } from '../../../http/call';
import { type AccessPath, firstPageSql, limited, type Order } from '../../../http/listing';
import { staffTypes } from '../../enrollments/table';
import { holding, idIn, type SearchableField } from './matches';
import { stretchOf } from './stretch';

/** At or below this number, no better way is tried. */
const fewest = 100;
/** Limit of rows read by name search for names that do not begin with the term. */
const mostElsewhere = 500;
const most = sql`(select most from size)`;

/**
 * The limit for reading candidates individually: with more candidates, they are dense enough in the list for a scan window to fill the page. The
 * costs are equal at the square root of page size times list length, which is approximated in steps, up to two thousand.
 */
const sized = (per_page: number): SQL => {
  const steps = [2000, 1000, 500, 250].map(
    (count) => sql`when people >= ${Math.ceil((count * count) / (4 * per_page))} then ${atMost(count)}`,
  );
  return sql`size as materialized (select case ${sql.join(steps, sql` `)} else ${sql.raw(String(fewest))} end as most from (select max(id) as people from users))`;
};

/** The size of a page's scan window. */
const mostLookedAt = (per_page: number): number => Math.max(1000, 20 * per_page);

/** Candidates from one index, and whether they are few enough to be read individually. */
export interface Few {
  readonly isFew: SQL;
  /** One column, `found`; each user once. */
  readonly ids: SQL;
  /** A condition on `users` served by an index in list order: further candidates, in any number. */
  readonly range?: SQL;
}

/** Counts only as far as needed. */
const isFewOf = (found: SQL, count: SQL): SQL => sql`(select count(*) <= ${count} from (select 1 from (${found}) limit 1 + ${count}))`;
const few = (found: SQL): Few => ({ isFew: isFewOf(found, most), ids: sql`select distinct found from (${found})` });

/** Users of a sub-account: of its courses, and its administrators. */
export function fewIn({ id }: Pick<AccountContext, 'id'>): Few {
  const below = sql`select account_id from account_ancestors where ancestor_id = ${id}`;
  return few(sql`select e.user_id as found from account_courses place cross join enrollments e on e.course_id = place.course_id where place.account_id = ${id} and e.enrollment_state <> 'deleted'
    union all select a.user_id from (${below}) here cross join admins a on a.account_id = here.account_id where a.workflow_state = 'active'`);
}

const as = (types: readonly string[]): SQL =>
  sql`select user_id as found from enrollments indexed by enrollments_of_others where type in (${sql.raw(types.map((type) => `'${type}'`).join(', '))}) and type <> 'StudentEnrollment'`;

/** Users enrolled as anything but students, by type. */
export const fewAs = (type: string): Few => few(as([type]));

/** Instructors, designers and administrators. */
export const fewAtWork: Few = few(sql`${as([...staffTypes])}
  union all select user_id from admins where workflow_state = 'active'`);

export const fewNamed = (uuids: readonly string[]): Few => ({
  isFew: sql`1`,
  ids: sql`select id as found from users where uuid in (select value from json_each(${JSON.stringify(uuids)}))`,
});

/** The user with this id; no one else is searched. */
const theOne = (id: number): Few => ({ isFew: sql`exists (select 1 from users u where u.id = ${id})`, ids: sql`select ${id} as found` });

/** Users who match a term. In a list by name, names that begin with the term are adjacent, so only the other matches must be few. */
function fewHolding(term: string, seen: SearchableField, isByName: boolean): readonly Few[] {
  const words = searchCondition('people', seen, [term], most);
  const rare = searchCondition('people', seen, [term], sql.raw(String(fewest)));
  const elsewhere = isByName ? holdingElsewhere('people', seen, term, 'sortable_name') : undefined;
  const name = sql.raw('users.sort_name');
  const key = nameKey(term);
  return [
    ...(rare ? [{ isFew: rare.isRare, ids: rare.ids }] : []),
    ...(elsewhere
      ? [
          {
            isFew: isFewOf(elsewhere, sql.raw(String(mostElsewhere))),
            ids: elsewhere,
            range: sql`${name} >= ${shared('term', key)} and ${name} < ${shared('term', `${key}\u{10ffff}`)}`,
          },
        ]
      : []),
    ...(words ? [{ isFew: words.isRare, ids: words.ids }] : []),
  ];
}

interface Sought {
  readonly term?: string;
  readonly seen: SearchableField;
  readonly isByName: boolean;
  /** Additional conditions. */
  readonly chosen: SQL | undefined;
  /** Other sources of candidates, those likely to be smallest first. */
  readonly few?: readonly Few[];
}

/**
 * @param order of `users`, served by an index
 * @returns the ids of the first matches, and the last position of the scan window
 * Numbered pages are always served in full, whatever the cost.
 */
export function finding({ term, seen, isByName, chosen = sql`1`, few = [] }: Sought, order: readonly Order[], page: Call['page']) {
  const id = term === undefined ? undefined : idIn(term);
  const words = term === undefined ? undefined : searchCondition('people', seen, [term], most);
  const held = term === undefined ? undefined : isPlain(term) || !words ? holding(term, seen) : words.holds(sql`users.id`);
  const holds = held && id !== undefined ? sql`(users.id = ${id} or ${held})` : (held ?? sql`1`);
  const sources: readonly Few[] = [
    ...(id === undefined ? [] : [theOne(id)]),
    ...few,
    ...(term === undefined ? [] : fewHolding(term, seen, isByName)),
  ];
  const isWay = (way: number) => sql`(select way from at_hand) = ${sql.raw(String(way))}`;
  const along = stretchOf(sql.raw('users'), order, page, mostLookedAt(page.per_page), isWay(0));
  const ranges = sources.flatMap(({ range }, at) => (range ? [{ range, isIts: isWay(at + 1) }] : []));
  const named = united(
    sources.map(({ ids }, at) => sql`select found from (select found from (${ids}) limit ${limited(-1, isWay(at + 1))})`),
  );
  const outside = ranges.map(({ range, isIts }) => sql` and not (${isIts} and ${range})`);
  const ways: AccessPath[] = [
    ...(sources.length === 0
      ? []
      : [{ from: sql`(${named}) few cross join users`, where: sql`users.id = few.found and ${chosen} and ${holds}${sql.join(outside)}` }]),
    ...ranges.map(({ range, isIts }) => ({ from: sql`users`, where: sql`${range} and ${chosen}`, when: isIts })),
    {
      from: page.number === undefined ? along.rows : sql`users`,
      where: sql`${chosen} and ${holds}`,
      when: isWay(0),
      isInOrder: page.number === undefined,
    },
  ];
  const cases = sources.map(({ isFew }, at) => sql`when ${isFew} then ${sql.raw(String(at + 1))}`);
  const at_hand = sql`with ${sized(page.per_page)}, at_hand as materialized (select ${cases.length > 0 ? sql`case ${sql.join(cases, sql` `)} else 0 end` : sql`0`} as way)`;
  return {
    ids: sql`${at_hand} ${firstPageSql(ways, sql`users.id`, order, page)}`,
    upTo: page.number === undefined ? sql`${at_hand} ${along.last}` : undefined,
  };
}
