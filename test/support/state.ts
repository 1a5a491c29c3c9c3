// A state folder records the migrations of its database: until the first release the first migration is rewritten, and a database made by another
// version would fail request by request.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const markOf = (persist: string): string => join(persist, 'migrated');

/** Every migration by name, with a hash of its content. */
export const fingerprints = (migrations: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(migrations)
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(migrations, name)))
          .digest('hex'),
      ]),
  );

function made(persist: string): Record<string, string> | undefined {
  const text = existsSync(markOf(persist)) ? readFileSync(markOf(persist), 'utf8') : '{}';
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    // A record from before hashes were stored.
    return undefined;
  }
}

/** Whether an applied migration has changed since the database was made; new migrations can still be applied. */
export const isOutdated = (persist: string, migrations: string): boolean => {
  const before = made(persist);
  const now = fingerprints(migrations);
  return before === undefined || Object.entries(before).some(([name, hash]) => now[name] !== hash);
};

export const isNewest = (persist: string, migrations: string): boolean =>
  JSON.stringify(made(persist)) === JSON.stringify(fingerprints(migrations));
