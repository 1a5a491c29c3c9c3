// The bindings of the test runtime.

import type { Platform } from '@carrel/worker/platform';

declare global {
  namespace Cloudflare {
    interface Env extends Platform {
      /** The statements that make an empty institution. */
      SCHEMA: string[];
      /** A second database, for replicas that lag. */
      REPLICA: D1Database;
      READ_REPLICATION: string;
      /** The path of the built Worker. */
      WORKER: string;
    }
  }
}
