// The inbox: conversations, the latest first, and one with its messages, including unsent ones.

import type { ConversationCard, ConversationReading } from '../../contract/conversations';
import type { ConversationJson } from '../model/resources';
import type { Outbox } from '../outbox/outbox';
import type { Cache } from '../store/cache';
import type { UserStore } from '../store/user';
import { proseOf } from '../text/prose';
import { attachmentsOf, waitingFiles } from './discussions';

interface Here {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly outbox: Outbox;
  readonly signedIn: { readonly user_id: number; readonly name: string };
}

const longestExcerpt = 200;
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, longestExcerpt);

export const isUnread = (cache: Cache, outbox: Outbox, id: number): boolean =>
  cache.get<ConversationJson>('conversation', id)?.workflow_state === 'unread' &&
  !outbox.pending().some((intent) => (intent.verb === 'open' || intent.verb === 'archive') && intent.body.conversation_id === id);

/** In the order that the user chose, even if it is not sent yet. */
function orderedBy(outbox: Outbox) {
  const pending = outbox.pending();
  const starred = new Map(pending.flatMap((one) => (one.verb === 'star' ? [[one.body.conversation_id, one.body.starred] as const] : [])));
  const archived = new Map(
    pending.flatMap((one) => (one.verb === 'archive' ? [[one.body.conversation_id, one.body.archived] as const] : [])),
  );
  return (message: ConversationJson) => ({
    starred: starred.get(message.id) ?? message.starred ?? false,
    archived: archived.get(message.id) ?? message.workflow_state === 'archived',
  });
}

const others = ({ participants, audience }: ConversationJson, me: number): string[] => {
  const wanted = audience && audience.length > 0 ? new Set(audience) : undefined;
  const found = (participants ?? []).filter(({ id }) => (wanted ? wanted.has(id) : id !== me));
  // A message to oneself has no other participants.
  return (found.length > 0 ? found : (participants ?? [])).map(({ name }) => name ?? '');
};

export function conversationCards({ cache, outbox, signedIn }: Here): ConversationCard[] {
  const pending = outbox.pending();
  const opened = new Set(
    pending.flatMap((intent) => (intent.verb === 'open' || intent.verb === 'archive' ? [intent.body.conversation_id] : [])),
  );
  const ordered = orderedBy(outbox);
  const unsent = new Map(pending.flatMap((intent) => (intent.verb === 'write' ? [[intent.body.conversation_id, intent] as const] : [])));
  return cache
    .all<ConversationJson>('conversation')
    .map((letter): ConversationCard => {
      const mine = unsent.get(letter.id);
      return {
        id: letter.id,
        subject: letter.subject || null,
        people: others(letter, signedIn.user_id),
        course_name: letter.context_name ?? null,
        at: mine?.created_at ?? latest(letter),
        excerpt: flat(mine?.body.text ?? letter.last_message ?? letter.last_authored_message ?? ''),
        messages: letter.message_count ?? 0,
        unread: letter.workflow_state === 'unread' && !opened.has(letter.id),
        unanswered: mine === undefined && isUnanswered(letter),
        ...ordered(letter),
        unsent: mine !== undefined,
      };
    })
    .sort((a, b) => (b.at ?? '').localeCompare(a.at ?? '') || b.id - a.id);
}

const isUnanswered = ({ last_message_at, last_authored_message_at, cannot_reply }: ConversationJson): boolean =>
  !cannot_reply && !!last_message_at && last_message_at > (last_authored_message_at ?? '');

const latest = ({ last_message_at, last_authored_message_at }: ConversationJson): string | null =>
  last_message_at ?? last_authored_message_at ?? null;

export function conversationView({ cache, user, outbox, signedIn }: Here, id: number): ConversationReading | null {
  const letter = cache.get<ConversationJson>('conversation', id);
  if (!letter) return null;
  const known = cache.threads.of<ConversationJson>('conversation', id);
  const names = new Map([...(letter.participants ?? []), ...(known?.participants ?? [])].map((person) => [person.id, person.name ?? null]));
  const result = (known?.messages ?? []).map((message) => ({
    id: message.id,
    author: names.get(message.author_id) ?? null,
    mine: message.author_id === signedIn.user_id,
    at: message.created_at,
    generated: message.generated ?? false,
    words: proseOf(message.body),
    attachments: attachmentsOf({ cache, user }, message.attachments),
    unsent: null,
  }));
  const unsent = outbox.pending().flatMap((intent) =>
    intent.verb === 'write' && intent.body.conversation_id === id
      ? [
          {
            id: 0,
            author: signedIn.name,
            mine: true,
            at: intent.created_at,
            generated: false,
            words: proseOf(intent.body.text),
            attachments: waitingFiles(intent.body.files),
            unsent: { id: intent.id, refused: intent.state === 'parked' ? intent.reason : null },
          },
        ]
      : [],
  );
  return {
    subject: letter.subject || null,
    people: others(letter, signedIn.user_id),
    course_name: letter.context_name ?? null,
    can_reply: letter.cannot_reply !== true,
    unread: isUnread(cache, outbox, id),
    ...orderedBy(outbox)(letter),
    missing: known === undefined,
    messages: [...result.sort((a, b) => a.at.localeCompare(b.at) || a.id - b.id), ...unsent],
  };
}
