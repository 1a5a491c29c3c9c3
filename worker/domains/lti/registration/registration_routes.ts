// Dynamic registration of tools: an administrator gets an address with a token, the tool at that address registers itself once, and works after an
// administrator has confirmed it.

import { LtiRegistration, LtiRegistrationToken } from '@carrel/shared/resources/lti';
import { listOf, oneOf, optional, text } from '@carrel/shared/wire/fields';
import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AccountContext } from '../../../contexts/account';
import type { Database } from '../../../database/open';
import { newToken } from '../../../database/tokens';
import { valuesInOrder } from '../../../database/values_in_order';
import type { Call } from '../../../http/call';
import { absolute, get, post } from '../../../http/endpoint';
import { sha256 } from '../../../http/idempotency';
import { rows } from '../../../http/listing';
import { found, invalid, Problem } from '../../../http/problem';
import { answer, one, type Reply, row, write } from '../../../http/reply';
import { accounts } from '../../accounts/table';
import { developer_key_account_bindings as bindings, developer_keys } from '../../developer_keys/table';
import { toolKeyColumns } from '../../external_tools/configurations';
import { isLaunchAddress } from '../../external_tools/input';
import { externalTool } from '../../external_tools/json';
import { isUsedAgain, openTicket, sealTicket, useOnce } from '../../external_tools/launch/ticket';
import { ownTools } from '../../external_tools/policy';
import { type LtiConfiguration, privacyLevels, tool_configurations, external_tools as tools } from '../../external_tools/table';
import { configuredColumns } from '../../external_tools/writes';
import { toolConfigurationClaim, toolRegistrationOf, WrongRegistration } from './tool_registration';

/** Who lets which tool register itself where. */
interface RegistrationTicket {
  readonly uuid: string;
  readonly account_id: number;
  readonly user_id: number;
}

/** Tools show a form before they register. */
const minutes = 30;
const noStore = { 'Cache-Control': 'no-store' };

const configurationAddress = (origin: string) => `${origin}/api/lti/security/openid-configuration`;

/** The address at which a tool registers itself, with what it needs. @throws Problem 400 for an address that is not https */
function addressWith(given: string, token: string, origin: string): string {
  const url = URL.parse(given);
  if (url?.protocol !== 'https:' || !isLaunchAddress(given)) throw invalid('registration_url', 'invalid', 'must be an https address');
  url.hash = '';
  url.searchParams.set('openid_configuration', configurationAddress(origin));
  url.searchParams.set('registration_token', token);
  return url.href;
}

const invalidToken = () =>
  new Problem(
    401,
    { error: 'invalid_token', error_description: 'The registration token is unknown, has expired or was used before' },
    { ...noStore, 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  );

type Registering = Pick<Call, 'db' | 'env' | 'now' | 'request' | 'tree'> & { readonly params: { readonly registration_token?: string } };

/** @throws Problem 401 */
async function ticketOf({ env, now, request, params }: Registering) {
  const sent = /^bearer\s+([0-9a-f]{2,4000})$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const token = sent ?? params.registration_token ?? '';
  const opened = await openTicket<RegistrationTicket>(env, 'registration', token, now);
  if (!opened) throw invalidToken();
  return opened;
}

/** @throws Problem 400 as in RFC 7591 §3.2.2 */
function registrationIn(tree: unknown) {
  try {
    return toolRegistrationOf(tree);
  } catch (error) {
    if (!(error instanceof WrongRegistration)) throw error;
    throw new Problem(400, { error: error.code, error_description: error.message }, noStore);
  }
}

const uuidOf = sql.raw("tool_configurations.configuration ->> '$.registration.uuid'");

/** The key of a registration in an account. */
const registeredKey = (account_id: number, uuid: string): SQL => sql`(select developer_keys.id from developer_keys
  join tool_configurations on tool_configurations.id = developer_keys.id
  where developer_keys.account_id = ${account_id} and developer_keys.workflow_state <> 'deleted' and ${uuidOf} = ${uuid})`;

/** Stores the key, which is off, and the configuration of the tool. Nothing is fetched. */
async function register(call: Registering): Promise<Reply> {
  const { db, now, tree } = call;
  const opened = await ticketOf(call);
  const { uuid, account_id, user_id } = opened.ticket;
  const { configuration, registered } = registrationIn(tree);
  const [[account]] = await db.perform([
    db.build.select({ id: accounts.id }).from(accounts).where(sql`accounts.id = ${account_id} and accounts.workflow_state <> 'deleted'`),
  ]);
  if (!account) throw invalidToken();
  const registration = { uuid, deployment_id: crypto.randomUUID() as string };
  const times = { created_at: now, updated_at: now };
  // A tool's configuration has the id of its key, so `last_insert_rowid()` is that id throughout.
  const key = sql`last_insert_rowid()`;
  const results: readonly unknown[] = await db
    .perform([
      useOnce(db, opened),
      db.build.insert(developer_keys).values({
        ...toolKeyColumns(configuration, {}),
        account_id,
        user_id,
        secret_hash: await sha256(newToken()),
        require_scopes: true,
        ...times,
      }),
      db.build.insert(tool_configurations).values({ id: key, configuration: { ...configuration.configuration, registration }, ...times }),
      db.build.insert(bindings).values({ developer_key_id: key, account_id, workflow_state: 'off', ...times }),
      db.build.all<{ id: number }>(sql`select ${registeredKey(account_id, uuid)} as id`),
    ])
    .catch((error: unknown) => {
      throw isUsedAgain(error) ? invalidToken() : error;
    });
  const [made] = results.at(-1) as { id: number }[];
  const tool = { ...registered[toolConfigurationClaim], deployment_id: registration.deployment_id };
  return answer({ ...registered, client_id: String(found(made).id), [toolConfigurationClaim]: tool }, 200, noStore);
}

type Administering = Pick<Call, 'db'> & { readonly account: AccountContext; readonly path: { readonly registration_uuid: string } };

const toolContext = ({ id, chain }: AccountContext) => ({ type: 'Account', id, chain }) as const;

/** The tool that was installed for a registration, while it is there. */
const installedFor = (account: AccountContext, uuid: string): SQL =>
  and(
    ownTools(toolContext(account)),
    sql`external_tools.deployment_id = (select c.configuration ->> '$.registration.deployment_id' from tool_configurations c where c.id = ${registeredKey(account.id, uuid)})`,
  ) as SQL;

const readStatements = (db: Database, account: AccountContext, uuid: string) =>
  [
    db.build
      .select({ ...getTableColumns(developer_keys), configuration: tool_configurations.configuration })
      .from(developer_keys)
      .innerJoin(tool_configurations, eq(tool_configurations.id, developer_keys.id))
      .where(sql`developer_keys.id = ${registeredKey(account.id, uuid)}`),
    db.build
      .select({ workflow_state: bindings.workflow_state })
      .from(bindings)
      .where(sql`${bindings.developer_key_id} = ${registeredKey(account.id, uuid)} and ${bindings.account_id} = ${account.id}`),
    db.build.select().from(tools).where(installedFor(account, uuid)),
  ] as const;

/** @throws Problem 404 */
async function registrationAt({ db, account, path }: Administering) {
  const [[key], [binding], [tool]] = await db.perform(readStatements(db, account, path.registration_uuid));
  return { key: found(key), isOn: binding?.workflow_state === 'on', tool };
}

/** A placement or scope that the tool did not register cannot be taken away. @throws Problem 400 */
function refuseUnknown(name: string, given: readonly string[] | undefined, known: readonly string[]): void {
  const unknown = given?.find((one) => !known.includes(one));
  if (unknown !== undefined) throw invalid(name, 'inclusion', `${unknown.slice(0, 200)} is not registered`);
}

const confirmParams = {
  privacy_level: optional(oneOf(...privacyLevels)),
  disabled_scopes: optional(listOf(text)),
  disabled_placements: optional(listOf(text)),
};

interface Confirmed {
  readonly privacy_level?: LtiConfiguration['privacy_level'];
  readonly disabled_scopes?: readonly string[];
  readonly disabled_placements?: readonly string[];
}

/** The configuration as the administrator allows it. */
const allowed = (configuration: LtiConfiguration, { privacy_level, disabled_placements = [] }: Confirmed): LtiConfiguration => ({
  ...configuration,
  ...(privacy_level && { privacy_level }),
  placements: Object.fromEntries(Object.entries(configuration.placements ?? {}).filter(([name]) => !disabled_placements.includes(name))),
});

/** Turns the key on and installs the tool in the account; an installed one is returned as it is. @throws Problem 400, 404 */
async function confirm(call: Administering & Pick<Call, 'now'> & { readonly params: Confirmed }): Promise<Reply> {
  const { db, account, path, params, now } = call;
  const { key, isOn, tool } = await registrationAt(call);
  if (isOn && tool) return row(tool);
  refuseUnknown('disabled_scopes', params.disabled_scopes, key.scopes);
  refuseUnknown('disabled_placements', params.disabled_placements, Object.keys(key.configuration.placements ?? {}));
  const configuration = allowed(key.configuration, params);
  const columns = configuredColumns(configuration, key.id);
  const where = installedFor(account, path.registration_uuid);
  const cells = {
    ...Object.fromEntries(
      Object.entries({ ...columns, deployment_id: configuration.registration?.deployment_id ?? '' }).map(([name, value]) => [
        name,
        sql`${typeof value === 'object' && value !== null ? JSON.stringify(value) : value}`,
      ]),
    ),
    context_type: sql`'Account'`,
    context_id: sql`${account.id}`,
    consumer_key: sql`''`,
    not_selectable: sql`0`,
    workflow_state: sql`'active'`,
    created_at: sql`${now}`,
    updated_at: sql`${now}`,
  };
  return write(
    [
      db.build
        .update(developer_keys)
        .set({ scopes: key.scopes.filter((scope) => !params.disabled_scopes?.includes(scope)), workflow_state: 'active', updated_at: now })
        .where(sql`developer_keys.id = ${key.id} and developer_keys.workflow_state <> 'deleted'`),
      db.build.update(tool_configurations).set({ configuration, updated_at: now }).where(eq(tool_configurations.id, key.id)),
      db.build
        .insert(bindings)
        .values({ developer_key_id: key.id, account_id: account.id, workflow_state: 'on', created_at: now, updated_at: now })
        .onConflictDoUpdate({
          target: [bindings.developer_key_id, bindings.account_id],
          set: { workflow_state: 'on', updated_at: now },
        }),
      db.build
        .insert(tools)
        .select(sql`select ${valuesInOrder(getTableColumns(tools), cells)} where not exists (select 1 from external_tools where ${where})`),
    ],
    one(rows(tools, { where })),
  );
}

const ofAccount = '/api/lti/accounts/:account_id';
const single = `${ofAccount}/registrations/uuid/:registration_uuid` as const;

export const toolRegistrationRoutes = absolute(
  get(
    `${ofAccount}/registration_token`,
    {
      can: 'manage_developer_keys',
      params: { registration_url: optional(text) },
      returns: { json: LtiRegistrationToken },
      summary: 'Get a token with which an external tool registers itself',
    },
    async ({ env, account, me, now, origin, params: { registration_url } }) => {
      const ticket: RegistrationTicket = { uuid: crypto.randomUUID(), account_id: account.id, user_id: me.id };
      const token = await sealTicket(env, 'registration', ticket, now, minutes);
      const address = registration_url === undefined ? {} : { registration_address: addressWith(registration_url, token, origin) };
      return answer({ uuid: ticket.uuid, oidc_configuration_url: configurationAddress(origin), token, ...address }, 200, noStore);
    },
  ),

  post(
    '/api/lti/registrations',
    {
      can: 'anyone',
      unscoped: true,
      withoutCaller: true,
      // Instead of the header.
      params: { registration_token: optional(text) },
      returns: { json: null },
      summary: 'Register an external tool (by the tool)',
    },
    register,
  ),

  get(
    single,
    { can: 'manage_developer_keys', returns: { json: LtiRegistration }, summary: 'Get the registration of an external tool' },
    async (call) => {
      const { key, isOn, tool } = await registrationAt(call);
      const { registration, ...configuration } = key.configuration;
      return answer({
        uuid: registration?.uuid ?? '',
        account_id: key.account_id,
        developer_key_id: key.id,
        name: key.name ?? '',
        workflow_state: isOn && tool ? 'active' : 'pending',
        scopes: key.scopes,
        redirect_uris: key.redirect_uris,
        public_jwk_url: key.public_jwk_url,
        configuration,
        external_tool_id: tool?.id ?? null,
        created_at: key.created_at,
      });
    },
  ),

  post(
    `${single}/confirm`,
    {
      // It turns a key on and installs a tool.
      can: ({ account }) => account?.can('manage_developer_keys') === true && account.can('manage_lti_add'),
      params: confirmParams,
      returns: externalTool,
      summary: 'Enable and install an external tool that registered itself',
    },
    confirm,
  ),
);
