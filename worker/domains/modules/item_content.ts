// What a module item stands for: its content's title, whether that is published, whether a given student gets to see it. As SQL over joined tables.

import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { assignments } from '../assignments/table';
import { discussion_topics } from '../discussion_topics/table';
import { files } from '../files/table';
import { pages } from '../pages/table';

/** The content of an item; `topic_assignment` grades a discussion. */
export const content = {
  page: alias(pages, 'item_page'),
  assignment: alias(assignments, 'item_assignment'),
  topic: alias(discussion_topics, 'item_topic'),
  file: alias(files, 'item_file'),
};

const idWhen = (...types: string[]) =>
  sql.raw(`case when module_items.type in (${types.map((type) => `'${type}'`).join(', ')}) then module_items.content_id end`);

/** Joins, in the text of a query, that find the content of `module_items`. Only the table of the item's own type is looked into. */
export const contentJoins = sql`left join ${pages} item_page on item_page.id = ${idWhen('Page')}
  left join ${discussion_topics} item_topic on item_topic.id = ${idWhen('Discussion')}
  left join ${assignments} item_assignment on item_assignment.id = coalesce(${idWhen('Assignment')}, item_topic.assignment_id)
  left join ${files} item_file on item_file.id = ${idWhen('File')}`;

// biome-ignore lint/suspicious/noExplicitAny: drizzle's select types cannot say "any table, joined or not".
type Select = any;

/** The same joins for a listing of module items. */
export const joinContent = (select: Select): Select =>
  select
    .leftJoin(content.page, sql`${content.page.id} = ${idWhen('Page')}`)
    .leftJoin(content.topic, sql`${content.topic.id} = ${idWhen('Discussion')}`)
    .leftJoin(content.assignment, sql`${content.assignment.id} = coalesce(${idWhen('Assignment')}, ${content.topic.assignment_id})`)
    .leftJoin(content.file, sql`${content.file.id} = ${idWhen('File')}`);

/** Content names its items; headings and links name themselves. */
export const titleOf: SQL<string> = sql.raw(
  'coalesce(item_page.title, item_topic.title, item_assignment.name, item_file.display_name, module_items.title)',
) as SQL<string>;

/** Content that can be used without being in a module says itself whether it is published; a file is, unless it is locked. */
export const isPublished: SQL<number> = sql.raw(`case module_items.type
  when 'Page' then item_page.workflow_state = 'active'
  when 'Discussion' then item_topic.workflow_state in ('active', 'post_delayed')
  when 'Assignment' then item_assignment.workflow_state = 'published'
  when 'File' then item_file.workflow_state = 'available' and item_file.locked = 0
  else module_items.published end`) as SQL<number>;

/** The sections that a person is in, within the course of the item. */
const sectionsOf = (user_id: number) =>
  sql`(select course_section_id from enrollments where user_id = ${user_id} and course_id = module_items.course_id and enrollment_state not in ('deleted', 'rejected', 'inactive'))`;

const isAssigned = (user_id: number) => sql`(item_assignment.id is null or item_assignment.only_visible_to_overrides = 0 or exists (
  select 1 from assignment_overrides o where o.assignment_id = item_assignment.id and o.workflow_state = 'active' and o.unassign_item = 0 and (
    o.set_type = 'Course' or (o.set_type = 'CourseSection' and o.set_id in ${sectionsOf(user_id)})
    or exists (select 1 from assignment_override_students s where s.assignment_override_id = o.id and s.user_id = ${user_id}))))`;

const isInSection = (user_id: number) => sql`(item_topic.section_ids is null or exists (
  select 1 from json_each(item_topic.section_ids) where value in ${sectionsOf(user_id)}))`;

/** Published, and there for this student. */
export const isVisibleTo = (user_id: number): SQL<number> =>
  sql`(${isPublished} and ${isAssigned(user_id)} and ${isInSection(user_id)})` as SQL<number>;

/** Whether a module, by the alias of its table, is meant for a student: nobody is singled out, or this one is. */
export const isOpenTo = (user_id: number, module_id: SQL): SQL<number> =>
  sql`(
  not exists (select 1 from module_overrides o where o.module_id = ${module_id})
  or exists (select 1 from module_overrides o where o.module_id = ${module_id} and (
    o.course_section_id in (select course_section_id from enrollments e where e.user_id = ${user_id} and e.course_id = o.course_id and e.enrollment_state not in ('deleted', 'rejected', 'inactive'))
    or exists (select 1 from json_each(o.student_ids) where value = ${user_id}))))` as SQL<number>;
