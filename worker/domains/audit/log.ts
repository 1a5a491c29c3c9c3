// How every audit is asked for and told: newest first, as a bare list, or as the compound object for those who ask for it (reference 06 §12).

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
  /** An event as it stands in the compound object, and the object around the events. */
  readonly linked: ListReply['of'];
  readonly compoundOf: (origin: string) => ListReply['wrap'];
}

/** Tells those events of a log that are somebody's, or all of them. */
export const toldOf =
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
