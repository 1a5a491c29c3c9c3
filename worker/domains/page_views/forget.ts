// Retention of page views.

import { wireTime } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { atMost } from '../../database/at_most';
import type { Database, Statement } from '../../database/open';

export const keptDays = 60;
/** More than are created per minute. */
const atOnce = 5000;

/** Ids grow with time, so the oldest come first. */
export const forgetViews = (db: Database, now: string): Statement[] => {
  const limit = wireTime(Date.parse(now) - keptDays * 86_400_000);
  return [
    db.build.run(
      sql`delete from page_views where id in (select id from page_views order by id limit ${atMost(atOnce)}) and created_at < ${limit}
        and (select created_at from page_views order by id limit 1) < ${limit}`,
    ),
  ];
};
