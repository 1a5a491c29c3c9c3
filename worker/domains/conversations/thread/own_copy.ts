// Changes to the caller's own copy of a conversation: mark as read, star, delete messages.

import { sql } from 'drizzle-orm';
import { theIds } from '../../../database/ids';
import type { Database } from '../../../database/open';
import { notFound } from '../../../http/problem';
import { conversationChanged } from '../json';
import { afterWish, type Participant, type Wish, withOnly } from './changes';
import { claim, inIt, only, readBack, settle, type Told, type Turn, theThread } from './turn';
import { hideMessages, keptBy, type Loaded, saveParticipants, threadStatements, threadsOf, unlessMoved } from './writes';

export interface Removal extends Turn {
  readonly ids: readonly number[] | 'all';
}
export interface Change extends Turn {
  readonly wish: Wish;
}

/** @throws Problem 404 when the caller has deleted the conversation */
function copyOf(thread: Loaded, me: number): Participant {
  const copy = inIt(thread, me);
  if (copy.message_count === 0) throw notFound();
  return copy;
}

const told = (db: Database, given: Turn) => ({
  tell: readBack(db, given, conversationChanged, theThread(given.conversation_id)),
  claim: claim(db, given, sql`${JSON.stringify([given.conversation_id])}`),
});

export async function removeMessages(db: Database, given: Removal): Promise<Told> {
  const { conversation_id, me } = given;
  const load = [...threadStatements(db, theIds([conversation_id])), keptBy(db, conversation_id, me)] as const;
  return settle(db, load, ([threads, people, kept]) => {
    const thread = only(threadsOf(threads, people));
    const gone = given.ids;
    const after = withOnly(copyOf(thread, me), gone === 'all' ? [] : kept.filter(({ id }) => !gone.includes(id)));
    return {
      write: [
        unlessMoved(db, thread),
        hideMessages(db, conversation_id, me, after.message_count === 0 ? 'all' : gone),
        saveParticipants(db, conversation_id, [after]),
      ],
      ...told(db, given),
    };
  });
}

export async function changeThread(db: Database, given: Change): Promise<Told> {
  const { conversation_id, me } = given;
  return settle(db, threadStatements(db, theIds([conversation_id])), ([threads, people]) => {
    const thread = only(threadsOf(threads, people));
    return {
      write: [unlessMoved(db, thread), saveParticipants(db, conversation_id, [afterWish(copyOf(thread, me), given.wish, thread.private)])],
      ...told(db, given),
    };
  });
}

/** Opening a conversation marks it as read. */
export const readThread = (db: Database, { conversation_id, me }: Turn): Promise<Told> =>
  db.perform([
    db.build.run(
      sql`update conversation_participants set workflow_state = 'read', version = version + 1 where conversation_id = ${conversation_id} and user_id = ${me} and workflow_state = 'unread'`,
    ),
  ]);
