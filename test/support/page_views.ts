// Page views in tests: recorded ones are taken in at once, others are made in bulk.

import { env } from 'cloudflare:test';
import { newMeter, open } from '@carrel/worker/database/open';
import { storeViews } from '@carrel/worker/domains/page_views/recorder';
import { takeInViews } from '@carrel/worker/domains/page_views/take_in';
import type { RecordedView } from '@carrel/worker/domains/page_views/view';
import type { Platform } from '@carrel/worker/platform';

interface Runner {
  readonly worker: Promise<typeof import('@carrel/worker/index')>;
}

export const platform = env as unknown as Platform;
export const primary = () => open(env.DB as never, newMeter(), 'first-primary');

/** Stores what the Worker that the requests went to has buffered. */
export async function settled(): Promise<void> {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Runner } }).__vitest_mocker__;
  await (await moduleRunner.worker).default.settle(platform);
}

/** All page views so far can be read. */
export async function viewsTakenIn(now = new Date().toISOString()): Promise<void> {
  await settled();
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
