// Planner notes as clients see them.

import { PlannerNote } from '@carrel/shared/resources/planner_note';
import { lookUp } from '@carrel/shared/wire/look_up';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { planner_notes } from './table';

export type NoteRow = RowOf<typeof planner_notes>;

const paths: Record<string, string> = {
  announcement: 'discussion_topics',
  assignment: 'assignments',
  discussion_topic: 'discussion_topics',
  wiki_page: 'pages',
  quiz: 'quizzes',
};
export const linkable = Object.keys(paths);

function linked(row: NoteRow, { origin }: Pick<Call, 'origin'>) {
  if (row.linked_object_type === null || row.linked_object_id === null) return {};
  const { linked_object_type: type, linked_object_id: id } = row;
  const path = `/courses/${row.course_id}/${lookUp(paths, type)}/${type === 'wiki_page' ? `page_id:${id}` : id}`;
  return {
    linked_object_type: type,
    linked_object_id: id,
    linked_object_url: `${origin}/api/v1${path}`,
    linked_object_html_url: `${origin}${path}`,
  };
}

export const plannerNote = serializer({
  resource: PlannerNote,
  table: planner_notes,
  json: (row: NoteRow, call) => ({ ...row, linked_object_type: undefined, linked_object_id: undefined, ...linked(row, call) }),
});
