// Courses with their books as clients see them. The state of a book is that of its Progress.

import { CourseEpubExport } from '@carrel/shared/resources/course_epub_export';
import { File } from '@carrel/shared/resources/file';
import { cut } from '@carrel/shared/resources/resource';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { CourseRow } from '../../contexts/course';
import { isInSelect } from '../../database/ids';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { hasExpired } from '../content_exports/policy';
import { content_exports } from '../content_exports/table';
import { courses } from '../courses/table';
import { uploadedFile } from '../files/json';
import { files } from '../files/table';
import { progress } from '../progress/table';
import { namedBook, newestBooks, stuckBefore } from './policy';

interface Work {
  readonly id: number;
  readonly context_id: number;
  readonly workflow_state: RowOf<typeof progress>['workflow_state'];
  readonly completion: number | null;
  readonly updated_at: string;
}

/** The content is exported up to here; then the archive is written. */
export const exportedAt = 80;

function stateOf(work: Work | undefined, now: string) {
  if (!work || work.workflow_state === 'failed') return 'failed';
  if (work.workflow_state === 'completed') return 'generated';
  if (Date.parse(work.updated_at) < stuckBefore(now)) return 'failed';
  if (work.workflow_state === 'queued') return 'created';
  return (work.completion ?? 0) > exportedAt ? 'generating' : 'exporting';
}

function bookJson(
  book: RowOf<typeof content_exports>,
  work: Work | undefined,
  file: object | undefined,
  companion: object | undefined,
  { origin, now }: Call,
) {
  const workflow_state = stateOf(work, now);
  const paper = file && cut(File, file);
  return {
    id: book.id,
    course_id: book.context_id,
    user_id: book.user_id,
    content_export_id: book.id,
    workflow_state,
    created_at: book.created_at,
    updated_at: work?.updated_at ?? book.updated_at,
    progress_id: work?.id,
    progress_url: work && `${origin}/api/v1/progress/${work.id}`,
    permissions: { download: paper !== undefined, regenerate: workflow_state === 'generated' || workflow_state === 'failed' },
    attachment: paper && { url: paper.url as string },
    epub_attachment: paper,
    zip_attachment: companion && cut(File, companion),
  };
}

const result = (booksOf: (courses: SQL, call: Call) => SQL) =>
  serializer({
    resource: CourseEpubExport,
    table: courses,
    also: (ids, call) => {
      const chosen = booksOf(ids, call);
      return {
        books: call.db.build.select().from(content_exports).where(isInSelect(content_exports.id, chosen)),
        works: call.db.build
          .select({
            id: progress.id,
            context_id: progress.context_id,
            workflow_state: progress.workflow_state,
            completion: progress.completion,
            updated_at: progress.updated_at,
          })
          .from(progress)
          .where(and(eq(progress.context_type, 'ContentExport'), isInSelect(progress.context_id, chosen))),
        papers: call.db.build
          .select()
          .from(files)
          .where(
            and(
              eq(files.workflow_state, 'available'),
              sql`${files.uuid} in (select x.file_uuid from content_exports x where ${isInSelect(sql`x.id`, chosen)}
                union all select x.companion_uuid from content_exports x where ${isInSelect(sql`x.id`, chosen)} and x.companion_uuid is not null)`,
            ),
          ),
      };
    },
    json(course: CourseRow, call, { books, works, papers }) {
      const book = books.find(({ context_id }) => context_id === course.id);
      const paperNamed = (name: string | null | undefined) =>
        book && name && !hasExpired(book.created_at, call.now) ? papers.find(({ uuid }) => uuid === name) : undefined;
      const paper = paperNamed(book?.file_uuid);
      const companion = paper && paperNamed(book?.companion_uuid);
      return {
        id: course.id,
        name: course.name,
        epub_export:
          book &&
          bookJson(
            book,
            works.find(({ context_id }) => context_id === book.id),
            paper && uploadedFile.json(paper, call, { folders: [] }),
            companion && uploadedFile.json(companion, call, { folders: [] }),
            call,
          ),
      };
    },
  });

/** A course with the caller's newest book. */
export const newestBook = result((ids, { me }) => newestBooks(me.id, ids));

/** A course with the book of the path; the id of the course means the caller's newest book. */
export const askedBook = result((ids, call) =>
  call.id === call.course?.id ? sql`select coalesce((${namedBook(call)}), (${newestBooks(call.me.id, ids)}))` : namedBook(call),
);
