// Participants of appointments (users, or the groups of one set) as SQL over an appointment group. A reservation is a calendar event of its
// participant.

import { type SQL, sql } from 'drizzle-orm';
import { shared } from '../../../database/shared';

/** Whether groups, not users, reserve the slots. */
export const isForGroups = (offer: SQL): SQL => sql`substr(${offer}.sub_context_codes, 3, 15) = 'group_category_'`;

/** The group set whose groups reserve. */
export const setOf = (offer: SQL): SQL =>
  sql`case when ${isForGroups(offer)} then cast(substr(json_extract(${offer}.sub_context_codes, '$[0]'), 16) as integer) end`;

/** Context codes that hold a user's reservations: the user's and those of their groups. */
export const codesHeldBy = (user_id: number): SQL =>
  sql`(select 'user_' || cast(${shared('user', user_id)} as integer) as code union all select 'group_' || m.group_id from group_memberships m where m.user_id = ${shared('user', user_id)} and m.workflow_state = 'accepted')`;

/** The code of the user's group in the set; null without a group. */
export const groupCodeIn = (offer: SQL, user_id: number): SQL =>
  sql`(select 'group_' || min(m.group_id) from group_memberships m join groups team on team.id = m.group_id
    where m.user_id = ${shared('user', user_id)} and m.workflow_state = 'accepted' and team.workflow_state = 'available' and team.group_category_id = ${setOf(offer)})`;

/** Whether a user is in a group of the set. */
export const isInSet = (offer: SQL, user: SQL): SQL =>
  sql`exists (select 1 from (select 1 from group_memberships m join groups team on team.id = m.group_id
    where m.user_id = ${user} and m.workflow_state = 'accepted' and team.workflow_state = 'available' and team.group_category_id = ${setOf(offer)}))`;

/** Participants per slot: the slot's own limit, else the group's; null means no limit. */
export const participantLimit = (slot: SQL, offer: SQL): SQL =>
  sql`coalesce(json_extract(${slot}.details, '$.participants_per_appointment'), ${offer}.participants_per_appointment)`;
