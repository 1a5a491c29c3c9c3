// Turns the notification queue into messages: reads each subject and a batch of recipients, and writes their messages in one batch.

import { lookUp } from '@carrel/shared/wire/look_up';
import { asc, eq, lte, type SQL, sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';
import { htmlToText } from '../../html/plain';
import { dueAt, frequencyOf } from '../../rules/notifications';
import { escapeHtml } from '../../site/frame';
import type { Matter, NotificationMessage } from './notification_message';
import { notificationMessages } from './notification_messages';
import { comm_messages, isUnsettled, notification_queue } from './table';

const atOnce = 40;
const readersAtOnce = 500;
/** A longer text is omitted; the recipient follows the link. */
const longest = 50_000;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 250);

interface Words {
  readonly subject: string;
  readonly words: string;
  readonly html?: string | null;
  readonly path: string;
}

/** Subject, text and HTML of a message. */
function written({ subject, words, html, path }: Words, address: string): { subject: string; body: string; html_body: string } {
  const result = html && html.length <= longest ? html : undefined;
  const link = `${address}${path}`;
  return {
    subject: oneLine(subject),
    body: [words, ...(result ? [htmlToText(result)] : []), link].join('\n\n'),
    html_body: `<p>${escapeHtml(words)}</p>${result ?? ''}<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
  };
}

type QueuedNotification = typeof notification_queue.$inferSelect;

const confirmations = new Set(['confirm_email_communication_channel', 'confirm_sms_communication_channel']);

/** The message to confirm an address. Sent to that address only, regardless of notification preferences. */
function confirming({ notification, item_id }: QueuedNotification, now: string, address: string): SQL {
  const place = '/register/CODE';
  const words = 'This address was added to an account. If it was you, confirm the address:';
  const { subject, body, html_body } = written({ subject: 'Confirm your address', words, path: place }, address);
  const coded = (text: string) => sql`replace(${text}, ${place}, '/register/' || c.confirmation_code)`;
  const state = notification === 'confirm_email_communication_channel' ? 'created' : 'dashboard';
  return sql`insert into comm_messages (user_id, communication_channel_id, account_id, notification, from_name, "to", subject, body, html_body, workflow_state, created_at)
    select c.user_id, c.id, 1, ${notification}, (select name from accounts where id = 1), c.address, ${subject}, ${coded(body)}, ${coded(html_body)}, ${state}, ${now}
    from communication_channels c where c.id = ${item_id} and c.workflow_state = 'unconfirmed' and c.confirmation_code is not null`;
}

/** The password reset message. Sent to the user's first confirmed address, regardless of notification preferences. */
function resetting({ item_id }: QueuedNotification, now: string, address: string): SQL {
  const place = '/login/forgotten/CODE';
  const words = 'A new password was requested for your login. If it was you, choose one within an hour:';
  const { subject, body, html_body } = written({ subject: 'Reset your password', words, path: place }, address);
  const coded = (text: string) => sql`replace(${text}, ${place}, '/login/forgotten/' || r.code)`;
  return sql`insert into comm_messages (user_id, communication_channel_id, account_id, notification, from_name, "to", subject, body, html_body, workflow_state, created_at)
    select c.user_id, c.id, 1, 'forgot_password', (select name from accounts where id = 1), c.address, ${subject}, ${coded(body)}, ${coded(html_body)}, 'created', ${now}
    from password_resets r join logins l on l.id = r.login_id and l.workflow_state = 'active'
      join communication_channels c on c.user_id = l.user_id and c.type = 'email' and c.workflow_state = 'active'
    where r.id = ${item_id} and r.expires_at > ${now} order by c.position, c.id limit 1`;
}

/** Messages to a batch of recipients: to each active address, with the frequency chosen for it. */
function writing(
  { notification }: QueuedNotification,
  message: NotificationMessage,
  matter: Matter,
  readers: readonly number[],
  now: string,
  address: string,
) {
  const usual = frequencyOf(notification, new Map());
  const often = sql`coalesce(p.frequency, ${usual})`;
  const { html, path } = matter;
  const { subject, body, html_body } = written({ subject: message.subject(matter), words: message.text(matter), html, path }, address);
  return sql`insert into comm_messages (user_id, communication_channel_id, account_id, notification, from_name, "to", subject, body, html_body, due_at, workflow_state, created_at)
    select c.user_id, c.id, ${matter.account_id}, ${notification}, coalesce(${matter.author}, ${matter.place}), c.address, ${subject}, ${body}, ${html_body},
      case ${often} when 'daily' then ${dueAt('daily', now)} when 'weekly' then ${dueAt('weekly', now)} end,
      case ${often} when 'immediately' then 'created' else 'staged' end, ${now}
    from json_each(${JSON.stringify(readers)}) r
      join users u on u.id = r.value and u.workflow_state <> 'deleted'
      join communication_channels c on c.user_id = u.id and c.type = 'email' and c.workflow_state = 'active'
      left join notification_preferences p on p.communication_channel_id = c.id and p.notification = ${notification}
    where ${often} <> 'never'`;
}

/**
 * Writes messages for some queued notifications; the rest is left to the next call.
 * @returns whether there may be more
 */
export async function createMessages(db: Database, now: string, address: string): Promise<boolean> {
  const { build } = db;
  const [waiting] = await db.perform([
    build
      .select()
      .from(notification_queue)
      .where(lte(notification_queue.not_before, now))
      .orderBy(asc(notification_queue.not_before), asc(notification_queue.id))
      .limit(atOnce),
  ]);
  if (waiting.length === 0) return false;
  const reads = waiting.map((one) => {
    const letter = Object.hasOwn(notificationMessages, one.notification) ? lookUp(notificationMessages, one.notification) : undefined;
    return {
      one,
      letter,
      statements: letter
        ? [
            build.all<Matter>(letter.matter(one.item_id, now)),
            build.all<{ user_id: number }>(
              sql`select user_id from (${letter.readers(one.item_id, now)}) where user_id > ${one.told_up_to} order by user_id limit ${atMost(readersAtOnce)}`,
            ),
          ]
        : [],
    };
  });
  const results = (await db.perform(reads.flatMap(({ statements }) => statements as Statement[]))) as unknown[];
  let at = 0;
  const writes = reads.flatMap(({ one, letter, statements }): Statement[] => {
    const [matters = [], readers = []] = results.slice(at, at + statements.length) as [Matter[]?, { user_id: number }[]?];
    at += statements.length;
    const done = build.delete(notification_queue).where(eq(notification_queue.id, one.id));
    if (one.notification === 'forgot_password') return [build.run(resetting(one, now, address)), done];
    if (confirmations.has(one.notification)) return [build.run(confirming(one, now, address)), done];
    const [matter] = matters;
    const ids = readers.map(({ user_id }) => user_id);
    if (!letter || !matter || ids.length === 0) return [done];
    const rest =
      ids.length < readersAtOnce
        ? done
        : build
            .update(notification_queue)
            .set({ told_up_to: ids.at(-1) ?? 0 })
            .where(eq(notification_queue.id, one.id));
    return [build.run(writing(one, letter, matter, ids, now, address)), rest];
  });
  await db.perform(writes);
  return true;
}

/** Staged messages of an address are merged into one summary. */
export function gather({ build }: Database, now: string): Statement[] {
  const due = sql`${isUnsettled} and workflow_state = 'staged' and due_at <= ${now}`;
  return [
    build.run(sql`insert into comm_messages (user_id, communication_channel_id, account_id, notification, from_name, "to", subject, body, workflow_state, created_at)
      select m.user_id, m.communication_channel_id, 1, 'summaries', (select name from accounts where id = 1), c.address,
        'Notification summary: ' || count(*), group_concat(m.subject || char(10) || substr(m.body, 1, 2000), char(10) || char(10) || '----' || char(10) || char(10)), 'created', ${now}
      from (select * from comm_messages indexed by comm_messages_to_do where ${due} order by id) m join communication_channels c on c.id = m.communication_channel_id and c.workflow_state = 'active'
      group by m.communication_channel_id`),
    build.update(comm_messages).set({ workflow_state: 'closed' }).where(due),
  ];
}
