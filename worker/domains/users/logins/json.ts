// Logins as clients with the permission see them.

import { Login } from '@carrel/shared/resources/login';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../../http/listing';
import { serializer } from '../../../http/serializer';
import { holds } from '../json';
import { logins } from '../table';

export const login = serializer({
  resource: Login,
  table: logins,
  columns: () => ({
    provider_type: sql<
      string | null
    >`(select p.auth_type from authentication_providers p where p.id = logins.authentication_provider_id)`.as('provider_type'),
  }),
  json(row: RowOf<typeof logins> & { provider_type?: string | null }, call) {
    const seesSis = holds(call, 'read_sis') || holds(call, 'manage_sis');
    return {
      ...row,
      sis_user_id: seesSis ? row.sis_user_id : undefined,
      integration_id: seesSis ? row.integration_id : undefined,
      authentication_provider_type: row.provider_type ?? undefined,
    };
  },
});
