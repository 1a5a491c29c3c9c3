// Records an event to notify users about.

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Statement } from '../../database/open';

interface NewNotification {
  readonly notification: string;
  readonly item_id: number | SQL;
  readonly now: string;
}

/** Belongs in the batch of the change itself. */
export const queueNotification = (db: Database, { notification, item_id, now }: NewNotification): Statement =>
  db.build.run(
    sql`insert or ignore into notification_queue (notification, item_id, not_before) select ${notification}, ${item_id}, ${now} where ${item_id} is not null`,
  );
