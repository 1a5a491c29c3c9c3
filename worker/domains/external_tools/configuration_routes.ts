// Developer keys of LTI 1.3 with the configuration of their tool.

import { DeveloperKey } from '@carrel/shared/resources/developer_key';
import { LtiToolConfiguration } from '@carrel/shared/resources/lti';
import { cut } from '@carrel/shared/resources/resource';
import { json, listOf, optional, text } from '@carrel/shared/wire/fields';
import { eq, sql } from 'drizzle-orm';
import { newToken } from '../../database/tokens';
import { absolute, get, post, put } from '../../http/endpoint';
import { sha256 } from '../../http/idempotency';
import { rows } from '../../http/listing';
import { found } from '../../http/problem';
import { one, write } from '../../http/reply';
import { serializer } from '../../http/serializer';
import { developerKey } from '../developer_keys/json';
import { mayManageKeys, onlyDeveloperKey } from '../developer_keys/policy';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import { ltiConfigurationOf, toolKeyColumns } from './configurations';
import { type LtiConfiguration, tool_configurations } from './table';

type KeyWithTool = Parameters<(typeof developerKey)['json']>[0] & { readonly configuration: string | null };

const keyWithTool = serializer({
  resource: LtiToolConfiguration,
  table: developer_keys,
  columns: (call) => ({
    ...developerKey.columns?.(call),
    configuration:
      sql`(select tool_configurations.configuration from tool_configurations where tool_configurations.id = developer_keys.id)`.as(
        'configuration',
      ),
  }),
  json: (row: KeyWithTool, call) => ({
    developer_key: cut(DeveloperKey, developerKey.json(row, call, {})),
    tool_configuration: { settings: row.configuration === null ? null : (JSON.parse(row.configuration) as LtiConfiguration) },
  }),
});

const params = { name: optional(text), redirect_uris: optional(listOf(text)), configuration: json };

const ofKey = '/api/lti/developer_keys/:id/tool_configuration';

export const toolConfigurationRoutes = absolute(
  post(
    '/api/lti/accounts/:account_id/developer_keys/tool_configuration',
    { can: 'manage_developer_keys', params, returns: keyWithTool, summary: 'Create a developer key with the configuration of its tool' },
    async ({ db, account, me, params, now }) => {
      const given = ltiConfigurationOf(params.configuration);
      const secret_hash = await sha256(newToken());
      const made = sql`(select id from developer_keys where secret_hash = ${secret_hash})`;
      const times = { created_at: now, updated_at: now };
      return write(
        [
          db.build.insert(developer_keys).values({
            ...toolKeyColumns(given, params),
            account_id: account.id,
            user_id: me.id,
            secret_hash,
            require_scopes: true,
            ...times,
          }),
          db.build.insert(bindings).values({ developer_key_id: made, account_id: account.id, workflow_state: 'on', ...times }),
          db.build.insert(tool_configurations).values({ id: made, configuration: given.configuration, ...times }),
        ],
        one(rows(developer_keys, { where: eq(developer_keys.secret_hash, secret_hash) })),
      );
    },
  ),

  get(ofKey, { can: mayManageKeys, returns: keyWithTool, summary: "Get the configuration of a key's tool" }, ({ id }) =>
    one(rows(developer_keys, { where: onlyDeveloperKey(id) })),
  ),

  put(
    ofKey,
    { can: mayManageKeys, params, returns: keyWithTool, summary: "Update the configuration of a key's tool" },
    async ({ db, id, params, now }) => {
      const given = ltiConfigurationOf(params.configuration);
      const [[key], [before]] = await db.perform([
        db.build.select({ id: developer_keys.id }).from(developer_keys).where(onlyDeveloperKey(id)),
        db.build.select().from(tool_configurations).where(eq(tool_configurations.id, id)),
      ]);
      found(key);
      const registration = before?.configuration.registration;
      const configuration = { ...given.configuration, ...(registration && { registration }) };
      const times = { created_at: now, updated_at: now };
      return write(
        [
          db.build
            .update(developer_keys)
            .set({ ...toolKeyColumns(given, params), updated_at: now })
            .where(onlyDeveloperKey(id)),
          db.build
            .insert(tool_configurations)
            .values({ id, configuration, ...times })
            .onConflictDoUpdate({ target: tool_configurations.id, set: { configuration, updated_at: now } }),
        ],
        one(rows(developer_keys, { where: onlyDeveloperKey(id) })),
      );
    },
  ),
);
