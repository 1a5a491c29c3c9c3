// Reads and serialises every audit log: newest first, as a plain list or as the compound object (reference 06 §12). Rows that are no longer in the
// table come from the archive.

import { endTime, optional, text, time } from '@carrel/shared/wire/fields';
import { and, eq, getTableName, gte, lte } from 'drizzle-orm';
import type { Call } from '../../http/call';
import { descending, type Listing, rows } from '../../http/listing';
import type { Reply } from '../../http/reply';
import type { AnySerializer } from '../../http/serializer';
import { beyondTable, type NamedIds } from './archived';

export const auditParams = { start_time: optional(time), end_time: optional(endTime), format: optional(text) };

type Asked = Call & { params: { start_time?: string; end_time?: string; format?: string } };
type ListReply = Extract<Reply, { kind: 'list' }>;
type EventTable<Columns extends string> = Listing['table'] & Readonly<Record<'created_at' | 'same_id' | Columns, Listing['table']['id']>>;

interface Log<Columns extends string> {
  readonly events: EventTable<Columns>;
  readonly plain: (named?: NamedIds) => AnySerializer;
  /** The serializer of linked events, and the compound object around them. */
  readonly linked: (named?: NamedIds) => AnySerializer;
  readonly compoundOf: (origin: string) => NonNullable<ListReply['wrap']>;
}

/** A page of the log: complete, or the events with a value in a column. */
export const eventsJson =
  <Columns extends string>({ events, plain, linked, compoundOf }: Log<Columns>) =>
  (call: Asked, whose?: { readonly column: Columns; readonly value: number }): Reply => {
    const { params, origin, request } = call;
    const { start_time, end_time } = params;
    const isCompound = params.format === 'compound' || (request.headers.get('accept')?.includes('application/vnd.api+json') ?? false);
    const listing = rows(events, {
      where: and(
        whose && eq(events[whose.column], whose.value),
        start_time ? gte(events.created_at, start_time) : undefined,
        // A bookmark is before the end, and SQLite would begin at the end for each page.
        end_time && !call.page.after ? lte(events.created_at, end_time) : undefined,
      ),
      order: descending(events.created_at, events.same_id),
    });
    const wrap = isCompound ? compoundOf(origin) : undefined;
    const serializerOf = isCompound ? linked : plain;
    const beyond = beyondTable(call, { log: getTableName(events), table: events, whose, start_time, end_time, serializerOf, wrap });
    return { kind: 'list', listing, beyond, ...(isCompound && { of: linked(), wrap }) };
  };
