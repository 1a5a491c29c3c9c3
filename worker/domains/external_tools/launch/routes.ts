// Launches of external tools: from the API, and as pages in the browser (reference 06 §6.1, §6.4).

import { SessionlessLaunch } from '@carrel/shared/resources/external_tool';
import { optional, text } from '@carrel/shared/wire/fields';
import type { Call } from '../../../http/call';
import { absolute, get } from '../../../http/endpoint';
import { Problem } from '../../../http/problem';
import { answer, type Reply } from '../../../http/reply';
import { escapeHtml, signInFrame } from '../../../site/frame';
import { htmlPage, signedIn, toLogin } from '../../../site/page';
import { type ToolContext, toolContextOf } from '../policy';
import { chooseLaunch, launchParams } from './choose';
import { launchFacts, launchStatements } from './facts';
import { launchTrouble, plainTrouble } from './page';
import { startLaunch } from './start';
import { isUsedAgain, type LaunchTicket, openTicket, sealTicket, useOnce } from './ticket';

const addressOf = ({ type, id }: ToolContext) => `/${type === 'Course' ? 'courses' : 'accounts'}/${id}`;

/** Members of a course; in an account every user. */
const mayLaunch = ({ me, course, account }: Pick<Call, 'me' | 'course' | 'account'>): boolean =>
  me.isKnown && (course?.canRead ?? account !== undefined);

const sessionless = (['/courses/:course_id', '/accounts/:account_id'] as const).map((place) =>
  get(
    `${place}/external_tools/sessionless_launch`,
    { can: mayLaunch, params: launchParams, returns: { json: SessionlessLaunch }, summary: 'Get an address that opens an external tool' },
    async (call) => {
      const { env, now, origin } = call;
      const context = toolContextOf(call);
      const { tool, ticket } = await chooseLaunch(call, context, call.params);
      const verifier = await sealTicket(env, 'verifier', ticket, now);
      return answer({
        id: tool.id,
        name: tool.name,
        url: `${origin}${addressOf(context)}/external_tools/sessionless_launch?verifier=${verifier}`,
      });
    },
  ),
);

type Opening = Pick<Call, 'db' | 'env' | 'now' | 'origin' | 'request'>;

async function open(call: Opening, ticket: LaunchTicket): Promise<Reply> {
  const { db, now } = call;
  const facts = launchFacts(ticket, await db.perform(launchStatements(db, ticket, now)));
  return facts ? startLaunch(call, facts) : launchTrouble(404, 'The tool is no longer there.');
}

const unknownLaunch = () => plainTrouble(404, 'Cannot find launch settings');

/** Opens an address that was made for a user, once. */
async function openVerifier(call: Opening, verifier: string): Promise<Reply> {
  const { db, env, now } = call;
  const opened = await openTicket<LaunchTicket>(env, 'verifier', verifier, now);
  if (!opened) return unknownLaunch();
  try {
    await db.perform([useOnce(db, opened)]);
  } catch (error) {
    if (isUsedAgain(error)) return unknownLaunch();
    throw error;
  }
  return open(call, opened.ticket);
}

const pageOnly = { can: 'anyone', unscoped: true, returns: { json: null } } as const;

/** The pages of the address are opened by a browser without session: they load nothing of the path. */
const verified = (['/courses/:any_course', '/accounts/:any_account'] as const).map((place) =>
  get(
    `${place}/external_tools/sessionless_launch`,
    {
      ...pageOnly,
      withoutCaller: true,
      params: { verifier: optional(text) },
      summary: 'Open an external tool with an address from the API',
    },
    (call) => openVerifier(call, call.params.verifier ?? ''),
  ),
);

/** Problems as a page for people. */
async function asPage(open: () => Promise<Reply>): Promise<Reply> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return launchTrouble(error.status === 200 ? 404 : error.status, 'There is no such tool here, or you may not open it.');
  }
}

type Visiting = Opening & Pick<Call, 'me' | 'url' | 'course' | 'account' | 'user' | 'path'>;

async function visit(call: Visiting, asked: Parameters<typeof chooseLaunch>[2], isFramed: boolean): Promise<Reply> {
  if (!signedIn(call)) return toLogin(call);
  if (!mayLaunch(call)) return launchTrouble(401, 'You may not open this.');
  return asPage(async () => {
    const { ticket } = await chooseLaunch(call, toolContextOf(call), asked);
    return open(call, { ...ticket, isFramed });
  });
}

const pages = (['/courses/:course_id', '/accounts/:account_id'] as const).flatMap((place) => [
  get(
    `${place}/external_tools/retrieve`,
    { ...pageOnly, params: { ...launchParams, display: optional(text) }, summary: 'Open the external tool of an address' },
    (call) => visit(call, call.params, call.params.display === 'borderless'),
  ),
  get(
    `${place}/external_tools/:external_tool_id`,
    {
      ...pageOnly,
      params: { launch_type: optional(text), placement: optional(text), display: optional(text) },
      summary: 'Open an external tool',
    },
    (call) => {
      const { placement, launch_type, display } = call.params;
      const id = /^\d{1,15}$/.test(call.path.external_tool_id) ? Number(call.path.external_tool_id) : 0;
      return visit(call, { id, launch_type: launch_type ?? placement }, display === 'borderless');
    },
  ),
]);

/** Tools send the browser here when they are done. */
const returns = (['/courses/:any_course', '/accounts/:any_account'] as const).map((place) =>
  get(
    `${place}/external_content/success/:service`,
    {
      ...pageOnly,
      withoutCaller: true,
      params: { lti_msg: optional(text), lti_errormsg: optional(text) },
      summary: 'Come back from an external tool',
    },
    ({ params }) => {
      const words = (params.lti_errormsg || params.lti_msg || '').slice(0, 1000);
      const said = words ? `<p>The tool reports: ${escapeHtml(words)}</p>` : '';
      return htmlPage(signInFrame('Done', `<h1>Done</h1>${said}<p>You can close this window.</p>`));
    },
  ),
);

export const launchRoutes = [...sessionless, ...absolute(...verified, ...pages, ...returns)];
