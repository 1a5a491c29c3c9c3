// How many requests were answered, how and how fast: one row for each hour, route and class of status.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, string, time } from '../../database/columns';

export const request_counts = sqliteTable(
  'request_counts',
  {
    /** The hour's beginning. */
    hour: time().notNull(),
    /** `GET /courses/:course_id`; `none` for addresses that there are not. */
    route: string().notNull(),
    /** 2 to 5: the first figure of the status. */
    status_class: int().notNull(),
    requests: int().notNull(),
    /** Of all of them together. */
    ms: int().notNull(),
    slowest_ms: int().notNull(),
  },
  (count) => [primaryKey({ columns: [count.hour, count.route, count.status_class] })],
);
