// Messages with their recipients, attachments and forwarded messages.

import { ConversationMessage } from '@carrel/shared/resources/conversation';
import { sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { RowOf } from '../../http/listing';
import { embed, serializer } from '../../http/serializer';
import { type FileRow, file, filesByIds } from '../files/json';
import { conversation_messages, conversation_message_participants as copies } from './table';

export type MessageRow = RowOf<typeof conversation_messages>;

interface Beside {
  readonly reached: readonly { conversation_message_id: number; user_id: number }[];
  readonly attachments: readonly { row: FileRow; json: object }[];
}

const messageJson = (row: MessageRow, { reached, attachments }: Beside) => ({
  ...row,
  attachments: row.attachment_ids.flatMap((id) => attachments.filter((one) => one.row.id === id).map(({ json }) => json)),
  participating_user_ids: reached.filter((copy) => copy.conversation_message_id === row.id).map((copy) => copy.user_id),
});

/** A message with its recipients. */
export const message = serializer({
  resource: ConversationMessage,
  table: conversation_messages,
  also(ids, { db }) {
    const forwarded = sql`select f.value from conversation_messages m, json_each(m.forwarded_message_ids) f where m.id in (${ids})`;
    return {
      reached: db.build
        .select({ conversation_message_id: copies.conversation_message_id, user_id: copies.user_id })
        .from(copies)
        .where(sql`${isInSelect(copies.conversation_message_id, ids)} or ${isInSelect(copies.conversation_message_id, forwarded)}`)
        .orderBy(copies.user_id),
      attachments: embed(
        file,
        filesByIds(
          sql`select a.value from conversation_messages m, json_each(m.attachment_ids) a where m.id in (${ids}) or m.id in (${forwarded})`,
        ),
      ),
      forwarded: db.build.select().from(conversation_messages).where(isInSelect(conversation_messages.id, forwarded)),
    };
  },
  json: (row: MessageRow, _call, { forwarded, ...beside }) => ({
    ...messageJson(row, beside),
    forwarded_messages: row.forwarded_message_ids.flatMap((id) =>
      forwarded.filter((one) => one.id === id).map((one) => messageJson(one, beside)),
    ),
  }),
});
