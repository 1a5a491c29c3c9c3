// Messages that the service has sent to a user: the one endpoint.

import { endTime, maybe, optional, referenceTo, text, time, wireTime } from '@carrel/shared/wire/fields';
import { and, eq, gte, lte, ne, type SQL, sql } from 'drizzle-orm';
import { below } from '../../contexts/account_tree';
import { adminMay } from '../../contexts/institution';
import { idOf } from '../../contexts/references';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { badParameter, notFound, unauthorized } from '../../http/problem';
import { judged, list } from '../../http/reply';
import { commMessage } from './json';
import { comm_messages } from './table';

export const about = { title: 'Comm messages', description: 'Messages that the service has sent to a user.' };

const oneYear = 366 * 86_400_000;

/**
 * A select of the accounts in which the caller may read messages: `roleHolds` for a permission that is off by default. A lock on an ancestor prevents
 * overrides below it, so the nearest override applies.
 */
const readableAccounts = (
  me: Pick<Call, 'me'>['me'],
): SQL => sql`select l.account_id from admins l where l.user_id = ${me.id} and l.workflow_state = 'active'
  and (select o.enabled from role_overrides o join account_ancestors t on t.account_id = l.account_id and t.ancestor_id = o.account_id
    where o.role_id = l.role_id and o.permission = 'view_notifications' and o.enabled is not null
      and (case when o.account_id = l.account_id then o.applies_to_self else o.applies_to_descendants end)
    order by (select count(*) from account_ancestors d where d.account_id = o.account_id) desc limit 1) = 1`;

export const commMessageRoutes = [
  get(
    '/comm_messages',
    {
      can: 'user',
      params: {
        user_id: optional(referenceTo('user')),
        user: optional(text),
        start_time: optional(maybe(time)),
        end_time: optional(maybe(endTime)),
      },
      returns: [commMessage],
      summary: 'List messages sent to a user',
    },
    (call) => {
      const { db, now, params, me, institution } = call;
      const readsAll = adminMay('read_messages', me, [institution.root.id], institution);
      if (!readsAll && institution.root.settings.admins_can_view_notifications !== true) throw unauthorized();
      const given = params.user_id ?? params.user;
      if (!given) throw badParameter('user_id', 'is missing');
      const person = sql`(${given === 'self' ? sql`select ${me.id}` : idOf('user', given)})`;
      const first = wireTime(Date.parse(now) - oneYear);
      const start = params.start_time && params.start_time > first ? params.start_time : first;
      const mine = readableAccounts(me);
      return judged(
        db.build.all<{ is_known: number; may_read: number }>(
          sql`select exists (select 1 from users where users.id = ${person} and users.workflow_state <> 'deleted') as is_known, exists (${mine}) as may_read`,
        ),
        ([found]) => {
          if (!readsAll && !found?.may_read) throw unauthorized();
          if (!found?.is_known) throw notFound();
        },
        list(
          rows(comm_messages, {
            where: and(
              eq(comm_messages.user_id, person),
              // Password reset messages are excluded, because their links would let the reader sign in as the user.
              ne(comm_messages.notification, 'forgot_password'),
              readsAll ? undefined : isInSelect(comm_messages.account_id, below(mine)),
              gte(comm_messages.created_at, start),
              params.end_time ? lte(comm_messages.created_at, params.end_time) : undefined,
            ),
            order: descending(comm_messages.created_at, comm_messages.id),
          }),
        ),
      );
    },
  ),
];
