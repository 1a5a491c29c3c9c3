// Page views in tests: recorded ones are taken in at once, others are made in bulk.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { storeViews } from '@carrel/worker/domains/page_views/recorder';
import { page_view_queries } from '@carrel/worker/domains/page_views/table';
import { takeInViews } from '@carrel/worker/domains/page_views/take_in';
import type { RecordedView } from '@carrel/worker/domains/page_views/view';
import type { Platform } from '@carrel/worker/platform';
import { ground } from './api';
import { runningWorker } from './running_worker';

export const platform = env as unknown as Platform;
export const primary = () => open(env.DB as never, newMeter(), 'first-primary');

/** Stores what the Worker that the requests went to has buffered. */
export async function buffersWritten(): Promise<void> {
  await (await runningWorker()).settle(platform);
}

/** All page views so far can be read. */
export async function viewsTakenIn(now = new Date().toISOString()): Promise<void> {
  await buffersWritten();
  await takeInViews(platform, primary(), now);
}

export const aView = (user_id: number, created_at: string, more: Partial<RecordedView> = {}): RecordedView => ({
  uuid: crypto.randomUUID(),
  user_id,
  real_user_id: null,
  context_type: null,
  context_id: null,
  asset_type: null,
  asset_id: null,
  controller: 'courses',
  action: 'show',
  participated: false,
  user_request: false,
  http_method: 'GET',
  url: 'https://example.edu',
  user_agent: null,
  remote_ip: null,
  app_name: null,
  render_time: 0.1,
  created_at,
  ...more,
});

/** Makes views readable as if they had been taken in at a time. */
export async function addViews(views: readonly RecordedView[], now: string): Promise<void> {
  await storeViews(platform, views, `${now}-${crypto.randomUUID()}`);
  await takeInViews(platform, primary(), now);
}

/** A query that no message of the queue names, and that the scheduled run does not resume. @returns its id and uuid */
export async function aQuery(user_id: number, { start_date, end_date }: { start_date: string; end_date: string }) {
  const uuid = crypto.randomUUID();
  const later = '2099-01-01T00:00:00Z';
  const range = { start_at: `${start_date}T00:00:00Z`, end_at: `${end_date}T00:00:00Z` };
  const row = {
    uuid,
    user_id,
    user_ids: [user_id],
    is_batch: false,
    format: 'csv' as const,
    ...range,
    created_at: later,
    updated_at: later,
  };
  const [made] = await ground.db.insert(page_view_queries).values(row).returning({ id: page_view_queries.id });
  return { id: made?.id ?? 0, uuid };
}
