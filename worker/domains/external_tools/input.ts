// A tool as clients give it: form fields, XML or the address of XML, checked and as columns (reference 06 §6.3).

import { type PlacementName, placementFields, placementNames } from '@carrel/shared/resources/external_tool';
import { bool, either, idField, int, mapOf, maybe, object, oneOf, optional, type Shape, text } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { invalid } from '../../http/problem';
import { type PlacementSettings, privacyLevels, type ToolSettings } from './table';

const settingFields = {
  text: optional(maybe(text)),
  icon_url: optional(maybe(text)),
  canvas_icon_class: optional(maybe(text)),
  selection_width: optional(maybe(either(int, text))),
  selection_height: optional(maybe(either(int, text))),
  vendor_help_link: optional(maybe(text)),
  prefer_sis_email: optional(bool),
  oauth_compliant: optional(bool),
  allow_membership_service_access: optional(bool),
  is_rce_favorite: optional(bool),
  unified_tool_id: optional(maybe(text)),
};

const placementParam = optional(maybe(object(placementFields)));

export const registrationFields = {
  name: optional(text),
  privacy_level: optional(oneOf(...privacyLevels)),
  consumer_key: optional(maybe(text)),
  shared_secret: optional(maybe(text)),
  description: optional(maybe(text)),
  url: optional(maybe(text)),
  domain: optional(maybe(text)),
  custom_fields: optional(maybe(mapOf(text))),
  custom_fields_string: optional(maybe(text)),
  not_selectable: optional(bool),
  ...settingFields,
  config_type: optional(oneOf('by_xml', 'by_url', 'by_client_id')),
  config_xml: optional(text),
  config_url: optional(text),
  client_id: optional(idField('developer_key')),
  verify_uniqueness: optional(bool),
  ...(Object.fromEntries(placementNames.map((name) => [name, placementParam])) as Record<PlacementName, typeof placementParam>),
};

export type ToolGiven = Shape<typeof registrationFields>;
export const toolParams = { ...registrationFields, external_tool: optional(object(registrationFields)) };

/** The parameters, wrapped in `external_tool` or not. */
export const toolGiven = ({ external_tool, ...given }: Shape<typeof toolParams>): ToolGiven => ({ ...given, ...external_tool });

const lengths = { name: 255, consumer_key: 2048, shared_secret: 4096, description: 10_000, url: 4096, domain: 255 } as const;

/** The address of a launch: on the web, without user and password. */
export function isLaunchAddress(given: string): boolean {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && given.length <= 4096;
}

/** `host` of a domain that was given as such or as an address. */
export const domainOf = (given: string): string => (URL.parse(given)?.host || given).trim().toLowerCase();

/** Lines of `name=value`. */
export const customFieldsOf = (lines: string): Record<string, string> =>
  Object.fromEntries(
    lines
      .split(/\r?\n/)
      .map((line) => line.split('='))
      .filter(([name = '', ...rest]) => name.trim() !== '' && rest.length > 0)
      .map(([name = '', ...rest]) => [name.trim(), rest.join('=').trim()]),
  );

/** Languages, placements and custom fields of one tool. */
const most = 100;

/** @throws Problem 400 that names the parameter */
function checkPlacement(name: string, given: PlacementSettings): void {
  for (const field of ['url', 'target_link_uri'] as const) {
    const address = given[field];
    if (typeof address === 'string' && !isLaunchAddress(address))
      throw invalid(name, 'invalid', `${field} must be an http or https address`);
  }
  const icon = given.icon_url;
  if (typeof icon === 'string' && !isLaunchAddress(icon)) throw invalid(name, 'invalid', 'icon_url must be an http or https address');
  if (JSON.stringify(given).length > 10_000) throw invalid(name, 'too_long');
  if (given.visibility && !['admins', 'members', 'public'].includes(String(given.visibility)))
    throw invalid(name, 'inclusion', 'visibility must be admins, members or public');
}

/** @throws Problem 400 that names the parameter */
function checkTexts(given: ToolGiven): void {
  for (const [field, longest] of Object.entries(lengths))
    if (String(lookUp<unknown>(given, field) ?? '').length > longest) throw invalid(field, 'too_long');
  for (const field of ['url', 'icon_url', 'vendor_help_link'] as const) {
    const address = given[field];
    if (address && !isLaunchAddress(address)) throw invalid(field, 'invalid', 'must be an http or https address');
  }
  if (given.domain && !/^[a-z0-9.-]+(:\d+)?$/.test(domainOf(given.domain))) throw invalid('domain', 'invalid', 'is not a host name');
  if (Object.keys(given.custom_fields ?? {}).length > most) throw invalid('custom_fields', 'too_long');
}

/** The settings of a placement after a change; undefined removes it. */
function changed(name: string, given: PlacementSettings | null, before: PlacementSettings | undefined): PlacementSettings | undefined {
  if (given === null || given.enabled === false) return undefined;
  const after = { ...before, ...given };
  checkPlacement(name, after);
  return after;
}

/** The placements after a change, which names some only. */
function placementsAfter(given: ToolGiven, before: Readonly<Record<string, PlacementSettings>>): Record<string, PlacementSettings> {
  const after: Record<string, PlacementSettings> = { ...before };
  for (const name of placementNames) {
    const one = given[name];
    if (one === undefined) continue;
    const result = changed(name, one as PlacementSettings | null, lookUp(before, name));
    if (result) after[name] = result;
    else delete after[name];
  }
  return after;
}

function settingsAfter(given: ToolGiven, before: ToolSettings): ToolSettings {
  const said = Object.keys(settingFields).filter((name) => lookUp<unknown>(given, name) !== undefined);
  return { ...before, ...Object.fromEntries(said.map((name) => [name, lookUp<unknown>(given, name)])) };
}

interface ToolBefore {
  readonly settings: ToolSettings;
  readonly placements: Readonly<Record<string, PlacementSettings>>;
}

/**
 * The columns that a request sets, apart from the secret.
 * @throws Problem 400 that names the parameter
 */
export function toolColumns(given: ToolGiven, before: ToolBefore = { settings: {}, placements: {} }) {
  checkTexts(given);
  if (given.name !== undefined && given.name.trim() === '') throw invalid('name', 'blank');
  const custom = given.custom_fields_string ? customFieldsOf(given.custom_fields_string) : given.custom_fields;
  return {
    name: given.name?.trim(),
    description: given.description,
    url: given.url,
    domain: given.domain ? domainOf(given.domain) : given.domain,
    consumer_key: given.consumer_key ?? (given.consumer_key === null ? '' : undefined),
    privacy_level: given.privacy_level,
    custom_fields: custom === null ? {} : custom,
    settings: settingsAfter(given, before.settings),
    placements: placementsAfter(given, before.placements),
    not_selectable: given.not_selectable,
  };
}
