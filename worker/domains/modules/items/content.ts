// The content of a module item, as SQL: whether it is published, whether a student sees it, its title.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';
import { assignedTo, effectiveDate, reaching } from '../../../rules/assigned';

const idWhen = (...types: string[]) =>
  sql.raw(`case when module_items.type in (${types.map((type) => `'${type}'`).join(', ')}) then module_items.content_id end`);

/** Joins the content of the current `module_items` row; only the table of the item's type is read. `assignments` also joins for graded discussions and quizzes. */
export const contentJoins = sql`left join pages item_page on item_page.id = ${idWhen('Page')}
  left join discussion_topics item_topic on item_topic.id = ${idWhen('Discussion')}
  left join quizzes item_quiz on item_quiz.id = ${idWhen('Quiz')}
  left join assignments on assignments.id = coalesce(${idWhen('Assignment')}, item_topic.assignment_id, item_quiz.assignment_id)
  left join files item_file on item_file.id = ${idWhen('File')}`;

/** An expression over the content of the current `module_items` row. */
const ofContent = (expression: SQL): SQL => sql`(select ${expression} from (select 1) ${contentJoins})`;

/** Content has its own published state; a file counts as published unless locked. Headings and links have a state on the item. */
const published: SQL = sql.raw(`case module_items.type
  when 'Page' then item_page.workflow_state = 'active'
  when 'Discussion' then item_topic.workflow_state in ('active', 'post_delayed')
  when 'Assignment' then assignments.workflow_state = 'published'
  when 'Quiz' then item_quiz.workflow_state = 'available'
  when 'File' then item_file.workflow_state = 'available' and item_file.locked = 0
  else module_items.published end`);

const sectionsOf = (user_id: number, course_id: SQL) =>
  sql`(select course_section_id from enrollments where user_id = ${shared('user', user_id)} and course_id = ${course_id} and enrollment_state not in ('deleted', 'rejected', 'inactive'))`;

const isInSection = (user_id: number) => sql`(item_topic.section_ids is null or exists (
  select 1 from json_each(item_topic.section_ids) s where s.value in ${sectionsOf(user_id, sql`module_items.course_id`)}))`;

/** Published, and visible to this student; within `contentJoins`. */
export const isContentVisibleTo = (user_id: number): SQL =>
  sql`(${published} and (assignments.id is null or ${assignedTo(shared('user', user_id))}) and ${isInSection(user_id)})`;

/** Published, regardless of the viewer; needs less expression depth than `isItemVisibleTo`, for queries near SQLite's limit of 100. */
export const isPublished: SQL<boolean> = ofContent(published) as SQL<boolean>;

/** The same for the current `module_items` row. */
export const isItemVisibleTo = (user_id: number): SQL<boolean> => ofContent(isContentVisibleTo(user_id)) as SQL<boolean>;

/** Whether a module is assigned to a student: it has no overrides, or one for this student. */
export const isModuleOpenTo = (user_id: number, module_id: SQL): SQL<boolean> =>
  sql`(
  not exists (select 1 from module_overrides o where o.module_id = ${module_id})
  or exists (select 1 from module_overrides o where o.module_id = ${module_id} and (
    o.course_section_id in ${sectionsOf(user_id, sql`o.course_id`)}
    or exists (select 1 from json_each(o.student_ids) s where s.value = ${shared('user', user_id)}))))` as SQL<boolean>;

/** Whether a module is not among the closed ones; when none is closed, nothing is looked up. */
export const isNotClosed = (user_id: number, course_id: number, module_id: SQL): SQL =>
  sql`(not exists (${closedModules(user_id, course_id)}) or ${module_id} not in (${closedModules(user_id, course_id)}))`;

/** A select of the modules of a course that are not assigned to this student: the negation of `isModuleOpenTo`, for all at once. */
export const closedModules = (user_id: number, course_id: number): SQL => sql`
  select o.module_id from module_overrides o where o.course_id = ${shared('course', course_id)} group by o.module_id
  having not max(coalesce(o.course_section_id in ${sectionsOf(user_id, shared('course', course_id))}, 0) or exists (select 1 from json_each(o.student_ids) s where s.value = ${shared('user', user_id)}))`;

/**
 * The same for several courses, for a user and the students they observe there.
 * @param isStaff whether the user sees every module in the course of `o`
 */
export const closedModulesIn = (courses: SQL, user_id: number, isStaff: SQL): SQL => {
  const seats = sql`select course_section_id from enrollments seat where seat.course_id = o.course_id and seat.enrollment_state not in ('deleted', 'rejected', 'inactive') and seat.user_id`;
  const eyes = sql`select ${shared('user', user_id)} union all select observed_user_id from enrollments where user_id = ${shared('user', user_id)} and course_id = o.course_id and type = 'ObserverEnrollment' and observed_user_id <> 0 and enrollment_state in ('active', 'completed')`;
  return sql`select o.module_id from module_overrides o where o.course_id in (${courses}) and not ${isStaff} group by o.module_id
    having not max(coalesce(o.course_section_id in (select * from (${seats} in (${eyes}))), 0) or exists (select 1 from (select 1 from json_each(o.student_ids) s where s.value in (${eyes}))))`;
};

/**
 * Whether content is visible to a user to whom some modules are closed: it is in an open module, or in none. Most courses have no closed modules, and
 * then no item is read.
 * @param id the column with the content id
 * @param closed a select of the closed modules
 */
export const isReachable = (type: 'Page' | 'Discussion' | 'Quiz', id: string, closed: SQL): SQL => {
  const holding = sql.raw(
    `module_items i join modules m on m.id = i.module_id and m.workflow_state <> 'deleted' where i.type = '${type}' and i.content_id = ${id} and i.workflow_state = 'active'`,
  );
  return sql`(not exists (select 1 from (${closed})) or coalesce((select max(i.module_id not in (select * from (${closed}))) from ${holding}), 1))`;
};

const handedIn = sql.raw(
  "exists (select 1 from submissions s where s.assignment_id = assignments.id and s.submission_type is not null and s.workflow_state <> 'deleted')",
);
const discussed =
  sql.raw(`exists (select 1 from discussion_entries e join enrollments n on n.user_id = e.user_id and n.course_id = module_items.course_id and n.type = 'StudentEnrollment'
  where e.discussion_topic_id = item_topic.id and e.workflow_state = 'active')
  or exists (select 1 from discussion_topics child where child.root_topic_id = item_topic.id and child.entry_count > 0)`);

const attempted = sql.raw(
  "exists (select 1 from quiz_submissions a where a.quiz_id = item_quiz.id and a.workflow_state not in ('settings_only', 'preview'))",
);

/** Content with submissions, and the front page, cannot be unpublished. Within `contentJoins`. */
const unpublishable: SQL = sql`case module_items.type
  when 'Page' then not item_page.front_page
  when 'Discussion' then not (${discussed} or ${handedIn})
  when 'Assignment' then not ${handedIn}
  when 'Quiz' then not (${attempted} or ${handedIn})
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
  /** For images: the URL of the thumbnail. */
  readonly picture: string | null;
}

const flagOf = (column: string) => sql.raw(`case when ${column} is null then null when ${column} then json('true') else json('false') end`);

/** A date of the content; for assignments the student's effective date if a student is given. */
const date = (field: 'due_at' | 'unlock_at' | 'lock_at', student: number | undefined, now: string) =>
  student === undefined
    ? sql.raw(`assignments.${field}`)
    : effectiveDate(field, reaching(sql.raw('= assignments.id'), shared('user', student)), now);

/** The same for quizzes without an assignment, which have dates of their own. */
const ofUngraded = (field: 'due_at' | 'unlock_at' | 'lock_at', student: number | undefined, now: string) =>
  sql`case when assignments.id is null then ${sql.raw(`item_quiz.${field}`)} else ${date(field, student, now)} end`;

/**
 * The content of the current `module_items` row as a JSON column.
 * @param student whose dates to return; the base dates when absent
 */
export const contentColumn = (isDetailed: boolean, student: number | undefined, now: string) =>
  ofContent(sql`json_object(
    'published', ${truth(published)}, 'unpublishable', ${truth(unpublishable)}, 'page_url', item_page.url, 'publish_at', item_page.publish_at,
    'assignment_id', assignments.id
    ${
      isDetailed
        ? sql`, 'points_possible', coalesce(assignments.points_possible, item_quiz.points_possible), 'due_at', ${ofUngraded('due_at', student, now)},
    'unlock_at', coalesce(${ofUngraded('unlock_at', student, now)}, item_topic.delayed_post_at, item_file.unlock_at),
    'lock_at', coalesce(${ofUngraded('lock_at', student, now)}, item_topic.lock_at, item_file.lock_at),
    'display_name', item_file.display_name, 'hidden', ${flagOf('item_file.hidden')}, 'locked', ${flagOf('item_file.locked')},
    'usage_rights', json(item_file.usage_rights), 'picture', case when item_file.content_type like 'image/%' then item_file.uuid end`
        : sql``
    })`)
    .mapWith((given: string) => JSON.parse(given) as ItemContent)
    .as('content');
