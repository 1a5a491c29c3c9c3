// Who came in and went out: every endpoint, in the order of the API reference.

import { optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import { adminMay } from '../../contexts/institution';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { descending, rows } from '../../http/listing';
import { found, unauthorized } from '../../http/problem';
import type { Reply } from '../../http/reply';
import { logins } from '../users/table';
import { authenticationEvent, compoundOf, linkedEvent } from './authentication_json';
import { authentication_events as events } from './table';

const params = { start_time: optional(time), end_time: optional(time), format: optional(text) };

const mayAudit = (call: Call) =>
  ['view_statistics', 'manage_user_logins'].some((right) =>
    call.account ? call.account.can(right) : adminMay(right, call.me, [call.institution.root.id], call.institution),
  );

/** Newest first; a bare list, or the compound object for those who ask for it. */
function told(
  { params, origin, request }: Pick<Call, 'origin' | 'request'> & { params: { start_time?: string; end_time?: string; format?: string } },
  whose: SQL,
): Reply {
  const isCompound = params.format === 'compound' || (request.headers.get('accept')?.includes('application/vnd.api+json') ?? false);
  const listing = rows(events, {
    where: and(
      whose,
      params.start_time ? gte(events.created_at, params.start_time) : undefined,
      params.end_time ? lte(events.created_at, params.end_time) : undefined,
    ),
    order: descending(events.created_at, events.id),
  });
  return { kind: 'list', listing, ...(isCompound && { of: linkedEvent, wrap: compoundOf(origin) }) };
}

export const authenticationAuditRoutes = [
  get(
    '/audit/authentication/accounts/:account_id',
    { can: mayAudit, params, returns: [authenticationEvent], summary: 'List sign-ins of an account' },
    (call) => told(call, eq(events.account_id, call.account.id)),
  ),

  get(
    '/audit/authentication/logins/:id',
    {
      can: mayAudit,
      within: (path) => ({ account: sql`select account_id from logins where ${eq(logins.id, sql`${path.id}`)}` }),
      params,
      returns: [authenticationEvent],
      summary: 'List sign-ins by a login',
    },
    (call) => {
      found(call.account);
      return told(call, eq(events.login_id, call.id));
    },
  ),

  get(
    '/audit/authentication/users/:user_id',
    {
      can: (call) => (call.user?.isMe ?? false) || mayAudit(call),
      params,
      returns: [authenticationEvent],
      summary: 'List sign-ins of a person',
    },
    (call) => {
      if (!call.me.isKnown) throw unauthorized();
      return told(call, eq(events.user_id, call.user.id));
    },
  ),
];
