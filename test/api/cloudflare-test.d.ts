// The bindings of the test runtime.

import type { D1Migration } from 'cloudflare:test';
import type { Platform } from '@carrel/worker/platform';

declare global {
  namespace Cloudflare {
    interface Env extends Platform {
      MIGRATIONS: D1Migration[];
      /** The path of the built Worker. */
      WORKER: string;
    }
  }
}
