// Students who are in all measured courses, so that requests come from many users, as they do in a school.

import { sha256 } from '@carrel/worker/http/idempotency';
import type { D1PreparedStatement } from '@cloudflare/workers-types';
import { withDatabase } from '../support/server';
import type { BuiltInstitution } from './measured';
import { measuredCourses } from './measured';

export const crowdTokenOf = (nth: number): string => `bench-crowd-${nth}`;

const at = "'2026-09-01T08:00:00Z'";

/** Adds students with a token each. Returns how many there are. */
export async function admitCrowd({ persist, built: { firsts } }: BuiltInstitution, size: number): Promise<number> {
  await withDatabase(persist, async (d1) => {
    const first = (table: string) => firsts[table] ?? 0;
    const before = (await d1.prepare('select max(id) as id from users').first<number>('id')) ?? 0;
    const batch: D1PreparedStatement[] = [];
    for (let nth = 0; nth < size; nth++) {
      const id = before + 1 + nth;
      const name = `Crowd ${nth}`;
      const insert = (sql: string, ...values: (string | number)[]) => batch.push(d1.prepare(sql).bind(...values));
      insert(
        `insert into users (id, name, short_name, sortable_name, uuid, created_at, updated_at) values (?1, ?2, ?2, ?2, ?3, ${at}, ${at})`,
        id,
        name,
        `crowd-user-${nth}`,
      );
      insert(
        `insert into logins (user_id, account_id, unique_id, created_at, updated_at) values (?, 1, ?, ${at}, ${at})`,
        id,
        `crowd-${nth}@example.edu`,
      );
      insert(
        `insert into tokens (user_id, token_hash, token_hint, purpose, created_at, updated_at) values (?, ?, 'abcde...', 'bench', ${at}, ${at})`,
        id,
        await sha256(crowdTokenOf(nth)),
      );
      for (let course = 0; course < measuredCourses; course++)
        insert(
          `insert into enrollments (user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at)
           values (?, ?, ?, 'StudentEnrollment', 3, 'active', ?, ${at}, ${at})`,
          id,
          first('courses') + course,
          first('sections') + course,
          name,
        );
    }
    await d1.batch(batch);
  });
  return size;
}
