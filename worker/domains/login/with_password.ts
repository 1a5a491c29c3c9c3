// Whom a name and a password sign in: logins of other houses are not among them, whatever they are called.

import { and, eq, isNull, ne, or, type SQL, sql } from 'drizzle-orm';
import { logins } from '../users/table';

/** The active login of a name whose password is kept here. */
export const withPassword = (unique_id: string): SQL | undefined =>
  and(
    eq(logins.account_id, 1),
    sql`lower(${logins.unique_id}) = lower(${unique_id.trim()})`,
    // As the index of names says it, which is not used otherwise.
    ne(logins.workflow_state, 'deleted'),
    eq(logins.workflow_state, 'active'),
    or(
      isNull(logins.authentication_provider_id),
      sql`${logins.authentication_provider_id} in (select id from authentication_providers where auth_type = 'canvas')`,
    ),
  );
