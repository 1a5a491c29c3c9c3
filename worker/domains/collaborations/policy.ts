// Which collaborations a caller sees: staff all of them, others those they own or belong to, directly or through a group.

import { type SQL, sql } from 'drizzle-orm';
import type { Call } from '../../http/call';

type Asking = Pick<Call, 'me' | 'course' | 'group'>;

export const managesCollaborations = ({ course, group }: Pick<Call, 'course' | 'group'>): boolean =>
  group?.moderates ?? course?.readsAsAdmin ?? false;

/** Whether the caller may create collaborations and change their own. */
export const creates = ({ course, group }: Pick<Call, 'course' | 'group'>): boolean =>
  group ? group.participates && group.can('create_collaborations') : (course?.can('create_collaborations') ?? false);

export const isOwnCollaboration = ({ me }: Pick<Call, 'me'>): SQL => sql`(collaborations.user_id = ${me.id} or exists (
  select 1 from collaborators c where c.collaboration_id = collaborations.id and (c.user_id = ${me.id}
    or c.group_id in (select m.group_id from group_memberships m where m.user_id = ${me.id} and m.workflow_state = 'accepted'))))`;

export const presentCollaborations = (call: Asking): SQL => {
  const [type, id] = call.group ? ['Group', call.group.id] : ['Course', call.course?.id ?? 0];
  return sql`collaborations.context_type = ${type} and collaborations.context_id = ${id} and collaborations.workflow_state = 'active'${
    managesCollaborations(call) ? sql`` : sql` and ${isOwnCollaboration(call)}`
  }`;
};
