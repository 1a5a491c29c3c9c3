// Reads at replicas: where a read starts, and when it has to be repeated at the primary (docs/scale.md).

import type { Viewer } from '../contexts/viewer';
import { type Meter, newMeter, open } from '../database/open';
import type { Platform } from '../platform';
import { Problem } from './problem';
import { isThrottled } from './throttle';

const anyReplica = 'first-unconstrained';
const primary = 'first-primary';

export const isAtPrimary = (start: string): boolean => start === primary;

type Replicas = Pick<Platform, 'READ_REPLICATION'>;

export const usesReplicas = ({ READ_REPLICATION }: Replicas): boolean => READ_REPLICATION === 'on';

/** D1 bookmarks are hexadecimal numbers joined by hyphens. Others are ignored. */
const bookmark = /^[0-9a-f]+(-[0-9a-f]+)+$/i;

/** Where a read starts: at the bookmark of the client, or at any replica. */
export function startOfRead(request: Request, env: Replicas): string {
  if (!usesReplicas(env)) return primary;
  const sent = request.headers.get('x-d1-bookmark') ?? '';
  return bookmark.test(sent) ? sent : anyReplica;
}

/** Thrown where a replica may not know the caller yet. */
export class PerhapsBehind extends Error {}

/** Whether an error may only mean that a replica does not have a row yet. */
function isPerhapsBehind(error: unknown): boolean {
  if (error instanceof PerhapsBehind) return true;
  if (isThrottled(error)) return false;
  return !(error instanceof Problem) || [401, 403, 404].includes(error.status);
}

/**
 * Reads, and reads again at the primary before anything is refused.
 * @param read at the given start; throws `PerhapsBehind` where the caller is not known
 */
export async function readConfirmed(start: string, read: (start: string) => Promise<Response>): Promise<Response> {
  if (isAtPrimary(start)) return read(start);
  try {
    return await read(start);
  } catch (error) {
    if (!isPerhapsBehind(error)) throw error;
    return read(primary);
  }
}

type Writer = Pick<Viewer, 'real_user_id' | 'isKnown'>;

const memoryOf = ({ LAST_WRITE }: Platform, person: number) => LAST_WRITE.get(LAST_WRITE.idFromName(String(person)));

/**
 * The bookmark of a person's last write, from their object, for clients that do not send it.
 * @param start where the read starts; a bookmark needs no other
 */
export async function lastWriteOf(person: number, start: string, env: Platform, meter: Meter): Promise<string | null> {
  if (start !== anyReplica) return null;
  meter.object_calls += 1;
  return memoryOf(env, person).last();
}

/** Records a person's write before the response, so that their next read sees it, wherever it is served. */
export async function noteWrite(me: Writer, written: string | null, env: Platform, meter: Meter): Promise<void> {
  if (!usesReplicas(env) || !me.isKnown || written === null) return;
  meter.object_calls += 1;
  await memoryOf(env, me.real_user_id).note(written);
}

/** Records what was written after the response to a read, such as the progress that follows from viewing. */
export async function noteLaterWrite(me: Writer, env: Platform): Promise<void> {
  if (!usesReplicas(env)) return;
  const db = open(env.DB, newMeter(), primary);
  await db.perform([db.again('select 1', [])]);
  await noteWrite(me, db.bookmark(), env, newMeter());
}
