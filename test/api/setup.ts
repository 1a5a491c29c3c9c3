// Every test file starts from a migrated, empty institution.

import { applyD1Migrations, env } from 'cloudflare:test';

await applyD1Migrations(env.DB, env.MIGRATIONS);
