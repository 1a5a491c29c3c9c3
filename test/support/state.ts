// A state folder records the migrations and triggers of its database. New ones are applied at the next start; a database made by a migration
// whose text has changed since, as before the first baseline, cannot be brought up to date.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderSequences } from '@carrel/worker/database/sequences';
import { triggers } from '@carrel/worker/database/triggers';
import { fingerprints } from './migrations.ts';

const markOf = (persist: string): string => join(persist, 'migrated');

interface Mark {
  readonly migrations: Readonly<Record<string, string>>;
  /** One hash of what `install` writes: all triggers, and the order of sequences. */
  readonly triggers: string;
}

const hashOfTriggers = createHash('sha256')
  .update([...triggers.map(({ sql }) => sql), ...orderSequences].join('\n'))
  .digest('hex');

export const markNow = (migrations: string): Mark => ({ migrations: fingerprints(migrations), triggers: hashOfTriggers });

export const writeMark = (persist: string, migrations: string): void => writeFileSync(markOf(persist), JSON.stringify(markNow(migrations)));

/** What the state was made by; undefined for a mark from before there was a baseline. */
function made(persist: string): Mark | undefined {
  if (!existsSync(markOf(persist))) return { migrations: {}, triggers: '' };
  try {
    const mark = JSON.parse(readFileSync(markOf(persist), 'utf8')) as Partial<Mark>;
    return mark.migrations && { migrations: mark.migrations, triggers: mark.triggers ?? '' };
  } catch {
    return undefined;
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the database was made by migrations that now have another text; further ones can be applied to it. */
export const isOutdated = (persist: string, migrations: string): boolean => {
  const before = made(persist);
  const now = fingerprints(migrations);
  return before === undefined || Object.entries(before.migrations).some(([name, hash]) => now[name] !== hash);
};

export const hasMigrations = (persist: string, migrations: string): boolean => same(made(persist)?.migrations, fingerprints(migrations));

export const isMigrated = (persist: string, migrations: string): boolean => same(made(persist), markNow(migrations));
