// Every test file starts from a migrated, empty institution.

import { env } from 'cloudflare:test';

// One batch: statement by statement takes longer than most of the tests do.
await env.DB.batch(env.MIGRATIONS.flatMap((migration) => migration.queries.map((query) => env.DB.prepare(query))));
