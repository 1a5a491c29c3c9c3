// Statements that create and change a collaboration. The author is always a member.

import { eq, type SQL, sql } from 'drizzle-orm';
import type { Statement } from '../../database/open';
import type { Call } from '../../http/call';
import type { CollaborationGiven } from './input';
import type { Members } from './people';
import { collaborations } from './table';

type Around = Pick<Call, 'db' | 'me' | 'now' | 'course' | 'group'>;

/** The collaboration created earlier in the same batch. */
export const newestOf = ({ me }: Pick<Call, 'me'>): SQL => sql`(select max(w.id) from collaborations w where w.user_id = ${me.id})`;

const join = ({ db }: Pick<Call, 'db'>, id: SQL, { users, groups }: Members): Statement =>
  db.build.run(sql`insert or ignore into collaborators (collaboration_id, user_id, group_id)
    select w.id, member.user_id, member.group_id from collaborations w cross join (select value as user_id, null as group_id from json_each(${JSON.stringify(users)})
      union all select null, value from json_each(${JSON.stringify(groups)})) member where w.id = ${id}`);

const joinAuthor = ({ db }: Pick<Call, 'db'>, id: SQL): Statement =>
  db.build.run(
    sql`insert or ignore into collaborators (collaboration_id, user_id) select w.id, w.user_id from collaborations w where w.id = ${id}`,
  );

/** @param title required */
export function createCollaboration(call: Around, title: string, given: CollaborationGiven, members: Members): Statement[] {
  const { db, me, now, course, group } = call;
  const id = newestOf(call);
  return [
    db.build.insert(collaborations).values({
      ...given,
      title,
      context_type: group ? 'Group' : 'Course',
      context_id: group?.id ?? course?.id ?? 0,
      user_id: me.id,
      collaboration_type: given.collaboration_type ?? 'external_tool_collaboration',
      created_at: now,
      updated_at: now,
    }),
    joinAuthor(call, id),
    join(call, id, members),
  ];
}

const isGiven = (entry: [string, unknown]) => entry[1] !== undefined;

/** @param members the new members; undefined leaves them unchanged */
export function updateCollaboration(
  { db, now }: Pick<Call, 'db' | 'now'>,
  id: number,
  given: CollaborationGiven,
  members: Members | undefined,
): Statement[] {
  const set = { ...Object.fromEntries(Object.entries(given).filter(isGiven)), updated_at: now };
  const itself = sql`${id}`;
  const others = members && [
    db.build.run(sql`delete from collaborators where collaborators.collaboration_id = ${id} and not (
      coalesce(collaborators.user_id in (select value from json_each(${JSON.stringify(members.users)})), 0)
      or coalesce(collaborators.group_id in (select value from json_each(${JSON.stringify(members.groups)})), 0))`),
    joinAuthor({ db }, itself),
    join({ db }, itself, members),
  ];
  return [db.build.update(collaborations).set(set).where(eq(collaborations.id, id)), ...(others ?? [])];
}

export const deleteCollaboration = ({ db, now }: Pick<Call, 'db' | 'now'>, id: number): Statement =>
  db.build.update(collaborations).set({ workflow_state: 'deleted', updated_at: now }).where(eq(collaborations.id, id));
