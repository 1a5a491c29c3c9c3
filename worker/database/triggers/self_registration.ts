// Copies the self-registration setting from the password provider to the root account's settings, which every request loads.

const said =
  "select p.settings ->> '$.self_registration' from authentication_providers p where p.account_id = $.account_id and p.auth_type = 'canvas' and p.workflow_state = 'active' order by p.position, p.id limit 1";

export const selfRegistrationTriggers: readonly string[] = (['insert', 'update', 'delete'] as const).map((event) => {
  const row = event === 'delete' ? 'old' : 'new';
  const at = (sql: string) => sql.replaceAll('$.account_id', `${row}.account_id`);
  return `create trigger say_self_registration_${event} after ${event} on authentication_providers when ${row}.auth_type = 'canvas' begin
  update accounts set settings = json_set(settings, '$.self_registration', coalesce((${at(said)}), 'none')) where id = ${row}.account_id;
end;`;
});
