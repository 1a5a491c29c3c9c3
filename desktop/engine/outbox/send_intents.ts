// Sends the outbox: in order for each item, each intent once, and keeps what the server refuses.

import type { NoteJson } from '../model/resources';
import { Declined, Offline, type Session, Troubled } from '../server/session';
import type { Cache } from '../store/cache';
import { deliverIntent, isOnce } from './deliver';
import { sendSubmission } from './hand_in';
import type { IntentQueue } from './intent_queue';
import { entityIdOf, type Intent, isWord } from './intents';
import { HeldSubmission } from './may_hand_in';
import { carriesFiles, forgetFiles, isMessage, sendFiles } from './message_files';
import { isEditedSince, noteBodyOf, noteChangeOf } from './note_edits';
import { sendAuthored } from './send_authored';
import { sendGrade } from './send_grade';

const mostAttempts = 8;

interface Sending {
  readonly queue: IntentQueue;
  readonly session: Session;
  readonly cache: Cache;
}

/** Returns whether anything was sent. A refused token or a lost connection ends it. */
export async function sendIntents(sending: Sending): Promise<boolean> {
  const { queue } = sending;
  let isAnySent = false;
  const behind = new Set<string>();
  for (const queued of queue.pending()) {
    // An earlier edit of the same item may just have received the server's id.
    const entity = queue.currentEntity(queued.entity);
    if (queued.state === 'parked') behind.add(entity);
    if (behind.has(entity)) continue;
    const intent = asOfNow({ ...queued, entity }, sending);
    // The note that it marks is not sent yet.
    if (!intent) continue;
    const result = await attempt(intent, sending);
    if (result === 'sent') isAnySent = true;
    if (result === 'kept') behind.add(entity);
  }
  return isAnySent;
}

/** Updates the intent with the server's id of a new note, and with changes by other devices. Undefined: it has to wait. */
function asOfNow(intent: Intent, { queue, cache }: Sending): Intent | undefined {
  if (intent.verb === 'mark' && intent.body.plannable_type === 'planner_note') {
    const plannable_id = queue.serverId(intent.body.plannable_id);
    return plannable_id < 0 ? undefined : { ...intent, body: { ...intent.body, plannable_id } };
  }
  // A grade before it, for the same student, has just been sent.
  if (intent.verb === 'grade') return queue.of(intent.entity).find(({ id }) => id === intent.id);
  // The same holds for a text; an item that was new has its id now.
  if (intent.verb === 'author') return queue.pending().find(({ id }) => id === intent.id);
  // An intent that was sent before is repeated unchanged: with its key it takes effect once.
  if (intent.verb !== 'update' || intent.attempts > 0 || !intent.body.before) return intent;
  const there = cache.get<NoteJson>('planner_note', entityIdOf(intent.entity));
  const change = there && noteChangeOf(intent.body, intent.body.before, noteBodyOf(there));
  return change ? { ...intent, body: { ...intent.body, ...change, change } } : intent;
}

/** `kept`: later edits of the same item wait for it. */
async function attempt(intent: Intent, sending: Sending): Promise<'sent' | 'kept' | 'taken back'> {
  const { queue, session } = sending;
  if (session.isForgetful && intent.attempts > 0 && isOnce(intent)) {
    // It may have arrived, and its key cannot be used again: only the user can check.
    const { hold, message } = new HeldSubmission('unsure');
    queue.keep(intent, 'parked', message, hold);
    return 'kept';
  }
  // Taken back while others were sent.
  if (!queue.beginAttempt(intent)) return 'taken back';
  try {
    await send(intent, sending);
    return 'sent';
  } catch (problem) {
    if ((problem instanceof Offline || problem instanceof Troubled) && problem.isUnheard && session.isForgetful) queue.undoAttempt(intent);
    keepUnsent(intent, problem, queue);
    return 'kept';
  }
}

/** An edit on another device wins over a deletion that was made without knowing it. */
const isOverruled = ({ entity, attempts, body }: Extract<Intent, { verb: 'delete' }>, cache: Cache): boolean => {
  const there = cache.get<NoteJson>('planner_note', entityIdOf(entity));
  return attempts === 0 && body !== null && there !== undefined && isEditedSince(noteBodyOf(there), body.before);
};

async function send(intent: Intent, { queue, session, cache }: Sending): Promise<void> {
  const { user, now } = queue;
  if (intent.verb === 'delete' && isOverruled(intent, cache)) return queue.done(intent, undefined);
  if (intent.verb === 'hand in') return sendSubmission(intent, { session, cache, user, now });
  if (intent.verb === 'grade') return sendGrade(intent, { session, cache, queue });
  if (intent.verb === 'author') return sendAuthored(intent, { session, cache, queue });
  if (!carriesFiles(intent)) return queue.done(intent, await deliverIntent(intent, { session, cache, user }));
  await deliverIntent(isMessage(intent) ? await sendFiles(intent, session, user) : intent, { session, cache, user });
  queue.done(intent, undefined);
  await forgetFiles(intent, user);
}

/** A refused intent waits for the user; after a failure it is tried again, a limited number of times. Throws what ends the sync. */
function keepUnsent(intent: Intent, problem: unknown, queue: IntentQueue): void {
  if (!(problem instanceof Declined || problem instanceof Troubled || problem instanceof HeldSubmission)) throw problem;
  const isFinal = !(problem instanceof Troubled) || intent.attempts + 1 >= mostAttempts;
  const hold = problem instanceof HeldSubmission ? problem.hold : problem instanceof Declined ? 'declined' : 'trouble';
  if (isFinal && !isWord(intent)) queue.drop(intent);
  else queue.keep(intent, isFinal ? 'parked' : 'queued', problem.message, isFinal ? hold : null);
}
