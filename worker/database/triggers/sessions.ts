// What ends web sessions, whoever writes it: a login that opens nothing any more, another password, a person who is gone.

export const sessionTriggers: readonly string[] = [
  `create trigger end_sessions_of_login after update of workflow_state, password_hash on logins
when new.workflow_state <> 'active' or new.password_hash is not old.password_hash begin
  delete from sessions where login_id = new.id or real_user_id = new.user_id;
end;`,
  `create trigger end_sessions_of_user after update of workflow_state on users when new.workflow_state = 'deleted' begin
  delete from sessions where user_id = new.id or real_user_id = new.id;
end;`,
];
