// The reader of a book in a job, with the rights that a request of theirs would have now.

import { sql } from 'drizzle-orm';
import type { CourseContext } from '../../contexts/course';
import { loadContexts } from '../../contexts/load';
import type { Call } from '../../http/call';
import type { Platform } from '../../platform';
import type { ExportRun } from '../content_exports/pieces';

export type BookReader = Call & { readonly course: CourseContext };

export interface BookRun extends ExportRun {
  readonly env: Platform;
}

/** @returns undefined when the user may no longer read the course */
export async function bookReader(
  { db, env, meter, now }: BookRun,
  given: { readonly user_id: number; readonly course_id: number; readonly origin: string },
): Promise<BookReader | undefined> {
  const path = { course_id: String(given.course_id) };
  const contexts = await loadContexts(db, {
    tokenHash: undefined,
    sessionHash: undefined,
    speaksFor: sql`select id from users where id = ${given.user_id}`,
    asUser: undefined,
    path,
    bySisId: false,
    within: {},
    idempotencyKey: undefined,
    now,
  });
  const { course, me } = contexts;
  if (!course?.canRead || !me.isKnown) return undefined;
  const url = new URL(`/courses/${course.id}`, given.origin);
  return {
    ...contexts,
    course,
    db,
    env,
    meter,
    now,
    url,
    path,
    origin: given.origin,
    request: new Request(url),
    operations: async () => [],
    params: {},
    tree: {},
    include: new Set(),
    page: { per_page: 10 },
    within: async () => new Response(null, { status: 404 }),
    later: () => {},
    afterwards: () => {},
  };
}
