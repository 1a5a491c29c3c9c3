// Creating and changing external tools (reference 06 §6.3).

import { read, type Shape } from '@carrel/shared/wire/fields';
import { and, eq, sql } from 'drizzle-orm';
import { isSwitchedOn } from '../../contexts/developer_key';
import type { Call } from '../../http/call';
import { rows } from '../../http/listing';
import { found, invalid, notFound } from '../../http/problem';
import { one, type Reply, write } from '../../http/reply';
import { bytesWithin, fetchPublic, Unfetched } from '../../web/fetch_public';
import { developer_key_account_bindings as bindings, developer_keys } from '../developer_keys/table';
import { toolConfigOf, UnreadableConfig } from './config_xml';
import { registrationFields, type ToolGiven, toolColumns, toolGiven, type toolParams } from './input';
import { onlyTool, ownTools, type ToolContext } from './policy';
import { sealToolSecret } from './secrets';
import { type LtiConfiguration, tool_configurations, external_tools as tools } from './table';

type Writing = Pick<Call, 'db' | 'env' | 'now' | 'institution'> & { readonly params: Shape<typeof toolParams> };

const longestXml = 200_000;

/** @throws Problem 400 at `config_url` */
async function fetchConfig(url: string): Promise<string> {
  try {
    const response = await fetchPublic(url, { signal: AbortSignal.timeout(5000), headers: { Accept: 'application/xml' } });
    if (!response.ok) throw new Unfetched(`the URL returned ${response.status}`);
    return new TextDecoder().decode(await bytesWithin(response, longestXml));
  } catch (error) {
    if (!(error instanceof Unfetched)) throw error;
    throw invalid('config_url', 'invalid', error.message);
  }
}

/** What the XML of a request says, with the request's own name and secrets. @throws Problem 400 at `config_xml` or `config_url` */
async function withConfig(given: ToolGiven): Promise<ToolGiven> {
  const isFetched = given.config_type === 'by_url';
  if (!isFetched && given.config_type !== 'by_xml') return given;
  const field = isFetched ? 'config_url' : 'config_xml';
  const source = given[field];
  if (!source?.trim()) throw invalid(field, 'blank');
  const xml = isFetched ? await fetchConfig(source) : source;
  try {
    const { fields, placements } = toolConfigOf(xml);
    const said = read(registrationFields, { ...fields, ...placements });
    if (!said.ok) throw new UnreadableConfig(`${said.refusal.parameter} ${said.refusal.message}`);
    const { name, consumer_key, shared_secret, verify_uniqueness } = given;
    return { ...said.value, ...(name?.trim() && { name }), consumer_key, shared_secret, verify_uniqueness };
  } catch (error) {
    if (!(error instanceof UnreadableConfig)) throw error;
    throw invalid(field, 'invalid', error.message);
  }
}

/** A tool of a developer key of the context's accounts, as its vendor configured it. @throws Problem 404 */
async function ofDeveloperKey({ db, institution }: Writing, { chain }: ToolContext, client_id: number) {
  const [keys, said, configured] = await db.perform([
    db.build.select().from(developer_keys).where(eq(developer_keys.id, client_id)),
    db.build.select().from(bindings).where(eq(bindings.developer_key_id, client_id)),
    db.build.select().from(tool_configurations).where(eq(tool_configurations.id, client_id)),
  ]);
  const [key] = keys;
  if (!key || !chain.includes(key.account_id) || !isSwitchedOn(key, said, institution.root.id)) throw notFound();
  const { configuration } = found(configured[0]);
  return configuredColumns(configuration, client_id);
}

/** The columns of an installation of a configuration. */
export const configuredColumns = (configuration: LtiConfiguration, developer_key_id: number) => ({
  name: configuration.title,
  description: configuration.description ?? null,
  url: configuration.target_link_uri,
  domain: configuration.domain ?? null,
  privacy_level: configuration.privacy_level ?? 'anonymous',
  custom_fields: configuration.custom_fields ?? {},
  settings: { ...configuration.settings, ...(configuration.tool_id && { unified_tool_id: configuration.tool_id }) },
  placements: configuration.placements ?? {},
  version: '1.3' as const,
  developer_key_id,
});

/** @throws Problem 400 by field, 404 for a developer key without a tool */
async function columnsOf(call: Writing, context: ToolContext) {
  const given = await withConfig(toolGiven(call.params));
  if (given.client_id !== undefined) return { ...(await ofDeveloperKey(call, context, given.client_id)), given };
  if (!given.name?.trim()) throw invalid('name', 'blank');
  return { ...toolColumns(given), name: given.name.trim(), given };
}

/** @throws Problem 400 by field */
export async function createTool(call: Writing, context: ToolContext): Promise<Reply> {
  const { db, env, now } = call;
  const { given, ...columns } = await columnsOf(call, context);
  const deployment_id = crypto.randomUUID();
  if (given.verify_uniqueness) {
    const isSame = sql`external_tools.url is ${columns.url ?? null} and external_tools.domain is ${columns.domain ?? null}`;
    const [[twin]] = await db.perform([
      db.build
        .select({ id: tools.id })
        .from(tools)
        .where(and(ownTools(context), isSame))
        .limit(1),
    ]);
    if (twin) throw invalid('tool_currently_installed', 'taken', 'The tool is already installed in this context.');
  }
  return write(
    [
      db.build.insert(tools).values({
        ...columns,
        context_type: context.type,
        context_id: context.id,
        shared_secret: given.shared_secret ? await sealToolSecret(env, given.shared_secret, deployment_id) : null,
        deployment_id,
        created_at: now,
        updated_at: now,
      }),
    ],
    one(rows(tools, { where: eq(tools.id, sql`last_insert_rowid()`) })),
  );
}

/** Changes what is given; a blank secret keeps the old one. @throws Problem 400 by field, 404 */
export async function updateTool(call: Writing, context: ToolContext, id: number): Promise<Reply> {
  const { db, env, now } = call;
  const given = await withConfig(toolGiven(call.params));
  const [[there]] = await db.perform([db.build.select().from(tools).where(onlyTool(context, id))]);
  const before = found(there);
  const { shared_secret } = given;
  return write(
    [
      db.build
        .update(tools)
        .set({
          ...toolColumns(given, before),
          shared_secret: shared_secret ? await sealToolSecret(env, shared_secret, before.deployment_id) : undefined,
          updated_at: now,
        })
        .where(onlyTool(context, id)),
    ],
    one(rows(tools, { where: onlyTool(context, id) })),
  );
}
