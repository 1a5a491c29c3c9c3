// Says that something has happened of which people are to be told.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';

interface Happening {
  readonly notification: string;
  readonly item_id: number | SQL;
  readonly now: string;
}

/** For the batch that makes it happen. */
export const happened = (db: Database, { notification, item_id, now }: Happening): Statement =>
  db.build.run(
    sql`insert or ignore into happenings (notification, item_id, not_before) select ${notification}, ${item_id}, ${now} where ${item_id} is not null`,
  );
