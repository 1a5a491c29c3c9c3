// Communication channels: every endpoint, in the order of the API reference.

import { bool, object, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, count, eq, ne, sql } from 'drizzle-orm';
import type { UserContext } from '../../contexts/user';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { absolute, del, get, post } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, invalid, problem } from '../../http/problem';
import { answer, list, one, type Reply, write } from '../../http/reply';
import { signInFrame } from '../../site/frame';
import { htmlPage } from '../../site/page';
import { queueNotification } from '../comm_messages/queue_notification';
import { communication_channels as channels, push_tokens } from '../users/table';
import { checkedAddress } from './address';
import { communicationChannel } from './json';
import { channelNamed } from './named';

export const about = { title: 'Communication channels', description: 'Addresses at which users receive notifications.' };

const base = '/users/:user_id/communication_channels';

/** Limited because every new channel is sent a message: users must not be able to send to arbitrary addresses. */
const mostChannels = 50;

type Here = Pick<Call, 'db' | 'now'> & { readonly user: UserContext };

/** The row is kept so that the address is not treated as new later; the response follows the reference. */
async function retire({ db, user, now }: Here, path: Parameters<typeof channelNamed>[1]): Promise<Reply> {
  const fromSis = sql<number>`exists (select 1 from logins l where l.user_id = ${user.id} and l.sis_communication_channel_id = communication_channels.id)`;
  const [[channel]] = await db.perform([
    db.build
      .select({ id: channels.id, fromSis: fromSis.as('fromSis') })
      .from(channels)
      .where(channelNamed(user.id, path)),
  ]);
  const { id, fromSis: isFromSis } = found(channel);
  if (isFromSis && !user.can('manage_sis')) throw problem(403, 'This address is managed by the school');
  return write(
    [
      db.build.update(channels).set({ workflow_state: 'deleted', confirmation_code: null, updated_at: now }).where(eq(channels.id, id)),
      db.build.delete(push_tokens).where(eq(push_tokens.communication_channel_id, id)),
    ],
    one(rows(channels, { where: eq(channels.id, id) })),
  );
}

const confirming = { can: 'anyone', returns: { json: null } } as const;
const waiting = (code: string) => and(eq(channels.confirmation_code, code), eq(channels.workflow_state, 'unconfirmed'));
const gone = () =>
  htmlPage(
    signInFrame(
      'No such code',
      '<h1>No such code</h1><p class="wrong" role="alert">The address is already confirmed, or the code has expired.</p>',
    ),
    {
      status: 404,
    },
  );

export const communicationChannelRoutes = [
  get(base, { can: 'self_or_admin', returns: [communicationChannel], summary: 'List communication channels' }, ({ user }) =>
    list(
      rows(channels, {
        where: and(eq(channels.user_id, user.id), ne(channels.workflow_state, 'deleted')),
        order: ascending(channels.position, channels.id),
      }),
    ),
  ),

  post(
    base,
    {
      can: 'self_or_admin',
      params: {
        communication_channel: optional(
          object({ address: optional(text), type: optional(oneOf('email', 'sms', 'push')), token: optional(text) }),
        ),
        skip_confirmation: optional(bool),
      },
      returns: communicationChannel,
      summary: 'Create a communication channel',
    },
    async ({ db, user, params, now }) => {
      const given = params.communication_channel ?? {};
      if (!given.type) throw invalid('type', 'blank');
      const type = given.type;
      const address = checkedAddress(type, given.address);
      const token = given.token?.trim() ?? '';
      if (type === 'push' && (token === '' || token.length > 1000)) throw problem(400, 'A push channel needs a device token');
      const same = channelNamed(user.id, { type, address });
      const live = and(eq(channels.user_id, user.id), ne(channels.workflow_state, 'deleted'));
      const [existing, [kept]] = await db.perform([
        db.build.select({ id: channels.id }).from(channels).where(same),
        db.build.select({ count: count() }).from(channels).where(live),
      ]);
      if ((kept?.count ?? 0) >= mostChannels) throw problem(400, 'The maximum number of addresses is reached');
      if (existing.length > 0 && type !== 'push') throw invalid('address', 'taken');
      const isActive = type === 'push' || (params.skip_confirmation === true && user.can('manage_user_logins'));
      const confirmation_code = isActive ? null : randomText(24);
      const position = sql`(select coalesce(max(position), 0) + 1 from communication_channels where user_id = ${user.id} and workflow_state <> 'deleted')`;
      const state = isActive ? 'active' : 'unconfirmed';
      // The insert repeats the condition because the same address may be added twice at the same time.
      const created =
        db.build.run(sql`insert into communication_channels (user_id, address, type, position, workflow_state, confirmation_code, created_at, updated_at)
        select ${user.id}, ${address}, ${type}, ${position}, ${state}, ${confirmation_code}, ${now}, ${now}
        where not exists (select 1 from communication_channels where ${same})`);
      const itself = sql`(select id from communication_channels where ${same})`;
      const notification = type === 'sms' ? 'confirm_sms_communication_channel' : 'confirm_email_communication_channel';
      return write(
        [
          created,
          ...(type === 'push'
            ? [
                db.build
                  .insert(push_tokens)
                  .values({ user_id: user.id, token, communication_channel_id: itself, created_at: now })
                  .onConflictDoNothing(),
              ]
            : []),
          ...(isActive ? [] : [queueNotification(db, { notification, item_id: itself, now })]),
        ],
        one(rows(channels, { where: same, order: [{ by: channels.id, descending: true }] })),
      );
    },
  ),

  del(
    '/users/:user_id/communication_channels/push',
    { can: 'self', params: { push_token: optional(text) }, returns: { json: null }, summary: 'Delete a push notification endpoint' },
    ({ db, user, params }) =>
      write(
        [db.build.delete(push_tokens).where(and(eq(push_tokens.user_id, user.id), eq(push_tokens.token, params.push_token ?? '')))],
        answer({ success: true }),
      ),
  ),

  del(`${base}/:channel`, { can: 'self_or_admin', returns: communicationChannel, summary: 'Delete a communication channel' }, (call) =>
    retire(call, call.path),
  ),

  del(
    `${base}/:type/:address`,
    { can: 'self_or_admin', returns: communicationChannel, summary: 'Delete a communication channel' },
    (call) => retire(call, call.path),
  ),

  ...absolute(
    get('/register/:uuid', { ...confirming, summary: 'Show the confirmation page of an email address' }, async ({ db, path }) => {
      const [[channel]] = await db.perform([db.build.select({ id: channels.id }).from(channels).where(waiting(path.uuid))]);
      if (!channel) return gone();
      // A GET changes nothing, because mail programs follow links.
      return htmlPage(
        signInFrame(
          'Confirm your email address',
          '<h1>Confirm your address</h1><form class="card" method="post"><p>This is where you want to be written to.</p><button>Confirm</button></form>',
        ),
      );
    }),

    post('/register/:uuid', { ...confirming, summary: 'Confirm an email address' }, async ({ db, path, now }) => {
      const [confirmed] = await db.perform([
        db.build
          .update(channels)
          .set({ workflow_state: 'active', confirmation_code: null, updated_at: now })
          .where(waiting(path.uuid))
          .returning({ id: channels.id }),
      ]);
      return confirmed.length === 0 ? gone() : htmlPage(signInFrame('Confirmed', '<h1>Thank you</h1><p>Your address is confirmed.</p>'));
    }),
  ),
];
