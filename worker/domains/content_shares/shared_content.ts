// The content of courses that can be shared, and how an export selects it.

import { type SQL, sql } from 'drizzle-orm';
import type { SharedType } from './table';

interface Source {
  readonly table: string;
  readonly name: string;
  readonly course: string;
  /** On rows that are there. */
  readonly where: string;
  /** The type of a selection of a cartridge. */
  readonly selects: string;
}

const inCourse = "context_type = 'Course'";
const present = "workflow_state <> 'deleted'";

const sources: Readonly<Record<SharedType, Source>> = {
  assignment: { table: 'assignments', name: 'name', course: 'course_id', where: present, selects: 'assignments' },
  attachment: {
    table: 'files',
    name: 'display_name',
    course: 'context_id',
    where: `${inCourse} and workflow_state = 'available'`,
    selects: 'attachments',
  },
  discussion_topic: {
    table: 'discussion_topics',
    name: 'title',
    course: 'context_id',
    where: `${inCourse} and ${present}`,
    selects: 'discussion_topics',
  },
  page: { table: 'pages', name: 'title', course: 'context_id', where: `${inCourse} and ${present}`, selects: 'wiki_pages' },
  quiz: { table: 'quizzes', name: 'title', course: 'course_id', where: present, selects: 'quizzes' },
  module: { table: 'modules', name: 'name', course: 'course_id', where: present, selects: 'context_modules' },
  module_item: { table: 'module_items', name: 'title', course: 'course_id', where: present, selects: 'content_tags' },
};

/** A select of `course_id` and `name`, without a row where the content is not there. */
export const selectShared = (type: SharedType, id: number): SQL => {
  const { table, name, course, where } = sources[type];
  return sql`select ${sql.raw(course)} as course_id, ${sql.raw(name)} as name from ${sql.raw(table)} where id = ${id} and ${sql.raw(where)}`;
};

/** What the export of a share contains: the content alone. */
export const shareSelection = (type: SharedType, id: number) => ({
  content: { whole: [], items: { [sources[type].selects]: [String(id)] } },
});
