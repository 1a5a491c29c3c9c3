// A folder of state remembers by which migrations its database was made: the first is rewritten until there is a release, and a database
// that was made by another one answers request by request with what it lacks.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const markOf = (persist: string): string => join(persist, 'migrated');

/** Every migration with a hash of what it says, by name. */
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
    // A mark from before hashes were kept.
    return undefined;
  }
}

/** Whether the database was made by migrations that now say something else; further ones can be applied to it. */
export const isOutdated = (persist: string, migrations: string): boolean => {
  const before = made(persist);
  const now = fingerprints(migrations);
  return before === undefined || Object.entries(before).some(([name, hash]) => now[name] !== hash);
};

export const isNewest = (persist: string, migrations: string): boolean =>
  JSON.stringify(made(persist)) === JSON.stringify(fingerprints(migrations));
