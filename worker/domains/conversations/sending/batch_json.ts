// A message that is still being sent to many recipients, as its sender sees it.

import { ConversationBatch } from '@carrel/shared/resources/conversation';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../../http/listing';
import { embed, serializer } from '../../../http/serializer';
import { file, filesByIds } from '../../files/json';
import { conversation_batches } from '../table';
import type { BatchOptions } from './draft';

/** A batch in the form of the message that each recipient receives. */
export const conversationBatch = serializer({
  resource: ConversationBatch,
  table: conversation_batches,
  also: (ids) => ({
    attachments: embed(
      file,
      filesByIds(sql`select a.value from conversation_batches b, json_each(b.options, '$.attachment_ids') a where b.id in (${ids})`),
    ),
  }),
  json: (row: RowOf<typeof conversation_batches>, _call, { attachments }) => {
    const { context_type, context_id, attachment_ids = [], media_comment = null } = row.options as Partial<BatchOptions>;
    return {
      ...row,
      completion: row.recipient_ids.length === 0 ? 1 : row.sent_count / row.recipient_ids.length,
      recipient_count: row.recipient_ids.length,
      tags: context_type ? [`${context_type.toLowerCase()}_${context_id}`] : [],
      message: {
        id: row.id,
        author_id: row.user_id,
        body: row.body,
        created_at: row.created_at,
        generated: false,
        media_comment,
        attachments: attachment_ids.flatMap((id) => attachments.filter((one) => one.row.id === id).map(({ json }) => json)),
        forwarded_messages: [],
        participating_user_ids: [row.user_id, ...row.recipient_ids],
      },
    };
  },
});
