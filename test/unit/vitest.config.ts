import { join } from 'node:path';
import { defineProject } from 'vitest/config';

export default defineProject({
  root: join(import.meta.dirname, '../..'),
  test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'], environment: 'node' },
});
