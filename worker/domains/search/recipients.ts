// The users and contexts that a recipient search finds.

import { and, type SQL, sql } from 'drizzle-orm';
import { isActiveStaff, isStaff } from '../../contexts/predicates';
import { atMost } from '../../database/at_most';
import { contains, theIds } from '../../database/ids';
import type { Database } from '../../database/open';
import { shared, sharedMark } from '../../database/shared';
import { limited } from '../../http/listing';
import { type NamedContext, rosterTypesOf } from '../conversations/recipients/named';
import {
  firstMet,
  inAccountGroups,
  isInAccounts,
  meetsIn,
  metWith,
  type RecipientReach,
  reachable,
  reaches,
  teamsWith,
} from '../conversations/recipients/reach';
import { fewOf } from '../users/search/matches';

export interface RecipientQuery {
  readonly words: readonly string[];
  readonly context: NamedContext | undefined;
  readonly excludedIds: readonly number[];
  readonly conversation_id: number | undefined;
  /** The bookmark: sort values after which the page starts. */
  readonly after: readonly [name: string, id: number] | undefined;
  readonly limit: number;
}

export interface FoundUser {
  readonly id: number;
  readonly name: string;
  readonly short_name: string;
  readonly pronouns: string | null;
  readonly avatar_url: string | null;
  /** Shared courses: JSON of `[course_id, type]`. */
  readonly met: string;
  /** Shared groups: JSON of ids. */
  readonly teams: string;
  readonly mark_name: string;
  readonly mark_id: number;
}

const counted = "('active', 'invited')";

/** Adds shared courses and groups to the selected users (`first_id`, `mark_name`, `mark_id`), after the page has been chosen. */
const hydrated = (
  chosen: SQL,
  me: number,
  limit: number,
  isFew = sql`1`,
) => sql`with gate(is_few) as materialized (select ${isFew}) select users.id, users.name, users.short_name, users.pronouns, users.avatar_url, ${metWith(sql`users.id`, me)} as met, ${teamsWith(sql`users.id`, me)} as teams,
    chosen.mark_name, chosen.mark_id
  from (select first_id, mark_name, mark_id from (${chosen}) group by first_id order by mark_name, mark_id limit ${atMost(limit)}) chosen cross join users on users.id = chosen.first_id
  order by chosen.mark_name, chosen.mark_id`;

const first = (key: string, { after, limit }: RecipientQuery, from: SQL, where: SQL, when?: SQL) => {
  const [name, id] = key.split(', ').map((one) => sql.raw(one));
  const [markName, markId] = sharedMark(after ?? []);
  const beyond = after ? sql` and ${name} >= ${markName} and (${name}, ${id}) > (${markName}, ${markId})` : sql``;
  return sql`select first_id, mark_name, mark_id from (select users.id as first_id, ${name} as mark_name, ${id} as mark_id ${from} where ${where}${beyond} order by ${name}, ${id} limit ${limited(limit, when)})`;
};

/** Whether few users match the words; evaluated once. */
const isRare = sql.raw('(select is_few from gate)');

const isWanted = ({ excludedIds }: RecipientQuery) =>
  sql`users.workflow_state <> 'deleted' and users.id not in (select value from json_each(${shared('users', JSON.stringify(excludedIds))}))`;
const text = sql.raw("users.name || ' ' || users.short_name");
/** Every word must match. All words are one parameter, because a statement may have at most a hundred. */
const says = ({ words }: RecipientQuery): SQL =>
  words.length > 3
    ? sql`not exists (select 1 from json_each(${shared('term', JSON.stringify(words.map((word) => word.toLowerCase())))}) w where instr(lower(${text}), w.value) = 0)`
    : (and(...words.map((word) => contains(text, word))) ?? sql`1`);
const mostOf = ({ limit }: RecipientQuery) => 10 * limit;

/** Members of a course or section, by name: the few who match the words, or one index walk of the roster per enrollment type. */
function members(reach: RecipientReach, wanted: RecipientQuery, context: NamedContext): SQL {
  const place = sql.raw(context.kind === 'course' ? 'course_id' : 'course_section_id');
  const id = shared(context.kind === 'course' ? 'course' : 'item', context.id);
  const { ids } = fewOf(wanted.words.slice(0, 3), ['name', 'short_name'], mostOf(wanted));
  const types = rosterTypesOf(context.part);
  const here = sql`theirs.${place} = ${id} and theirs.enrollment_state in ${sql.raw(counted)} and ${isWanted(wanted)}
    and ${reach.isEverybody ? sql`1` : meetsIn(reach)}
    and not exists (select 1 from enrollments twin where twin.user_id = theirs.user_id and twin.course_id = theirs.course_id and twin.${place} = ${id}
      and twin.enrollment_state in ${sql.raw(counted)} and twin.id < theirs.id
      and twin.type in (select value from json_each(${shared('types', JSON.stringify(types))})) and ${reach.isEverybody ? sql`1` : meetsIn(reach, 'twin')})`;
  const key = 'theirs.sortable_name, theirs.id';
  const walks = types.map((type) =>
    first(
      key,
      wanted,
      sql`from enrollments theirs cross join users on users.id = theirs.user_id`,
      sql`theirs.type = ${type} and ${here} and ${says(wanted)}`,
      sql`not ${isRare}`,
    ),
  );
  const few = first(
    key,
    wanted,
    sql`from (${ids}) few cross join users on users.id = few.found cross join enrollments theirs on theirs.user_id = users.id`,
    sql`theirs.type in (select value from json_each(${shared('types', JSON.stringify(types))})) and ${here} and ${says(wanted)}`,
    isRare,
  );
  return both(wanted, few, walks);
}

/** Members of a group, by name: for its members, and callers who may write to them anyway. */
function teammates(reach: RecipientReach, wanted: RecipientQuery, id: number): SQL {
  const isMine = sql`exists (select 1 from group_memberships own where own.group_id = ${id} and own.user_id = ${reach.me} and own.workflow_state = 'accepted')`;
  return first(
    'theirs.sortable_name, theirs.user_id',
    wanted,
    sql`from group_memberships theirs cross join users on users.id = theirs.user_id`,
    sql`theirs.group_id = ${id} and theirs.workflow_state = 'accepted' and ${isWanted(wanted)} and ${says(wanted)}
      and ${reach.isEverybody ? sql`1` : sql`(${isMine} or ${reaches(reach, sql`users.id`)})`}`,
  );
}

/** D1 limits the terms of a compound select. */
const both = ({ words }: RecipientQuery, few: SQL, walks: readonly SQL[]) => {
  const walked = sql`select * from (${sql.join([...walks], sql` union all `)})`;
  return words.length > 0 ? sql`select * from (${few}) union all ${walked}` : walked;
};

const byName = 'users.sort_name, users.same_id';

/**
 * Everyone whom the caller may write to, by name: the few who match the words; or all users of the institution, or the members of each of the
 * caller's courses, at most one page deep.
 */
function everybody(reach: RecipientReach, wanted: RecipientQuery): SQL {
  const { ids } = fewOf(wanted.words.slice(0, 3), ['name', 'short_name'], mostOf(wanted));
  const fellows = sql`select p.user_id as found from conversation_participants mine join conversation_participants p on p.conversation_id = mine.conversation_id
    where mine.conversation_id = ${wanted.conversation_id ?? 0} and mine.user_id = ${reach.me}`;
  const chosen = sql`${isWanted(wanted)} and ${says(wanted)}`;
  const few = first(
    byName,
    wanted,
    sql`from (${ids}) few cross join users on users.id = few.found`,
    sql`${chosen} and ${reach.isEverybody ? sql`1` : sql`(${reaches(reach, sql`users.id`)} or users.id in (${fellows}))`}`,
    isRare,
  );
  const walk = (condition: SQL, from = sql`users`) =>
    first(byName, wanted, sql`from ${from}`, sql`${condition} and ${chosen}`, sql`not ${isRare}`);
  const walks = reach.isEverybody
    ? [walk(sql`1`)]
    : [
        sql`select users.id as first_id, users.sort_name as mark_name, users.id as mark_id from users where users.id in (${firstMet(reach, chosen, { ...wanted, limit: limited(wanted.limit, sql`not ${isRare}`) })})`,
        ...(reach.accounts.length > 0 ? [walk(isInAccounts(reach, sql`users.id`))] : []),
        walk(sql`1`, sql`(select ${reach.me} as found union ${inAccountGroups(reach)}) these cross join users on users.id = these.found`),
        ...(wanted.conversation_id === undefined ? [] : [walk(sql`1`, sql`(${fellows}) these cross join users on users.id = these.found`)]),
      ];
  return both(wanted, few, walks);
}

export const peopleWanted = (reach: RecipientReach, wanted: RecipientQuery): SQL =>
  hydrated(
    wanted.context?.kind === 'group'
      ? teammates(reach, wanted, wanted.context.id)
      : wanted.context
        ? members(reach, wanted, wanted.context)
        : everybody(reach, wanted),
    reach.me,
    wanted.limit,
    fewOf(wanted.words.slice(0, 3), ['name', 'short_name'], mostOf(wanted)).isFew,
  );

/** One user, if the caller may write to them. */
export const personWanted = (reach: RecipientReach, id: number): SQL =>
  hydrated(
    sql`select users.id as first_id, users.sort_name as mark_name, users.id as mark_id from users where users.id = ${id} and users.workflow_state <> 'deleted' and users.id in (${reachable(reach, theIds([id]))})`,
    reach.me,
    1,
  );

export interface FoundContext {
  readonly kind: 'course' | 'section' | 'group';
  readonly id: number;
  readonly name: string;
  readonly course_id: number;
  readonly course_name: string;
  readonly user_count: number;
}

/** Maximum number of a course's groups shown to its instructors. */
const mostGroups = 200;

/** The number of users in a course or one of its sections. */
const peopleOf = (course: SQL, section: SQL) =>
  sql`coalesce((select r.people from roster_counts r where r.course_id = ${course} and r.course_section_id = ${section} and r.type = ''), 0)`;

export interface ContextsWanted {
  readonly me: number;
  /** Restricts the search to a course. */
  readonly course_id: number | undefined;
  readonly kinds: readonly FoundContext['kind'][];
  /** The bookmark: kind, name and id after which the page starts. */
  readonly after: readonly [kind: string, name: string, id: number] | undefined;
  /** Maximum number of results; all when a search filters them afterwards. */
  readonly limit: number | undefined;
}

const none: readonly [string, string, number] = ['', '', 0];

/** The caller's courses, their sections if they have several, and the caller's groups; instructors get all groups of a single course. */
export const contextsWanted = ({ build }: Database, { me, course_id, kinds, after = none, limit = -1 }: ContextsWanted) => {
  const [kind, name, id] = after;
  const only = course_id ?? null;
  const beyond =
    kind === 'section'
      ? sql`n.name collate nocase >= ${name} and (n.name collate nocase, n.id) > (${name}, ${id})`
      : kind < 'section'
        ? sql`1`
        : sql`0`;
  return build.all<FoundContext>(sql`
    with mine(id) as materialized (
      select distinct e.course_id from enrollments e join courses c on c.id = e.course_id
      where e.user_id = ${me} and e.enrollment_state = 'active'
        and (c.workflow_state = 'available' or (c.workflow_state in ('claimed', 'created') and ${isStaff('e')}))
        and (${only} is null or c.id = ${only})),
    divided(id) as materialized (
      select id from mine where (select count(*) from (select 1 from sections o where o.course_id = mine.id and o.workflow_state <> 'deleted' limit 2)) > 1)
    select * from (
      select 'course' as kind, c.id, c.name, c.id as course_id, c.name as course_name, ${peopleOf(sql`c.id`, sql`0`)} as user_count
      from courses c where c.id in mine
      union all
      select 'section', s.id, s.name, c.id, c.name, ${peopleOf(sql`c.id`, sql`s.id`)}
      from divided cross join courses c on c.id = divided.id cross join sections s on s.id in (
        select n.id from sections n where n.course_id = divided.id and n.workflow_state <> 'deleted' and ${beyond} order by n.name collate nocase, n.id limit ${atMost(limit)})
      union all
      select * from (select 'group', g.id, g.name, case g.context_type when 'Course' then g.context_id else 0 end,
        case g.context_type when 'Course' then (select c.name from courses c where c.id = g.context_id) else (select a.name from accounts a where a.id = g.context_id) end, g.members_count
      from group_memberships m join groups g on g.id = m.group_id
      where m.user_id = ${me} and m.workflow_state = 'accepted' and g.workflow_state = 'available' and not g.non_collaborative
        and (${only} is null or (g.context_type = 'Course' and g.context_id = ${only}))
      union
      select * from (select 'group', g.id, g.name, c.id, c.name, g.members_count from groups g join courses c on c.id = g.context_id
        where g.context_type = 'Course' and g.context_id = ${course_id ?? 0} and g.workflow_state = 'available' and not g.non_collaborative and exists (
          select 1 from enrollments e where e.user_id = ${me} and e.course_id = c.id and ${isActiveStaff('e')}
            and not e.limit_privileges_to_course_section) limit ${atMost(mostGroups)})))
    where kind in (select value from json_each(${JSON.stringify(kinds)})) and (kind, name collate nocase, id) > (${kind}, ${name}, ${id}) order by kind, name collate nocase, id limit ${atMost(limit)}`);
};

/** Numbers of users per enrollment type in a course or section, for its synthetic contexts. */
export const partsWanted = ({ build }: Database, { me, isEverybody }: RecipientReach, context: NamedContext) => {
  const here =
    context.kind === 'course'
      ? sql`course_id = ${context.id} and course_section_id = 0`
      : sql`course_id = (select course_id from sections where id = ${context.id}) and course_section_id = ${context.id}`;
  const isMine = sql`course_id in (select course_id from enrollments where user_id = ${me} and enrollment_state = 'active')`;
  return build.all<{ type: string; user_count: number }>(
    sql`select type, people as user_count from roster_counts where ${here} and type <> '' and people > 0 and ${isEverybody ? sql`1` : isMine}`,
  );
};
