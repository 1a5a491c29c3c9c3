// Ends web sessions when a login is suspended or deleted, its password changes, or its user is deleted, by any writer.

import { trigger } from './trigger.ts';

/** An upgraded hash of the same password keeps its salt: the 24 characters before the last 45 (`passwords.ts`). */
const isSlowerHash =
  "new.password_hash glob 'pbkdf2-sha256$*' and old.password_hash glob 'pbkdf2-sha256$*' and substr(new.password_hash, -69, 24) = substr(old.password_hash, -69, 24)";

export const sessionTriggers = [
  trigger({
    on: 'logins',
    name: 'end_sessions',
    event: 'update',
    of: ['workflow_state', 'password_hash'],
    when: `new.workflow_state <> 'active' or (new.password_hash is not old.password_hash and not coalesce(${isSlowerHash}, 0))`,
    run: ['delete from sessions where login_id = new.id or real_user_id = new.user_id;'],
    purpose: 'End the sessions of a login that is closed or gets a new password.',
  }),
  trigger({
    on: 'users',
    name: 'end_sessions',
    event: 'update',
    of: ['workflow_state'],
    when: "new.workflow_state = 'deleted'",
    run: ['delete from sessions where user_id = new.id or real_user_id = new.id;'],
    purpose: 'End the sessions of a deleted user.',
  }),
];
