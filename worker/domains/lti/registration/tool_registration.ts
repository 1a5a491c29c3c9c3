// The registration that a tool sends of itself (1EdTech LTI Dynamic Registration 1.0, as Canvas has it), checked and as a configuration. Pure.

import type { PlacementName } from '@carrel/shared/resources/external_tool';
import { lookUp } from '@carrel/shared/wire/look_up';
import { Problem } from '../../../http/problem';
import { offeredScopes } from '../../../rules/lti_scopes';
import { isPlacement } from '../../../rules/tool_placements';
import { isPublic } from '../../../web/public_address';
import { ltiConfigurationOf, type ReadConfiguration } from '../../external_tools/configurations';
import { domainOf, isLaunchAddress } from '../../external_tools/input';
import { privacyLevels } from '../../external_tools/table';

export const toolConfigurationClaim = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const canvas = (name: string) => `https://canvas.instructure.com/lti/${name}`;

/** Claims that launches may contain about a user. */
export const offeredClaims: readonly string[] = ['sub', 'iss', 'name', 'given_name', 'family_name', 'picture', 'email', 'locale'];

type RegistrationError = 'invalid_client_metadata' | 'invalid_redirect_uri';

/** What is wrong, by the parameter. */
export class WrongRegistration extends Error {
  constructor(
    readonly parameter: string,
    what: string,
    readonly code: RegistrationError = 'invalid_client_metadata',
  ) {
    super(`${parameter} ${what}`);
  }
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const listAt = (json: Json, name: string): readonly unknown[] => {
  const value = lookUp(json, name);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > most) throw new WrongRegistration(name, `is not a list of at most ${most}`);
  return value;
};

const longest = 50_000;
const most = 100;

function textAt(json: Json, name: string, limit = 4096): string | undefined {
  const value = lookUp(json, name);
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string' || value.length > limit) throw new WrongRegistration(name, `is not a text of at most ${limit} characters`);
  return value.trim() || undefined;
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new WrongRegistration(name, 'is missing');
  return value;
}

/** An https address without user and password. */
function checkedAddress<T extends string | undefined>(given: T, name: string, code?: RegistrationError): T {
  if (given !== undefined && (!isLaunchAddress(given) || URL.parse(given)?.protocol !== 'https:' || given.includes('#')))
    throw new WrongRegistration(name, 'is not an https address', code);
  return given;
}

/** Values that the standard fixes. */
const fixed: readonly (readonly [string, readonly string[]])[] = [
  ['response_types', ['id_token']],
  ['grant_types', ['implicit', 'client_credentials']],
];

function checkFixed(json: Json): void {
  if ((textAt(json, 'application_type') ?? 'web') !== 'web') throw new WrongRegistration('application_type', 'must be web');
  if (textAt(json, 'token_endpoint_auth_method') !== 'private_key_jwt')
    throw new WrongRegistration('token_endpoint_auth_method', 'must be private_key_jwt');
  for (const [name, values] of fixed) {
    const given = listAt(json, name);
    const missing = values.find((value) => !given.includes(value));
    if (missing) throw new WrongRegistration(name, `must include ${missing}`);
  }
}

function redirectsAt(json: Json): string[] {
  const uris = listAt(json, 'redirect_uris').map((uri) => {
    const address = typeof uri === 'string' ? uri : '';
    return checkedAddress(address, 'redirect_uris', 'invalid_redirect_uri');
  });
  if (uris.length === 0) throw new WrongRegistration('redirect_uris', 'is missing', 'invalid_redirect_uri');
  return [...new Set(uris)];
}

function jwksAt(json: Json): string {
  const address = checkedAddress(required(textAt(json, 'jwks_uri', 2000), 'jwks_uri'), 'jwks_uri');
  const url = URL.parse(address);
  if (!url || !isPublic(url)) throw new WrongRegistration('jwks_uri', 'is not public');
  return address;
}

/** Names of the standard for places that Canvas calls otherwise. */
const standardPlacements: Readonly<Record<string, readonly PlacementName[]>> = {
  ContentArea: ['assignment_selection', 'link_selection'],
  RichTextEditor: ['editor_button'],
};

const messageTypes = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'] as const;
const visibilities = ['admins', 'members', 'public'];

const textsOf = (json: unknown, name: string): Readonly<Record<string, string>> | undefined => {
  if (json === undefined || json === null) return undefined;
  if (!isJson(json) || !Object.values(json).every((value) => typeof value === 'string'))
    throw new WrongRegistration(name, 'must be an object of texts');
  return json as Readonly<Record<string, string>>;
};

const present = (json: Json): Json => Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

interface RegisteredMessage {
  readonly json: Json;
  readonly placements: readonly PlacementName[];
  /** As settings of a placement. */
  readonly settings: Json;
}

/** A message; undefined for one that this platform does not send. */
function messageOf(given: unknown): RegisteredMessage | undefined {
  if (!isJson(given)) throw new WrongRegistration('messages', 'must be objects');
  const type = messageTypes.find((one) => one === given.type);
  const wanted = listAt(given, 'placements').filter((one): one is string => typeof one === 'string');
  const placements = wanted.flatMap((one) => (isPlacement(one) ? [one] : (lookUp(standardPlacements, one) ?? [])));
  if (!type || (wanted.length > 0 && placements.length === 0)) return undefined;
  const target_link_uri = checkedAddress(textAt(given, 'target_link_uri'), 'target_link_uri');
  const icon_url = checkedAddress(textAt(given, 'icon_uri'), 'icon_uri');
  const label = textAt(given, 'label', 255);
  const custom_parameters = textsOf(given.custom_parameters, 'custom_parameters');
  const labels = Object.entries(given).flatMap(([name, value]) => {
    const language = /^label#([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)$/.exec(name)?.[1];
    return language && typeof value === 'string' && value.length <= 255 ? [[language, value] as const] : [];
  });
  const visibility = visibilities.find((one) => one === lookUp<unknown>(given, canvas('visibility')));
  const isOff = lookUp<unknown>(given, canvas('course_navigation/default_enabled')) === false;
  return {
    json: present({
      type,
      target_link_uri,
      label,
      icon_uri: icon_url,
      custom_parameters,
      placements: wanted.length ? placements : undefined,
    }),
    placements,
    settings: present({
      message_type: type,
      target_link_uri,
      icon_url,
      text: label,
      labels: labels.length > 0 ? Object.fromEntries(labels) : undefined,
      custom_fields: custom_parameters,
      visibility,
      default: isOff ? 'disabled' : undefined,
    }),
  };
}

/** The first message of each placement counts. */
function placementsOf(messages: readonly RegisteredMessage[]): Json[] {
  const found = new Map<string, Json>();
  for (const { placements, settings } of messages)
    for (const placement of placements) if (!found.has(placement)) found.set(placement, { placement, ...settings });
  return [...found.values()];
}

const isAt = (address: string, domain: string): boolean => {
  const { host = '', hostname = '' } = URL.parse(address) ?? {};
  return host === domain || hostname === domain || hostname.endsWith(`.${domain}`);
};

function domainAt(tool: Json, target_link_uri: string): string {
  const domain = domainOf(required(textAt(tool, 'domain', 255), 'domain'));
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d{1,5})?$/.test(domain)) throw new WrongRegistration('domain', 'is not a host name');
  if (!isAt(target_link_uri, domain)) throw new WrongRegistration('target_link_uri', 'is not at the domain of the tool');
  return domain;
}

export interface ToolRegistration {
  readonly configuration: ReadConfiguration;
  /** What was registered, as the tool receives it, apart from what this platform adds. */
  readonly registered: Json & { readonly [toolConfigurationClaim]: Json };
}

/** The configuration as a vendor would publish it. */
function configurationOf(json: Json): ReadConfiguration {
  try {
    return ltiConfigurationOf(json);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [{ message = 'is invalid' } = {}] = Object.values(
      (error.body as { errors?: Record<string, { message?: string }[]> }).errors ?? {},
    ).flat();
    throw new WrongRegistration(toolConfigurationClaim, message);
  }
}

/**
 * Unknown scopes, placements and messages are left out; the response states what was registered.
 * @throws WrongRegistration
 */
export function toolRegistrationOf(given: unknown): ToolRegistration {
  if (!isJson(given)) throw new WrongRegistration('the registration', 'is not an object');
  if (JSON.stringify(given).length > longest) throw new WrongRegistration('the registration', `has more than ${longest} characters`);
  checkFixed(given);
  const tool = lookUp(given, toolConfigurationClaim);
  if (!isJson(tool)) throw new WrongRegistration(toolConfigurationClaim, 'is missing');
  const client_name = required(textAt(given, 'client_name', 255), 'client_name');
  const initiate_login_uri = checkedAddress(required(textAt(given, 'initiate_login_uri'), 'initiate_login_uri'), 'initiate_login_uri');
  const target_link_uri = checkedAddress(required(textAt(tool, 'target_link_uri'), 'target_link_uri'), 'target_link_uri');
  const jwks_uri = jwksAt(given);
  const redirect_uris = redirectsAt(given);
  const logo_uri = checkedAddress(textAt(given, 'logo_uri'), 'logo_uri');
  const domain = domainAt(tool, target_link_uri);
  const description = textAt(tool, 'description', 10_000);
  const custom_parameters = textsOf(tool.custom_parameters, 'custom_parameters');
  const messages = listAt(tool, 'messages').flatMap((one) => messageOf(one) ?? []);
  const scopes = [...new Set((textAt(given, 'scope', 10_000) ?? '').split(/\s+/))].filter((one) => offeredScopes.includes(one));
  const privacy_level = privacyLevels.find((one) => one === lookUp<unknown>(tool, canvas('privacy_level')));
  const tool_id = textAt(tool, canvas('tool_id'), 255);
  return {
    configuration: configurationOf({
      title: client_name,
      description,
      target_link_uri,
      oidc_initiation_url: initiate_login_uri,
      public_jwk_url: jwks_uri,
      redirect_uris,
      scopes,
      custom_fields: custom_parameters,
      extensions: [{ domain, privacy_level, tool_id, settings: { icon_url: logo_uri, placements: placementsOf(messages) } }],
    }),
    registered: {
      ...present({ application_type: 'web', client_name, logo_uri, jwks_uri, initiate_login_uri, redirect_uris }),
      response_types: ['id_token'],
      grant_types: ['implicit', 'client_credentials'],
      token_endpoint_auth_method: 'private_key_jwt',
      scope: scopes.join(' '),
      [toolConfigurationClaim]: present({
        domain,
        description,
        target_link_uri,
        custom_parameters,
        claims: listAt(tool, 'claims').filter((one) => typeof one === 'string' && offeredClaims.includes(one)),
        messages: messages.map(({ json }) => json),
        [canvas('privacy_level')]: privacy_level,
        [canvas('tool_id')]: tool_id,
      }),
    },
  };
}
