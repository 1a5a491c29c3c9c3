// The authentication audit log: every endpoint, in the order of the API reference.

import { eq, sql } from 'drizzle-orm';
import { adminMay } from '../../contexts/institution';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { found, unauthorized } from '../../http/problem';
import { logins } from '../users/table';
import { authenticationCompound, authenticationEvent, linkedEvent } from './authentication_json';
import { auditParams, eventsJson } from './log';
import { authentication_events as events } from './table';

export const about = { title: 'Audit logs', description: 'Sign-ins of users and changes to courses.' };

const mayAudit = (call: Call) =>
  ['view_statistics', 'manage_user_logins'].some((right) =>
    call.account ? call.account.can(right) : adminMay(right, call.me, [call.institution.root.id], call.institution),
  );

const result = eventsJson<'account_id' | 'login_id' | 'user_id'>({
  events,
  plain: () => authenticationEvent,
  linked: linkedEvent,
  compoundOf: authenticationCompound,
});

export const authenticationAuditRoutes = [
  get(
    '/audit/authentication/accounts/:account_id',
    {
      can: mayAudit,
      params: auditParams,
      returns: [authenticationEvent],
      bookmarked: true,
      summary: 'List authentication events of an account',
    },
    (call) => result(call, { column: 'account_id', value: call.account.id }),
  ),

  get(
    '/audit/authentication/logins/:id',
    {
      can: mayAudit,
      within: (path) => ({ account: sql`select account_id from logins where ${eq(logins.id, sql`${path.id}`)}` }),
      params: auditParams,
      returns: [authenticationEvent],
      bookmarked: true,
      summary: 'List authentication events of a login',
    },
    (call) => {
      found(call.account);
      return result(call, { column: 'login_id', value: call.id });
    },
  ),

  get(
    '/audit/authentication/users/:user_id',
    {
      can: (call) => (call.user?.isMe ?? false) || mayAudit(call),
      params: auditParams,
      returns: [authenticationEvent],
      bookmarked: true,
      summary: 'List authentication events of a user',
    },
    (call) => {
      if (!call.me.isKnown) throw unauthorized();
      return result(call, { column: 'user_id', value: call.user.id });
    },
  ),
];
