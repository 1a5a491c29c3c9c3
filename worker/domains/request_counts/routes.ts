// Request counts of the last day.

import { RequestCounts } from '@carrel/shared/resources/request_counts';
import { wireTime } from '@carrel/shared/wire/fields';
import { gte, sql } from 'drizzle-orm';
import { get } from '../../http/endpoint';
import { answer } from '../../http/reply';
import { mayWatch } from '../jobs/policy';
import { request_counts as counts } from './table';

export const about = { title: 'Request counts', description: 'How many requests were served, and how many failed.' };

const hour = 3_600_000;
const shown = 20;

const sumOf = (status_class: number) =>
  sql<number>`coalesce(sum(requests) filter (where status_class = ${sql.raw(String(status_class))}), 0)`;
const mean = sql<number>`cast(round(sum(ms) * 1.0 / sum(requests)) as integer)`;

export const requestCountRoutes = [
  get(
    '/accounts/:account_id/request_counts',
    { can: mayWatch, returns: { json: RequestCounts }, summary: 'Get the request counts of the last day' },
    async ({ db, now }) => {
      const last = Math.floor(Date.parse(now) / hour) * hour;
      const first = wireTime(last - 23 * hour);
      const [byHour, routes] = await db.perform([
        db.build
          .select({ hour: counts.hour, succeeded: sumOf(2), redirected: sumOf(3), refused: sumOf(4), failed: sumOf(5), mean_ms: mean })
          .from(counts)
          .where(gte(counts.hour, first))
          .groupBy(counts.hour),
        db.build
          .select({
            route: counts.route,
            requests: sql<number>`sum(requests)`.as('asked'),
            refused: sumOf(4),
            failed: sumOf(5),
            mean_ms: mean.mapWith(Number).as('mean'),
            slowest_ms: sql<number>`max(slowest_ms)`.as('slowest'),
          })
          .from(counts)
          .where(gte(counts.hour, first))
          .groupBy(counts.route)
          .orderBy(sql`mean desc, asked desc, route`)
          .limit(shown),
      ]);
      const none = { succeeded: 0, redirected: 0, refused: 0, failed: 0, mean_ms: 0 };
      const hours = Array.from({ length: 24 }, (_, at) => {
        const one = wireTime(last - (23 - at) * hour);
        return { ...none, ...byHour.find((row) => row.hour === one), hour: one };
      });
      return answer({ hours, routes });
    },
  ),
];
