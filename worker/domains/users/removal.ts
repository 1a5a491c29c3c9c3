// Taking people out of the institution: what goes with them.

import { sql } from 'drizzle-orm';
import { among } from '../../database/ids';
import type { Database, Statement } from '../../database/open';
import { admins } from '../admins/table';
import { enrollments } from '../enrollments/table';
import { logins, users } from './table';

/** Their logins, their enrollments and roles, and themselves. */
export function removal({ build }: Database, ids: readonly number[], now: string): Statement[] {
  const deleted = { workflow_state: 'deleted' as const, updated_at: now };
  return [
    build.update(logins).set(deleted).where(among(logins.user_id, ids)),
    build.update(enrollments).set({ enrollment_state: 'deleted', updated_at: now }).where(among(enrollments.user_id, ids)),
    build.update(admins).set(deleted).where(among(admins.user_id, ids)),
    build.update(users).set(deleted).where(among(users.id, ids)),
  ];
}

/** Whether the people came from an SIS: whoever manages it decides about them. */
export const fromSis = sql`exists (select 1 from logins l where l.user_id = users.id and l.workflow_state <> 'deleted' and l.sis_user_id is not null)`;
