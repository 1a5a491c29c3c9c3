// Administrators: every endpoint, in the order of the API reference.

import { bool, listOf, optional, referenceTo, searchTerm, text } from '@carrel/shared/wire/fields';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { coversRights } from '../../contexts/rank';
import { idOf, readId } from '../../contexts/references';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { del, get, post } from '../../http/endpoint';
import { type RowOf, rows } from '../../http/listing';
import { badParameter, found, notFound, problem, termTooShort, unauthorized } from '../../http/problem';
import { list, one, write } from '../../http/reply';
import { queueNotification } from '../comm_messages/queue_notification';
import { roles } from '../roles/table';
import { grantRows, type RankingRows, rankingOf } from '../users/outranks';
import { holding, idIn, searchableFields } from '../users/search/matches';
import { users } from '../users/table';
import { admin as adminJson } from './json';
import { admins } from './table';

export const about = { title: 'Admins', description: 'Users who administer an account, and the roles they hold there.' };

const base = '/accounts/:account_id/admins';
const roleGiven = { role_id: optional(referenceTo('role')), role: optional(text) };

/** The requested account role: by id, by name, or AccountAdmin by default. */
function roleMeant(account: AccountContext, given: { role_id?: string; role?: string }): SQL | undefined {
  const usable = and(
    eq(roles.base_role_type, 'AccountMembership'),
    or(eq(roles.workflow_state, 'built_in'), inArray(roles.account_id, [...account.chain])),
  );
  if (given.role_id) return and(usable, eq(roles.id, readId(given.role_id) ?? 0));
  return and(usable, eq(roles.name, given.role || 'AccountAdmin'));
}

/** @throws Problem 401 for a role that grants more than the caller has (reference 01 B3) */
function checkGrants(role: RowOf<typeof roles>, call: Pick<Call, 'me'> & { account: AccountContext }, rows: RankingRows): void {
  if (!coversRights(call.me.adminLinks, [{ account_id: call.account.id, role }], rankingOf(rows))) throw unauthorized();
}

export const adminRoutes = [
  get(
    base,
    {
      can: 'manage_account_memberships',
      params: { user_id: optional(listOf(referenceTo('user'))), search_term: searchTerm, include_deleted: optional(bool) },
      returns: [adminJson],
      summary: 'List administrators',
    },
    ({ account, params }) => {
      const term = params.search_term?.trim();
      if (term !== undefined && term.length < 2) throw termTooShort();
      const ids = params.user_id?.slice(0, 50).map((given) => idOf('user', given));
      return list(
        rows(admins, {
          where: and(
            eq(admins.account_id, account.id),
            params.include_deleted ? undefined : eq(admins.workflow_state, 'active'),
            ids?.length ? isInSelect(admins.user_id, sql.join(ids, sql` union `)) : undefined,
            term
              ? sql`exists (select 1 from users where users.id = admins.user_id and (${holding(
                  term,
                  searchableFields((permission) => account.can(permission)),
                )} or users.id = ${idIn(term) ?? 0}))`
              : undefined,
          ),
        }),
      );
    },
  ),

  get(`${base}/self`, { can: 'user', returns: [adminJson], summary: "List the caller's admin roles in an account" }, ({ account, me }) =>
    list(rows(admins, { where: and(eq(admins.account_id, account.id), eq(admins.user_id, me.id), eq(admins.workflow_state, 'active')) })),
  ),

  post(
    base,
    {
      can: 'manage_account_memberships',
      params: { user_id: optional(referenceTo('user')), send_confirmation: optional(bool), ...roleGiven },
      returns: adminJson,
      summary: 'Make a user an account admin',
    },
    async (call) => {
      const { db, account, params, now } = call;
      if (!params.user_id) throw badParameter('user_id', 'is missing');
      const [[role], links, [person], ...ranking] = await db.perform([
        db.build.select().from(roles).where(roleMeant(account, params)),
        db.build
          .select({ role_id: admins.role_id })
          .from(admins)
          .where(
            and(
              eq(admins.account_id, account.id),
              isInSelect(admins.user_id, idOf('user', params.user_id)),
              eq(admins.workflow_state, 'active'),
            ),
          ),
        db.build
          .select({ id: users.id })
          .from(users)
          .where(
            and(
              isInSelect(users.id, idOf('user', params.user_id)),
              sql`exists (select 1 from logins l where l.user_id = ${users.id} and l.workflow_state <> 'deleted')`,
            ),
          ),
        ...grantRows(call, roleMeant(account, params), account.id),
      ]);
      if (!role || role.workflow_state === 'inactive') throw problem(400, 'role not found');
      const user_id = found(person).id;
      checkGrants(role, call, ranking);
      const link = { account_id: account.id, user_id, role_id: role.id };
      const itself = and(eq(admins.account_id, account.id), eq(admins.user_id, user_id), eq(admins.role_id, role.id));
      const isTold = params.send_confirmation !== false && !links.some((one) => one.role_id === role.id);
      return write(
        [
          db.build
            .insert(admins)
            .values({ ...link, created_at: now, updated_at: now })
            .onConflictDoUpdate({
              target: [admins.account_id, admins.user_id, admins.role_id],
              set: { workflow_state: 'active', updated_at: now },
            }),
          ...(isTold
            ? [
                queueNotification(db, {
                  notification: 'account_user_notification',
                  item_id: sql`(select id from admins where ${itself})`,
                  now,
                }),
              ]
            : []),
        ],
        one(rows(admins, { where: itself })),
      );
    },
  ),

  del(
    `${base}/:user_id`,
    {
      can: 'manage_account_memberships',
      comparesRoles: true,
      params: roleGiven,
      returns: adminJson,
      summary: 'Remove an account admin',
    },
    async (call) => {
      const { db, account, user, params, now } = call;
      const [[role], links, ...ranking] = await db.perform([
        db.build.select().from(roles).where(roleMeant(account, params)),
        db.build
          .select()
          .from(admins)
          .where(and(eq(admins.account_id, account.id), eq(admins.user_id, user.id), eq(admins.workflow_state, 'active'))),
        ...grantRows(call, roleMeant(account, params), account.id),
      ]);
      const link = links.find((one) => one.role_id === role?.id);
      if (!role || !link) throw notFound();
      checkGrants(role, call, ranking);
      return write(
        [db.build.update(admins).set({ workflow_state: 'deleted', updated_at: now }).where(eq(admins.id, link.id))],
        one(rows(admins, { where: eq(admins.id, link.id) })),
      );
    },
  ),
];
