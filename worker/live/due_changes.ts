// Signals changes that the clock makes: what unlocks, locks, opens or is posted at a time causes no write.

import { sql } from 'drizzle-orm';
import { atMost } from '../database/at_most';
import type { Database } from '../database/open';
import type { Platform } from '../platform';
import { signalConcerned } from './notify_sockets';

/** More scopes than these concern most users. */
const mostScopes = 1000;

/** How old a change may be that is signalled, if no run has been made for long: clients ask by themselves every half hour. */
const oldest = '-30 minutes';

/** One bounded run. The time up to which changes were signalled is stored only when there are any, so an idle minute writes nothing here. */
export async function signalDueChanges({ env, db, now }: { env: Platform; db: Database; now: string }): Promise<number> {
  const [due] = await db.perform([
    db.build.all<{ scope: string }>(sql`select distinct scope from scheduled_changes
      where at > max(coalesce((select value from facts where name = 'signalled_up_to'), ''), strftime('%Y-%m-%dT%H:%M:%SZ', ${now}, ${sql.raw(`'${oldest}'`)})) and at <= ${now}
      limit ${atMost(mostScopes + 1)}`),
  ]);
  if (due.length === 0) return 0;
  const scopes = new Set(due.slice(0, mostScopes).map(({ scope }) => scope));
  await signalConcerned(env, db, { scopes, memberships: [], submissions: [], isCut: due.length > mostScopes });
  await db.perform([
    db.build.all(
      sql`insert into facts (name, value) values ('signalled_up_to', ${now}) on conflict (name) do update set value = excluded.value`,
    ),
  ]);
  return 0;
}
