// Headers of every response: CORS, rate limit and cost, request id.

import type { Meter } from '../database/open';

export const cors: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, Location, ETag, Server-Timing, X-D1-Bookmark, X-Request-Context-Id, X-Conversation-Batch-Id, X-Request-Cost, X-Rate-Limit-Remaining',
};

export const preflight = () =>
  new Response(null, {
    status: 204,
    headers: {
      ...cors,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Accept, Idempotency-Key, X-D1-Bookmark, Range, If-Range, If-Match, If-None-Match',
      'Access-Control-Max-Age': '86400',
    },
  });

/** Counts instead of times: tests check budgets against them. */
export const serverTiming = (meter: Meter): string =>
  Object.entries(meter)
    .filter(([name, count]) => name !== 'd1_ms' && typeof count === 'number')
    .map(([name, count]) => `${name};dur=${count}`)
    .join(', ');
