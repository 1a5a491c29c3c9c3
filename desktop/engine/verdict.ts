// How the folder stands to the server: what lies here, read again, and what the server proves to be all there is.

import { wayOf } from './adapters/pull';
import { type Proven, prove } from './prove';
import type { Session } from './remote';
import type { Cache } from './store/cache';
import type { Verified } from './verify';

export interface Verdict extends Verified {
  readonly proven: readonly Proven[];
  /** When the server said so; null where it never has. */
  readonly as_of: string | null;
  readonly is_asked: boolean;
  /** Not of a server that tells no hashes: there the files are held against what came from it. */
  readonly has_hashes: boolean;
}

interface Judging {
  readonly cache: Cache;
  readonly session: Session;
  readonly now: () => Date;
  /** Reads every file again. */
  readonly look: () => Promise<Verified>;
  /** Asks the server what has changed; false where it cannot be reached. */
  readonly ask: () => Promise<boolean>;
  /** When the server was last heard to the end. */
  readonly heardAt: () => string | undefined;
}

/**
 * A gap in what the feed has told is closed by asking for everything anew; nothing on the disk follows from that.
 * @throws SignIn
 */
export async function verdictOf({ cache, session, now, look, ask, heardAt }: Judging): Promise<Verdict> {
  const is_asked = await ask();
  let verified = await look();
  const has_hashes = wayOf(cache) !== 'lists';
  if (!is_asked) return { ...verified, proven: [], as_of: heardAt() ?? null, is_asked, has_hashes };
  const proofOf = (of: Verified) => prove(session, cache, of, now);
  let proven = await proofOf(verified);
  if (hasGap(proven)) {
    // What has changed since the feed was asked looks like a gap, too.
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
