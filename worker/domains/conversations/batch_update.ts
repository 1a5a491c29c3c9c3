// Updates many of the caller's conversations in one statement. Concurrent decisions about a conversation detect it.

import { and, eq, type SQL, sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { conversation_participants as participants } from './table';
import { newParticipant } from './thread/changes';

const { user_id: _, joined_at: __, subscribed: ___, ...emptied } = newParticipant(0, '');

/** The values that each event sets. */
export const batchEvents = {
  mark_as_read: { workflow_state: 'read' },
  mark_as_unread: { workflow_state: 'unread' },
  star: { starred: true },
  unstar: { starred: false },
  archive: { workflow_state: 'archived' },
  destroy: { ...emptied, properties: [] as string[] },
} as const;
export type BatchEvent = keyof typeof batchEvents;

const mine = (me: number, ids: readonly number[]) => and(eq(participants.user_id, me), among(participants.conversation_id, ids));

export const batchStatements = ({ build }: Database, event: BatchEvent, me: number, ids: readonly number[]): Statement[] => [
  ...(event === 'destroy'
    ? [
        build.run(
          sql`update conversation_message_participants set hidden = 1 where user_id = ${me} and ${among(sql`conversation_id`, ids)} and hidden = 0`,
        ),
      ]
    : []),
  build
    .update(participants)
    .set({ ...batchEvents[event], version: sql`version + 1` })
    .where(and(mine(me, ids), event === 'destroy' ? undefined : sql`message_count > 0`)),
];

/** The result: how many were found, and which were not. */
export const batchSummary = (me: number, ids: readonly number[]): { message: SQL; results: SQL } => {
  const known = sql`select conversation_id from conversation_participants where user_id = ${me} and ${among(sql`conversation_id`, ids)}`;
  return {
    message: sql`(select count(*) || ' conversations processed' from (${known}))`,
    results: sql`(select json_object('errors', json_group_object(cast(value as text), 'conversation not found')) from json_each(${JSON.stringify(ids)}) where value not in (${known}))`,
  };
};
