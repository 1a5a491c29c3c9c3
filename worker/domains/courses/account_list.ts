// Courses of an account and its sub-accounts: filters, search and sort orders (reference 02 §1.2).

import { bool, choice, choices, listOf, optional, referenceTo, searchTerm, text, time, word } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AccountContext } from '../../contexts/account';
import { isBelow } from '../../contexts/account_tree';
import { idOf } from '../../contexts/references';
import { contains, isInSelect } from '../../database/ids';
import { searchCondition } from '../../database/search';
import { shared } from '../../database/shared';
import type { Call } from '../../http/call';
import { firstPageSql, type Listing, type Order, rows } from '../../http/listing';
import { termTooShort } from '../../http/problem';
import { account_courses } from '../accounts/table';
import { fewOf, idIn, mostFor } from '../users/search/matches';
import { enrollmentTypesOf, enrollmentWords } from './own_courses';
import { courses } from './table';

export const accountListParams = {
  state: optional(listOf(text)),
  published: optional(bool),
  completed: optional(bool),
  with_enrollments: optional(bool),
  hide_enrollmentless_courses: optional(word),
  enrollment_type: choices(...enrollmentWords),
  blueprint: optional(bool),
  blueprint_associated: optional(bool),
  public: optional(bool),
  homeroom: optional(bool),
  by_teachers: optional(listOf(text)),
  by_subaccounts: optional(listOf(text)),
  enrollment_term_id: optional(referenceTo('term')),
  search_term: searchTerm,
  search_by: choice('course', 'teacher'),
  starts_before: optional(time),
  ends_after: optional(time),
  sort: optional(text),
  order: optional(text),
  include_crosslisted_courses: optional(bool),
};

export interface AccountFilters {
  readonly state?: readonly string[];
  readonly published?: boolean;
  readonly completed?: boolean;
  readonly with_enrollments?: boolean;
  readonly hide_enrollmentless_courses?: string;
  readonly enrollment_type?: readonly (typeof enrollmentWords)[number][];
  readonly blueprint?: boolean;
  readonly blueprint_associated?: boolean;
  readonly public?: boolean;
  readonly homeroom?: boolean;
  readonly by_teachers?: readonly string[];
  readonly by_subaccounts?: readonly string[];
  readonly enrollment_term_id?: string;
  readonly search_term?: string;
  readonly search_by?: 'course' | 'teacher';
  readonly starts_before?: string;
  readonly ends_after?: string;
  readonly sort?: string;
  readonly order?: string;
  readonly include_crosslisted_courses?: boolean;
}

const states = ['created', 'claimed', 'available', 'completed', 'deleted'] as const;
type State = (typeof states)[number];
const isState = (given: string): given is State => (states as readonly string[]).includes(given);

const live = sql.raw("e.enrollment_state not in ('deleted', 'rejected')");
const end = sql`case when courses.restrict_enrollments_to_course_dates = 1 then courses.end_at else (select t.end_at from terms t where t.id = courses.enrollment_term_id) end`;
const termDate = (side: 'start_at' | 'end_at') => sql`(select t.${sql.raw(side)} from terms t where t.id = courses.enrollment_term_id)`;

/** Compares a date of the course, or else of its term; a missing date matches. */
const dated = (side: 'start_at' | 'end_at', compare: SQL) => {
  const own = side === 'start_at' ? courses.start_at : courses.end_at;
  return sql`(${own} ${compare} or ${termDate(side)} ${compare} or (${own} is null and ${termDate(side)} is null))`;
};

/** Ways to search courses: by id, among the few that match the term, or along the list. */
function waysTo(term: string, by: 'course' | 'teacher' | undefined, seesSis: boolean, page: Call['page']) {
  const id = idIn(term);
  if (term.length < 2 && id === undefined) throw termTooShort();
  const most = mostFor(page);
  const isTheirs = sql`e.type = 'TeacherEnrollment' and ${live}`;
  if (by === 'teacher') {
    const { isFew, ids } = fewOf([term], ['name'], most);
    return {
      isFew,
      ids: sql`select distinct e.course_id as found from (${ids}) teachers cross join enrollments e on e.user_id = teachers.found where ${isTheirs}`,
      holds: sql`exists (select 1 from enrollments e join users u on u.id = e.user_id where e.course_id = courses.id and ${isTheirs} and ${contains(sql`u.name`, term)})`,
    };
  }
  const words = searchCondition('course', ['name', 'course_code', ...(seesSis ? ['sis_course_id'] : [])], [term], most);
  const byId = id === undefined ? sql`` : sql` union select ${id}`;
  const holds = or(
    contains(courses.name, term),
    contains(sql`coalesce(courses.course_code, '')`, term),
    id === undefined ? undefined : eq(courses.id, id),
    seesSis ? contains(sql`coalesce(courses.sis_course_id, '')`, term) : undefined,
  );
  return {
    isFew: words?.isFew ?? sql`0`,
    ids: sql`select found from (${words?.ids ?? sql`select 0 as found where 0`})${byId}`,
    holds: sql`(${holds})`,
    inOrder: id === undefined ? words?.inOrder : undefined,
  };
}

const among = (references: readonly string[], kind: 'user' | 'account') =>
  sql.join(
    references.slice(0, 80).map((one) => idOf(kind, one)),
    sql` union `,
  );

const flagged = (given: boolean | undefined, holds: SQL): SQL | undefined =>
  given === undefined ? undefined : given ? holds : sql`not (${holds})`;

function filtered(filters: AccountFilters, now: string): SQL | undefined {
  const wanted = (filters.state ?? []).flatMap((one) => (one === 'all' ? states : isState(one) ? [one] : []));
  const types = (filters.enrollment_type ?? []).flatMap((word) => enrollmentTypesOf(word));
  const enrolled = sql`exists (select 1 from enrollments e where e.course_id = courses.id and ${live})`;
  const isOver = sql`(courses.workflow_state = 'completed' or coalesce(${end} < ${shared('time', now)}, 0))`;
  return and(
    inArray(courses.workflow_state, wanted.length > 0 ? wanted : ['created', 'claimed', 'available', 'completed']),
    flagged(filters.published, sql`courses.workflow_state = 'available'`),
    flagged(filters.completed, isOver),
    flagged(filters.with_enrollments ?? (filters.hide_enrollmentless_courses === undefined ? undefined : true), enrolled),
    types.length > 0
      ? sql`exists (select 1 from enrollments e where e.course_id = courses.id and ${live} and e.type in (select value from json_each(${JSON.stringify(types)})))`
      : undefined,
    flagged(filters.blueprint, sql`courses.is_blueprint = 1`),
    flagged(
      filters.blueprint_associated,
      sql`exists (select 1 from blueprint_subscriptions s where s.course_id = courses.id and s.workflow_state = 'active')`,
    ),
    flagged(filters.public, sql`courses.is_public = 1`),
    flagged(filters.homeroom, sql`coalesce(json_extract(courses.settings, '$.homeroom_course'), 0) = 1`),
    filters.by_teachers?.length
      ? sql`exists (select 1 from enrollments e where e.course_id = courses.id and e.type = 'TeacherEnrollment' and ${live} and e.user_id in (${among(filters.by_teachers, 'user')}))`
      : undefined,
    filters.by_subaccounts?.length ? isBelow(courses.account_id, among(filters.by_subaccounts, 'account')) : undefined,
    filters.enrollment_term_id ? sql`courses.enrollment_term_id = (${idOf('term', filters.enrollment_term_id)})` : undefined,
    filters.starts_before ? dated('start_at', sql`< ${filters.starts_before}`) : undefined,
    filters.ends_after ? dated('end_at', sql`> ${filters.ends_after}`) : undefined,
  );
}

const sorts: Record<string, SQLWrapper> = {
  course_name: account_courses.name,
  sis_course_id: account_courses.sis_course_id,
  teacher: account_courses.teacher,
  account_name: account_courses.account_name,
  subaccount: account_courses.account_name,
  term: account_courses.term,
};

export function accountCoursesOf(
  account: AccountContext,
  filters: AccountFilters,
  { now, institution, page }: Pick<Call, 'now' | 'institution' | 'page'>,
): Listing {
  const seesSis = account.can('read_sis') || account.can('manage_sis');
  const by = filters.sort === undefined ? undefined : lookUp(sorts, filters.sort);
  const descending = filters.order === 'desc';
  const order: Order[] = [...(by ? [by] : []), account_courses.course_id].map((one) => ({ by: one, descending }));
  const here = sql`${account.id}`;
  // A cross-listed section may be anywhere, so the courses of the whole institution are walked.
  const isWider = filters.include_crosslisted_courses && account.parent_account_id !== null;
  const elsewhere = sql`exists (select 1 from sections s join courses o on o.id = s.nonxlist_course_id where s.course_id = courses.id and ${isBelow(alias(courses, 'o').account_id, here)})`;
  const place = sql`account_courses.account_id = ${isWider ? institution.root.id : account.id} and courses.id = account_courses.course_id`;
  const chosen = and(place, isWider ? sql`(${isBelow(courses.account_id, here)} or ${elsewhere})` : undefined, filtered(filters, now));
  const term = filters.search_term ? filters.search_term.trim() : undefined;
  if (term === undefined)
    return rows(courses, { from: account_courses, join: (select) => select.crossJoin(courses), where: chosen, order });
  const { isFew, ids, holds, inOrder } = waysTo(term, filters.search_by, seesSis, page);
  const ways = [
    {
      from: sql`(${ids}) few cross join courses cross join account_courses`,
      where: sql`courses.id = few.found and ${chosen}`,
      when: isFew,
    },
    { from: sql`account_courses cross join courses`, where: sql`${chosen} and ${holds}`, when: sql`not ${isFew}` },
  ];
  const along = by === undefined ? inOrder : undefined;
  const found = along
    ? firstPageSql(
        [
          {
            from: sql`${along.from} cross join courses cross join account_courses`,
            where: sql`${along.where} and courses.id = ${along.id} and ${chosen}`,
          },
        ],
        sql`courses.id`,
        [{ by: along.id, descending }],
        page,
      )
    : firstPageSql(ways, sql`courses.id`, order, page);
  return rows(courses, {
    join: (select) => select.crossJoin(account_courses),
    where: and(isInSelect(courses.id, found), place),
    order,
  });
}
