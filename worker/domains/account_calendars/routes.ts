// Calendars of accounts: every endpoint, in the order of the API reference.

import { bool, choice, json, listOf, object, optional, read, referenceTo, searchTerm } from '@carrel/shared/wire/fields';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { below as allBelow } from '../../contexts/account_tree';
import { readId } from '../../contexts/references';
import { atMost } from '../../database/at_most';
import { among, contains, isInSelect } from '../../database/ids';
import { searchCondition } from '../../database/search';
import type { Call } from '../../http/call';
import { get, put } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { badParameter, problem, termTooShort, unauthorized } from '../../http/problem';
import { answer, list, one, oneOr, write } from '../../http/reply';
import { associatedAccounts } from '../accounts/associated';
import { accounts } from '../accounts/table';
import { accountCalendar } from './json';

export const about = { title: 'Account calendars', description: 'Calendars of accounts, their visibility and the subscriptions of users.' };

const base = '/accounts/:account_id/account_calendars';
const active = eq(accounts.workflow_state, 'active');
const change = { visible: optional(bool), auto_subscribe: optional(bool) };

/** @throws Problem 400 for a search term that is too short */
function termOf(given: string | undefined): string | undefined {
  const term = given?.trim();
  if (term !== undefined && term.length < 2) throw termTooShort();
  return term;
}

/** Sub-accounts by id: direct children, or all descendants when there is a search term. */
function below(account_id: number, term: string | undefined) {
  const isChild = { from: sql`accounts`, where: sql`accounts.parent_account_id = ${account_id}`, id: sql`accounts.id` };
  if (term === undefined) return isChild;
  const words = searchCondition('account', ['name'], [term], 0);
  if (!words) return { ...isChild, where: sql`0` };
  const { from, where, id } = words.inOrder;
  const isBelow = sql`accounts.id = ${id} and accounts.id <> ${account_id} and exists (select 1 from account_ancestors tree where tree.ancestor_id = ${account_id} and tree.account_id = ${id})`;
  return { from: sql`${from} cross join accounts`, where: sql`${where} and ${isBelow}`, id };
}

/** The account and its descendants; the walk stops at the end of the page. */
function family(account_id: number, term: string | undefined, where: SQL | undefined, { per_page, number = 1, after }: Call['page']): SQL {
  const [rank, id] = [Number(after?.[0] ?? -1), Number(after?.[1] ?? 0)];
  const others = below(account_id, term);
  const chosen = and(others.where, active, where, rank === 1 ? sql`${others.id} > ${id}` : undefined);
  return sql`select id from accounts where ${and(eq(accounts.id, account_id), where)}
    union all select id from (select accounts.id from ${others.from} where ${chosen} order by ${others.id} limit ${atMost(per_page * number + 1)})`;
}

export const calendarChanges = { account_calendars: listOf(object({ id: referenceTo('account'), ...change })) };

/** @throws Problem 400 unless the body is a list of changes that names each calendar once */
function changesIn({ array, tree, params }: Pick<Call, 'tree'> & { array: Call['array']; params: { account_calendars?: unknown } }) {
  const shaped = read(calendarChanges, { account_calendars: array ?? params.account_calendars ?? tree[''] });
  if (!shaped.ok) throw badParameter(shaped.refusal.parameter, shaped.refusal.message);
  const changes = shaped.value.account_calendars.map((one) => ({ ...one, id: readId(one.id) }));
  if (changes.length === 0) throw badParameter('account_calendars', 'is missing');
  const ids = changes.map(({ id }) => id);
  if (ids.includes(undefined)) throw badParameter('account_calendars[][id]', 'is not an id');
  if (new Set(ids).size < ids.length) throw problem(400, 'A calendar occurs twice');
  return changes as { id: number; visible?: boolean; auto_subscribe?: boolean }[];
}

export const accountCalendarRoutes = [
  get(
    '/account_calendars',
    {
      can: 'user',
      params: { search_term: searchTerm },
      returns: [accountCalendar],
      summary: 'List the calendars of the caller’s accounts',
    },
    ({ me, params }) => {
      const term = termOf(params.search_term);
      return list(
        rows(accounts, {
          where: and(
            active,
            eq(accounts.calendar_visible, true),
            isInSelect(accounts.id, associatedAccounts(me.id)),
            term ? contains(accounts.name, term) : undefined,
          ),
        }),
      );
    },
  ),

  get(
    '/account_calendars/:account_id',
    { can: 'user', returns: accountCalendar, summary: 'Get the calendar of an account' },
    ({ account, me }) => {
      const isSeen = account.isAdmin
        ? undefined
        : and(eq(accounts.calendar_visible, true), isInSelect(accounts.id, associatedAccounts(me.id)));
      return oneOr(rows(accounts, { where: and(eq(accounts.id, account.id), isSeen) }), unauthorized);
    },
  ),

  put(
    '/account_calendars/:account_id',
    { can: 'manage_account_calendar_visibility', params: change, returns: accountCalendar, summary: 'Show or hide a calendar' },
    ({ db, account, params, now }) => {
      if (params.visible === undefined && params.auto_subscribe === undefined) throw badParameter('visible', 'is missing');
      return write(
        [
          db.build
            .update(accounts)
            .set({ calendar_visible: params.visible, calendar_auto_subscribe: params.auto_subscribe, updated_at: now })
            .where(eq(accounts.id, account.id)),
        ],
        one(rows(accounts, { where: eq(accounts.id, account.id) })),
      );
    },
  ),

  get(
    base,
    {
      can: 'manage_account_calendar_visibility',
      params: { search_term: searchTerm, filter: choice('visible', 'hidden') },
      returns: [accountCalendar],
      summary: 'List the calendars of an account and its sub-accounts',
    },
    ({ account, params, page }) => {
      const term = termOf(params.search_term);
      const where = and(
        params.filter ? eq(accounts.calendar_visible, params.filter === 'visible') : undefined,
        term ? contains(accounts.name, term) : undefined,
      );
      return list(
        rows(accounts, {
          where: and(active, where, isInSelect(accounts.id, family(account.id, term, where, page))),
          order: ascending(sql`(${accounts.id} <> ${account.id})`, accounts.id),
        }),
      );
    },
  ),

  put(
    base,
    {
      can: 'manage_account_calendar_visibility',
      params: { account_calendars: optional(json) },
      takesArray: true,
      returns: accountCalendar,
      summary: 'Show or hide several calendars',
    },
    async (call) => {
      const { db, account, now } = call;
      const changes = changesIn(call);
      const ids = changes.map(({ id }) => id);
      const [known] = await db.perform([
        db.build
          .select({ id: accounts.id })
          .from(accounts)
          .where(and(active, among(accounts.id, ids), isInSelect(accounts.id, allBelow(sql`select ${account.id}`)))),
      ]);
      if (known.length < ids.length) throw unauthorized();
      const given = (name: 'visible' | 'auto_subscribe', column: SQL) =>
        sql`coalesce((select json_extract(c.value, ${`$.${name}`}) from json_each(${JSON.stringify(changes)}) c where json_extract(c.value, '$.id') = accounts.id), ${column})`;
      return write(
        [
          db.build
            .update(accounts)
            .set({
              calendar_visible: given('visible', sql`calendar_visible`),
              calendar_auto_subscribe: given('auto_subscribe', sql`calendar_auto_subscribe`),
              updated_at: now,
            })
            .where(among(accounts.id, ids)),
        ],
        one(rows(accounts, { where: eq(accounts.id, ids[0] ?? 0) }), { message: `Updated ${ids.length} accounts` }),
      );
    },
  ),

  get(
    '/accounts/:account_id/visible_calendars_count',
    { can: 'manage_account_calendar_visibility', returns: { json: null }, summary: 'Count the visible calendars' },
    async ({ db, account }) => {
      const [[found]] = await db.perform([
        db.build.select({ count: accounts.visible_calendar_count }).from(accounts).where(eq(accounts.id, account.id)),
      ]);
      return answer({ count: found?.count ?? 0 });
    },
  ),
];
