// Starts a book: one at a time for a user and course.

import { eq, sql } from 'drizzle-orm';
import { randomText } from '../../database/tokens';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { notFound, Problem, unauthorized } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { planListing } from '../../http/serializer';
import { queueExport } from '../content_exports/queue';
import { archiveName } from '../content_exports/selection';
import { courses } from '../courses/table';
import { newestBook } from './json';
import { flagsOfBooks, hasBooks, startsBooks, stuckBefore } from './policy';
import { bookJob, bookTag } from './request';

const isBeingWritten = (json: object | undefined): boolean => {
  const { epub_export: book } = (json ?? {}) as { epub_export?: { workflow_state: string } };
  return book !== undefined && !['generated', 'failed'].includes(book.workflow_state);
};

/** @throws Problem 404 when the course has no books */
export async function createBook(call: Call): Promise<Reply> {
  const { db, me, now, course, origin } = call;
  if (!course) throw notFound();
  if (!startsBooks(course)) throw unauthorized();
  const itself = rows(courses, { where: eq(courses.id, course.id) });
  const plan = planListing(newestBook, itself, call);
  /** The response has the book that is being written. */
  const refusal = (results: readonly unknown[][]) =>
    new Problem(422, { errors: [{ message: 'A book of this course is being written.' }], ...plan.tell(results)[0]?.json });
  const [flags, ...results] = await db.perform([flagsOfBooks(call), ...plan.statements]);
  if (!hasBooks(call, flags)) throw notFound();
  if (isBeingWritten(plan.tell(results)[0]?.json)) throw refusal(results);
  const uuid = randomText(40);
  const limit = new Date(stuckBefore(now)).toISOString();
  return write(
    [
      db.build.run(
        sql`insert into content_exports (context_type, context_id, user_id, export_type, selection, sees_all, withheld_file_ids, name, file_uuid, is_expired, created_at, updated_at)
          select 'Course', ${course.id}, ${me.id}, 'epub', '{}', 0, '[]', ${archiveName('epub', course.name)}, ${uuid}, 0, ${now}, ${now}
          where not exists (select 1 from content_exports b join progress p on p.context_type = 'ContentExport' and p.context_id = b.id
            where b.export_type = 'epub' and b.user_id = ${me.id} and b.context_id = ${course.id} and p.workflow_state in ('queued', 'running') and p.updated_at > ${limit})`,
      ),
      queueExport(call, uuid, { job: bookJob, tag: bookTag, arguments: { origin } }),
    ],
    one(itself),
    { 'progress.context_id': async () => refusal(await db.perform(plan.statements)) },
  );
}
