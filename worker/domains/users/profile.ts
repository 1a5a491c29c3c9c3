// User profiles.

import { Profile } from '@carrel/shared/resources/profile';
import { sql } from 'drizzle-orm';
import type { UserRow } from '../../contexts/viewer';
import { feedAddress } from '../../crypto/feed_address';
import { serializer } from '../../http/serializer';
import { avatarOf } from './display';
import { besidesOf, holds, showsAvatars, userColumns } from './json';
import { users } from './table';

/** Whether an account of the user's courses, or an ancestor, has enabled a setting. */
const inAccountWith = (setting: 'enable_as_k5_account' | 'use_classic_font_in_k5') =>
  sql`exists (select 1 from enrollments e join courses c on c.id = e.course_id join account_ancestors t on t.account_id = c.account_id
    join accounts a on a.id = t.ancestor_id where e.user_id = users.id and e.enrollment_state in ('active', 'invited', 'completed')
    and c.workflow_state <> 'deleted' and a.settings ->> ${`$.${setting}.value`} = 1)`;

/** Links in the user's profile. */
const linksOf = ({ settings }: UserRow): unknown[] => (Array.isArray(settings.links) ? settings.links : []);

export const profile = serializer({
  resource: Profile,
  table: users,
  columns: (call) => ({
    ...userColumns(call),
    k5_user: inAccountWith('enable_as_k5_account').as('k5_user'),
    use_classic_font_in_k5: inAccountWith('use_classic_font_in_k5').as('use_classic_font_in_k5'),
  }),
  json(row: UserRow & Record<'k5_user' | 'use_classic_font_in_k5', unknown>, call) {
    const { logins, channels } = besidesOf(row);
    const isMe = row.id === call.me.id;
    const login = logins.find((one) => one.user_id === row.id);
    const seesSis = holds(call, 'read_sis') || holds(call, 'manage_sis');
    return {
      ...row,
      avatar_url: showsAvatars(call) ? avatarOf(row, call.origin) : undefined,
      primary_email:
        isMe || holds(call, 'read_email_addresses') ? (channels.find((one) => one.user_id === row.id)?.address ?? null) : undefined,
      login_id: isMe || holds(call, 'view_user_logins') ? login?.unique_id : undefined,
      sis_user_id: seesSis ? (login?.sis_user_id ?? null) : undefined,
      integration_id: seesSis ? (login?.integration_id ?? null) : undefined,
      time_zone: row.time_zone ?? call.institution.root.default_time_zone,
      effective_locale: row.locale ?? 'en',
      calendar: isMe ? { ics: feedAddress(`user_${row.id}`, call) } : undefined,
      lti_user_id: isMe ? row.uuid : undefined,
      k5_user: Boolean(row.k5_user),
      use_classic_font_in_k5: Boolean(row.k5_user && row.use_classic_font_in_k5),
      links: call.include.has('links') ? linksOf(row) : undefined,
      user_services: call.include.has('user_services') ? [] : undefined,
      uuid: call.include.has('uuid') ? row.uuid : undefined,
    };
  },
});
