// Collaborations and collaborators as clients see them.

import { Collaboration, Collaborator } from '@carrel/shared/resources/collaboration';
import { sql } from 'drizzle-orm';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { avatarOf } from '../users/display';
import { creates, managesCollaborations } from './policy';
import { collaborations, collaborators } from './table';

type Row = RowOf<typeof collaborations> & { readonly user_name?: string };

export const collaboration = serializer({
  resource: Collaboration,
  table: collaborations,
  columns: () => ({ user_name: sql<string>`(select u.name from users u where u.id = collaborations.user_id)`.as('user_name') }),
  json: (row: Row, call) => {
    const may = managesCollaborations(call) || (row.user_id === call.me.id && creates(call));
    return { ...row, type: 'ExternalToolCollaboration', user_name: row.user_name ?? '', permissions: { update: may, delete: may } };
  },
});

type Member = RowOf<typeof collaborators> & {
  readonly name?: string;
  readonly avatar_url?: string | null;
  readonly avatar_state?: 'none';
  readonly lti_id?: string;
};

export const collaborator = serializer({
  resource: Collaborator,
  table: collaborators,
  columns: () => ({
    name: sql<string>`coalesce((select u.name from users u where u.id = collaborators.user_id), (select g.name from groups g where g.id = collaborators.group_id), '')`.as(
      'name',
    ),
    avatar_url: sql<string | null>`(select u.avatar_url from users u where u.id = collaborators.user_id)`.as('avatar_url'),
    avatar_state: sql<string | null>`(select u.avatar_state from users u where u.id = collaborators.user_id)`.as('avatar_state'),
    lti_id:
      sql<string>`coalesce((select u.uuid from users u where u.id = collaborators.user_id), (select g.uuid from groups g where g.id = collaborators.group_id), '')`.as(
        'lti_id',
      ),
  }),
  json: (row: Member, { include, origin }) => ({
    id: row.user_id ?? row.group_id ?? 0,
    type: row.user_id === null ? 'group' : 'user',
    name: row.name ?? '',
    avatar_image_url: include.has('avatar_image_url')
      ? row.user_id === null
        ? null
        : avatarOf({ avatar_url: row.avatar_url ?? null }, origin)
      : undefined,
    collaborator_lti_id: include.has('collaborator_lti_id') ? (row.lti_id ?? '') : undefined,
  }),
});
