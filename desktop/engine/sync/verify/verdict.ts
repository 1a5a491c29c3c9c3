// Compares the folder with the server: the local files, read again, against the server's proof of completeness.

import { wayOf } from '../../server/pull';
import type { Session } from '../../server/session';
import type { Cache } from '../../store/cache';
import { type Proven, prove } from './prove';
import type { Verified } from './verify';

export interface VerificationVerdict extends Verified {
  readonly proven: readonly Proven[];
  /** When the server returned it; null if it never has. */
  readonly as_of: string | null;
  readonly is_asked: boolean;
  /** False for a server without hashes: there the files are compared with their first download. */
  readonly has_hashes: boolean;
}

interface Judging {
  readonly cache: Cache;
  readonly session: Session;
  readonly now: () => Date;
  /** Reads every file again. */
  readonly look: () => Promise<Verified>;
  /** Asks the server what has changed; false if it cannot be reached. */
  readonly ask: () => Promise<boolean>;
  /** When the last request for changes was completed. */
  readonly heardAt: () => string | undefined;
}

/**
 * If the feed has a gap, everything is requested again; files on disk are not affected.
 * @throws SignIn
 */
export async function verdictOf({ cache, session, now, look, ask, heardAt }: Judging): Promise<VerificationVerdict> {
  const is_asked = await ask();
  let verified = await look();
  const has_hashes = wayOf(cache) !== 'lists';
  if (!is_asked) return { ...verified, proven: [], as_of: heardAt() ?? null, is_asked, has_hashes };
  const proofOf = (of: Verified) => prove(session, cache, of, now);
  let proven = await proofOf(verified);
  if (hasGap(proven)) {
    // What has changed since the last feed request looks like a gap, too.
    await ask();
    if (hasGap(await proofOf(verified))) {
      cache.reset();
      await ask();
    }
    verified = await look();
    proven = await proofOf(verified);
  }
  return { ...verified, proven, as_of: now().toISOString(), is_asked, has_hashes };
}

const hasGap = (proven: readonly Proven[]): boolean => proven.some(({ has_gap }) => has_gap);
