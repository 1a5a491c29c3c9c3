// Letters that the service has written to a person: the one endpoint.

import { maybe, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { adminMay, chainOf } from '../../contexts/institution';
import { idOf } from '../../contexts/references';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { badParameter, notFound, unauthorized } from '../../http/problem';
import { judged, list } from '../../http/reply';
import { users } from '../users/table';
import { commMessage } from './json';
import { comm_messages } from './table';

const oneYear = 366 * 86_400_000;

/**
 * Which letters the caller may read: all of them who runs the service, those of their accounts whom the institution lets see them.
 * @throws Problem 401 for everybody else
 */
function readable({ me, institution }: Pick<Call, 'me' | 'institution'>): SQL | undefined {
  if (adminMay('read_messages', me, [institution.root.id], institution)) return undefined;
  if (institution.root.settings.admins_can_view_notifications !== true) throw unauthorized();
  const mine = me.adminLinks
    .map((link) => link.account_id)
    .filter((id) => adminMay('view_notifications', me, chainOf(id, institution), institution));
  if (mine.length === 0) throw unauthorized();
  return inArray(comm_messages.account_id, mine);
}

export const commMessageRoutes = [
  get(
    '/comm_messages',
    {
      can: 'user',
      params: { user_id: optional(text), user: optional(text), start_time: optional(maybe(time)), end_time: optional(maybe(time)) },
      returns: [commMessage],
      summary: 'List the letters that a person has been written',
    },
    (call) => {
      const { db, now, params } = call;
      const where = readable(call);
      const given = params.user_id ?? params.user;
      if (!given) throw badParameter('user_id', 'is missing');
      const person = sql`(${given === 'self' ? sql`select ${call.me.id}` : idOf('user', given)})`;
      const first = `${new Date(Date.parse(now) - oneYear).toISOString().slice(0, 19)}Z`;
      const start = params.start_time && params.start_time > first ? params.start_time : first;
      return judged(
        db.build
          .select({ id: users.id })
          .from(users)
          .where(and(sql`${users.id} = ${person}`, sql`workflow_state <> 'deleted'`)),
        (known) => {
          if (known.length === 0) throw notFound();
        },
        list(
          rows(comm_messages, {
            where: and(
              eq(comm_messages.user_id, person),
              where,
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
