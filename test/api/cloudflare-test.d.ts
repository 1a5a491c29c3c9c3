// What the tests' runtime is bound to.

import type { D1Migration } from 'cloudflare:test';
import type { Platform } from '@carrel/worker/platform';

declare global {
  namespace Cloudflare {
    interface Env extends Platform {
      MIGRATIONS: D1Migration[];
      /** Where the built Worker lies. */
      WORKER: string;
    }
  }
}
