// A person's profile: what they say of themselves.

import { Profile } from '@carrel/shared/resources/profile';
import { serializer } from '../../http/serializer';
import { feedAddress } from '../calendar_feeds/address';
import { avatarOf } from './display';
import { besidesOf, holds, type UserRow, userColumns } from './json';
import { users } from './table';

/** Addresses that somebody shows with their profile. */
const linksOf = ({ settings }: UserRow): unknown[] => (Array.isArray(settings.links) ? settings.links : []);

export const profile = serializer({
  resource: Profile,
  table: users,
  columns: userColumns,
  json(row: UserRow, call) {
    const { logins, channels } = besidesOf(row);
    const isMe = row.id === call.me.id;
    const login = logins.find((one) => one.user_id === row.id);
    const seesSis = holds(call, 'read_sis') || holds(call, 'manage_sis');
    return {
      ...row,
      avatar_url: avatarOf(row, call.origin),
      primary_email:
        isMe || holds(call, 'read_email_addresses') ? (channels.find((one) => one.user_id === row.id)?.address ?? null) : undefined,
      login_id: isMe || holds(call, 'view_user_logins') ? login?.unique_id : undefined,
      sis_user_id: seesSis ? (login?.sis_user_id ?? null) : undefined,
      integration_id: seesSis ? (login?.integration_id ?? null) : undefined,
      time_zone: row.time_zone ?? call.institution.root.default_time_zone,
      effective_locale: row.locale ?? 'en',
      calendar: isMe ? { ics: feedAddress(`user_${row.id}`, call) } : undefined,
      lti_user_id: isMe ? row.uuid : undefined,
      k5_user: false,
      use_classic_font_in_k5: false,
      links: call.include.has('links') ? linksOf(row) : undefined,
      user_services: call.include.has('user_services') ? [] : undefined,
      uuid: call.include.has('uuid') ? row.uuid : undefined,
    };
  },
});
