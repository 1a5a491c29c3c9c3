// The participants of a conversation, and the courses and groups they share with the caller.

import { lookUp } from '@carrel/shared/wire/look_up';
import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isInSelect } from '../../database/ids';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { users } from '../users/table';
import { teamsWith } from './recipients/reach';
import { type conversations, conversation_participants as participants } from './table';

type Placed = Pick<RowOf<typeof conversations>, 'context_type' | 'context_id'>;

/** A user's roles in the caller's courses, as `[course, type]`. */
const sharedCourses = (me: number) =>
  sql<
    [number, string][]
  >`iif(${participants.user_id} = ${me}, '[]', (select json_group_array(json_array(e.course_id, e.type)) from enrollments e
    where e.user_id = ${participants.user_id} and e.enrollment_state in ('active', 'invited', 'completed')
      and e.course_id in (select course_id from enrollments where user_id = ${me} and enrollment_state in ('active', 'invited', 'completed'))))`
    .mapWith((result: string) => JSON.parse(result) as [number, string][])
    .as('shared');

/** The groups that a user shares with the caller. */
const sharedGroups = (me: number) =>
  sql<number[]>`iif(${participants.user_id} = ${me}, '[]', ${teamsWith(sql`${participants.user_id}`, me)})`
    .mapWith((told: string) => JSON.parse(told) as number[])
    .as('teams');

/** Participants of conversations, with the contexts they share with the caller. */
export const selectParticipants = (ids: SQL, { db, me }: Pick<Call, 'db' | 'me'>) => {
  const { joined_at: _, version: __, ...state } = getTableColumns(participants);
  return db.build
    .select({
      ...state,
      name: users.name,
      short_name: users.short_name,
      pronouns: users.pronouns,
      avatar_url: users.avatar_url,
      shared: sharedCourses(me.id),
      teams: sharedGroups(me.id),
    })
    .from(participants)
    .innerJoin(users, eq(users.id, participants.user_id))
    .where(isInSelect(participants.conversation_id, ids));
};
export type MessageParticipant = ResultOf<ReturnType<typeof selectParticipants>>[number];

export const rolesByCourse = ({ shared }: MessageParticipant) => {
  const roles: Record<string, string[]> = {};
  for (const [course_id, type] of shared) roles[course_id] = [...new Set([...(roles[course_id] ?? []), type])];
  return roles;
};

/** Courses that the caller shares with all other participants; with a single other participant, also their roles there. */
export function contextsOf(row: Placed, others: readonly MessageParticipant[]) {
  const perPerson = others.map(rolesByCourse);
  const common = Object.keys(perPerson[0] ?? {}).filter((course) => perPerson.every((roles) => Object.hasOwn(roles, course)));
  const named = row.context_type === 'Course' && row.context_id !== null ? [String(row.context_id)] : [];
  return Object.fromEntries(
    [...new Set([...common, ...named])].map((course) => [course, others.length === 1 ? (lookUp(perPerson[0], course) ?? []) : []]),
  );
}

/** Groups that the caller shares with all other participants. */
export function sharedGroupsOf(row: Placed, others: readonly MessageParticipant[]) {
  const [first, ...rest] = others;
  const common = (first?.teams ?? []).filter((id) => rest.every(({ teams }) => teams.includes(id)));
  const named = row.context_type === 'Group' && row.context_id !== null ? [row.context_id] : [];
  return Object.fromEntries(
    [...new Set([...common, ...named])].map((id) => [String(id), others.length === 1 && first?.teams.includes(id) ? ['Member'] : []]),
  );
}

export const sharedGroupRoles = ({ teams }: MessageParticipant) => Object.fromEntries(teams.map((id) => [String(id), ['Member']]));
