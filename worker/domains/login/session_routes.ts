// Sessions through the API: a URL that opens one in a browser, and terminating all of a user's sessions.

import { optional, text, wireTime } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { lastsUntil } from '../../contexts/token_use';
import { newToken } from '../../database/tokens';
import { absolute, del, get } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { refused } from '../../http/problem';
import { answer, write } from '../../http/reply';
import { leadTo, pathHere, signedInHome } from '../../site/page';
import { tokens } from '../tokens/table';
import { cookiesOf, eventOfSession } from './opening';
import { troublePage } from './page';
import { sessions } from './table';

/** Lifetime of a session URL. */
const ticketMinutes = 5;

export const sessionRoutes = [
  del(
    '/users/:user_id/sessions',
    { can: 'self_or_admin', returns: { json: null }, summary: 'Terminate all sessions of a user' },
    (call) => {
      const { db, user, now } = call;
      return write(
        [
          db.build.delete(sessions).where(sql`${sessions.user_id} = ${user.id} or ${sessions.real_user_id} = ${user.id}`),
          db.build
            .update(tokens)
            .set({ workflow_state: 'deleted', updated_at: now })
            .where(
              and(sql`(${tokens.user_id} = ${user.id} or ${tokens.real_user_id} = ${user.id})`, sql`${tokens.workflow_state} <> 'deleted'`),
            ),
        ],
        answer('ok'),
      );
    },
  ),

  ...absolute(
    get(
      '/login/session_token',
      { can: 'user', params: { return_to: optional(text) }, returns: { json: null }, summary: 'Get a URL that opens a web session' },
      async (call) => {
        const { db, me, now, origin, params } = call;
        const return_to = pathHere(params.return_to, origin);
        if (params.return_to !== undefined && return_to === undefined) throw refused(400, 'return_to must be a URL of this host');
        const isMasked = me.real_user_id !== me.id;
        const ticket = newToken();
        return write(
          [
            db.build.insert(sessions).values({
              user_id: me.id,
              real_user_id: isMasked ? me.real_user_id : null,
              // A masquerading session has no login of its own: it ends with any login of the real user.
              login_id: isMasked
                ? null
                : (me.session?.login_id ?? sql`(select min(id) from logins where user_id = ${me.id} and workflow_state = 'active')`),
              session_hash: await sha256(ticket),
              workflow_state: 'ticket',
              expires_at: wireTime(Date.parse(now) + ticketMinutes * 60_000),
              created_at: now,
              updated_at: now,
            }),
          ],
          answer({
            session_url: `${origin}/login/session/${ticket}${return_to === undefined ? '' : `?${new URLSearchParams({ return_to })}`}`,
            requires_terms_acceptance: false,
          }),
        );
      },
    ),

    get(
      '/login/session/:ticket',
      { can: 'anyone', returns: { json: null }, summary: 'Open a web session (one-time URL)' },
      async (call) => {
        const { db, path, now, origin, tree, request } = call;
        const secret = newToken();
        const session_hash = await sha256(secret);
        const [opened] = await db.perform([
          db.build
            .update(sessions)
            .set({
              session_hash,
              workflow_state: 'active',
              expires_at: lastsUntil({ is_remembered: false, created_at: now }, now),
              last_used_at: now,
              address: request.headers.get('cf-connecting-ip')?.slice(0, 45),
              user_agent: request.headers.get('user-agent')?.slice(0, 255),
            })
            .where(
              and(eq(sessions.session_hash, await sha256(path.ticket)), eq(sessions.workflow_state, 'ticket'), sql`expires_at > ${now}`),
            )
            .returning({ id: sessions.id }),
          eventOfSession(call, session_hash),
        ]);
        if (opened.length === 0)
          return troublePage('This link has expired', 'The link is valid once and for a few minutes only. Request a new one.', 400);
        return leadTo(pathHere(tree.return_to, origin) ?? signedInHome, await cookiesOf(secret, origin, false));
      },
    ),
  ),
];
