// The Worker: requests, queued work, scheduled work, and the Durable Objects.

import { endpoints } from './dist/endpoints';
import { record, write as writeViews } from './domains/page_views/recorder';
import { viewOf } from './domains/page_views/view';
import { count, write as writeCounts } from './domains/request_counts/recorder';
import { doorTo } from './http/serve';
import { layToRest, work } from './jobs';
import { nudge } from './live/nudge';
import type { Job, Platform } from './platform';
import { tick } from './schedule';
import { site } from './site/pages';

export { Conversation } from './live/conversation';
export { CourseRoster } from './live/course_roster';
export { UserFeed } from './live/user_feed';

const door = doorTo(endpoints, {
  written: (call) => nudge(call.env, call.now),
  answered(endpoint, call, request_id, ms) {
    const view = viewOf(endpoint, call, request_id, ms);
    if (view) record(view, call.env.DB, call.later);
  },
  counted: (served, env, later) => count(served, env.DB, later),
});

export default {
  fetch: (request, env, context) => site(request, env) ?? door.fetch(request, env, context),
  queue: (batch, env) => (batch.queue.endsWith('-dead') ? layToRest(batch, env) : work(batch, env)),
  scheduled: (event, env) => tick(env, event.scheduledTime),
  /** Writes buffered page views and request counts. */
  settle: (env: Platform) => Promise.all([writeViews(env.DB), writeCounts(env.DB)]),
} satisfies ExportedHandler<Platform, Job> & { settle: unknown };
