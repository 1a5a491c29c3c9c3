// Which users overrides apply to, and the resulting dates, as SQL: for lists that filter and sort by each student's dates (reference 03 §3.4).

import { type SQL, sql } from 'drizzle-orm';
import { isEnrolledStudent } from '../contexts/predicates';
import { shared } from '../database/shared';

/** Each kind is looked up in the index: `in (…)` and `>` would read a row each time, also where an assignment has no override. */
const kindsOfSets = sql.raw("(select 'Course' as kind union all select 'Group' union all select 'CourseSection') kinds");

/** The places of users in the group of override `o`, and their enrollments in its section. */
const seatsInGroup = (users: SQL) =>
  sql`group_memberships seat where seat.group_id = o.set_id and seat.user_id in (${users}) and seat.workflow_state = 'accepted'`;
const seatsInSection = (users: SQL) =>
  sql`enrollments seat where seat.course_section_id = o.set_id and seat.user_id in (${users}) and ${isEnrolledStudent('seat')}`;

/**
 * The overrides that apply to a student, with `is_live`: false for a section whose enrollment is concluded or inactive.
 * @param which the comparison for the assignment's id: `= assignments.id`, `in (…)`
 * @param users anything valid inside `in (…)`: an id, a column, a select of ids
 */
export const reaching = (which: SQL, users: SQL): SQL => sql`
  select o.*, 1 as is_live from assignment_override_students s join assignment_overrides o on o.id = s.assignment_override_id
    where s.assignment_id ${which} and s.user_id in (${users}) and o.workflow_state = 'active'
  union all select * from (select o.*, case kinds.kind when 'Course' then 1
      when 'Group' then (select 1 from ${seatsInGroup(users)})
      else (select max(seat.enrollment_state in ('active', 'invited', 'creation_pending')) from ${seatsInSection(users)}) end as is_live
    from ${kindsOfSets} cross join assignment_overrides o on o.assignment_id ${which} and o.workflow_state = 'active' and o.set_type = kinds.kind limit -1)
    where is_live is not null`;

/** The same for several users, given as a select, which is written once. */
export const reachingAny = (which: SQL, users: SQL): SQL =>
  sql`select * from (with seen(id) as (${users}) ${reaching(which, sql`select id from seen`)})`;

/** Every override of the assignment, which is what its teachers see. */
export const everyOverride = (which: SQL): SQL =>
  sql`select o.*, 1 as is_live from assignment_overrides o where o.assignment_id ${which} and o.workflow_state = 'active'`;

type DateField = 'due_at' | 'unlock_at' | 'lock_at';

/** The overrides that count: those of a concluded enrollment only where the assignment is for no one else. */
const counting = (source: SQL): SQL => sql`select * from (${source}) o where o.is_live or assignments.only_visible_to_overrides`;

/** Reads a value from the one of the counting overrides that decides a date. The earlier unlock date wins, but one whose lock date has passed does not count. */
function ofDeciding(field: DateField, source: SQL, now: string, value: SQL): SQL {
  const [filter, order] =
    field === 'unlock_at'
      ? [sql` and (o.lock_at is null or o.lock_at >= ${shared('time', now)})`, sql.raw('o.unlock_at')]
      : [sql``, sql.raw(`o.${field} desc nulls first`)];
  return sql`select ${value} from ${source} o where o.${sql.raw(field)}_overridden${filter}
    order by o.is_live desc, o.set_type = 'ADHOC' desc, ${order} limit 1`;
}

// Most assignments have no overrides, and sorting an empty set would still cost a row each.
const hasSome = sql.raw(
  "exists (select 1 from assignment_overrides o where o.assignment_id = assignments.id and o.workflow_state = 'active')",
);

/** A date of an assignment that has overrides. */
function afterOverrides(field: DateField, source: SQL, now: string): SQL {
  const date = sql.raw(field);
  const moved = sql`iif(o.unassign_item, assignments.${date}, coalesce(o.${date}, ''))`;
  return sql`nullif(coalesce((${ofDeciding(field, source, now, moved)}), assignments.${date}), '')`;
}

/**
 * An effective date of `assignments`, after overrides; null without one.
 * @param source `reaching(…)` or `everyOverride(…)` for the current assignment
 */
export function effectiveDate(field: DateField, source: SQL, now: string): SQL<string | null> {
  return sql<
    string | null
  >`case when ${hasSome} then ${afterOverrides(field, sql`(${counting(source)})`, now)} else assignments.${sql.raw(field)} end`;
}

export interface EffectiveDates {
  readonly due_at: string | null;
  readonly unlock_at: string | null;
  readonly lock_at: string | null;
}

const dateFields = ['due_at', 'unlock_at', 'lock_at'] as const;

/** All effective dates of `assignments` as one column: the overrides are read once for the three. */
export function effectiveDates(source: SQL, now: string): SQL<EffectiveDates> {
  const own = dateFields.map((field) => `'${field}', assignments.${field}`).join(', ');
  const found = dateFields.map((field) => sql`${sql.raw(`'${field}'`)}, ${afterOverrides(field, sql`applying`, now)}`);
  return sql<EffectiveDates>`case when ${hasSome}
    then (with applying as materialized (${counting(source)}) select json_object(${sql.join(found, sql`, `)}))
    else json_object(${sql.raw(own)}) end`.mapWith((text: string) => JSON.parse(text) as EffectiveDates);
}

/** The due date of `assignments` after overrides, '' without one, and the id of the override that decides it, as a JSON array; null when none does. */
export const decidedDue = (source: SQL, now: string): SQL =>
  sql`case when ${hasSome} then (${ofDeciding(
    'due_at',
    sql`(${counting(source)})`,
    now,
    sql.raw("iif(o.unassign_item, json_array(coalesce(assignments.due_at, ''), null), json_array(coalesce(o.due_at, ''), o.id))"),
  )}) end`;

/** The items `i` of modules that are the row of `assignments`: a graded discussion or quiz is in a module as such. */
const placed = `(select 'Assignment' as type, assignments.id as id
    union all select 'Discussion', t.id from discussion_topics t where t.assignment_id = assignments.id and assignments.submission_types like '%discussion_topic%'
    union all select 'Quiz', z.id from quizzes z where z.assignment_id = assignments.id and assignments.submission_types like '%online_quiz%') shown
    cross join module_items i on i.type = shown.type and i.content_id = shown.id and i.workflow_state = 'active'`;
export const itemsOfAssignment: SQL = sql.raw(placed);

/**
 * Modules with overrides show their items only to the users named there.
 * One row for each override of a module; one without, if it has none.
 */
const inModules = sql.raw(
  `${placed}
    join modules m on m.id = i.module_id and m.workflow_state = 'active' left join module_overrides v on v.module_id = m.id`,
);
/** The ids of the overrides of the modules that contain the row of `assignments`. */
export const overridesOfModules: SQL = sql`select v.id from ${inModules} where v.id is not null`;

/** Per override of the modules of the current assignment: whether there is one, and whether it names the user. */
const moduleStates = (
  user: SQL,
) => sql`select v.id is not null as is_restricted, exists (select 1 from json_each(v.student_ids) j where j.value = ${user})
    or exists (select 1 from (select 1 from enrollments seat where seat.course_section_id = v.course_section_id and seat.user_id = ${user} and ${isEnrolledStudent('seat')})) as is_named
  from ${inModules}`;

/** What the modules decide: 1 if all of them are restricted, and 2 or more if one names the student. @param otherwise where none decides */
const byModules = (user: SQL, otherwise: SQL): SQL =>
  sql`case (select min(state.is_restricted) + 2 * max(state.is_named) from (${moduleStates(user)}) state) when 1 then 0 when 2 then 1 when 3 then 1 else ${otherwise} end`;

/** Whether each override for a student assigns: `reaching` without dates, which is shorter. */
const verdictsOfOverrides = (
  user: SQL,
): SQL => sql`select not o.unassign_item as assigns from assignment_override_students s join assignment_overrides o on o.id = s.assignment_override_id
    where s.assignment_id = assignments.id and s.user_id = ${user} and o.workflow_state = 'active'
  union all select not o.unassign_item from ${kindsOfSets} cross join assignment_overrides o on o.assignment_id = assignments.id and o.workflow_state = 'active' and o.set_type = kinds.kind
    where case kinds.kind when 'Course' then 1 when 'Group' then exists (select 1 from ${seatsInGroup(user)}) else exists (select 1 from ${seatsInSection(user)}) end`;

/**
 * Whether the row of `assignments` is assigned to a student; publication is checked elsewhere.
 *
 * Overrides decide first: one assigns, or all of them unassign; null without any. Then the modules, which are not read when an override assigns.
 * Each is read once, in `from`, where expression depth is not counted.
 */
export const assignedTo = (user: SQL): SQL => sql`exists (select 1 from (
    select case when given.assigns then 1 else ${byModules(user, sql.raw('given.assigns is null and not assignments.only_visible_to_overrides'))} end as is_assigned
      from (select (select max(assigns) from (${verdictsOfOverrides(user)})) as assigns) given) known
  where known.is_assigned)`;

/** The same for an assignment that is known to have no override for the student. */
export const assignedUnmoved = (user: SQL): SQL =>
  sql`exists (select 1 from (select ${byModules(user, sql.raw('not assignments.only_visible_to_overrides'))} as is_assigned) known where known.is_assigned)`;

/** A select of the assignments in restricted modules, which have a graded discussion or quiz as such; null for one that is not graded. */
export const inRestrictedModules = (
  which: SQL,
): SQL => sql`select case i.type when 'Assignment' then i.content_id when 'Discussion' then t.assignment_id else z.assignment_id end
  from module_overrides v cross join module_items i on i.module_id = v.module_id and i.type in ('Assignment', 'Discussion', 'Quiz')
  left join discussion_topics t on i.type = 'Discussion' and t.id = i.content_id left join quizzes z on i.type = 'Quiz' and z.id = i.content_id
  where v.course_id ${which}`;

/**
 * A select of the assignments that may not be for everyone in their course: those with an override, only for some, or in a restricted module. All others
 * are assigned to every student, which `assignedTo` need not find out for each.
 * @param which the comparison for the course's id: `= …`, `in (…)`
 */
export const restrictedIn = (which: SQL): SQL => sql`select assignment_id from assignment_overrides where course_id ${which}
  union all select id from assignments indexed by assignments_for_some where course_id ${which} and only_visible_to_overrides = 1
  union all ${inRestrictedModules(which)}`;

/**
 * A select of the assignments of courses that are not for the users concerned, so that lists say the long condition once.
 * @param isAssigned whether the row of `assignments` is for one of them, by `assignedTo`
 * @param courses a select of ids
 * @param within a cheap condition on `assignments` that the list has anyway: others are not examined, and may be missing here
 */
export const closedIn = (isAssigned: SQL, courses: SQL, within: SQL): SQL =>
  sql`select assignments.id from (select * from assignments where assignments.id in (${restrictedIn(sql`in (${courses})`)}) and ${within}) assignments where not ${isAssigned}`;
