// The Worker: requests, queued work, scheduled work, and the Durable Objects. Domains, jobs and chores are imported when they are needed first, so
// that an isolate evaluates only what it serves.

import { wireTime } from '@carrel/shared/wire/fields';
import { afterResponses } from './database/open';
import { endpointFiles } from './dist/endpoint_files';
import { record, writePageViews } from './domains/page_views/recorder';
import { pageViewOf } from './domains/page_views/view';
import { count, writeRequestCounts } from './domains/request_counts/recorder';
import { serverFor } from './http/serve';
import { notifySockets } from './live/notify_sockets';
import type { Job, Platform } from './platform';
import { site } from './site/pages';

export { ConversationObject as Conversation } from './live/conversation';
export { CourseRoster } from './live/course_roster';
export { LastWrite } from './live/last_write';
export { LiveSockets } from './live/live_sockets';

const door = serverFor(endpointFiles, {
  written: (call) => notifySockets(call.env, call.now),
  answered(endpoint, call, request_id, ms) {
    const view = pageViewOf(endpoint, call, request_id, ms);
    if (view) record(view, call.env, call.later);
  },
  counted: count,
});

/** Does work that has no response, and notifies of what it has changed. */
async function andNotify(env: Platform, work: () => Promise<void>): Promise<void> {
  const since = wireTime(Date.now());
  await work();
  // The work is done, and must not be repeated because its notification has failed.
  await notifySockets(env, since).catch((error) => console.error(JSON.stringify({ live: String(error) })));
}

async function consumeQueue(batch: MessageBatch<Job>, env: Platform): Promise<void> {
  const { consumeBatch, layToRest } = await import('./jobs');
  await (batch.queue.endsWith('-dead') ? layToRest(batch, env) : andNotify(env, () => consumeBatch(batch, env)));
}

const forAssistants = /^\/(mcp|\.well-known\/oauth-protected-resource(\/mcp)?)$/;

/** Imported when an assistant asks: most isolates serve none. */
const assistants = async (request: Request, env: Platform, rest: (request: Request) => Promise<Response>) =>
  (await import('./mcp/serve')).serveMcp(request, env, rest);

export default {
  fetch(request, env, context) {
    const rest = (inner: Request) => door.fetch(inner, env, context);
    if (request.method !== 'OPTIONS' && forAssistants.test(new URL(request.url).pathname)) return assistants(request, env, rest);
    return site(request, env) ?? rest(request);
  },
  queue: consumeQueue,
  scheduled: async (event, env) => (await import('./schedule')).queueChores(env, event.scheduledTime),
  /** Writes buffered page views and request counts. */
  settle: (env: Platform) => Promise.all([writePageViews(env), writeRequestCounts(env)]),
  afterResponses,
} satisfies ExportedHandler<Platform, Job> & { settle: unknown; afterResponses: unknown };
