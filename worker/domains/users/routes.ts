// Users: every endpoint, in the order of the API reference.

import { bool, listOf, optional, referenceTo, searchTerm, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, ne, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AccountContext } from '../../contexts/account';
import { isBelow } from '../../contexts/account_tree';
import { readId } from '../../contexts/references';
import { among, isInSelect, theIds } from '../../database/ids';
import { shared } from '../../database/shared';
import { del, get, post, put } from '../../http/endpoint';
import { type Order, rows } from '../../http/listing';
import { badParameter, found, notFound, problem, termTooShort, unauthorized } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { courses } from '../courses/table';
import { progressJson } from '../progress/json';
import { queued } from '../progress/queue';
import { userChangeOf, userFields } from './change';
import { changedUser, newUser, shownUser, user as userJson } from './json';
import { loginRoutes } from './logins/routes';
import { outranks, selectRanks } from './outranks';
import { inAccount, known } from './policy';
import { profile } from './profile';
import { namesTaken, registration } from './registration/new_user';
import { register } from './registration/who_may_register';
import { deleteUsers, removable } from './removal';
import { searchableFields } from './search/matches';
import { fewAs, fewIn, fewNamed, finding } from './search/scan';
import { preferenceRoutes } from './settings/routes';
import { logins, users } from './table';

export const about = { title: 'Users', description: 'Users and their logins.' };

const ofAccount = '/accounts/:account_id/users';

const sorts: Record<string, SQLWrapper> = {
  username: users.sort_name,
  email: users.sort_email,
  sis_id: users.sort_sis_id,
  integration_id: users.sort_integration_id,
  last_login: users.sort_last_login,
};

/** Permissions to see the value of a sort key; callers who may list users see the others. */
const sortShownBy: Readonly<Record<string, readonly string[]>> = {
  email: ['read_email_addresses'],
  sis_id: ['read_sis', 'manage_sis'],
  integration_id: ['read_sis', 'manage_sis'],
};

/** A sort order discloses values: sorting by a value that the caller may not see is ignored. */
function orderOf({ sort, order }: { readonly sort?: string; readonly order?: string }, account: AccountContext) {
  const isShown = lookUp(sortShownBy, sort)?.some((permission) => account.can(permission)) ?? true;
  const by = sort === 'id' ? undefined : (isShown && lookUp(sorts, sort)) || sorts.username;
  const isByName = by === sorts.username;
  const unique = by === undefined ? users.id : users.same_id;
  const descending = order === 'desc';
  const orders: Order[] = [...(by ? [{ by, descending }] : []), { by: unique, descending }];
  return { order: orders, isByName };
}

const enrolledAs = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

export const userRoutes = [
  get(
    '/users/:user_id',
    { can: 'user', include: ['avatar_state', 'uuid', 'last_login'], returns: shownUser, summary: 'Get a user' },
    (call) => one(rows(users, { where: known(call) })),
  ),

  get(
    '/users/:user_id/profile',
    { can: 'user', include: ['links', 'user_services', 'uuid'], returns: profile, summary: 'Get a profile' },
    (call) => one(rows(users, { where: call.user.sharesCourse || call.user.isObservedByMe ? eq(users.id, call.user.id) : known(call) })),
  ),

  get(
    ofAccount,
    {
      can: 'read_roster',
      include: ['avatar_url', 'avatar_state', 'email', 'last_login', 'time_zone', 'uuid'],
      params: {
        search_term: searchTerm,
        enrollment_type: optional(text),
        sort: optional(text),
        order: optional(text),
        include_deleted_users: optional(bool),
        uuids: optional(listOf(text)),
      },
      returns: [userJson],
      summary: 'List users of an account',
    },
    ({ account, params, page }) => {
      const term = params.search_term?.trim();
      if (term !== undefined && term.length < 2 && !/^\d+$/.test(term)) throw termTooShort();
      if ((params.uuids?.length ?? 0) > 100) throw problem(400, 'Too many uuids');
      const type = lookUp(enrolledAs, params.enrollment_type);
      const { order, isByName } = orderOf(params, account);
      // Below the root account, only courses of that account count.
      const isHere =
        account.parent_account_id === null
          ? sql`1`
          : sql`exists (select 1 from courses c where c.id = e.course_id and ${isBelow(alias(courses, 'c').account_id, shared('account', account.id))})`;
      const chosen = and(
        inAccount(account),
        params.include_deleted_users ? undefined : ne(users.workflow_state, 'deleted'),
        params.uuids?.length ? among(users.uuid, params.uuids) : undefined,
        type
          ? sql`exists (select 1 from enrollments e where e.user_id = ${users.id} and e.type = ${sql.raw(`'${type}'`)} and e.enrollment_state <> 'deleted' and ${isHere})`
          : undefined,
      );
      const few = [
        ...(params.uuids?.length ? [fewNamed(params.uuids)] : []),
        ...(account.parent_account_id === null ? [] : [fewIn(account)]),
        ...(type && type !== 'StudentEnrollment' ? [fewAs(type)] : []),
      ];
      if (!term && few.length === 0 && !type) return list(rows(users, { where: chosen, order }));
      const seen = searchableFields((permission) => account.can(permission));
      const { ids, upTo } = finding({ term: term || undefined, seen, isByName, chosen, few }, order, page);
      return list(rows(users, { where: isInSelect(users.id, ids), order, once: true, upTo }));
    },
  ),

  post(ofAccount, { can: 'anyone', params: registration, returns: newUser, summary: 'Create a user' }, register),

  put('/users/:user_id', { can: 'self_or_admin', params: userFields, returns: changedUser, summary: 'Update a user' }, async (call) =>
    write(await userChangeOf(call), one(rows(users, { where: eq(users.id, call.user.id) }))),
  ),

  del(`${ofAccount}/:user_id`, { can: ['self', 'manage_user_logins'], returns: userJson, summary: 'Delete a user' }, async (call) => {
    const { db, account, user, now } = call;
    if (account.parent_account_id !== null) throw notFound();
    if (!user.isMe && !account.can('manage_user_logins')) throw unauthorized();
    return write(
      deleteUsers(db, await removable(call, [user.id], account.can('manage_sis')), now),
      one(rows(users, { where: eq(users.id, user.id) })),
    );
  }),

  del(
    ofAccount,
    {
      can: 'manage_user_logins',
      params: { user_ids: optional(listOf(referenceTo('user'))) },
      returns: progressJson,
      summary: 'Delete several users',
    },
    async (call) => {
      const { db, account, params } = call;
      if (account.parent_account_id !== null) throw notFound();
      if (!params.user_ids?.length) throw badParameter('user_ids', 'is missing');
      const user_ids = params.user_ids.map((given) => {
        const id = readId(given);
        if (id === undefined) throw badParameter('user_ids', 'is not a list of ids');
        return id;
      });
      if (!outranks(call, await db.perform(selectRanks(call, theIds(user_ids))))) throw unauthorized();
      const job = { user_ids, mayManageSis: account.can('manage_sis') };
      return queued(call, 'remove_users', {
        context_type: 'Account',
        context_id: account.id,
        user_id: call.me.id,
        tag: 'remove_users',
        arguments: job,
      });
    },
  ),

  put(
    `${ofAccount}/:removed/restore`,
    { can: 'manage_user_logins', returns: userJson, summary: 'Restore a deleted user' },
    async (call) => {
      const { db, account, path, now } = call;
      const id = Number(path.removed);
      if (account.parent_account_id !== null || !Number.isSafeInteger(id)) throw notFound();
      const [[gone], ...held] = await db.perform([
        db.build.select().from(users).where(eq(users.id, id)),
        ...selectRanks(call, sql`select ${id}`),
      ]);
      if (!outranks(call, held)) throw unauthorized();
      if (found(gone).workflow_state !== 'deleted') throw problem(400, 'User is not deleted');
      if (gone?.merged_into_user_id) throw problem(400, 'User has been merged into another user. Split that user instead');
      return write(
        [
          db.build.update(users).set({ workflow_state: 'registered', updated_at: now }).where(eq(users.id, id)),
          db.build
            .update(logins)
            .set({ workflow_state: 'active', updated_at: now })
            .where(eq(logins.id, sql`(select max(id) from logins where user_id = ${id})`)),
        ],
        one(rows(users, { where: eq(users.id, id) })),
        namesTaken,
      );
    },
  ),

  ...loginRoutes,
  ...preferenceRoutes,
];
