// Copies the self-registration setting from the password provider to the root account's settings, which every request loads.

import { everyEvent, trigger } from './trigger.ts';

const said =
  "select p.settings ->> '$.self_registration' from authentication_providers p where p.account_id = $.account_id and p.auth_type = 'canvas' and p.workflow_state = 'active' order by p.position, p.id limit 1";

export const selfRegistrationTriggers = everyEvent.map((event) => {
  const row = event === 'delete' ? 'old' : 'new';
  const chosen = said.replaceAll('$.account_id', `${row}.account_id`);
  return trigger({
    on: 'authentication_providers',
    name: `copy_self_registration_${event}`,
    event,
    when: `${row}.auth_type = 'canvas'`,
    run: [
      `update accounts set settings = json_set(settings, '$.self_registration', coalesce((${chosen}), 'none')) where id = ${row}.account_id;`,
    ],
    purpose: 'Copy the self-registration setting to the account.',
  });
});
