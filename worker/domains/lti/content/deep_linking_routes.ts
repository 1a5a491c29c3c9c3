// Takes the content that a user has chosen in a tool of LTI 1.3: the tool's page posts a signed response, which is valid once and for the user who
// opened the tool (reference 06 §8).

import { optional, text, wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { isSignedBy, type JwtClaims, readJwt } from '../../../crypto/jwt';
import { absolute, post } from '../../../http/endpoint';
import { sha256 } from '../../../http/idempotency';
import type { Reply } from '../../../http/reply';
import type { ToolRow } from '../../external_tools/json';
import { useOnce } from '../../external_tools/launch/ticket';
import { publicKeysOf } from '../../oauth2/client_credentials';
import {
  type AnsweredPlace,
  answeredPlaces,
  contentTicket,
  RefusedContent,
  type TakingContent,
  takeContent,
  unreadableContent,
} from './take_content';

type Responding = TakingContent & {
  readonly params: { readonly JWT?: string };
  readonly path: AnsweredPlace;
};

const claim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const deepLinking = (name: string) => `https://purl.imsglobal.org/spec/lti-dl/claim/${name}`;

const longest = 400_000;
/** Allows for clock skew, in seconds. */
const leeway = 60;
const oldest = 3600;

const texts = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is wrong with the claims of a response; undefined where nothing is. */
function faultIn(claims: JwtClaims, tool: ToolRow, origin: string, now: number): string | undefined {
  const { iat, exp, nonce } = claims;
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  if (claims.iss !== String(tool.developer_key_id)) return 'iss';
  if (![claims.aud].flat().includes(origin)) return 'aud';
  if (!isNumber(exp) || exp <= now - leeway) return 'exp';
  if (!isNumber(iat) || iat > now + leeway || iat < now - oldest) return 'iat';
  if (typeof nonce !== 'string' || nonce === '' || nonce.length > 500) return 'nonce';
  if (lookUp<unknown>(claims, claim('deployment_id')) !== tool.deployment_id) return 'deployment_id';
  if (lookUp<unknown>(claims, claim('message_type')) !== 'LtiDeepLinkingResponse') return 'message_type';
  return lookUp<unknown>(claims, claim('version')) === '1.3.0' ? undefined : 'version';
}

async function takeResponse(call: Responding): Promise<Reply> {
  const { db, now, origin, params, path } = call;
  const jwt = readJwt(params.JWT ?? '', longest);
  const textAt = (name: string) => (jwt ? texts(lookUp<unknown>(jwt.claims, deepLinking(name))) : '');
  const opened = jwt && (await contentTicket(call, textAt('data'), path));
  if (!jwt || !opened) return unreadableContent();
  return takeContent(call, opened, '1.3', textAt('errormsg') || textAt('msg'), async ({ tool, key }) => {
    const fault = faultIn(jwt.claims, tool, origin, Date.parse(now) / 1000);
    if (fault) throw new RefusedContent(`The response of the tool has a wrong ${fault}.`);
    if (!key || !(await isSignedBy(jwt, await publicKeysOf(key, jwt.header.kid))))
      throw new RefusedContent('The response is not signed by the tool.');
    const hash = await sha256(`content of ${key.id} ${texts(jwt.claims.nonce)}`);
    const expires_at = wireTime(Date.parse(now) + 2 * oldest * 1000);
    return { items: lookUp<unknown>(jwt.claims, deepLinking('content_items')), uses: useOnce(db, { hash, expires_at }) };
  });
}

export const deepLinkingRoutes = absolute(
  ...answeredPlaces.map((place) =>
    post(
      `${place}/deep_linking_response`,
      {
        can: 'anyone',
        unscoped: true,
        withoutCaller: true,
        params: { JWT: optional(text) },
        returns: { json: null },
        summary: 'Take the content that was chosen in an external tool',
      },
      takeResponse,
    ),
  ),
);
