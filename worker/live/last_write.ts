// Durable Object of one person: the D1 bookmark of their last write. Reads at replicas start there.

import { DurableObject } from 'cloudflare:workers';
import type { Platform } from '../platform';

declare module '../platform' {
  interface Platform {
    readonly LAST_WRITE: DurableObjectNamespace<LastWrite>;
  }
}

const key = 'bookmark';

export class LastWrite extends DurableObject<Platform> {
  /** Null before the first write. */
  async last(): Promise<string | null> {
    return (await this.ctx.storage.get<string>(key)) ?? null;
  }

  /** Bookmarks sort by age, and writes may be noted in another order than they were made. */
  async note(bookmark: string): Promise<void> {
    const before = await this.last();
    if (before === null || before < bookmark) await this.ctx.storage.put(key, bookmark);
  }
}
