// People as clients see them: how much depends on who asks, and where.

import { User } from '@carrel/shared/resources/user';
import { and, asc, eq, ne, type SQL } from 'drizzle-orm';
import { adminMay } from '../../contexts/institution';
import { within } from '../../database/ids';
import type { ResultOf } from '../../database/open';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { avatarOf } from './display';
import { communication_channels, logins, users } from './table';

export type UserRow = RowOf<typeof users>;

/** A permission where the request stands: in its course, else its account, else the whole institution. */
export const holds = (call: Pick<Call, 'course' | 'account' | 'me' | 'institution'>, permission: string): boolean =>
  (call.course ?? call.account)?.can(permission) ?? adminMay(permission, call.me, [call.institution.root.id], call.institution);

/** What belongs to the people with these ids: the names they sign in by, and where they are written to. */
export const besidesUsers = (ids: SQL, { db }: Pick<Call, 'db'>) => ({
  logins: db.build
    .select({
      user_id: logins.user_id,
      unique_id: logins.unique_id,
      sis_user_id: logins.sis_user_id,
      integration_id: logins.integration_id,
    })
    .from(logins)
    .where(and(within(logins.user_id, ids), ne(logins.workflow_state, 'deleted')))
    .orderBy(asc(logins.id)),
  channels: db.build
    .select({ user_id: communication_channels.user_id, address: communication_channels.address })
    .from(communication_channels)
    .where(
      and(
        within(communication_channels.user_id, ids),
        eq(communication_channels.type, 'email'),
        ne(communication_channels.workflow_state, 'deleted'),
      ),
    )
    .orderBy(asc(communication_channels.position), asc(communication_channels.id)),
});

type Besides = { [K in keyof ReturnType<typeof besidesUsers>]: ResultOf<ReturnType<typeof besidesUsers>[K]> };

const firstName = (name: string) => name.trim().split(/\s+/).slice(0, -1).join(' ') || name;
const lastName = (name: string) => (/\s/.test(name.trim()) ? (name.trim().split(/\s+/).at(-1) ?? '') : '');

/** One person; `wants` names the fields that are told on request. */
export function userJson(row: UserRow, call: Call, besides: Besides, wants: (field: string) => boolean) {
  const login = besides.logins.find((one) => one.user_id === row.id);
  const isMe = row.id === call.me.id;
  const seesSis = holds(call, 'read_sis') || holds(call, 'manage_sis');
  const managesLogins = holds(call, 'manage_user_logins');
  return {
    ...row,
    pronouns: row.pronouns ?? undefined,
    merged_into_user_id: row.workflow_state === 'deleted' ? (row.merged_into_user_id ?? undefined) : undefined,
    sis_user_id: seesSis ? (login?.sis_user_id ?? null) : undefined,
    integration_id: seesSis ? (login?.integration_id ?? null) : undefined,
    sis_import_id: holds(call, 'manage_sis') ? null : undefined,
    login_id: isMe || holds(call, 'view_user_logins') ? login?.unique_id : undefined,
    first_name: wants('first_name') ? firstName(row.name) : undefined,
    last_name: wants('last_name') ? lastName(row.name) : undefined,
    avatar_url: wants('avatar_url') ? avatarOf(row, call.origin) : undefined,
    bio: wants('bio') ? row.bio : undefined,
    title: wants('title') ? row.title : undefined,
    email:
      wants('email') && (isMe || holds(call, 'read_email_addresses'))
        ? (besides.channels.find((one) => one.user_id === row.id)?.address ?? null)
        : undefined,
    locale: wants('locale') ? row.locale : undefined,
    effective_locale: wants('locale') && isMe ? (row.locale ?? 'en') : undefined,
    last_login: wants('last_login') ? row.last_login : undefined,
    time_zone: wants('time_zone') ? (row.time_zone ?? call.institution.root.default_time_zone) : undefined,
    uuid: wants('uuid') ? row.uuid : undefined,
    permissions: wants('permissions')
      ? {
          can_update_name: managesLogins || (isMe && mayRenameThemselves(call)),
          can_update_avatar: managesLogins || isMe,
          limit_parent_app_web_access: false,
        }
      : undefined,
  };
}

/** The institution lets people change their own names, unless it says otherwise. */
export const mayRenameThemselves = ({ institution }: Pick<Call, 'institution'>) => institution.root.settings.users_can_edit_name !== false;

const telling = (...always: string[]) =>
  serializer({
    resource: User,
    table: users,
    also: besidesUsers,
    json: (row: UserRow, call, besides) => userJson(row, call, besides, (field) => always.includes(field) || call.include.has(field)),
  });

/** A person in a list; `include[]` asks for more. */
export const user = telling();
/** A person shown alone. */
export const shownUser = telling('avatar_url', 'email', 'locale', 'permissions');
/** A person after a change. */
export const changedUser = telling('avatar_url', 'email', 'locale', 'time_zone', 'bio', 'title');
/** A person just made. */
export const newUser = telling('locale');
