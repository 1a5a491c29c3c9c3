// One write to a conversation inside its Durable Object: read, decide, write in one batch, and read the response in the same batch.

import { and, eq, type SQL } from 'drizzle-orm';
import { anonymousViewer } from '../../../contexts/viewer';
import type { Database, ResultsOf, Statement } from '../../../database/open';
import type { Call, Idempotency } from '../../../http/call';
import { claimRow } from '../../../http/idempotency';
import { type Listing, rows } from '../../../http/listing';
import { found, Problem } from '../../../http/problem';
import { planListing, type Serializer } from '../../../http/serializer';
import { conversation_messages, conversations } from '../table';
import type { Participant } from './changes';
import { hasMoved, type LoadedThread } from './writes';

/** Who acts, in which conversation, and when. */
export interface Turn {
  readonly conversation_id: number;
  readonly me: number;
  readonly now: string;
  readonly idempotency?: Idempotency;
}

/** Result rows of a plan's statements, serialised by the request. */
export type TurnRows = readonly unknown[];

/** Error shape 6 of reference 01 A6. */
export const conversationProblem = (attribute: string, message: string, status = 400) => new Problem(status, [{ attribute, message }]);

export const theMessage = (conversation_id: number, position: number): Listing =>
  rows(conversation_messages, {
    where: and(eq(conversation_messages.conversation_id, conversation_id), eq(conversation_messages.position, position)),
  });
export const theThread = (conversation_id: number): Listing => rows(conversations, { where: eq(conversations.id, conversation_id) });

/** The same plan on both sides: the Durable Object sends its statements, the request serialises their results. */
// biome-ignore lint/suspicious/noExplicitAny: serializers of any row.
export const planned = (of: Serializer<any, any>, listing: Listing, call: Call) => planListing(of, listing, { ...call, tree: {} });

// biome-ignore lint/suspicious/noExplicitAny: serializers of any row.
export const readBack = (db: Database, { me, now }: Turn, of: Serializer<any, any>, listing: Listing): Statement[] => {
  const call: Partial<Call> = { db, now, me: { ...anonymousViewer, id: me }, include: new Set(), tree: {} };
  return planned(of, listing, call as Call).statements;
};

/** The row that claims the idempotency key; `row_ids` names what a retry returns. */
export const claim = (db: Database, { idempotency, me, now }: Turn, row_ids: SQL): Statement[] =>
  idempotency ? [claimRow(db, { user_id: me, idempotency, now, row_ids })] : [];

export interface Decision {
  readonly write: readonly Statement[];
  readonly tell: readonly Statement[];
  readonly claim: readonly Statement[];
}

/** Only bulk updates bypass the Durable Object and can conflict. */
const mostAttempts = 10;

/**
 * Decides on the state that was read and writes the result; on a conflict it reads and decides again.
 * @param seen the state already read, instead of the first read
 */
export async function settleTurn<const S extends readonly Statement[]>(
  db: Database,
  load: S,
  decide: (loaded: ResultsOf<S>) => Decision,
  seen?: ResultsOf<S>,
): Promise<TurnRows> {
  for (let attempt = 1; ; attempt += 1) {
    const decision = decide((attempt === 1 && seen) || (await db.perform(load)));
    try {
      const results = await db.perform([...decision.write, ...decision.tell, ...decision.claim]);
      return results.slice(decision.write.length, decision.write.length + decision.tell.length);
    } catch (error) {
      if (!hasMoved(error) || attempt === mostAttempts) throw error;
    }
  }
}

export const onlyThread = (threads: readonly LoadedThread[]): LoadedThread => found(threads[0]);
/** @throws Problem 404 unless the user is a participant */
export const inIt = (thread: LoadedThread, id: number): Participant => found(thread.participants.find((one) => one.user_id === id));
/** Times within a conversation never decrease. */
export const timeOf = (thread: LoadedThread, now: string) => (thread.newest_at > now ? thread.newest_at : now);
