// A user's own settings as a web page (absolute paths, the same as in Canvas).

import { json, optional } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { feedAddress } from '../../crypto/feed_address';
import { newToken } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, get, post } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { leadTo, signedIn, signedInHome, toLogin } from '../../site/page';
import { tokens } from '../tokens/table';
import { logins, users } from '../users/table';
import { settingsPage } from './page';

export const about = { title: 'Profile', description: 'Profiles, settings, colours and avatars of users.' };

const pageOnly = { can: 'anyone', returns: { json: null } } as const;

const alive = (user_id: number) => and(eq(tokens.user_id, user_id), eq(tokens.workflow_state, 'active'));

/** The hundred newest; the API lists all. */
const keysOf = ({ db }: Pick<Call, 'db'>, user_id: number) =>
  db.build
    .select({
      id: tokens.id,
      purpose: tokens.purpose,
      token_hint: tokens.token_hint,
      last_used_at: tokens.last_used_at,
      expires_at: tokens.expires_at,
      app: sql<string | null>`(select k.name from developer_keys k where k.id = tokens.developer_key_id)`.as('app'),
    })
    .from(tokens)
    .where(alive(user_id))
    .orderBy(sql`tokens.id desc`)
    .limit(100);

async function show(
  call: Pick<Call, 'db' | 'me' | 'origin'>,
  more: { made?: string; wrong?: string } = {},
  statements: Parameters<Call['db']['perform']>[0] = [],
) {
  const { db, me, origin } = call;
  const results = await db.perform([
    db.build
      .select({ unique_id: logins.unique_id })
      .from(logins)
      .where(eq(logins.id, me.session?.login_id ?? 0)),
    ...statements,
    keysOf(call, me.id),
  ]);
  const [login] = results[0] as { unique_id: string }[];
  const keys = results.at(-1) as Awaited<ReturnType<typeof keysOf>>;
  const isOwn = me.real_user_id === me.id;
  const calendar = isOwn ? feedAddress(`user_${me.id}`, { me, origin }) : undefined;
  return settingsPage({ name: me.user.name, login: login?.unique_id, keys, canMake: isOwn, calendar, ...more });
}

export const profileRoutes = absolute(
  get(signedInHome, { ...pageOnly, summary: 'Show the settings page' }, (call) => (signedIn(call) ? show(call) : toLogin(call))),

  // The token is in the response itself, so that no URL contains it and reloading does not show it again.
  post(
    `${signedInHome}/tokens`,
    { ...pageOnly, params: { purpose: optional(json) }, summary: 'Create an access token (form)' },
    async (call) => {
      const { db, me, now, params } = call;
      if (!signedIn(call) || me.real_user_id !== me.id) return leadTo(signedInHome);
      const purpose = typeof params.purpose === 'string' ? params.purpose.trim().slice(0, 255) : '';
      if (purpose === '') return show(call, { wrong: 'Enter a purpose.' });
      const made = newToken();
      return show(call, { made }, [
        db.build.insert(tokens).values({
          user_id: me.id,
          purpose,
          token_hash: await sha256(made),
          token_hint: `${made.slice(0, 5)}...`,
          created_at: now,
          updated_at: now,
        }),
      ]);
    },
  ),

  post(`${signedInHome}/tokens/:id/delete`, { ...pageOnly, summary: 'Delete an access token (form)' }, async (call) => {
    const { db, me, now, id } = call;
    if (!signedIn(call)) return leadTo(signedInHome);
    await db.perform([
      db.build
        .update(tokens)
        .set({ workflow_state: 'deleted', updated_at: now })
        .where(and(alive(me.id), eq(tokens.id, id))),
    ]);
    return leadTo(signedInHome);
  }),

  post(`${signedInHome}/calendar`, { ...pageOnly, summary: 'Reset the calendar feed URLs (form)' }, async (call) => {
    const { db, me } = call;
    if (!signedIn(call) || me.real_user_id !== me.id) return leadTo(signedInHome);
    await db.perform([db.build.update(users).set({ feed_code: sql`lower(hex(randomblob(20)))` }).where(eq(users.id, me.id))]);
    return leadTo(signedInHome);
  }),
);
