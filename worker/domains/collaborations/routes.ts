// Collaborations: every endpoint, in the order of the API reference. Tools elsewhere make them.

import { eq, sql } from 'drizzle-orm';
import { hidesTab } from '../../contexts/course';
import type { Call } from '../../http/call';
import { get } from '../../http/endpoint';
import { ascending, rows } from '../../http/listing';
import { found, notFound } from '../../http/problem';
import { judged, list } from '../../http/reply';
import { peopleOf } from '../course_users/policy';
import { enrollments } from '../enrollments/table';
import { group_memberships } from '../groups/table';
import { user } from '../users/json';
import { users } from '../users/table';
import { collaboration, collaborator } from './json';
import { isOwn, manages, present } from './policy';
import { collaborations, collaborators } from './table';

const here = (kind: 'Course' | 'Group', { collaboration_id = '' }: Record<string, string>) =>
  sql`select context_id from collaborations where id = ${/^\d{1,15}$/.test(collaboration_id) ? Number(collaboration_id) : 0} and context_type = ${kind} and workflow_state = 'active'`;

/** Whoever takes part in a course or is in a group, by sortable name. */
function people(call: Call) {
  const { course, group } = call;
  if (group || !course)
    return rows(users, {
      from: group_memberships,
      join: (select) => select.innerJoin(users, eq(users.id, group_memberships.user_id)),
      where: sql`${group_memberships.group_id} = ${group?.id ?? 0} and ${group_memberships.workflow_state} = 'accepted'`,
      order: ascending(group_memberships.sortable_name, group_memberships.user_id),
    });
  return rows(users, {
    from: enrollments,
    join: (select) => select.innerJoin(users, eq(users.id, enrollments.user_id)),
    where: sql`${peopleOf(course, { enrollment_state: ['active'] }, call)}`,
    order: ascending(enrollments.sortable_name, enrollments.user_id),
  });
}

export const collaborationRoutes = [
  ...(['/courses/:course_id', '/groups/:group_id'] as const).flatMap((place) => [
    get(
      `${place}/collaborations`,
      { can: 'read', returns: { wrapped: 'collaborations', of: collaboration }, summary: 'List the collaborations of a course or a group' },
      (call) => {
        const { course } = call as Call;
        if (course && !call.group && !course.readsAsAdmin && hidesTab(course, 'collaborations')) throw notFound();
        return list(rows(collaborations, { where: present(call) }));
      },
    ),
    get(`${place}/potential_collaborators`, { can: 'read_roster', returns: [user], summary: 'List who could work together' }, (call) =>
      list(people(call)),
    ),
  ]),

  get(
    '/collaborations/:collaboration_id/members',
    {
      can: 'user',
      within: (path) => ({ course: here('Course', path), group: here('Group', path) }),
      include: ['collaborator_lti_id', 'avatar_image_url'],
      returns: { wrapped: 'collaborators', of: collaborator },
      summary: 'List who works together',
    },
    (call) => {
      const id = Number(call.path.collaboration_id);
      const place = call.group ?? call.course;
      if (!place?.canRead) throw notFound();
      return judged(
        call.db.build.all<{ may: number }>(
          sql`select ${manages(call) ? sql`1` : isOwn(call)} as may from collaborations where id = ${id} and workflow_state = 'active'`,
        ),
        (states) => {
          if (!found((states as { may: number }[])[0]).may) throw notFound();
        },
        list(rows(collaborators, { where: sql`collaborators.collaboration_id = ${id}` })),
      );
    },
  ),
];
