// Buffers page views in memory and stores them in R2 in batches after the responses. Views in a Worker that is stopped are lost, which is the price
// of adding no cost to requests.

import { DelayedWrite } from '../../http/delayed_write';
import type { Platform } from '../../platform';
import { lineOfView } from './lines';
import { newViews, type ViewStore } from './objects';
import type { RecordedView } from './view';

/** Plain data, because a later request may write it. */
const waiting: RecordedView[] = [];
/** Pauses that a view may wait, because each object costs more than a thousand views in it. */
const mostPauses = 3;
const enough = 500;
/** Failed writes are retried, up to this many views. */
const most = 2000;

/** Stores views for the next run of the chore that takes them in. */
export async function storeViews(env: ViewStore, views: readonly RecordedView[], name: string): Promise<void> {
  // The key begins with the time, so that a list returns the oldest first.
  await env.FILES.put(`${newViews}${name}`, views.map(lineOfView).join(''));
}

/** Writes the buffered views as one object. */
export async function writePageViews(env: ViewStore): Promise<void> {
  writing.written();
  const views = waiting.splice(0, enough * 2);
  if (views.length === 0) return;
  try {
    await storeViews(env, views, `${new Date().toISOString()}-${crypto.randomUUID()}`);
  } catch (error) {
    if (waiting.length + views.length <= most) waiting.unshift(...views);
    throw error;
  }
}

const writing = new DelayedWrite(writePageViews, mostPauses);

/**
 * Buffers a view.
 * @param later keeps the Worker alive until the work is done
 */
export function record(view: RecordedView, env: Platform, later: (work: Promise<unknown>) => void, at = Date.now()): void {
  waiting.push(view);
  if (waiting.length >= enough) later(writePageViews(env));
  else writing.soon(env, later, at);
}
