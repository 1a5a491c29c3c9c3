// Every statement that adds an address says whether it is confirmed, and if not, gives it the code by which it can be.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', 'worker'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file.endsWith('.ts') && !/(?:table|\.test)\.ts$/.test(file));

/** From where a statement begins to the `created` columns with which each of them ends. */
const insert =
  /(?:insert\((?:communication_)?channels\)|insert into communication_channels|insertMany\(\s*db,\s*'communication_channels')[\s\S]*?created/g;

test('an address that is added has a confirmation code, or is active', () => {
  const inserts = sources.flatMap((file) =>
    (readFileSync(join(root, file), 'utf8').match(insert) ?? []).map((statement) => ({ file, statement })),
  );
  expect(inserts.length).toBeGreaterThanOrEqual(5);
  const without = inserts.filter(({ statement }) => !/confirmation_code|unconfirmed\(\)|workflow_state: sql`'active'`/.test(statement));
  expect(without).toEqual([]);
});
