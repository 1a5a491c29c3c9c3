// The Worker: requests, queued work, what time brings, and the Durable Objects.

import { endpoints } from './endpoints';
import { doorTo } from './http/serve';
import { nudge } from './live/nudge';
import type { Platform } from './platform';

export { Conversation } from './live/conversation';
export { CourseRoster } from './live/course_roster';
export { UserFeed } from './live/user_feed';

const door = doorTo(endpoints, (call) => nudge(call.env, call.now));

export default {
  fetch: (request, env, context) => door.fetch(request, env, context),
} satisfies ExportedHandler<Platform>;
