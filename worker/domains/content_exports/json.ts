// Content exports as clients see them. Their state is that of their Progress.

import { ContentExport } from '@carrel/shared/resources/content_export';
import { File } from '@carrel/shared/resources/file';
import { cut } from '@carrel/shared/resources/resource';
import { and, eq, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { uploadedFile } from '../files/json';
import { files } from '../files/table';
import { progress } from '../progress/table';
import { hasExpired } from './policy';
import { content_exports } from './table';

const states = { queued: 'created', running: 'exporting', completed: 'exported', failed: 'failed' } as const;

export const contentExport = serializer({
  resource: ContentExport,
  table: content_exports,
  also: (ids, { db }) => ({
    works: db.build
      .select({ id: progress.id, context_id: progress.context_id, workflow_state: progress.workflow_state })
      .from(progress)
      .where(and(eq(progress.context_type, 'ContentExport'), isInSelect(progress.context_id, ids))),
    papers: db.build
      .select()
      .from(files)
      .where(
        and(
          eq(files.workflow_state, 'available'),
          sql`${files.uuid} in (select x.file_uuid from content_exports x where ${isInSelect(sql`x.id`, ids)})`,
        ),
      ),
  }),
  json(row: RowOf<typeof content_exports>, call, { works, papers }) {
    const work = works.find(({ context_id }) => context_id === row.id);
    const paper = hasExpired(row.created_at, call.now) ? undefined : papers.find(({ uuid }) => uuid === row.file_uuid);
    return {
      id: row.id,
      user_id: row.user_id,
      course_id: when(row.context_type === 'Course', row.context_id),
      export_type: row.export_type,
      created_at: row.created_at,
      workflow_state: work ? states[work.workflow_state] : 'failed',
      progress_url: work && `${call.origin}/api/v1/progress/${work.id}`,
      attachment: paper && cut(File, uploadedFile.json(paper, call, { folders: [] })),
    };
  },
});
