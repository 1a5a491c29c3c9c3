// Which exports a viewer may see.

import { type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import { firstPageSql, type Order } from '../../http/listing';
import { readsPackages } from '../../rules/course_packages';
import { thePlace } from '../files/place';
import { content_exports } from './table';

type Around = Pick<Call, 'me' | 'course' | 'group' | 'user'>;

/** Types are literal, so that SQLite matches the partial indexes. */
const isPackage = sql`content_exports.export_type <> 'zip' and content_exports.export_type <> 'epub'`;

/** Users see their own exports of files, and packages as long as they could make one; each is a walk along an index. */
function waysToExports(call: Around): SQL[] {
  const { context_type, context_id } = thePlace(call);
  const here = sql`content_exports.context_type = ${context_type} and content_exports.context_id = ${context_id}`;
  const own = sql`${here} and content_exports.user_id = ${call.me.id} and content_exports.export_type = 'zip'`;
  return readsPackages(call.course) ? [own, sql`${here} and ${isPackage}`] : [own];
}

export const visibleExports = (call: Around): SQL => sql`(${sql.join(waysToExports(call), sql` or `)})`;

/** The exports of a page of the list. */
export function listedExports(call: Around & Pick<Call, 'page'>, order: readonly Order[]): SQL {
  const ways = waysToExports(call).map((where) => ({ from: sql`content_exports`, where }));
  return isInSelect(content_exports.id, firstPageSql(ways, sql`content_exports.id`, order, call.page));
}

/** Deleted 30 days after the request. */
export const hasExpired = (created_at: string, now: string): boolean => Date.parse(created_at) < Date.parse(now) - 30 * 86_400_000;

/**
 * Exports whose files are too old; those of shared ones are kept longer, but never longer than the exports, which name them.
 * Kept literal, so that SQLite matches the partial index.
 * @param shared the limit of shared ones
 */
export const isToExpire = (limit: string, shared: string): SQL =>
  sql`is_expired = 0 and created_at < ${limit} and (created_at < ${shared} or not exists (select 1 from content_shares s where s.content_export_id = content_exports.id))`;
