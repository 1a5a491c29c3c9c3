// Users, logins and communication channels.

import { sql } from 'drizzle-orm';
import { index, primaryKey, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, created, folded, id, int, json, sameId, state, string, time } from '../../database/columns';

/** Declared user types of a login. */
export const userTypes = ['administrative', 'observer', 'staff', 'student', 'student_other', 'teacher'] as const;

export const users = sqliteTable(
  'users',
  {
    id: id(),
    name: string().notNull(),
    sortable_name: string().notNull(),
    short_name: string().notNull(),
    uuid: string().notNull(),
    time_zone: string(),
    locale: string(),
    pronouns: string(),
    bio: string(),
    title: string(),
    pronunciation: string(),
    avatar_url: string(),
    avatar_state: state('none', 'submitted', 'approved', 'locked', 'reported', 're_reported').notNull().default('none'),
    birthdate: string(),
    settings: json<Record<string, unknown>>().notNull().default({}),
    /** The secret of the user's calendar feed URLs; changing it invalidates them. */
    feed_code: string().notNull().default(sql`(lower(hex(randomblob(20))))`),
    is_test_student: bool().notNull().default(false),
    merged_into_user_id: int(),
    last_login: time(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    /** Sort keys of user lists: the first address, and the ids of the first login. Kept by triggers. */
    sort_email: folded().notNull().default(''),
    sort_sis_id: string().notNull().default(''),
    sort_integration_id: string().notNull().default(''),
    /** The sort key of a name beyond ASCII (name_key.ts), else null. Kept by triggers. */
    name_key: string(),
    /** The sort key of lists by name. */
    sort_name: folded().notNull().generatedAlwaysAs(sql`coalesce(name_key, sortable_name)`),
    sort_last_login: string().notNull().generatedAlwaysAs(sql`coalesce(last_login, '')`),
    same_id: sameId(),
    workflow_state: state('pre_registered', 'registered', 'pending_approval', 'creation_pending', 'deleted')
      .notNull()
      .default('registered'),
    ...created(),
  },
  (user) => [
    index('users_by_name').on(user.sort_name, user.same_id),
    index('users_by_email').on(user.sort_email, user.same_id),
    index('users_by_sis_id').on(user.sort_sis_id, user.same_id),
    index('users_by_integration_id').on(user.sort_integration_id, user.same_id),
    index('users_by_last_login').on(user.sort_last_login, user.same_id),
    index('users_by_uuid').on(user.uuid),
  ],
);

export const logins = sqliteTable(
  'logins',
  {
    id: id(),
    user_id: int().notNull(),
    account_id: int().notNull(),
    unique_id: string().notNull(),
    sis_user_id: string(),
    integration_id: string(),
    authentication_provider_id: int(),
    declared_user_type: string(),
    /** The channel that an SIS import created for this login. */
    sis_communication_channel_id: int(),
    sis_import_id: int(),
    /** Fields changed by hand (`,name,short_name,`); an SIS import leaves them alone. Kept by triggers. */
    stuck_sis_fields: string(),
    /** In the format of `database/passwords`, or as sent by an SIS. */
    password_hash: string(),
    workflow_state: state('active', 'suspended', 'deleted').notNull().default('active'),
    ...created(),
  },
  (login) => [
    index('logins_of_user').on(login.user_id),
    // A deleted login frees its names.
    // Names are unique per provider; logins without a provider belong to the password provider, which is always the first.
    uniqueIndex('logins_by_sis_id')
      .on(login.account_id, login.sis_user_id)
      .where(sql`workflow_state <> 'deleted' and sis_user_id is not null`),
    // Imports restore a deleted login by its SIS id.
    index('logins_deleted_by_sis_id').on(login.sis_user_id).where(sql`workflow_state = 'deleted' and sis_user_id is not null`),
    uniqueIndex('logins_by_integration_id')
      .on(login.account_id, login.integration_id)
      .where(sql`workflow_state <> 'deleted' and integration_id is not null`),
  ],
);

export const communication_channels = sqliteTable(
  'communication_channels',
  {
    id: id(),
    user_id: int().notNull(),
    address: string().notNull(),
    type: state('email', 'sms', 'push').notNull().default('email'),
    position: int().notNull().default(1),
    /** The code in the confirmation email. */
    confirmation_code: string(),
    bounce_count: int().notNull().default(0),
    last_bounce_at: time(),
    last_bounce_summary: string(),
    workflow_state: state('unconfirmed', 'active', 'deleted').notNull().default('unconfirmed'),
    ...created(),
  },
  (channel) => [
    index('communication_channels_of_user').on(channel.user_id, channel.position, channel.id),
    index('communication_channels_by_code').on(channel.confirmation_code).where(sql`confirmation_code is not null`),
    index('communication_channels_by_address').on(sql`lower(${channel.address})`),
  ],
);

/** Devices with push notifications; all devices of a user share one channel. */
export const push_tokens = sqliteTable(
  'push_tokens',
  { user_id: int().notNull(), token: string().notNull(), communication_channel_id: int().notNull(), created_at: time().notNull() },
  (one) => [primaryKey({ columns: [one.user_id, one.token] }), index('push_tokens_of_channel').on(one.communication_channel_id)],
);

/** Observer links; observer enrollments follow from them. */
export const observers = sqliteTable(
  'observers',
  { observer_id: int().notNull(), student_id: int().notNull(), created_at: time().notNull() },
  (link) => [
    primaryKey({ columns: [link.observer_id, link.student_id] }),
    index('observers_of_student').on(link.student_id, link.observer_id),
  ],
);
