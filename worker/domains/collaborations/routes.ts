// Collaborations: every endpoint, in the order of the API reference. The documents themselves are stored by external tools.

import { and, eq, sql } from 'drizzle-orm';
import { hidesTab } from '../../contexts/course';
import type { Call } from '../../http/call';
import { del, get, post, put } from '../../http/endpoint';
import { rows } from '../../http/listing';
import { found, invalid, notFound, unauthorized } from '../../http/problem';
import { judged, list, one, type Reply, write } from '../../http/reply';
import { user } from '../users/json';
import { collaborationIn, collaborationParams, type MembersGiven, membersGiven } from './input';
import { collaboration, collaborator } from './json';
import { membersFound, possibleCollaborators, readMembers } from './people';
import { creates, isOwnCollaboration, managesCollaborations, presentCollaborations } from './policy';
import { collaborations, collaborators } from './table';
import { createCollaboration, deleteCollaboration, newestOf, updateCollaboration } from './writes';

export const about = { title: 'Collaborations', description: 'Documents that members of a course or group edit together.' };

const here = (kind: 'Course' | 'Group', { collaboration_id = '' }: Record<string, string>) =>
  sql`select context_id from collaborations where id = ${/^\d{1,15}$/.test(collaboration_id) ? Number(collaboration_id) : 0} and context_type = ${kind} and workflow_state = 'active'`;

/** @throws Problem 404 when the caller cannot see the course tab */
function refuseHidden({ course, group }: Pick<Call, 'course' | 'group'>): void {
  if (course && !group && !course.readsAsAdmin && hidesTab(course, 'collaborations')) throw notFound();
}

const nobody: MembersGiven = { users: [], groups: [], ltiUsers: [], ltiGroups: [] };

/** @throws Problem 400 without a title, or for members who cannot join */
async function make(call: Call, sent: Parameters<typeof collaborationIn>[0]): Promise<Reply> {
  refuseHidden(call);
  if (!creates(call)) throw unauthorized();
  const { title, ...given } = collaborationIn(sent);
  if (title === undefined) throw invalid('title', 'blank', "can't be blank");
  const named = membersGiven(sent) ?? nobody;
  const [people, groups] = await call.db.perform([...readMembers(call, named)]);
  const members = membersFound(named, people, groups);
  return write(
    createCollaboration(call, title, given, members),
    one(rows(collaborations, { where: sql`collaborations.id = ${newestOf(call)}` })),
  );
}

/** Reads the collaboration of the path, if visible to the caller. */
const there = (call: Call, id: number) =>
  call.db.build
    .select({ user_id: collaborations.user_id })
    .from(collaborations)
    .where(and(eq(collaborations.id, id), presentCollaborations(call)));

/** @throws Problem 404 when missing, 401 when owned by another user */
function refuseForeign(call: Call, [row]: readonly { user_id: number }[]): void {
  refuseHidden(call);
  const isMine = found(row).user_id === call.me.id;
  if (!managesCollaborations(call) && !(isMine && creates(call))) throw unauthorized();
}

async function update(call: Call, id: number, sent: Parameters<typeof collaborationIn>[0]): Promise<Reply> {
  const given = collaborationIn(sent);
  const named = membersGiven(sent);
  const [itself, people, groups] = await call.db.perform([there(call, id), ...readMembers(call, named ?? nobody)]);
  refuseForeign(call, itself);
  const members = named && membersFound(named, people, groups);
  return write(updateCollaboration(call, id, given, members), one(rows(collaborations, { where: eq(collaborations.id, id) })));
}

async function end(call: Call, id: number): Promise<Reply> {
  const [itself] = await call.db.perform([there(call, id)]);
  refuseForeign(call, itself);
  return write([deleteCollaboration(call, id)], one(rows(collaborations, { where: eq(collaborations.id, id) })));
}

export const collaborationRoutes = [
  ...(['/courses/:course_id', '/groups/:group_id'] as const).flatMap((place) => [
    get(
      `${place}/collaborations`,
      { can: 'read', returns: { wrapped: 'collaborations', of: collaboration }, summary: 'List collaborations' },
      (call) => {
        refuseHidden(call);
        return list(rows(collaborations, { where: presentCollaborations(call) }));
      },
    ),
    post(
      `${place}/collaborations`,
      { can: 'read', params: collaborationParams, returns: collaboration, summary: 'Create a collaboration' },
      (call) => make(call, call.params),
    ),
    put(
      `${place}/collaborations/:id`,
      { can: 'read', params: collaborationParams, returns: collaboration, summary: 'Update a collaboration' },
      (call) => update(call, call.id, call.params),
    ),
    del(`${place}/collaborations/:id`, { can: 'read', returns: collaboration, summary: 'Delete a collaboration' }, (call) =>
      end(call, call.id),
    ),
    get(`${place}/potential_collaborators`, { can: 'read_roster', returns: [user], summary: 'List potential collaborators' }, (call) =>
      list(possibleCollaborators(call)),
    ),
  ]),

  get(
    '/collaborations/:collaboration_id/members',
    {
      can: 'user',
      within: (path) => ({ course: here('Course', path), group: here('Group', path) }),
      include: ['collaborator_lti_id', 'avatar_image_url'],
      returns: { wrapped: 'collaborators', of: collaborator },
      summary: 'List members of a collaboration',
    },
    (call) => {
      const id = Number(call.path.collaboration_id);
      const place = call.group ?? call.course;
      if (!place?.canRead) throw notFound();
      return judged(
        call.db.build.all<{ may: number }>(
          sql`select ${managesCollaborations(call) ? sql`1` : isOwnCollaboration(call)} as may from collaborations where id = ${id} and workflow_state = 'active'`,
        ),
        (states) => {
          if (!found((states as { may: number }[])[0]).may) throw notFound();
        },
        list(rows(collaborators, { where: sql`collaborators.collaboration_id = ${id}` })),
      );
    },
  ),
];
