// Who takes part in appointments: people, or the groups of one set, as SQL over the row of an appointment group. A reservation stands in its participant's calendar.

import { type SQL, sql } from 'drizzle-orm';

const prefix = 'group_category_';

/** Whether the groups of a set reserve, by the name that the row goes by. */
export const isForGroups = (offer: SQL): SQL => sql`substr(${offer}.sub_context_codes, 3, ${prefix.length}) = ${prefix}`;

/** The set whose groups reserve. */
export const setOf = (offer: SQL): SQL =>
  sql`case when ${isForGroups(offer)} then cast(substr(json_extract(${offer}.sub_context_codes, '$[0]'), ${prefix.length + 1}) as integer) end`;

/** The codes under which a person's reservations stand: their own, and those of their groups. */
export const codesHeldBy = (user_id: number): SQL =>
  sql`(select ${`user_${user_id}`} as code union all select 'group_' || m.group_id from group_memberships m where m.user_id = ${user_id} and m.workflow_state = 'accepted')`;

/** The code of a person's group in the set whose groups reserve; null where they are in none. */
export const groupCodeIn = (offer: SQL, user_id: number): SQL =>
  sql`(select 'group_' || min(m.group_id) from group_memberships m join groups team on team.id = m.group_id
    where m.user_id = ${user_id} and m.workflow_state = 'accepted' and team.workflow_state = 'available' and team.group_category_id = ${setOf(offer)})`;

/** Whether a person is in a group of the set whose groups reserve. */
export const isInSet = (offer: SQL, user: SQL): SQL =>
  sql`exists (select 1 from group_memberships m join groups team on team.id = m.group_id
    where m.user_id = ${user} and m.workflow_state = 'accepted' and team.workflow_state = 'available' and team.group_category_id = ${setOf(offer)})`;

/** How many a slot takes: its own limit, or that of its group; null is no limit. */
export const limitOf = (slot: SQL, offer: SQL): SQL =>
  sql`coalesce(json_extract(${slot}.details, '$.participants_per_appointment'), ${offer}.participants_per_appointment)`;
