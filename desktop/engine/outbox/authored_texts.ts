// Texts of authors in the outbox: queued, replaced while they are unsent, and decided after a conflict.

import { randomUUID } from 'node:crypto';
import type { AuthoredBase, AuthoredPlace, AuthoredText } from '../../contract/authoring';
import type { Unfinished, WritingPlace } from '../../contract/writing';
import { durably } from '../store/driver';
import type { UserStore } from '../store/user';
import type { IntentQueue } from './intent_queue';
import { type AuthoredBody, authoredEntity, type Intent, isUnheard } from './intents';
import { deleteTextDraft, goOn, textDraftAt } from './text_drafts';

export type AuthoredIntent = Extract<Intent, { readonly verb: 'author' }>;

export const isAuthored = (intent: Intent): intent is AuthoredIntent => intent.verb === 'author';

/** Someone else has changed the text, and the author has not decided yet. */
export const waitsForMerge = ({ hold }: Pick<Intent, 'hold'>): boolean => hold === 'changed meanwhile';

/** The last text of the item that waits. */
export const waitingTextOf = (queue: Pick<IntentQueue, 'of'>, place: AuthoredPlace): AuthoredIntent | undefined =>
  queue.of(authoredEntity(place)).findLast(isAuthored);

/** What was not sent yet is replaced, and keeps what its author had begun with. What is under way is followed by another one. */
export function authorText(queue: IntentQueue, body: AuthoredBody, finished?: WritingPlace): void {
  durably(queue.user.database, () => {
    const before = waitingTextOf(queue, body);
    // The images of the text before are in the new one, too.
    const files = [...(before?.body.files ?? []), ...(body.files ?? [])];
    if (!before) queue.add(authoredEntity(body), { verb: 'author', body });
    else if (isUnheard(before)) replaceText(queue, before, { ...before.body, text: body.text, files }, waitsForMerge(before));
    else queue.add(authoredEntity(body), { verb: 'author', body: { ...body, files, base: { ...before.body.text, version: null } } });
    if (finished) deleteTextDraft(queue.user, finished);
  });
}

/** With another id, because another request must not have the same key. */
function replaceText(queue: IntentQueue, { id }: AuthoredIntent, body: AuthoredBody, isHeld = false): void {
  const next = randomUUID();
  const text = JSON.stringify(body);
  queue.user.prepare('UPDATE outbox SET id = ?, body = ?, attempts = 0 WHERE id = ?').run(next, text, id);
  if (!isHeld) queue.user.prepare("UPDATE outbox SET state = 'queued', reason = NULL, hold = NULL WHERE id = ?").run(next);
}

export const storeText = (user: UserStore, { id }: Pick<AuthoredIntent, 'id'>, body: AuthoredBody): unknown =>
  user.prepare('UPDATE outbox SET body = ? WHERE id = ?').run(JSON.stringify(body), id);

/** Sends the text that was decided on, for the state that the author has seen. */
export function decideText(queue: IntentQueue, intent: AuthoredIntent, text: AuthoredText): void {
  const { meanwhile, ...body } = intent.body;
  durably(queue.user.database, () => replaceText(queue, intent, { ...body, text, base: meanwhile ?? body.base }));
}

/** Makes it a draft again, which begins with what the server has now. */
export function redraftText(queue: IntentQueue, intent: AuthoredIntent, text: AuthoredText = intent.body.text): void {
  const { meanwhile, base } = intent.body;
  durably(queue.user.database, () => {
    const { at, words } = draftOfText({ ...intent.body, text, base: meanwhile ?? base });
    deleteTextDraft(queue.user, at);
    goOn(queue.user, at, words, queue.now());
    queue.drop(intent);
  });
}

/** Sends what was changed on a text that was deleted meanwhile as a new one. */
export function createAgain(queue: IntentQueue, intent: AuthoredIntent, id: number): void {
  const { meanwhile: _gone, ...body } = intent.body;
  durably(queue.user.database, () => {
    queue.drop(intent);
    const anew = { ...body, id, base: null };
    queue.add(authoredEntity(anew), { verb: 'author', body: anew });
  });
}

/** The server has it: later texts of the item, and its draft, were written after it and know its result. @param serverId of a new item */
export function textIsSent(queue: IntentQueue, intent: AuthoredIntent, base: AuthoredBase, serverId: number): void {
  durably(queue.user.database, () => {
    queue.drop(intent);
    const { kind: of, course_id, id } = intent.body;
    const at = { kind: 'authored', of, course_id, id } as const;
    const draft = textDraftAt(queue.user, at);
    if (draft) {
      deleteTextDraft(queue.user, at);
      goOn(queue.user, { ...at, id: serverId }, { ...draft.words, base }, queue.now());
    }
    for (const later of queue.of(intent.entity)) {
      if (!isAuthored(later)) continue;
      storeText(queue.user, later, { ...later.body, id: serverId, base });
      queue.user.prepare('UPDATE outbox SET entity = ? WHERE id = ?').run(authoredEntity({ ...later.body, id: serverId }), later.id);
    }
  });
}

/** The draft to which a text returns when it is taken back. */
export function draftOfText({ kind: of, course_id, id, text, base, files = [] }: AuthoredBody): {
  readonly at: WritingPlace;
  readonly words: Unfinished;
} {
  const { title, html, published, facts } = text;
  // Without the ids that the server gave: the images are uploaded again.
  const own = files.map(({ name, size, sha256 }) => ({ name, size, sha256 }));
  return { at: { kind: 'authored', of, course_id, id }, words: { text: html, title, authored: { published, facts }, base, files: own } };
}
