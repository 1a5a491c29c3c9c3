// Opens and closes sessions: row, audit event, cookies.

import { eq, sql } from 'drizzle-orm';
import { wholeAddress } from '../../contexts/login_throttle';
import { csrfCookie, csrfTokenOf, sessionCookie } from '../../contexts/session';
import { lastsUntil } from '../../contexts/token_use';
import type { Database, Statement } from '../../database/open';
import type { Retention } from '../../database/retention';
import { newToken } from '../../database/tokens';
import type { Call } from '../../http/call';
import { sha256 } from '../../http/idempotency';
import { authentication_events } from '../audit/table';
import { users } from '../users/table';
import { sessions } from './table';

type Around = Pick<Call, 'db' | 'now' | 'request' | 'origin' | 'later'>;

interface Opened {
  readonly user_id: number;
  readonly login_id: number;
  readonly account_id: number;
  readonly real_user_id?: number | null;
  readonly is_remembered?: boolean;
}

/** The user agent, shortened to what is needed to recognise a browser. */
const agentOf = (request: Request) => request.headers.get('user-agent')?.slice(0, 255) ?? null;

const twoWeeks = 14 * 24 * 60 * 60;

const cookie = (name: string, value: string, origin: string, more: readonly string[]) =>
  [`${name}=${value}`, 'Path=/', 'SameSite=Lax', ...(origin.startsWith('https:') ? ['Secure'] : []), ...more].join('; ');

/** The session cookie is HttpOnly; the CSRF cookie is readable by scripts of this host. */
export async function cookiesOf(secret: string, origin: string, is_remembered: boolean): Promise<string[]> {
  const age = is_remembered ? [`Max-Age=${twoWeeks}`] : [];
  return [cookie(sessionCookie, secret, origin, ['HttpOnly', ...age]), cookie(csrfCookie, await csrfTokenOf(secret), origin, age)];
}

export const noCookies = (origin: string): string[] => [
  cookie(sessionCookie, '', origin, ['HttpOnly', 'Max-Age=0']),
  cookie(csrfCookie, '', origin, ['Max-Age=0']),
];

/** An audit event. */
const event = (
  db: Database,
  event_type: 'login' | 'logout',
  { user_id, login_id, account_id, real_user_id }: Opened,
  { request, now }: Pick<Around, 'request' | 'now'>,
): Statement =>
  db.build.insert(authentication_events).values({
    uuid: crypto.randomUUID(),
    event_type,
    login_id,
    account_id,
    user_id,
    real_user_id,
    address: wholeAddress(request),
    user_agent: agentOf(request),
    created_at: now,
  });

/** The audit event of a session opened by a ticket, if it was opened. While masquerading, it belongs to a login of the real user. */
export const eventOfSession = ({ db, request, now }: Pick<Around, 'db' | 'request' | 'now'>, session_hash: string): Statement => {
  const login = sql`coalesce(s.login_id, (select min(l.id) from logins l where l.user_id = coalesce(s.real_user_id, s.user_id)), 0)`;
  return db.build.run(
    sql`insert into authentication_events (uuid, event_type, login_id, account_id, user_id, real_user_id, address, user_agent, created_at)
      select ${crypto.randomUUID()}, 'login', ${login}, 1, s.user_id, s.real_user_id, ${wholeAddress(request)}, ${agentOf(request)}, ${now}
      from sessions s where s.session_hash = ${session_hash}`,
  );
};

/** The statements that open a session, and its cookies. */
export async function openLoginSession({ db, now, request, origin }: Around, opened: Opened) {
  const secret = newToken();
  const session_hash = await sha256(secret);
  const is_remembered = opened.is_remembered ?? false;
  const statements: Statement[] = [
    db.build.insert(sessions).values({
      user_id: opened.user_id,
      login_id: opened.login_id,
      real_user_id: opened.real_user_id,
      session_hash,
      is_remembered,
      expires_at: lastsUntil({ is_remembered, created_at: now }, now),
      last_used_at: now,
      address: wholeAddress(request),
      user_agent: agentOf(request),
      created_at: now,
      updated_at: now,
    }),
    event(db, 'login', opened, { request, now }),
    db.build.update(users).set({ last_login: now }).where(eq(users.id, opened.user_id)),
  ];
  return { statements, cookies: await cookiesOf(secret, origin, is_remembered) };
}

/** The statements that close a session. */
export const closeSession = (
  call: Around,
  session: { id: number; user_id: number; login_id: number | null; real_user_id: number | null },
) => [
  call.db.build.delete(sessions).where(eq(sessions.id, session.id)),
  ...(session.login_id === null ? [] : [event(call.db, 'logout', { ...session, login_id: session.login_id, account_id: 1 }, call)]),
];

/** Expired sessions. */
export const sessionRetention: Retention = { table: 'sessions', by: 'expires_at', days: 0 };
