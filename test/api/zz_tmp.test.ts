import { env } from 'cloudflare:test';
import { test } from 'vitest';
import { as, ground, many } from '../support/api';
import { aCourse } from '../support/ground';
test('x', async () => {
  const { course } = await aCourse(ground);
  await many(10_000, 'users', 'id, name, short_name, sortable_name, uuid, created_at, updated_at', "1000000 + n, 'Many ' || n, 'Many', 'Many ' || n, 'u' || n, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'");
  await many(10_000, 'enrollments', 'user_id, course_id, course_section_id, type, role_id, enrollment_state, sortable_name, created_at, updated_at',
    `1000000 + n, ${course.id}, ${course.section_id}, 'StudentEnrollment', 3, 'active', 'Many ' || n, '', ''`);

  const { peopleOf } = await import('../../worker/domains/course_users/policy');
  const { courseUser } = await import('../../worker/domains/course_users/json');
  const { selectRows, rows, selectIds } = await import('../../worker/http/listing');
  const { open, newMeter } = await import('../../worker/database/open');
  const { users } = await import('../../worker/domains/users/table');
  const { enrollments } = await import('../../worker/domains/enrollments/table');
  const { eq, sql } = await import('drizzle-orm');
  const db = open(env.DB as never, newMeter(), 'first-primary');
  const ctx = { id: course.id, readsAsAdmin: false, can: (x: string) => x === 'read_roster', canRead: true, sectionLimit: null, observedIds: [] } as never;
  const call = { course: ctx, me: { id: 1 }, include: new Set(), db, origin: '' } as never;
  const listing = rows(users, { from: enrollments, join: (select: any) => select.innerJoin(users, eq(users.id, enrollments.user_id)), where: peopleOf(ctx, {}, call), order: [{ by: enrollments.sortable_name }, { by: enrollments.user_id }] });
  for (const [name, l] of [['plain', listing], ['columns', { ...listing, columns: (courseUser as any).columns(call) }]] as const) {
    const q = (selectRows(db, l as never, { limit: 101 }) as any).toSQL();
    const p = await env.DB.prepare('explain query plan ' + q.sql).bind(...q.params).all();
    console.info(name, (await env.DB.prepare(q.sql).bind(...q.params).all()).meta.rows_read, q.sql.slice(q.sql.indexOf('from "enrollments" inner')), '\n' + p.results.map((r) => '   ' + r.detail).join('\n'));
  }
});
