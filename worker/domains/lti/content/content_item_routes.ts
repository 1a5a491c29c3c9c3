// Takes the content that a user has chosen in a tool of LTI 1.1: as a form that the tool has signed (ContentItemSelection), or as an address that the
// tool opens, which the user confirms because it has no signature (reference 06 §7).

import { optional, text, wireTime } from '@carrel/shared/wire/fields';
import { oauthSignature } from '../../../crypto/oauth1';
import { sameText } from '../../../database/tokens';
import type { Call } from '../../../http/call';
import { absolute, get, post } from '../../../http/endpoint';
import { sha256 } from '../../../http/idempotency';
import type { Reply } from '../../../http/reply';
import { escapeHtml, signInFrame } from '../../../site/frame';
import { htmlPage } from '../../../site/page';
import type { ToolRow } from '../../external_tools/json';
import { answersByForm } from '../../external_tools/launch/content_request';
import { useOnce } from '../../external_tools/launch/ticket';
import { openToolSecret } from '../../external_tools/secrets';
import { itemsOfGraph, itemsOfReturn } from './content_items_11';
import {
  type AnsweredPlace,
  answeredPlaces,
  contentTicket,
  RefusedContent,
  type TakingContent,
  takeContent,
  unreadableContent,
} from './take_content';

const longest = 400_000;
/** A tool's clock may differ by this, in seconds. */
const tolerance = 300;

type Responding = TakingContent & Pick<Call, 'request' | 'url'> & { readonly path: AnsweredPlace };

/** Whether the tool has signed the form now. */
async function isSigned({ env, now, origin, url, request }: Responding, tool: ToolRow, form: URLSearchParams): Promise<boolean> {
  const secret = await openToolSecret(env, tool);
  const isNow = Math.abs(Date.parse(now) / 1000 - Number(form.get('oauth_timestamp'))) <= tolerance;
  if (secret === undefined || secret === '' || tool.consumer_key === '' || !isNow) return false;
  if (form.get('oauth_consumer_key') !== tool.consumer_key || form.get('oauth_signature_method') !== 'HMAC-SHA1') return false;
  if (!form.get('oauth_nonce') || form.getAll('oauth_signature').length !== 1) return false;
  const pairs = [...form].filter(([name]) => name !== 'oauth_signature');
  const expected = await oauthSignature(request.method, `${origin}${url.pathname}${url.search}`, pairs, secret);
  return sameText(form.get('oauth_signature') ?? '', expected);
}

const typesOfMessage: Readonly<Record<string, string>> = { lti_message_type: 'ContentItemSelection', lti_version: 'LTI-1p0' };

async function takeSelection(call: Responding): Promise<Reply> {
  const { db, now, request, path } = call;
  const body = await request.arrayBuffer();
  const form = new URLSearchParams(body.byteLength > longest ? '' : new TextDecoder().decode(body));
  const opened = await contentTicket(call, form.get('data') ?? '', path);
  if (!opened) return unreadableContent();
  return takeContent(call, opened, '1.1', form.get('lti_errormsg') || form.get('lti_msg') || '', async ({ tool }) => {
    const wrong = Object.entries(typesOfMessage).find(([name, value]) => form.get(name) !== value);
    if (wrong) throw new RefusedContent(`The response of the tool has a wrong ${wrong[0]}.`);
    if (!(await isSigned(call, tool, form))) throw new RefusedContent('The response is not signed by the tool.');
    const items = itemsOfGraph(form.get('content_items') ?? '');
    if (items === undefined) throw new RefusedContent('content_items cannot be read.');
    const hash = await sha256(`${tool.id} ${form.get('oauth_timestamp')} ${form.get('oauth_nonce')}`);
    return { items, uses: useOnce(db, { hash, expires_at: wireTime(Date.parse(now) + 2 * tolerance * 1000) }) };
  });
}

const returnParams = {
  return_type: optional(text),
  url: optional(text),
  title: optional(text),
  text: optional(text),
  alt: optional(text),
  width: optional(text),
  height: optional(text),
  content_type: optional(text),
  lti_msg: optional(text),
  lti_errormsg: optional(text),
};

type Returned = { readonly [name in keyof typeof returnParams]?: string | undefined };
type Returning = TakingContent & {
  readonly params: Returned;
  readonly path: AnsweredPlace & { readonly content_ticket: string };
};

const wordsOf = ({ lti_errormsg, lti_msg }: Returned): string => lti_errormsg || lti_msg || '';

/** Asks the user, because any page could open the address in the user's browser. Changes nothing. */
async function confirmReturn(call: Returning): Promise<Reply> {
  const { params, path } = call;
  if (!(await contentTicket(call, path.content_ticket, path))) return unreadableContent();
  const fields = Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value ?? '')}">`)
    .join('');
  const named = params.title || params.text || params.url || '';
  const asked = params.return_type
    ? `<h1>Add content?</h1><p>The tool returns: ${escapeHtml(named.slice(0, 1000))}</p><form method="post"><button>Add</button>${fields}</form>`
    : `<h1>Done</h1><p>Nothing was chosen.</p>${wordsOf(params) ? `<p>The tool reports: ${escapeHtml(wordsOf(params).slice(0, 1000))}</p>` : ''}`;
  return htmlPage(signInFrame('Content of the tool', asked));
}

async function takeReturn(call: Returning): Promise<Reply> {
  const { params, path } = call;
  const opened = await contentTicket(call, path.content_ticket, path);
  if (!opened) return unreadableContent();
  return takeContent(call, opened, '1.1', wordsOf(params), async ({ tool, ticket }) => {
    if (answersByForm({ tool, ticket })) throw new RefusedContent('The response is not signed by the tool.');
    const items = itemsOfReturn(params);
    if (items === undefined) throw new RefusedContent('return_type is unknown.');
    return { items };
  });
}

const open = { can: 'anyone', unscoped: true, withoutCaller: true, returns: { json: null } } as const;

const routesAt = (place: (typeof answeredPlaces)[number]) => {
  const chosen = `${place}/external_content/chosen/:content_ticket` as const;
  return [
    post(
      `${place}/external_content/content_item_selection`,
      { ...open, rawBody: true, summary: 'Take the content that was chosen in an external tool (LTI 1.1)' },
      takeSelection,
    ),
    get(
      chosen,
      { ...open, params: returnParams, summary: 'Confirm the content that was chosen in an external tool (LTI 1.1)' },
      confirmReturn,
    ),
    post(chosen, { ...open, params: returnParams, summary: 'Take confirmed content of an external tool (LTI 1.1)' }, takeReturn),
  ];
};

export const contentItemRoutes = absolute(...answeredPlaces.flatMap(routesAt));
