// Whether the institution lets people register themselves: nobody, observers, or everybody. Its own authentication provider says so
// (reference 01 B4, `self_registration`).

import { sql } from 'drizzle-orm';
import type { Database } from '../../database/open';

export type Registrant = 'observer' | 'anybody';

export const selfRegistration = (db: Database) =>
  db.build.all<{ allowed: string | null }>(
    sql`select settings ->> '$.self_registration' as allowed from authentication_providers
      where account_id = 1 and auth_type = 'canvas' and workflow_state = 'active' order by position, id limit 1`,
  );

/** @param found by `selfRegistration` */
export const registersThemselves = (who: Registrant, found: readonly { allowed: string | null }[]): boolean => {
  const allowed = found[0]?.allowed;
  return allowed === 'all' || (who === 'observer' && allowed === 'observer');
};
