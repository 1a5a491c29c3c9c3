// Configurations of LTI 1.3 for developer keys: the JSON of a vendor, checked and kept (reference 06 §6.3, §8).

import { read } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { invalid } from '../../http/problem';
import { offeredScopes } from '../../rules/lti_scopes';
import { isPlacement } from '../../rules/tool_placements';
import { checkJwk, checkJwkUrl, checkRedirects } from '../developer_keys/what_a_key_may_say';
import { isLaunchAddress, registrationFields, toolColumns } from './input';
import { type LtiConfiguration, privacyLevels } from './table';

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textAt = (json: Json, name: string): string | undefined => {
  const value = lookUp(json, name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

export interface ReadConfiguration {
  readonly configuration: LtiConfiguration;
  readonly scopes: readonly string[];
  readonly public_jwk: unknown;
  readonly public_jwk_url: string | undefined;
  readonly redirect_uris: readonly string[];
}

const wrong = (message: string) => invalid('configuration', 'invalid', message);

/** Settings as the fields of a registration. @throws Problem 400 at `configuration` */
function toolPart(json: Json, extension: Json) {
  const settings = isJson(extension.settings) ? extension.settings : {};
  const placed = list(settings.placements).filter(isJson);
  const { placements: _, ...rest } = settings;
  const said = read(registrationFields, {
    ...rest,
    name: textAt(json, 'title'),
    description: textAt(json, 'description'),
    custom_fields: isJson(json.custom_fields) ? json.custom_fields : undefined,
    ...Object.fromEntries(
      placed.flatMap(({ placement, ...one }) =>
        typeof placement === 'string' && isPlacement(placement) ? [[placement, { enabled: true, ...one }]] : [],
      ),
    ),
  });
  if (!said.ok) throw wrong(`${said.refusal.parameter} ${said.refusal.message}`);
  return toolColumns(said.value);
}

/**
 * The configuration that a vendor publishes, with Canvas' extensions.
 * @throws Problem 400 at `configuration` for one without title or addresses
 */
export function ltiConfigurationOf(json: unknown): ReadConfiguration {
  if (!isJson(json)) throw wrong('is not an object');
  if (JSON.stringify(json).length > 100_000) throw wrong('is too long');
  const title = textAt(json, 'title');
  const target_link_uri = textAt(json, 'target_link_uri');
  const oidc_initiation_url = textAt(json, 'oidc_initiation_url');
  if (!title) throw wrong('title is missing');
  if (!target_link_uri || !isLaunchAddress(target_link_uri)) throw wrong('target_link_uri must be an http or https address');
  if (!oidc_initiation_url || !isLaunchAddress(oidc_initiation_url)) throw wrong('oidc_initiation_url must be an http or https address');
  const extension =
    list(json.extensions)
      .filter(isJson)
      .find(({ platform }) => platform === undefined || /^canvas\./.test(String(platform))) ?? {};
  const { custom_fields, settings, placements } = toolPart(json, extension);
  const privacy = privacyLevels.find((level) => level === extension.privacy_level);
  return {
    configuration: {
      title,
      description: textAt(json, 'description') ?? null,
      target_link_uri,
      oidc_initiation_url,
      domain: textAt(extension, 'domain') ?? null,
      tool_id: textAt(extension, 'tool_id') ?? null,
      ...(privacy && { privacy_level: privacy }),
      ...(custom_fields && { custom_fields }),
      settings,
      placements,
    },
    scopes: list(json.scopes).filter((scope): scope is string => typeof scope === 'string'),
    public_jwk: json.public_jwk,
    public_jwk_url: textAt(json, 'public_jwk_url'),
    redirect_uris: list(json.redirect_uris).filter((one): one is string => typeof one === 'string'),
  };
}

/** The columns of the key of a tool. @throws Problem 400 by field */
export function toolKeyColumns(
  { scopes, public_jwk, public_jwk_url, redirect_uris, configuration }: ReadConfiguration,
  given: { readonly name?: string; readonly redirect_uris?: readonly string[] },
) {
  const uris = given.redirect_uris ?? (redirect_uris.length > 0 ? redirect_uris : [configuration.target_link_uri]);
  checkRedirects(uris);
  checkJwkUrl(public_jwk_url);
  const unknown = scopes.filter((scope) => !offeredScopes.includes(scope));
  if (unknown.length > 0) throw invalid('configuration', 'invalid', `unknown scopes: ${unknown.slice(0, 5).join(', ').slice(0, 500)}`);
  const jwk = public_jwk === undefined ? null : checkJwk(public_jwk);
  if (!jwk && !public_jwk_url) throw invalid('configuration', 'invalid', 'public_jwk or public_jwk_url is missing');
  return {
    name: given.name?.trim() || configuration.title,
    redirect_uris: [...uris],
    scopes: [...scopes],
    public_jwk: jwk,
    public_jwk_url: public_jwk_url ?? null,
  };
}
