// Where drizzle-kit finds the tables.

import { defineConfig } from 'drizzle-kit';

export default defineConfig({ dialect: 'sqlite', schema: ['./database/housekeeping.ts', './domains/**/table.ts'] });
