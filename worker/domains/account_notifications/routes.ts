// Account notifications: every endpoint, in the order of the API reference.

import { sanitise } from '@carrel/shared/html/sanitise';
import { bool, endTime, listOf, object, oneOf, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../contexts/account';
import { readId } from '../../contexts/references';
import { among, isInSelect } from '../../database/ids';
import type { Database } from '../../database/open';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { ascending, type RowOf, rows, selectRows } from '../../http/listing';
import { badParameter, found, invalid, notFound, unauthorized } from '../../http/problem';
import { list, one, type Reply, row, write } from '../../http/reply';
import { notifyOfInsert } from '../../rules/notify';
import { roles } from '../roles/table';
import { type AccountNotificationFilter, addressed } from './addressed';
import { accountNotification } from './json';
import { closed_account_notifications as closures, icons, account_notifications as table } from './table';

export const about = {
  title: 'Account notifications',
  description: 'Announcements that every user of an account sees until they close them.',
};

type Here = Call & { readonly account: AccountContext };
type At = Here & { readonly id: number };

const base = '/accounts/:account_id/account_notifications';
const ofUser = '/accounts/:account_id/users/:user_id/account_notifications';

const lists = {
  params: { include_past: optional(bool), include_all: optional(bool), show_is_closed: optional(bool) },
  returns: [accountNotification],
  summary: 'List account notifications',
} as const;

function listed(call: Here & { params: { include_past?: boolean; include_all?: boolean; show_is_closed?: boolean } }): Reply {
  const { account, now, page, params } = call;
  const order = ascending(table.end_at, table.id);
  if (!params.include_all) {
    const asked: AccountNotificationFilter = { past: params.include_past ?? false, closed: params.show_is_closed ?? false };
    return list(rows(table, { where: isInSelect(table.id, addressed(call, account, asked)), order }));
  }
  if (!account.can('manage_alerts')) throw unauthorized();
  const current = params.include_past || page.after ? undefined : sql`end_at > ${now}`;
  return list(rows(table, { where: and(eq(table.account_id, account.id), current), order }));
}

/** Managers may address every notification of the account, other callers only their own. */
const itself = (call: At): SQL | undefined =>
  call.account.can('manage_alerts')
    ? and(eq(table.id, call.id), inArray(table.account_id, [...call.account.chain]))
    : and(eq(table.id, call.id), isInSelect(table.id, addressed(call, call.account, { past: true, closed: false, id: call.id })));

const shows = { returns: accountNotification, summary: 'Get an account notification' } as const;
const shown = (call: At): Reply => one(rows(table, { where: itself(call) }));

const removes = {
  params: { remove: optional(bool) },
  returns: accountNotification,
  summary: 'Dismiss an account notification, or delete it for everyone with `remove',
} as const;

async function removed(call: At & { params: { remove?: boolean } }): Promise<Reply> {
  const { db, account, id, me, now } = call;
  if (call.params.remove && !account.can('manage_alerts')) throw unauthorized();
  const where = call.params.remove ? and(eq(table.id, id), eq(table.account_id, account.id)) : itself(call);
  // Computed fields are read before the delete, while the row still exists.
  const [[gone]] = (await db.perform([selectRows(db, { table, where, columns: accountNotification.columns?.(call) })])) as readonly [
    RowOf<typeof table>[],
  ];
  if (!gone) throw notFound();
  if (!call.params.remove)
    return write(
      [db.build.insert(closures).values({ account_notification_id: id, user_id: me.id, closed_at: now }).onConflictDoNothing()],
      one(rows(table, { where: eq(table.id, id) })),
    );
  return write(
    [db.build.delete(closures).where(eq(closures.account_notification_id, id)), db.build.delete(table).where(eq(table.id, id))],
    row(gone),
  );
}

const fields = object({
  subject: optional(text),
  message: optional(text),
  start_at: optional(time),
  end_at: optional(endTime),
  icon: optional(oneOf(...icons)),
});
const params = { account_notification: optional(fields), account_notification_roles: optional(listOf(text)) };

type Given = Readonly<{ subject?: string; message?: string; start_at?: string; end_at?: string }>;

/** @throws Problem 400 for a blank field, or an end before the start */
function check(given: Given): void {
  for (const name of ['subject', 'message', 'start_at', 'end_at'] as const) if (!given[name]?.trim()) throw invalid(name, 'blank');
  if ((given.subject?.length ?? 0) > 255) throw invalid('subject', 'too_long');
  if ((given.end_at ?? '') <= (given.start_at ?? '')) throw invalid('end_at', 'invalid', 'end_at must be after start_at');
}

const namedRoles = (db: Database, account: AccountContext, given: readonly string[]) =>
  db.build
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(
      and(
        or(eq(roles.workflow_state, 'built_in'), inArray(roles.account_id, [...account.chain])),
        or(
          among(roles.name, given),
          among(
            roles.id,
            given.flatMap((one) => readId(one) ?? []),
          ),
        ),
      ),
    );

/** @throws Problem 400 for an unknown role */
function roleIds(given: readonly string[], known: readonly { id: number; name: string }[]): number[] {
  return given.map((one) => {
    const role = known.find(({ id, name }) => name === one || String(id) === one);
    if (!role) throw badParameter('account_notification_roles', `unknown role: ${one.slice(0, 50)}`);
    return role.id;
  });
}

export const accountNotificationRoutes = [
  get(ofUser, { can: 'self', ...lists }, listed),
  get(base, { can: 'user', ...lists }, listed),
  get(`${base}/:id`, { can: 'user', ...shows }, shown),
  get(`${ofUser}/:id`, { can: 'self', ...shows }, shown),

  post(
    base,
    { can: 'manage_alerts', params, returns: accountNotification, summary: 'Create an account notification' },
    async ({ db, account, me, params, now }) => {
      const given = params.account_notification ?? {};
      check(given);
      const wanted = params.account_notification_roles ?? [];
      const [known] = await db.perform([namedRoles(db, account, wanted)]);
      return write(
        [
          db.build.insert(table).values({
            account_id: account.id,
            user_id: me.id,
            subject: given.subject ?? '',
            message: sanitise(given.message ?? ''),
            start_at: given.start_at ?? now,
            end_at: given.end_at ?? now,
            icon: given.icon,
            role_ids: roleIds(wanted, known),
            created_at: now,
            updated_at: now,
          }),
          ...notifyOfInsert(db, table, now),
        ],
        one(rows(table, { where: eq(table.id, sql`(select max(id) from account_notifications)`) })),
      );
    },
  ),

  put(
    `${base}/:id`,
    { can: 'manage_alerts', params, returns: accountNotification, summary: 'Update an account notification' },
    async ({ db, account, id, params, now }) => {
      const given = params.account_notification ?? {};
      const wanted = params.account_notification_roles;
      const where = and(eq(table.id, id), eq(table.account_id, account.id));
      const [[stored], known] = await db.perform([db.build.select().from(table).where(where), namedRoles(db, account, wanted ?? [])]);
      const before = found(stored);
      check({ ...before, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) });
      return write(
        [
          db.build
            .update(table)
            .set({
              subject: given.subject,
              message: given.message === undefined ? undefined : sanitise(given.message),
              start_at: given.start_at,
              end_at: given.end_at,
              icon: given.icon,
              role_ids: wanted && roleIds(wanted, known),
              updated_at: now,
            })
            .where(where),
        ],
        one(rows(table, { where })),
      );
    },
  ),

  del(`${ofUser}/:id`, { can: 'self', ...removes }, removed),
  del(`${base}/:id`, { can: 'user', ...removes }, removed),
];
