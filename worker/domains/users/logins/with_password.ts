// Password logins: logins of identity providers never match, whatever their name.

import { and, eq, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { logins } from '../table';

/** The active login of this name with a local password. */
export const withPassword = (unique_id: string): SQL | undefined =>
  and(
    eq(logins.account_id, 1),
    sql`lower(${logins.unique_id}) = lower(${unique_id.trim()})`,
    // Repeats the index condition, which SQLite needs to use the partial index.
    ne(logins.workflow_state, 'deleted'),
    eq(logins.workflow_state, 'active'),
    or(
      isNull(logins.authentication_provider_id),
      sql`${logins.authentication_provider_id} in (select id from authentication_providers where auth_type = 'canvas')`,
    ),
  );
