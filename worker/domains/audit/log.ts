// Reads and serialises every audit log: newest first, as a plain list or as the compound object (reference 06 §12).

import { endTime, optional, text, time } from '@carrel/shared/wire/fields';
import { and, gte, lte, type SQL } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { descending, type Listing, rows } from '../../http/listing';
import type { Reply } from '../../http/reply';

export const auditParams = { start_time: optional(time), end_time: optional(endTime), format: optional(text) };

type Asked = Pick<Call, 'origin' | 'request'> & { params: { start_time?: string; end_time?: string; format?: string } };
type ListReply = Extract<Reply, { kind: 'list' }>;

interface Log {
  readonly events: Listing['table'] & Readonly<Record<'created_at' | 'same_id', Listing['table']['id']>>;
  /** The serializer of linked events, and the compound object around them. */
  readonly linked: ListReply['of'];
  readonly compoundOf: (origin: string) => ListReply['wrap'];
}

/** A page of the log, filtered or complete. */
export const eventsJson =
  ({ events, linked, compoundOf }: Log) =>
  ({ params, origin, request }: Asked, whose: SQL | undefined): Reply => {
    const isCompound = params.format === 'compound' || (request.headers.get('accept')?.includes('application/vnd.api+json') ?? false);
    const listing = rows(events, {
      where: and(
        whose,
        params.start_time ? gte(events.created_at, params.start_time) : undefined,
        params.end_time ? lte(events.created_at, params.end_time) : undefined,
      ),
      order: descending(events.created_at, events.same_id),
    });
    return { kind: 'list', listing, ...(isCompound && { of: linked, wrap: compoundOf(origin) }) };
  };
