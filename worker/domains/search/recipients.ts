// The people and contexts that a search for recipients looks through.

import { and, ne, type SQL, sql } from 'drizzle-orm';
import { contains, theIds } from '../../database/ids';
import type { Database } from '../../database/open';
import { everyoneMet, meetsIn, type Reach, reachable } from '../conversations/reach';
import { type NamedContext, typesOf } from '../conversations/recipients';
import { users } from '../users/table';

/** Every word must be found. */
const says = (words: readonly string[]) => and(...words.map((word) => contains(sql`${users.name} || ' ' || ${users.short_name}`, word)));

export interface Wanted {
  readonly words: readonly string[];
  readonly context: NamedContext | undefined;
  readonly excludedIds: readonly number[];
  readonly conversation_id: number | undefined;
  /** The order values after which the page starts. */
  readonly after: readonly [name: string, id: number] | undefined;
  readonly limit: number;
}

export interface FoundUser {
  readonly id: number;
  readonly name: string;
  readonly short_name: string;
  readonly pronouns: string | null;
  readonly avatar_url: string | null;
  readonly mark_name: string;
  readonly mark_id: number;
}

const told = sql`users.id, users.name, users.short_name, users.pronouns, users.avatar_url`;
const notThese = ({ excludedIds }: Wanted) => sql`users.id not in (${theIds(excludedIds)})`;
const counted = "('active', 'invited')";

/** Members of one course or section, by name: each type is one walk of the roster's index. */
function members(reach: Reach, wanted: Wanted, context: NamedContext): SQL {
  const place = sql.raw(context.kind === 'course' ? 'course_id' : 'course_section_id');
  const after = wanted.after ? sql`and (theirs.sortable_name, theirs.id) > (${wanted.after[0]}, ${wanted.after[1]})` : sql``;
  const walks = typesOf(context.part).map(
    (type) => sql`select * from (select ${told}, theirs.sortable_name as mark_name, theirs.id as mark_id
      from enrollments theirs cross join users on users.id = theirs.user_id
      where theirs.${place} = ${context.id} and theirs.type = ${type} and theirs.enrollment_state in ${sql.raw(counted)} ${after}
        and users.workflow_state <> 'deleted' and ${notThese(wanted)} and ${says(wanted.words) ?? sql`true`}
        and ${reach.isEverybody ? sql`true` : meetsIn(reach)}
        and not exists (select 1 from enrollments twin where twin.user_id = theirs.user_id and twin.course_id = theirs.course_id and twin.${place} = ${context.id}
          and twin.enrollment_state in ${sql.raw(counted)} and twin.id < theirs.id)
      order by theirs.sortable_name, theirs.id limit ${wanted.limit})`,
  );
  return sql`select * from (${sql.join(walks, sql` union all `)}) order by mark_name, mark_id limit ${wanted.limit}`;
}

/** Everybody within reach, by name. */
function everybody(reach: Reach, wanted: Wanted): SQL {
  const after = wanted.after ? sql`and (users.sortable_name collate nocase, users.id) > (${wanted.after[0]}, ${wanted.after[1]})` : sql``;
  const fellows = sql`select user_id from conversation_participants where conversation_id = ${wanted.conversation_id ?? 0} and exists (select 1 from conversation_participants p where p.conversation_id = ${wanted.conversation_id ?? 0} and p.user_id = ${reach.me})`;
  const within = reach.isEverybody ? sql`true` : sql`(users.id in (${everyoneMet(reach)}) or users.id in (${fellows}))`;
  return sql`select ${told}, users.sortable_name as mark_name, users.id as mark_id from users
    where ${and(ne(users.workflow_state, 'deleted'), within, notThese(wanted), says(wanted.words))} ${after}
    order by users.sortable_name collate nocase, users.id limit ${wanted.limit}`;
}

export const peopleWanted = (reach: Reach, wanted: Wanted): SQL =>
  wanted.context ? members(reach, wanted, wanted.context) : everybody(reach, wanted);

/** One person, if he is within reach. */
export const personWanted = (reach: Reach, id: number): SQL =>
  sql`select ${told}, users.sortable_name as mark_name, users.id as mark_id from users where users.id = ${id} and users.workflow_state <> 'deleted' and users.id in (${reachable(reach, theIds([id]))})`;

export interface FoundContext {
  readonly kind: 'course' | 'section';
  readonly id: number;
  readonly name: string;
  readonly course_id: number;
  readonly course_name: string;
  readonly user_count: number;
}

/** Courses of the caller, and the sections of those that have several. */
export const contextsWanted = ({ build }: Database, me: number, course_id: number | undefined) =>
  build.all<FoundContext>(sql`
    with mine(id) as (
      select distinct e.course_id from enrollments e join courses c on c.id = e.course_id
      where e.user_id = ${me} and e.enrollment_state = 'active'
        and (c.workflow_state = 'available' or (c.workflow_state in ('claimed', 'created') and e.type in ('TeacherEnrollment', 'TaEnrollment', 'DesignerEnrollment')))
        and (${course_id ?? null} is null or c.id = ${course_id ?? null}))
    select 'course' as kind, c.id, c.name, c.id as course_id, c.name as course_name,
      (select count(distinct e.user_id) from enrollments e where e.course_id = c.id and e.enrollment_state in ${sql.raw(counted)}) as user_count
    from courses c where c.id in mine
    union all
    select 'section', s.id, s.name, c.id, c.name,
      (select count(distinct e.user_id) from enrollments e where e.course_section_id = s.id and e.enrollment_state in ${sql.raw(counted)})
    from sections s join courses c on c.id = s.course_id
    where s.course_id in mine and s.workflow_state <> 'deleted'
      and (select count(*) from sections o where o.course_id = s.course_id and o.workflow_state <> 'deleted') > 1
    order by 1, 3, 2`);

/** How many of each kind a course or section has: what its synthetic parts are made of. */
export const partsWanted = ({ build }: Database, { me, isEverybody }: Reach, context: NamedContext) => {
  const here = sql.raw(context.kind === 'course' ? 'course_id' : 'course_section_id');
  const isMine = sql`course_id in (select course_id from enrollments where user_id = ${me} and enrollment_state = 'active')`;
  return build.all<{ type: string; user_count: number }>(
    sql`select type, count(distinct user_id) as user_count from enrollments where ${here} = ${context.id} and enrollment_state in ${sql.raw(counted)} and ${isEverybody ? sql`1` : isMine} group by type`,
  );
};
