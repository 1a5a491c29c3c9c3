// Prints the SQL that makes the first administrator of a fresh institution, and to the terminal the token that goes with it.
//   npm run first-admin -- --name "Ada Admin" --login ada@example.edu [--institution "Example University"]

import { parseArgs } from 'node:util';
import { hashPassword, newToken, randomText } from '../worker/database/tokens.ts';
import { sha256 } from '../worker/http/idempotency.ts';

const { values } = parseArgs({
  options: { name: { type: 'string' }, login: { type: 'string' }, institution: { type: 'string' }, password: { type: 'string' } },
});
if (!values.name || !values.login) {
  console.error('usage: npm run --silent first-admin -- --name NAME --login LOGIN [--institution NAME] [--password PASSWORD]');
  process.exit(64);
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const now = quote(`${new Date().toISOString().slice(0, 19)}Z`);
const token = newToken();
const password = values.password ?? randomText(20);
const words = values.name.trim().split(/\s+/);
const sortable = words.length > 1 ? `${words.at(-1)}, ${words.slice(0, -1).join(' ')}` : values.name;
const user = `(select id from users where uuid = ${quote(`first-admin-${values.login}`)})`;

console.log(
  [
    values.institution ? `update accounts set name = ${quote(values.institution)} where id = 1;` : '',
    `insert into users (name, short_name, sortable_name, uuid, created_at, updated_at) values (${quote(values.name)}, ${quote(values.name)}, ${quote(sortable)}, ${quote(`first-admin-${values.login}`)}, ${now}, ${now});`,
    `insert into logins (user_id, account_id, unique_id, password_hash, created_at, updated_at) values (${user}, 1, ${quote(values.login)}, ${quote(await hashPassword(password))}, ${now}, ${now});`,
    `insert into admins (account_id, user_id, role_id, created_at, updated_at) values (1, ${user}, 1, ${now}, ${now});`,
    `insert into tokens (user_id, token_hash, token_hint, purpose, created_at, updated_at) values (${user}, ${quote(await sha256(token))}, ${quote(`${token.slice(0, 5)}...`)}, 'first administrator', ${now}, ${now});`,
  ]
    .filter(Boolean)
    .join('\n'),
);
console.error(`login     ${values.login}\npassword  ${password}\ntoken     ${token}\nKeep them: only their hashes are stored.`);
