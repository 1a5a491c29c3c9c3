// Numbers and durations of requests: one row per hour, route and status class.

import { primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';
import { int, string, time } from '../../database/columns';

export const request_counts = sqliteTable(
  'request_counts',
  {
    /** Start of the hour. */
    hour: time().notNull(),
    /** `GET /courses/:course_id`; `none` for unknown paths. */
    route: string().notNull(),
    /** 2 to 5: the first digit of the status. */
    status_class: int().notNull(),
    requests: int().notNull(),
    /** Total of all requests. */
    ms: int().notNull(),
    slowest_ms: int().notNull(),
  },
  (count) => [primaryKey({ columns: [count.hour, count.route, count.status_class] })],
);
