// The content of a new database: root account, default term, built-in roles, and facts of the change log.

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
const at = quote('2026-01-01T00:00:00Z');

/** Default ids of Canvas, which some clients rely on. */
const builtIn: readonly [id: number, name: string, base: string][] = [
  [1, 'AccountAdmin', 'AccountMembership'],
  [3, 'StudentEnrollment', 'StudentEnrollment'],
  [4, 'TeacherEnrollment', 'TeacherEnrollment'],
  [5, 'TaEnrollment', 'TaEnrollment'],
  [6, 'DesignerEnrollment', 'DesignerEnrollment'],
  [7, 'ObserverEnrollment', 'ObserverEnrollment'],
  [8, 'StudentViewEnrollment', 'StudentEnrollment'],
];

/**
 * The developer key of Carrel's desktop app: public, redirecting to the user's own machine only. Published in
 * `/.well-known/oauth-authorization-server`; administrators can disable it like any other.
 */
export const deskKey = 1;

/** Statements that turn an empty database into a new institution. The root account is always account 1. */
export const beginning = (): readonly string[] => [
  `insert into accounts (id, name, uuid, default_storage_quota_mb, default_user_storage_quota_mb, default_group_storage_quota_mb, created_at, updated_at) values (1, 'New Institution', lower(hex(randomblob(20))), 500, 50, 50, ${at}, ${at});`,
  `insert into terms (id, account_id, name, is_default, created_at, updated_at) values (1, 1, 'Default Term', 1, ${at}, ${at});`,
  ...builtIn.map(
    ([id, name, base]) =>
      `insert into roles (id, name, base_role_type, workflow_state, created_at, updated_at) values (${id}, ${quote(name)}, ${quote(base)}, 'built_in', ${at}, ${at});`,
  ),
  // Local passwords, until administrators change it.
  `insert into authentication_providers (id, account_id, auth_type, position, created_at, updated_at) values (1, 1, 'canvas', 1, ${at}, ${at});`,
  // A public client: no secret has an empty hash.
  `insert into developer_keys (id, account_id, name, notes, vendor_code, redirect_uris, client_type, secret_hash, created_at, updated_at) values (${deskKey}, 1, 'Carrel desk', 'Signs people in at the desk on their own computers.', 'carrel-desk', '["http://127.0.0.1/back"]', 'public', '', ${at}, ${at});`,
  `insert into developer_key_account_bindings (developer_key_id, account_id, workflow_state, created_at, updated_at) values (${deskKey}, 1, 'on', ${at}, ${at});`,
  `insert into facts (name, value) values ('epoch', lower(hex(randomblob(8)))), ('oldest_seq', '0');`,
];
