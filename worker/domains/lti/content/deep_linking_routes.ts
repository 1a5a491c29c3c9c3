// Takes the content that a user has chosen in a tool of LTI 1.3: the tool's page posts a signed response, which is valid once and for the user who
// opened the tool (reference 06 §8).

import { optional, text, wireTime } from '@carrel/shared/wire/fields';
import { lookUp } from '@carrel/shared/wire/look_up';
import { and, eq, sql } from 'drizzle-orm';
import type { CourseContext } from '../../../contexts/course';
import { isSwitchedOn } from '../../../contexts/developer_key';
import { loadContexts } from '../../../contexts/load';
import { isSignedBy, type JwtClaims, readJwt } from '../../../crypto/jwt';
import type { Call } from '../../../http/call';
import { absolute, post } from '../../../http/endpoint';
import { sha256 } from '../../../http/idempotency';
import { Problem } from '../../../http/problem';
import type { Reply } from '../../../http/reply';
import { contentChoiceAt, mayChooseContent } from '../../../rules/content_choices';
import { escapeHtml, signInFrame } from '../../../site/frame';
import { htmlPage } from '../../../site/page';
import { assignments } from '../../assignments/table';
import { developer_key_account_bindings as bindings, developer_keys } from '../../developer_keys/table';
import type { ToolRow } from '../../external_tools/json';
import { launchTrouble } from '../../external_tools/launch/page';
import { isUsedAgain, type LaunchTicket, type OpenedTicket, openTicket, useOnce } from '../../external_tools/launch/ticket';
import { external_tools } from '../../external_tools/table';
import { presentModules } from '../../modules/policy';
import { modules } from '../../modules/table';
import { publicKeysOf } from '../../oauth2/client_credentials';
import { type ChosenContent, chosenContent } from './chosen_content';
import { contentItemsOf, WrongContent } from './content_items';

type Responding = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'institution' | 'afterwards'> & {
  readonly params: { readonly JWT?: string };
  readonly path: { readonly any_course: string };
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

/** What the response needs: its tool and key, and the places that its ticket names. */
const readPlaces = ({ db }: Responding, { tool_id, module_id, assignment_id }: LaunchTicket, course: CourseContext) => {
  const key = sql`(select t.developer_key_id from external_tools t where t.id = ${tool_id})`;
  return db.perform([
    db.build
      .select()
      .from(external_tools)
      .where(sql`external_tools.id = ${tool_id} and external_tools.workflow_state = 'active' and external_tools.version = ${'1.3'}`),
    db.build.select().from(developer_keys).where(eq(developer_keys.id, key)),
    db.build.select().from(bindings).where(eq(bindings.developer_key_id, key)),
    db.build
      .select({ id: modules.id })
      .from(modules)
      .where(presentModules(course, module_id ?? 0)),
    db.build
      .select()
      .from(assignments)
      .where(
        and(
          eq(assignments.id, assignment_id ?? 0),
          eq(assignments.course_id, course.id),
          sql`assignments.workflow_state <> 'deleted' and instr(assignments.submission_types, 'external_tool') > 0`,
        ),
      ),
  ]);
};

/** A response that cannot be taken, in words for the user. */
class Refused extends Error {}

const isUsable = ({ context_type, context_id }: ToolRow, { id, chain }: CourseContext): boolean =>
  context_type === 'Course' ? context_id === id : chain.includes(context_id);

/** @throws Refused, WrongContent, Problem */
async function taken(
  call: Responding,
  jwt: NonNullable<ReturnType<typeof readJwt>>,
  opened: OpenedTicket<LaunchTicket>,
): Promise<ChosenContent> {
  const { db, now, origin, institution } = call;
  const { ticket } = opened;
  const { me, course } = await loadContexts(db, {
    tokenHash: undefined,
    sessionHash: undefined,
    speaksFor: sql`select id from users where id = ${ticket.user_id}`,
    asUser: undefined,
    path: { course_id: String(ticket.context_id) },
    bySisId: false,
    within: {},
    idempotencyKey: undefined,
    now,
  });
  const choice = contentChoiceAt(ticket.placement);
  if (!choice || !course || !me.isKnown || !mayChooseContent(course, ticket.placement, ticket.assignment_id))
    throw new Refused('You may no longer add content here.');
  const [[tool], [key], said, [module], [assignment]] = await readPlaces(call, ticket, course);
  if (!tool || !isUsable(tool, course) || !key || !isSwitchedOn(key, said, institution.root.id))
    throw new Refused('The tool is no longer there.');
  const isGone =
    (ticket.module_id !== undefined && !module) ||
    (ticket.placement === 'assignment_selection' && ticket.assignment_id !== undefined && !assignment);
  if (isGone) throw new Refused('The place for the content is no longer there.');
  const fault = faultIn(jwt.claims, tool, origin, Date.parse(now) / 1000);
  if (fault) throw new Refused(`The response of the tool has a wrong ${fault}.`);
  if (!(await isSignedBy(jwt, await publicKeysOf(key, jwt.header.kid)))) throw new Refused('The response is not signed by the tool.');
  const items = contentItemsOf(lookUp<unknown>(jwt.claims, deepLinking('content_items')), choice);
  const around = { db, now, origin, institution, afterwards: call.afterwards, me, course, tool, ticket, assignment };
  const chosen = await chosenContent(around, items);
  const hash = await sha256(`content of ${key.id} ${texts(jwt.claims.nonce)}`);
  const expires_at = wireTime(Date.parse(now) + 2 * oldest * 1000);
  await db.perform([useOnce(db, opened), useOnce(db, { hash, expires_at }), ...chosen.statements]);
  return chosen;
}

function resultPage({ report, html }: ChosenContent, claims: JwtClaims): Reply {
  const words = (texts(lookUp<unknown>(claims, deepLinking('errormsg'))) || texts(lookUp<unknown>(claims, deepLinking('msg')))).slice(
    0,
    1000,
  );
  const said = words ? `<p>The tool reports: ${escapeHtml(words)}</p>` : '';
  const shown = html === undefined ? '' : `<pre class="address">${escapeHtml(html)}</pre>`;
  return htmlPage(
    signInFrame('Content of the tool', `<h1>Done</h1><p>${escapeHtml(report)}</p>${said}${shown}<p>You can close this window.</p>`),
  );
}

async function takeContent(call: Responding): Promise<Reply> {
  const { env, now, params, path } = call;
  const jwt = readJwt(params.JWT ?? '', longest);
  const opened = jwt && (await openTicket<LaunchTicket>(env, 'content', texts(lookUp<unknown>(jwt.claims, deepLinking('data'))), now));
  if (!jwt || !opened || String(opened.ticket.context_id) !== path.any_course)
    return launchTrouble(400, 'The response of the tool cannot be read, or has expired. Open the tool again.');
  try {
    return resultPage(await taken(call, jwt, opened), jwt.claims);
  } catch (error) {
    if (isUsedAgain(error)) return launchTrouble(400, 'This response of the tool was used before.');
    if (error instanceof Refused || error instanceof WrongContent) return launchTrouble(400, error.message);
    if (error instanceof Problem) return launchTrouble(400, 'The content is not accepted here.');
    throw error;
  }
}

export const deepLinkingRoutes = absolute(
  post(
    '/courses/:any_course/deep_linking_response',
    {
      can: 'anyone',
      unscoped: true,
      withoutCaller: true,
      params: { JWT: optional(text) },
      returns: { json: null },
      summary: 'Take the content that was chosen in an external tool',
    },
    takeContent,
  ),
);
