// Calls a conversation's Durable Object from a request.

import type { Call } from '../../../http/call';
import { found } from '../../../http/problem';
import type { Serializer } from '../../../http/serializer';
import { objectResult } from '../../../live/call_result';
import { conversationChanged, conversationOfMessage } from '../json';
import type { Addition } from './add_message';
import type { Invitation } from './add_recipients';
import type { OwnCopyChange, Removal } from './own_copy';
import { planned, type Turn, type TurnRows, theThread } from './turn';

interface Door {
  addMessage(given: Addition): Promise<unknown>;
  addRecipients(given: Invitation): Promise<unknown>;
  removeMessages(given: Removal): Promise<unknown>;
  change(given: OwnCopyChange): Promise<unknown>;
  read(given: Turn): Promise<unknown>;
}

type Asking = Pick<Call, 'db' | 'env' | 'meter' | 'me' | 'now' | 'idempotency'>;

export const turnOf = ({ me, now, idempotency }: Asking, conversation_id: number): Turn => ({
  conversation_id,
  me: me.id,
  now,
  idempotency,
});

/** Sends one write to the conversation's Durable Object and waits for its result. */
export function inTurn(
  call: Pick<Asking, 'db' | 'env' | 'meter'>,
  conversation_id: number,
  work: (door: Door) => Promise<unknown>,
): Promise<TurnRows> {
  const { CONVERSATION } = call.env;
  return objectResult<TurnRows>(call, work(CONVERSATION.get(CONVERSATION.idFromName(String(conversation_id))) as Door));
}

// biome-ignore lint/suspicious/noExplicitAny: serializers of any row.
function tell(of: Serializer<any, any>, rows: TurnRows, call: Call): object {
  // Only the number of statements is used here, because the Durable Object has run them.
  return found(planned(of, theThread(0), call).tell(rows)[0]?.json);
}

/** The conversation with the message that was just written. */
export const messageJson = (rows: TurnRows, call: Call) => tell(conversationOfMessage, rows, call);
/** The conversation as the caller sees it now. */
export const threadJson = (rows: TurnRows, call: Call) => tell(conversationChanged, rows, call);
