// Stages external tools: those of a Canvas package as they are, and links of other packages as one tool for each host. They have no key and secret, so
// that nothing can be launched before a teacher has set them up.

import { read } from '@carrel/shared/wire/fields';
import { sql } from 'drizzle-orm';
import { type PackagedTool, toolItemSuffix } from '../../../cartridge/content/tool_link';
import { Problem } from '../../../http/problem';
import { toolConfigOf, UnreadableConfig } from '../../external_tools/config_xml';
import { registrationFields, toolColumns } from '../../external_tools/input';
import { shortName } from './stage_settings';
import type { Staging } from './staging';

export interface PackagedToolLink {
  readonly identifier: string;
  readonly link: PackagedTool;
  readonly document: string;
}

const mostTools = 500;

/** The columns of a tool; undefined where the package states something that no tool can have. Pure. */
export function toolRow({ identifier, link, document }: PackagedToolLink) {
  try {
    const { fields, placements } = toolConfigOf(document);
    const said = read(registrationFields, { ...fields, ...placements, consumer_key: '', shared_secret: '' });
    if (!said.ok) return undefined;
    const { url = null, domain = null, description = null, privacy_level = 'anonymous', ...rest } = toolColumns(said.value);
    if (url === null && domain === null) return undefined;
    return {
      identifier,
      name: shortName(said.value.name ?? link.title, 'Tool'),
      description,
      url,
      domain,
      privacy_level,
      custom_fields: rest.custom_fields ?? {},
      settings: rest.settings,
      placements: rest.placements,
      not_selectable: rest.not_selectable ?? false,
    };
  } catch (error) {
    if (error instanceof UnreadableConfig || error instanceof Problem) return undefined;
    throw error;
  }
}
type ToolRow = NonNullable<ReturnType<typeof toolRow>>;

/** Links to the same host share one tool, which is found by its domain. Pure. */
export function sharedTools(rows: readonly ToolRow[]): { readonly row: ToolRow; readonly identifiers: readonly string[] }[] {
  const byHost = Map.groupBy(rows, (row) => row.domain ?? URL.parse(row.url ?? '')?.host ?? row.identifier);
  return [...byHost].map(([host, some]) => {
    const [first] = some as [ToolRow];
    const isSame = some.every(({ url }) => url === first.url);
    return { row: isSame ? first : { ...first, url: null, domain: host }, identifiers: some.map(({ identifier }) => identifier) };
  });
}

export function stageTools(staging: Staging, given: readonly PackagedToolLink[], isCanvas: boolean): void {
  const made = given.map((one) => ({ title: one.link.title || one.link.url, row: toolRow(one) }));
  for (const { title, row } of made)
    if (!row) staging.issue('warning', `The external tool ${shortName(title, '')} was not imported, because its settings are invalid.`);
  const rows = made.flatMap(({ row }) => row ?? []);
  const isOwn = ({ identifier }: ToolRow) => isCanvas && !identifier.endsWith(toolItemSuffix);
  const tools = [
    ...rows.filter(isOwn).map((row) => ({ row, identifiers: [row.identifier] })),
    ...sharedTools(rows.filter((row) => !isOwn(row))),
  ];
  for (const { row, identifiers } of tools.slice(0, mostTools)) {
    const { identifier: _, ...values } = row;
    staging.insert(
      'external_tools',
      {
        context_type: sql`'Course'`,
        context_id: sql`${staging.course}`,
        deployment_id: sql`lower(hex(randomblob(16)))`,
        ...Object.fromEntries(Object.keys(values).map((name) => [name, true as const])),
      },
      [row],
    );
    staging.remember(
      'external_tool',
      identifiers.map((identifier) => ({ identifier })),
      sql`(select max(id) from external_tools)`,
    );
    staging.issue('todo', `The external tool ${row.name} must be set up with its key and secret before it can be launched.`);
  }
}
