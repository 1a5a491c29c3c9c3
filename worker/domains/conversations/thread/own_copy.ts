// Changes to the caller's own copy of a conversation: mark as read, star, delete messages.

import { sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { notFound } from '../../../http/problem';
import { conversationChanged } from '../json';
import { afterParticipantChange, type Participant, type ParticipantChange, withOnly } from './changes';
import { claim, inIt, onlyThread, readBack, settleTurn, type Turn, type TurnRows, theThread } from './turn';
import { hideMessages, keptMessagesOf, type LoadedThread, saveParticipants, threadStatements, threadsOf, unlessMoved } from './writes';

export interface Removal extends Turn {
  readonly ids: readonly number[] | 'all';
}
export interface OwnCopyChange extends Turn {
  readonly wish: ParticipantChange;
}

/** @throws Problem 404 when the caller has deleted the conversation */
function copyOf(thread: LoadedThread, me: number): Participant {
  const copy = inIt(thread, me);
  if (copy.message_count === 0) throw notFound();
  return copy;
}

const result = (db: Database, given: Turn) => ({
  tell: readBack(db, given, conversationChanged, theThread(given.conversation_id)),
  claim: claim(db, given, sql`${JSON.stringify([given.conversation_id])}`),
});

export async function removeMessages(db: Database, given: Removal): Promise<TurnRows> {
  const { conversation_id, me } = given;
  const load = [...threadStatements(db, theIds([conversation_id])), keptMessagesOf(db, conversation_id, me)] as const;
  return settleTurn(db, load, ([threads, people, kept]) => {
    const thread = onlyThread(threadsOf(threads, people));
    const gone = given.ids;
    const after = withOnly(copyOf(thread, me), gone === 'all' ? [] : kept.filter(({ id }) => !gone.includes(id)));
    return {
      write: [
        unlessMoved(db, thread),
        hideMessages(db, conversation_id, me, after.message_count === 0 ? 'all' : gone),
        saveParticipants(db, conversation_id, [after]),
      ],
      ...result(db, given),
    };
  });
}

export async function changeThread(db: Database, given: OwnCopyChange): Promise<TurnRows> {
  const { conversation_id, me } = given;
  return settleTurn(db, threadStatements(db, theIds([conversation_id])), ([threads, people]) => {
    const thread = onlyThread(threadsOf(threads, people));
    return {
      write: [
        unlessMoved(db, thread),
        saveParticipants(db, conversation_id, [afterParticipantChange(copyOf(thread, me), given.wish, thread.private)]),
      ],
      ...result(db, given),
    };
  });
}

/** Opening a conversation marks it as read. */
export const readThread = (db: Database, { conversation_id, me }: Turn): Promise<TurnRows> =>
  db.perform([
    db.build.run(
      sql`update conversation_participants set workflow_state = 'read', version = version + 1 where conversation_id = ${conversation_id} and user_id = ${me} and workflow_state = 'unread'`,
    ),
  ]);
