// Notification messages: created once a minute from recorded events, and sent by a queue job. The job is delivered at least once; a message is sent
// once.

import { wireTime } from '@carrel/shared/wire/fields';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import { type Database, newMeter, open } from '../../database/open';
import { countUpTo, type Retention } from '../../database/retention';
import type { Job, Platform } from '../../platform';
import { communication_channels as channels } from '../users/table';
import { createMessages, gather } from './create_messages';
import { type Mailer, mailerOf, Undeliverable } from './mailer';
import { isUnsettled, comm_messages as letters } from './table';

const rounds = 10;
const perJob = 50;
const jobsAtOnce = 20;
const mostAttempts = 5;
const minute = 60_000;
const before = (now: string, span: number) => wireTime(Date.parse(now) - span);

/** Messages to be sent at once, which have no `due_at`, in a state. */
const immediate = (state: 'created' | 'sending') => and(isUnsettled, isNull(letters.due_at), eq(letters.workflow_state, state));

/** Messages that are due and have not been claimed by a job in the last 15 minutes. */
const waiting = (now: string) => and(immediate('created'), sql`(queued_at is null or queued_at < ${before(now, 15 * minute)})`);

/** Messages that are older than this many days are deleted. */
export const messageRetention: Retention = { table: 'comm_messages', by: 'created_at', isInIdOrder: true, days: 14 };

/** @returns how many queued notifications and unsent messages are left, as far as they were counted */
export async function createNotificationMessages(env: Platform, db: Database, now: string): Promise<number> {
  for (let round = 0; round < rounds; round++) if (!(await createMessages(db, now, env.PUBLIC_ADDRESS ?? ''))) break;
  const stuck = and(immediate('sending'), lt(letters.queued_at, before(now, 15 * minute)));
  const [queued] = await db.perform([
    countUpTo(db, sql`from notification_queue where not_before <= ${now}`),
    ...gather(db, now),
    db.build.update(letters).set({ workflow_state: 'created' }).where(stuck),
  ]);
  if (!mailerOf(env)) {
    await db.perform([db.build.update(letters).set({ workflow_state: 'dashboard' }).where(immediate('created'))]);
    return queued[0]?.count ?? 0;
  }
  const [found] = await db.perform([
    db.build
      .select({ id: letters.id })
      .from(letters)
      .where(waiting(now))
      .orderBy(letters.id)
      .limit(perJob * jobsAtOnce),
  ]);
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return queued[0]?.count ?? 0;
  const [, unsent] = await db.perform([
    db.build.update(letters).set({ queued_at: now }).where(among(letters.id, ids)),
    countUpTo(db, sql`from comm_messages where ${waiting(now)}`),
  ]);
  for (let at = 0; at < ids.length; at += perJob) await env.WORK.send({ job: 'send_letters', ids: ids.slice(at, at + perJob) });
  return (queued[0]?.count ?? 0) + (unsent[0]?.count ?? 0);
}

/** Claims the messages that no other job has claimed, and sends them one by one. */
export async function sendNotificationMessages({ ids = [] }: Job, env: Platform): Promise<void> {
  const mailer = mailerOf(env);
  if (!mailer) return;
  const db = open(env.DB, newMeter(), 'first-primary');
  const now = wireTime(Date.now());
  const [taken] = await db.perform([
    db.build
      .update(letters)
      .set({ workflow_state: 'sending', queued_at: now, attempts: sql`attempts + 1`, from: mailer.from })
      .where(and(among(letters.id, ids), eq(letters.workflow_state, 'created')))
      .returning(),
  ]);
  for (const message of taken) await sendOne(message, mailer, db);
}

async function sendOne(letter: typeof letters.$inferSelect, mailer: Mailer, db: Database): Promise<void> {
  const own = eq(letters.id, letter.id);
  try {
    const { to, from_name, subject, body, html_body } = letter;
    await mailer.send({ to, from_name, subject, text: body, html: html_body });
    await db.perform([
      db.build
        .update(letters)
        .set({ workflow_state: 'sent', sent_at: wireTime(Date.now()) })
        .where(own),
    ]);
  } catch (error) {
    const now = wireTime(Date.now());
    if (!(error instanceof Undeliverable)) {
      console.error(JSON.stringify({ letter: letter.id, attempt: letter.attempts, error: String(error) }));
      const workflow_state = letter.attempts < mostAttempts ? 'created' : 'cancelled';
      await db.perform([db.build.update(letters).set({ workflow_state }).where(own)]);
      return;
    }
    const bounce = { bounce_count: sql`bounce_count + 1`, last_bounce_at: now, last_bounce_summary: error.message, updated_at: now };
    await db.perform([
      db.build.update(letters).set({ workflow_state: 'bounced' }).where(own),
      db.build.update(channels).set(bounce).where(eq(channels.id, letter.communication_channel_id)),
    ]);
  }
}
