// Course copies as clients see them.

import { CourseCopy } from '@carrel/shared/resources/course_copy';
import { serializer } from '../../http/serializer';
import { percentOf } from './plan';
import { course_copies } from './table';
import type { CopyRow } from './work';

export const courseCopy = serializer({
  resource: CourseCopy,
  table: course_copies,
  json: (row: CopyRow, { origin }) => ({
    id: row.id,
    progress: row.workflow_state === 'completed' ? 100 : row.workflow_state === 'created' ? null : percentOf(row),
    created_at: row.created_at,
    workflow_state: row.workflow_state,
    status_url: `${origin}/api/v1/courses/${row.course_id}/course_copy/${row.id}`,
  }),
});
