// The XML of a tool: a basic LTI link with Canvas' extensions (reference 06 §4.3, §6.3). Pure.

import { lookUp } from '@carrel/shared/wire/look_up';
import { XMLParser } from 'fast-xml-parser';
import { isPlacement } from '../../rules/tool_placements';
import type { PlacementSettings } from './table';

/** Not the XML of a tool; the message says what is wrong. */
export class UnreadableConfig extends Error {}

type Node = Readonly<Record<string, unknown>>;

/** Entities could grow without limit, or read what they must not: documents that declare any are refused before they are parsed. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: { enabled: true, maxTotalExpansions: 1000 },
});

const longest = 200_000;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const each = (value: unknown): readonly unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
const nodes = (value: unknown, name: string): readonly Node[] =>
  each(isNode(value) ? lookUp(value, name) : undefined).flatMap((one) =>
    isNode(one) ? [one] : typeof one === 'string' ? [{ '#text': one }] : [],
  );
const attribute = (node: Node, name: string): string => String(lookUp(node, `@${name}`) ?? '').trim();
const textIn = (node: Node | undefined): string => String(node?.['#text'] ?? '').trim();
const child = (node: Node, name: string): string | undefined => textIn(nodes(node, name)[0]) || undefined;

const asBool = (value: string): boolean | string => (value === 'true' ? true : value === 'false' ? false : value);
const asNumber = (value: string): number | string => (/^\d{1,5}$/.test(value) ? Number(value) : value);
const flags = new Set(['enabled', 'use_tray', 'prefer_sis_email', 'root_account_only', 'oauth_compliant', 'not_selectable']);
const sizes = new Set(['selection_width', 'selection_height', 'launch_width', 'launch_height']);
const typed = (name: string, value: string): unknown => (flags.has(name) ? asBool(value) : sizes.has(name) ? asNumber(value) : value);

/** `<property name="…">…</property>` by name. */
const properties = (node: Node): Record<string, unknown> =>
  Object.fromEntries(
    nodes(node, 'property')
      .map((one) => [attribute(one, 'name'), textIn(one)] as const)
      .filter(([name]) => /^[\w.-]{1,100}$/.test(name))
      .map(([name, value]) => [name, typed(name, value)]),
  );

const optionsNamed = (node: Node, name: string): Node | undefined => nodes(node, 'options').find((one) => attribute(one, 'name') === name);

/** Addresses and names of a placement have the names of parameters. */
function placementIn(node: Node): PlacementSettings {
  const labels = optionsNamed(node, 'labels');
  const custom = nodes(node, 'custom')[0] ?? optionsNamed(node, 'custom_fields');
  return {
    enabled: true,
    ...properties(node),
    ...(labels && { labels: properties(labels) }),
    ...(custom && { custom_fields: properties(custom) }),
  };
}

export interface ToolConfig {
  readonly fields: Record<string, unknown>;
  readonly placements: Record<string, PlacementSettings>;
}

/**
 * The parameters in the XML.
 * @throws UnreadableConfig
 */
export function toolConfigOf(xml: string): ToolConfig {
  if (xml.length > longest) throw new UnreadableConfig('the XML is too long');
  if (/<!\s*(DOCTYPE|ENTITY)/i.test(xml)) throw new UnreadableConfig('document types and entities are not allowed');
  let root: unknown;
  try {
    root = parser.parse(xml, true);
  } catch {
    throw new UnreadableConfig('the XML is not well-formed');
  }
  const [link] = nodes(root, 'cartridge_basiclti_link');
  if (!link) throw new UnreadableConfig('the XML is not a cartridge_basiclti_link');
  const extensions = nodes(link, 'extensions').find((one) => /^canvas\./.test(attribute(one, 'platform'))) ?? {};
  const said = properties(extensions);
  const custom = nodes(link, 'custom')[0];
  const placed = nodes(extensions, 'options').filter((one) => isPlacement(attribute(one, 'name')));
  const { tool_id, ...plain } = said;
  return {
    fields: {
      ...plain,
      name: child(link, 'title'),
      description: child(link, 'description'),
      url: child(link, 'secure_launch_url') ?? child(link, 'launch_url'),
      icon_url: said.icon_url ?? child(link, 'secure_icon') ?? child(link, 'icon'),
      custom_fields: custom && properties(custom),
      ...(tool_id !== undefined && { unified_tool_id: tool_id }),
    },
    placements: Object.fromEntries(placed.map((one) => [attribute(one, 'name'), placementIn(one)])),
  };
}
