// Records every change made while masquerading, with the real user, after the response (reference 01 A10).

import { newMeter, open } from '../database/open';
import { masquerades } from '../domains/audit/table';
import type { Viewer } from './viewer';

interface Deed {
  readonly action: string;
  readonly path: string;
  readonly request_id: string;
  readonly now: string;
}

/** A session of its own, because the request's meter must not count this work. */
export function noteMasquerade(d1: D1Database, me: Viewer, { now, ...deed }: Deed): Promise<unknown> {
  const db = open(d1, newMeter(), 'first-primary');
  return db.perform([db.build.insert(masquerades).values({ ...deed, real_user_id: me.real_user_id, user_id: me.id, created_at: now })]);
}
