// Tells drizzle-kit where the tables are.

import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./database/housekeeping.ts', './domains/**/table.ts'],
  out: process.env.MIGRATIONS_OUT ?? './database/migrations',
});
