// What a module item stands for, as SQL over its content: whether that is published, whether a student gets to see it, what it is called.

import { type SQL, sql } from 'drizzle-orm';
import { assignedTo, effectiveDate, reaching } from '../../assignments/reach';

const idWhen = (...types: string[]) =>
  sql.raw(`case when module_items.type in (${types.map((type) => `'${type}'`).join(', ')}) then module_items.content_id end`);

/** Finds the content of the row of `module_items` at hand; only the table of the item's own type is looked into. `assignments` also grades a discussion. */
export const contentJoins = sql`left join pages item_page on item_page.id = ${idWhen('Page')}
  left join discussion_topics item_topic on item_topic.id = ${idWhen('Discussion')}
  left join assignments on assignments.id = coalesce(${idWhen('Assignment')}, item_topic.assignment_id)
  left join files item_file on item_file.id = ${idWhen('File')}`;

/** An expression over the content of the row of `module_items` at hand. */
const ofContent = (expression: SQL): SQL => sql`(select ${expression} from (select 1) ${contentJoins})`;

/** Content says itself whether it is published; a file is, unless it is locked. Headings and links are told. */
const published: SQL = sql.raw(`case module_items.type
  when 'Page' then item_page.workflow_state = 'active'
  when 'Discussion' then item_topic.workflow_state in ('active', 'post_delayed')
  when 'Assignment' then assignments.workflow_state = 'published'
  when 'File' then item_file.workflow_state = 'available' and item_file.locked = 0
  else module_items.published end`);

const id = (user_id: number) => sql.raw(String(user_id));

const sectionsOf = (user_id: number, course_id: SQL) =>
  sql`(select course_section_id from enrollments where user_id = ${id(user_id)} and course_id = ${course_id} and enrollment_state not in ('deleted', 'rejected', 'inactive'))`;

const isInSection = (user_id: number) => sql`(item_topic.section_ids is null or exists (
  select 1 from json_each(item_topic.section_ids) s where s.value in ${sectionsOf(user_id, sql`module_items.course_id`)}))`;

/** Published, and there for this student; inside `contentJoins`. */
export const seenBy = (user_id: number): SQL =>
  sql`(${published} and (assignments.id is null or ${assignedTo(id(user_id))}) and ${isInSection(user_id)})`;

/** Published, whoever looks; a shallower question than `isSeenBy` where SQLite's depth of 100 is near. */
export const isPublished: SQL<boolean> = ofContent(published) as SQL<boolean>;

/** The same of the row of `module_items` at hand. */
export const isSeenBy = (user_id: number): SQL<boolean> => ofContent(seenBy(user_id)) as SQL<boolean>;

/** Whether a module is meant for a student: nobody is singled out, or this one is. */
export const isOpenTo = (user_id: number, module_id: SQL): SQL<boolean> =>
  sql`(
  not exists (select 1 from module_overrides o where o.module_id = ${module_id})
  or exists (select 1 from module_overrides o where o.module_id = ${module_id} and (
    o.course_section_id in ${sectionsOf(user_id, sql`o.course_id`)}
    or exists (select 1 from json_each(o.student_ids) s where s.value = ${id(user_id)}))))` as SQL<boolean>;

/** Whether a module is none of those that are closed; where none is, nothing is looked up. */
export const isNotClosed = (user_id: number, course_id: number, module_id: SQL): SQL =>
  sql`(not exists (${closedModules(user_id, course_id)}) or ${module_id} not in (${closedModules(user_id, course_id)}))`;

/** A select of the modules of a course that are meant for others than this student: what `isOpenTo` denies, for all of them at once. */
export const closedModules = (user_id: number, course_id: number): SQL => sql`
  select o.module_id from module_overrides o where o.course_id = ${id(course_id)} group by o.module_id
  having not max(coalesce(o.course_section_id in ${sectionsOf(user_id, id(course_id))}, 0) or exists (select 1 from json_each(o.student_ids) s where s.value = ${id(user_id)}))`;

/**
 * The same in courses, for a person and whom they observe there.
 * @param isStaff whether modules are kept from nobody in the course of `o`
 */
export const closedModulesIn = (courses: SQL, user_id: number, isStaff: SQL): SQL => {
  const seats = sql`select course_section_id from enrollments seat where seat.course_id = o.course_id and seat.enrollment_state not in ('deleted', 'rejected', 'inactive') and seat.user_id`;
  const eyes = sql`select ${id(user_id)} union all select observed_user_id from enrollments where user_id = ${id(user_id)} and course_id = o.course_id and type = 'ObserverEnrollment' and observed_user_id <> 0 and enrollment_state in ('active', 'completed')`;
  return sql`select o.module_id from module_overrides o where o.course_id in (${courses}) and not ${isStaff} group by o.module_id
    having not max(coalesce(o.course_section_id in (${seats} in (${eyes})), 0) or exists (select 1 from json_each(o.student_ids) s where s.value in (${eyes})))`;
};

/**
 * Whether content in modules is there for whom some are closed: one of them is open, or it is in none. Most courses close none, and no
 * item is read then.
 * @param id the column that names the content
 * @param closed a select of the modules that are closed
 */
export const isReached = (type: 'Page' | 'Discussion', id: string, closed: SQL): SQL => {
  const holding = sql.raw(
    `module_items i join modules m on m.id = i.module_id and m.workflow_state <> 'deleted' where i.type = '${type}' and i.content_id = ${id} and i.workflow_state = 'active'`,
  );
  return sql`(not exists (${closed}) or not exists (select 1 from ${holding} and m.id in (${closed})) or exists (select 1 from ${holding} and m.id not in (${closed})))`;
};

const handedIn = sql.raw(
  "exists (select 1 from submissions s where s.assignment_id = assignments.id and s.submission_type is not null and s.workflow_state <> 'deleted')",
);
const discussed =
  sql.raw(`exists (select 1 from discussion_entries e join enrollments n on n.user_id = e.user_id and n.course_id = module_items.course_id and n.type = 'StudentEnrollment'
  where e.discussion_topic_id = item_topic.id and e.workflow_state = 'active')
  or exists (select 1 from discussion_topics child where child.root_topic_id = item_topic.id and child.entry_count > 0)`);

/** What students have worked on, and the front page, cannot be unpublished. Inside `contentJoins`. */
const unpublishable: SQL = sql`case module_items.type
  when 'Page' then not item_page.front_page
  when 'Discussion' then not (${discussed} or ${handedIn})
  when 'Assignment' then not ${handedIn}
  else 1 end`;

const truth = (condition: SQL) => sql`json(case when ${condition} then 'true' else 'false' end)`;

export interface ItemContent {
  readonly published: boolean;
  readonly unpublishable: boolean;
  readonly page_url: string | null;
  readonly publish_at: string | null;
  readonly assignment_id: number | null;
  readonly points_possible: number | null;
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
  readonly display_name: string | null;
  readonly hidden: boolean | null;
  readonly locked: boolean | null;
  readonly usage_rights: Record<string, unknown> | null;
  /** Of images: what names their picture. */
  readonly picture: string | null;
}

const flagOf = (column: string) => sql.raw(`case when ${column} is null then null when ${column} then json('true') else json('false') end`);

/** A date of the content: an assignment's as it binds the student whose eyes these are, else as it stands. */
const date = (field: 'due_at' | 'unlock_at' | 'lock_at', student: number | undefined, now: string) =>
  student === undefined ? sql.raw(`assignments.${field}`) : effectiveDate(field, reaching(sql.raw('= assignments.id'), id(student)), now);

/**
 * The content of the row of `module_items` at hand, as a column of JSON.
 * @param student whose dates are wanted; those of everybody when absent
 */
export const contentColumn = (isDetailed: boolean, student: number | undefined, now: string) =>
  ofContent(sql`json_object(
    'published', ${truth(published)}, 'unpublishable', ${truth(unpublishable)}, 'page_url', item_page.url, 'publish_at', item_page.publish_at,
    'assignment_id', assignments.id
    ${
      isDetailed
        ? sql`, 'points_possible', assignments.points_possible, 'due_at', ${date('due_at', student, now)},
    'unlock_at', coalesce(${date('unlock_at', student, now)}, item_topic.delayed_post_at, item_file.unlock_at),
    'lock_at', coalesce(${date('lock_at', student, now)}, item_topic.lock_at, item_file.lock_at),
    'display_name', item_file.display_name, 'hidden', ${flagOf('item_file.hidden')}, 'locked', ${flagOf('item_file.locked')},
    'usage_rights', json(item_file.usage_rights), 'picture', case when item_file.content_type like 'image/%' then item_file.uuid end`
        : sql``
    })`)
    .mapWith((given: string) => JSON.parse(given) as ItemContent)
    .as('content');
