// Starts a launch: the page that sends the browser to the tool.

import { cookieOf } from '../../../contexts/session';
import { newToken } from '../../../database/tokens';
import type { Call } from '../../../http/call';
import { sha256 } from '../../../http/idempotency';
import type { Reply } from '../../../http/reply';
import { offersContent } from '../../../rules/tool_placements';
import { openToolSecret } from '../secrets';
import { launchTargetOf } from './choose';
import { contentChoiceOf, contentParameters, placeAddress } from './content_request';
import type { LaunchFacts } from './facts';
import { launchParameters, signedForm } from './lti11';
import { autoPostPage, launchTrouble } from './page';
import { sealTicket } from './ticket';

export type Starting = Pick<Call, 'env' | 'now' | 'origin' | 'request'>;

/** What a student's grade of a tool of LTI 1.1 is sent to. */
export interface GradePlace {
  readonly tool_id: number;
  readonly assignment_id: number;
  readonly user_id: number;
}

/** A tool reports grades long after the launch. */
const gradeLifetime = 400 * 24 * 60;

/** A tool may be open for a while before content is chosen in it, in minutes. */
export const choiceLifetime = 120;

export const launchCookie = 'carrel_launch';

/** Sent back by a browser that comes from the tool's site; without TLS, browsers send no cookie from other sites. */
const browserCookie = (secret: string, origin: string) =>
  [
    `${launchCookie}=${secret}`,
    'Path=/',
    'HttpOnly',
    'Max-Age=3600',
    ...(origin.startsWith('https:') ? ['SameSite=None', 'Secure'] : ['SameSite=Lax']),
  ].join('; ');

export const returnAddressOf = (facts: LaunchFacts, origin: string): string =>
  `${placeAddress(facts, origin)}/external_content/success/external_tool`;

async function startSigned({ env, now, origin }: Starting, facts: LaunchFacts, target: string): Promise<Reply> {
  const { tool, ticket, assignment, user, roles } = facts;
  const choice = contentChoiceOf(facts);
  if (offersContent(tool, ticket.placement) && !choice) return launchTrouble(400, 'Content of the tool cannot be chosen here.');
  const secret = await openToolSecret(env, tool);
  if (secret === undefined || tool.consumer_key === '') return launchTrouble(400, 'The tool has no key and secret yet.');
  const returnAddress = returnAddressOf(facts, origin);
  // Content that is chosen for an assignment is no work in the tool.
  const isGraded = !choice && assignment?.submission_types.includes('external_tool') && roles.types.includes('StudentEnrollment');
  const grade: GradePlace | undefined = isGraded ? { tool_id: tool.id, assignment_id: assignment?.id ?? 0, user_id: user.id } : undefined;
  const given = launchParameters(facts, {
    origin,
    target,
    isFramed: ticket.isFramed ?? false,
    returnAddress,
    ...(grade && { sourcedid: await sealTicket(env, 'outcome', grade, now, gradeLifetime) }),
  });
  const asked = choice ? contentParameters(facts, choice, await sealTicket(env, 'content', ticket, now, choiceLifetime), origin) : {};
  const pairs = await signedForm(
    target,
    { ...given, ...asked },
    {
      key: tool.consumer_key,
      secret,
      now: Math.floor(Date.parse(now) / 1000),
      nonce: newToken(),
      isCompliant: tool.settings.oauth_compliant ?? false,
    },
  );
  return autoPostPage({ target, pairs, title: tool.name });
}

/** The first step of LTI 1.3: the tool's login address, which sends the browser back to the authorization endpoint. */
async function startLogin({ env, now, origin, request }: Starting, facts: LaunchFacts, target: string): Promise<Reply> {
  const { tool, ticket, user, configuration } = facts;
  if (offersContent(tool, ticket.placement) && !contentChoiceOf(facts))
    return launchTrouble(400, 'Content of the tool cannot be chosen here.');
  if (!configuration || tool.developer_key_id === null) return launchTrouble(400, 'The tool is not configured.');
  const known = cookieOf(request, launchCookie);
  const browser = known && /^\w{20,200}$/.test(known) ? known : newToken();
  const hint = await sealTicket(env, 'hint', { ...ticket, url: target, browser: await sha256(browser) }, now);
  return autoPostPage({
    target: configuration.oidc_initiation_url,
    title: tool.name,
    cookies: [browserCookie(browser, origin)],
    pairs: [
      ['iss', origin],
      ['login_hint', user.uuid],
      ['target_link_uri', target],
      ['lti_message_hint', hint],
      ['client_id', String(tool.developer_key_id)],
      ['lti_deployment_id', tool.deployment_id],
      ['deployment_id', tool.deployment_id],
      ['canvas_region', 'not_configured'],
      ['canvas_environment', 'prod'],
      ['lti_storage_target', '_parent'],
    ],
  });
}

export function startLaunch(call: Starting, facts: LaunchFacts): Promise<Reply> | Reply {
  const target = launchTargetOf(facts.tool, facts.ticket);
  if (target === undefined) return launchTrouble(400, 'The tool has no address.');
  return facts.tool.version === '1.3' ? startLogin(call, facts, target) : startSigned(call, facts, target);
}
