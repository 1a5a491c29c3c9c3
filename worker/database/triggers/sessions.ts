// Ends web sessions when a login is suspended or deleted, its password changes, or its user is deleted, by any writer.

/** An upgraded hash of the same password keeps its salt: the 24 characters before the last 45 (`passwords.ts`). */
const isSlowerHash =
  "new.password_hash glob 'pbkdf2-sha256$*' and old.password_hash glob 'pbkdf2-sha256$*' and substr(new.password_hash, -69, 24) = substr(old.password_hash, -69, 24)";

export const sessionTriggers: readonly string[] = [
  `create trigger end_sessions_of_login after update of workflow_state, password_hash on logins
when new.workflow_state <> 'active' or (new.password_hash is not old.password_hash and not coalesce(${isSlowerHash}, 0)) begin
  delete from sessions where login_id = new.id or real_user_id = new.user_id;
end;`,
  `create trigger end_sessions_of_user after update of workflow_state on users when new.workflow_state = 'deleted' begin
  delete from sessions where user_id = new.id or real_user_id = new.id;
end;`,
];
