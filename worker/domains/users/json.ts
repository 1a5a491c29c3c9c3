// Users as clients see them: the fields depend on the caller and the context.

import { cut } from '@carrel/shared/resources/resource';
import { User } from '@carrel/shared/resources/user';
import { sql } from 'drizzle-orm';
import { adminMay } from '../../contexts/institution';
import type { UserRow } from '../../contexts/viewer';
import { rowsAsJson, rowsOfJson } from '../../database/bundle';
import type { Call } from '../../http/call';
import type { RowOf } from '../../http/listing';
import { serializer } from '../../http/serializer';
import { when } from '../../http/when';
import { avatarOf } from './display';
import { communication_channels, logins, users } from './table';

/** A permission in the context of the request: group, course, account, or else the institution. */
export const holds = (call: Pick<Call, 'course' | 'account' | 'group' | 'me' | 'institution'>, permission: string): boolean =>
  (call.group ?? call.course ?? call.account)?.can(permission) ??
  adminMay(permission, call.me, [call.institution.root.id], call.institution);

/** Data of the current `users` row as columns: logins and addresses. */
export const userColumns = ({ include }: Pick<Call, 'include'>) => ({
  // Merged users are known to other services by their former uuids.
  ...(include.has('uuid') && {
    past_uuid: sql<
      string | null
    >`(select s.uuid from user_merges m join users s on s.id = m.source_id where m.destination_id = users.id and m.split_at is null order by m.id desc limit 1)`.as(
      'past_uuid',
    ),
  }),
  their_logins: rowsAsJson(logins, sql`logins.user_id = users.id and logins.workflow_state <> 'deleted'`).as('their_logins'),
  their_channels: rowsAsJson(
    communication_channels,
    sql`communication_channels.user_id = users.id and communication_channels.type = 'email' and communication_channels.workflow_state <> 'deleted'`,
  ).as('their_channels'),
});

interface Besides {
  readonly logins: readonly Pick<RowOf<typeof logins>, 'user_id' | 'unique_id' | 'sis_user_id' | 'integration_id' | 'sis_import_id'>[];
  readonly channels: readonly Pick<RowOf<typeof communication_channels>, 'user_id' | 'address'>[];
}

/** What the columns have read. */
export const besidesOf = (row: object): Besides => {
  const { their_logins, their_channels } = row as { their_logins?: string; their_channels?: string };
  return { logins: rowsOfJson(logins, their_logins), channels: rowsOfJson(communication_channels, their_channels) };
};

const firstName = (name: string) => name.trim().split(/\s+/).slice(0, -1).join(' ') || name;
const lastName = (name: string) => (/\s/.test(name.trim()) ? (name.trim().split(/\s+/).at(-1) ?? '') : '');

const permissionsJson = (row: UserRow, isMe: boolean, managesLogins: boolean, call: Call) => ({
  can_update_name: managesLogins || (isMe && mayRenameThemselves(call)),
  can_update_avatar: managesLogins || (isMe && row.avatar_state !== 'locked'),
  limit_parent_app_web_access: false,
});

/** A user in any response; `wants` names the optional fields. Restricted to known fields here, because a row of `users` contains secrets. */
export function userJson(row: UserRow, call: Call, besides: Besides, wants: (field: string) => boolean) {
  const login = besides.logins.find((one) => one.user_id === row.id);
  const channel = besides.channels.find((one) => one.user_id === row.id);
  const isMe = row.id === call.me.id;
  const seesSis = holds(call, 'read_sis') || holds(call, 'manage_sis');
  const managesLogins = holds(call, 'manage_user_logins');
  return cut(User, {
    ...row,
    pronouns: row.pronouns ?? undefined,
    merged_into_user_id: when(row.workflow_state === 'deleted', row.merged_into_user_id ?? undefined),
    sis_user_id: when(seesSis, login?.sis_user_id ?? null),
    integration_id: when(seesSis, login?.integration_id ?? null),
    sis_import_id: when(holds(call, 'manage_sis'), login?.sis_import_id ?? null),
    login_id: when(isMe || holds(call, 'view_user_logins'), login?.unique_id),
    first_name: when(wants('first_name'), firstName(row.name)),
    last_name: when(wants('last_name'), lastName(row.name)),
    avatar_url: when(wants('avatar_url') && showsAvatars(call), avatarOf(row, call.origin)),
    avatar_state: when(managesLogins && call.include.has('avatar_state'), row.avatar_state),
    bio: when(wants('bio'), row.bio),
    title: when(wants('title'), row.title),
    email: when(wants('email') && (isMe || holds(call, 'read_email_addresses')), channel?.address ?? null),
    locale: when(wants('locale'), row.locale),
    effective_locale: when(wants('locale') && isMe, row.locale ?? 'en'),
    last_login: when(wants('last_login'), row.last_login),
    time_zone: when(wants('time_zone'), row.time_zone ?? call.institution.root.default_time_zone),
    uuid: when(wants('uuid'), row.uuid),
    past_uuid: (wants('uuid') && (row as { past_uuid?: string | null }).past_uuid) || undefined,
    permissions: when(wants('permissions'), permissionsJson(row, isMe, managesLogins, call)),
  });
}

/** Whether the institution shows avatars; on by default. */
export const showsAvatars = ({ institution }: Pick<Call, 'institution'>) =>
  (institution.root.settings.services as { avatars?: boolean } | undefined)?.avatars !== false;

/** Whether users may change their own names; on by default. */
export const mayRenameThemselves = ({ institution }: Pick<Call, 'institution'>) => institution.root.settings.users_can_edit_name !== false;

const telling = (...always: string[]) =>
  serializer({
    resource: User,
    table: users,
    columns: userColumns,
    json: (row: UserRow, call) => userJson(row, call, besidesOf(row), (field) => always.includes(field) || call.include.has(field)),
  });

/** A user in a list, with `include[]`. */
export const user = telling();
/** A single user. */
export const shownUser = telling('avatar_url', 'email', 'locale', 'permissions');
/** A user after an update. */
export const changedUser = telling('avatar_url', 'email', 'locale', 'time_zone', 'bio', 'title');
/** A new user. */
export const newUser = telling('locale');
