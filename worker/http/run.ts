// Runs a request: decode, load contexts, authorise, call the handler, perform, serialise (DESIGN in ARCHITECTURE.md).

import { isList, mismatch, read } from '@carrel/shared/wire/fields';
import { type Tree, withoutBlanks } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';
import { isOutOfScope, mayNotInclude } from '../contexts/developer_key';
import { loadContexts } from '../contexts/load';
import { noteMasquerade } from '../contexts/masquerade';
import { readId } from '../contexts/references';
import { isWithinRank, may, type Word } from '../contexts/rights';
import { sessionOf } from '../contexts/session';
import { noteSession, noteUse } from '../contexts/token_use';
import { among } from '../database/ids';
import { type Meter, open } from '../database/open';
import type { Platform } from '../platform';
import type { Address } from './address';
import { remember, startOf } from './bookmarks';
import type { Call } from './call';
import { withChosenFields } from './chosen_fields';
import { parametersOf, type Sent, withParameters } from './decode';
import type { Endpoint } from './endpoint';
import { foreseen, isReplay, refuseOtherUse, sha256 } from './idempotency';
import { linkHeader, readPage, sealFor } from './page';
import { perform, serializerOf, type Told } from './perform';
import { badParameter, insufficientScopes, notFound, Problem, refused, unauthenticated, unauthorized } from './problem';
import { all, one, type Reply } from './reply';
import { withoutIncludes } from './scopes';
import { withStringIds } from './string_ids';
import type { Credential, Toll } from './throttle';

export interface Surroundings extends Address {
  readonly env: Platform;
  readonly meter: Meter;
  readonly toll: Toll;
  readonly endpoints: readonly Endpoint[];
  readonly now: string;
  readonly requestId: string;
  later(work: Promise<unknown>): void;
  /** Called with the authorised request before its handler. */
  heard(call: Call): void;
  /** Called after a write. */
  written(call: Call): Promise<unknown>;
}

/** A header of another scheme, or without a token, counts as absent, as in Canvas. */
const bearer = (request: Request, tree: Tree): string | undefined => {
  const token = /^bearer\s+(\S.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim();
  if (token) return token;
  return typeof tree.access_token === 'string' && tree.access_token !== '' ? tree.access_token : undefined;
};

const wordsOf = (tree: Tree): string[] =>
  [tree.include, tree.includes]
    .flatMap((given): unknown[] => (Array.isArray(given) ? given : [given]))
    .filter((word) => typeof word === 'string');

/** @throws Problem 401 unless it is a reference to a user */
function actedAs({ as_user_id }: Tree): string | undefined {
  if (as_user_id === undefined || typeof as_user_id === 'string') return as_user_id;
  if (typeof as_user_id === 'number') return String(as_user_id);
  throw new Problem(401, { errors: 'Invalid as_user_id' });
}

function allowed(endpoint: Endpoint, call: Call): boolean {
  const { can } = endpoint.options;
  if (typeof can === 'function') return can(call);
  return (Array.isArray(can) ? (can as readonly Word[]) : [can as Word]).some((word) => may(word, call));
}

/** Without a token, only public endpoints and public courses are accessible. */
const isOpenToAll = (endpoint: Endpoint, call: Call) => {
  const { can } = endpoint.options;
  const words = typeof can === 'function' ? [] : Array.isArray(can) ? can : [can];
  return words.includes('anyone') || (words.includes('read') && (call.course?.canRead ?? false));
};

/** A concurrent request with the same key may have made the change, which makes this one's precondition fail. */
const isFailedPrecondition = (error: unknown): error is Problem => error instanceof Problem && error.status === 412;

/** Precondition headers are part of the request's fingerprint. */
const conditionsOf = ({ headers }: Request) => ['if-match', 'if-none-match'].flatMap((name) => headers.get(name) ?? []);

/** @throws Problem for any error of the client */
export async function run(
  endpoint: Endpoint,
  path: Record<string, string>,
  request: Request,
  sent: Sent,
  around: Surroundings,
): Promise<Response> {
  const { options } = endpoint;
  const fields = options.params ?? {};
  const isRead = endpoint.method === 'GET';
  const { origin } = around;
  const tree = parametersOf(sent, (name) => isList(lookUp(fields, name)));
  const url = isRead ? withParameters(around.url, sent) : around.url;
  const { array } = sent;
  const token = options.withoutCaller ? undefined : bearer(request, tree);
  if (token !== undefined) options.refuseToken?.(token);
  const tokenHash = token === undefined ? undefined : await sha256(token);
  const session =
    token === undefined && !options.withoutCaller ? await sessionOf(request, origin, isRead, tree.authenticity_token) : undefined;
  const keyHash = tokenHash ?? session?.hash;
  const credential: Credential | undefined =
    tokenHash !== undefined ? { kind: 'token', hash: tokenHash } : session && { kind: 'session', hash: session.hash };
  await around.toll.enter(credential, options.cost);
  const db = open(around.env.DB, around.meter, await startOf(request, isRead, keyHash, around.env));
  const key = isRead || options.withoutCaller ? undefined : (request.headers.get('idempotency-key') ?? undefined);
  if (key !== undefined && (key.length === 0 || key.length > 255)) throw refused(400, 'Idempotency-Key must be 1 to 255 characters long');
  const idempotency =
    key === undefined
      ? undefined
      : { key, fingerprint: await sha256(JSON.stringify([request.method, url.pathname, tree, array ?? null, ...conditionsOf(request)])) };

  const asUser = options.withoutCaller ? undefined : actedAs(tree);
  const contexts = await loadContexts(db, {
    tokenHash,
    sessionHash: session?.hash,
    asUser,
    path,
    bySisId: tree.use_sis_id === true || tree.use_sis_id === 'true',
    within: options.within?.(path, tree) ?? {},
    speaksFor: options.speaksFor?.(path),
    deletedToo: options.deletedToo,
    idempotencyKey: key,
    ranks: !isRead,
    now: around.now,
    recognise: around.toll.recognise,
  });
  const { me } = contexts;
  const filled = isRead ? withoutBlanks(tree) : tree;
  const heard = mayNotInclude(me) ? withoutIncludes(filled) : filled;
  const afterwards: (() => Promise<unknown>)[] = [];
  const call: Call = {
    ...contexts,
    db,
    env: around.env,
    meter: around.meter,
    endpoints: around.endpoints,
    now: around.now,
    origin,
    url,
    request,
    path,
    id: path.id === undefined ? undefined : (readId(path.id) ?? contexts.named_id),
    params: {},
    tree: heard,
    array,
    include: new Set(wordsOf(heard).filter((word) => options.include?.includes(word))),
    page: await readPage(tree, options.per_page ?? 10, sealFor(around.env.SIGNING_SECRET, url, tree)),
    idempotency,
    later: around.later,
    afterwards: (work) => afterwards.push(work),
  };
  const noted = me.token ? noteUse(around.env.DB, me.token, around.now) : me.session && noteSession(around.env.DB, me.session, around.now);
  if (noted) around.later(noted);
  if (!me.isKnown && !isOpenToAll(endpoint, call)) throw unauthenticated();
  if (!options.unscoped && isOutOfScope(me, endpoint.method, url.pathname)) throw insufficientScopes();
  if (path.id !== undefined && call.id === undefined) throw notFound();
  if (!allowed(endpoint, call) || !(isRead || options.comparesRoles || isWithinRank(call))) throw unauthorized();
  // Callers who may not know of an account get the same response as for a missing one.
  if (contexts.isNowhere) throw options.can === 'user' && call.account && !call.account.isAdmin ? unauthorized() : notFound();
  const params = read(fields, heard, me.user.time_zone ?? contexts.institution.root.default_time_zone);
  if (!params.ok) throw badParameter(params.refusal.parameter, params.refusal.message);
  const ready: Call = { ...call, params: params.value };
  around.heard(ready);

  if (contexts.replay && idempotency) {
    refuseOtherUse(contexts.replay, idempotency.fingerprint);
    return respond(await replay(endpoint, contexts.replay, ready), endpoint, ready, keyHash, around);
  }
  let reply: Reply | undefined;
  try {
    reply = await endpoint.handler(ready);
    const told = reply.kind === 'response' ? undefined : await perform(reply, options.returns, ready);
    const works = afterwards.map((work) => work());
    for (const work of works) around.later(work);
    if (!isRead && me.real_user_id !== me.id)
      around.later(
        noteMasquerade(around.env.DB, me, {
          action: `${endpoint.method} ${endpoint.path}`,
          path: url.pathname,
          request_id: around.requestId,
          now: around.now,
        }),
      );
    // Effects of a write must be visible to those who are notified of it; so must those of a read that records something.
    if (!isRead || works.length > 0) around.later(Promise.allSettled(works).then(() => around.written(ready)));
    if (!told) return (reply as Extract<Reply, { kind: 'response' }>).response;
    return await respond(told, endpoint, ready, keyHash, around);
  } catch (error) {
    const refusal = (await foreseen(reply, error, array ?? tree)) ?? (isFailedPrecondition(error) ? error : undefined);
    if (!idempotency || !(refusal || isReplay(error))) throw refusal ?? error;
    // A concurrent request with the same key has made the change: return its response.
    const rows = await loadContexts(db, {
      tokenHash,
      sessionHash: session?.hash,
      asUser,
      path: {},
      bySisId: false,
      within: {},
      idempotencyKey: key,
      now: around.now,
    });
    if (!rows.replay) throw refusal ?? error;
    refuseOtherUse(rows.replay, idempotency.fingerprint);
    return respond(await replay(endpoint, rows.replay, ready), endpoint, ready, keyHash, around);
  }
}

async function replay(endpoint: Endpoint, row: { response: string | null; row_ids: string | null }, call: Call): Promise<Told> {
  if (row.response !== null) return JSON.parse(row.response) as Told;
  const of = serializerOf(endpoint.options.returns);
  if (!of) return { json: {} };
  const ids = JSON.parse(row.row_ids ?? '[]') as number[];
  const listing = { table: of.table, where: among(of.table.id, ids) };
  // A parameter may turn an endpoint that returns one row into a list.
  const reply: Reply =
    ids.length > 1 || Array.isArray(endpoint.options.returns) || 'wrapped' in endpoint.options.returns ? all(listing) : one(listing);
  return perform(reply, endpoint.options.returns, call);
}

async function respond(told: Told, endpoint: Endpoint, call: Call, keyHash: string | undefined, around: Surroundings): Promise<Response> {
  if (call.env.ORACLE === '1') holdToResource(told, endpoint);
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8', ...told.headers });
  if (told.next !== undefined && endpoint.method === 'GET') {
    const sealed = sealFor(call.env.SIGNING_SECRET, call.url, call.tree as Tree);
    headers.set('Link', await linkHeader(call.url, call.origin, call.page, told.next, sealed, endpoint.options));
  }
  if (endpoint.method !== 'GET') {
    const bookmark = call.db.bookmark();
    if (bookmark) {
      headers.set('X-D1-Bookmark', bookmark);
      if (keyHash) around.later(remember(keyHash, bookmark, around.env));
    }
  }
  const status = told.status ?? endpoint.options.status ?? 200;
  if (status === 204) return new Response(null, { status, headers });
  const wantsStrings = call.request.headers.get('accept')?.includes('application/json+canvas-string-ids') ?? false;
  const { choosable } = endpoint.options;
  const json = choosable ? withChosenFields(told.json, call.tree as Tree, choosable === true ? undefined : choosable) : told.json;
  const body = JSON.stringify(wantsStrings ? withStringIds(json) : json);
  // Clients poll lists, so an unchanged one is answered without its body.
  const isList = endpoint.method === 'GET' && status === 200 && Array.isArray(json);
  if (isList && !headers.has('Cache-Control')) headers.set('Cache-Control', 'max-age=0, private, must-revalidate');
  if (!isList && !endpoint.options.tagged) return new Response(body, { status, headers });
  headers.set('ETag', `W/"${(await sha256(body)).slice(0, 32)}"`);
  const isKnown = call.request.headers.get('if-none-match')?.includes(headers.get('ETag') ?? '') ?? false;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}

/** Internal columns that must never leave the server: their presence means that a row was returned unserialised. */
const column =
  /"(same_id|feed_code|blob_id|graded_attempt|is_submitted|attachment_ids|copied_from_id|\w+_hash|sort_(course|due|email|integration_id|last_login|name|sis_id))":/;

/** In tests, a response that does not match its declared resource is an error. */
function holdToResource(told: Told, endpoint: Endpoint): void {
  const { returns } = endpoint.options;
  if (told.json === null || (told.status ?? 200) >= 300 || typeof told.json !== 'object') return;
  // Also applies inside fields that the resource does not describe.
  const [, leaked] = column.exec(JSON.stringify(told.json)) ?? [];
  if (leaked) throw new Problem(599, { oracle: `${endpoint.method} ${endpoint.path}: ${leaked} is a column` });
  const field =
    'json' in returns && !('table' in returns)
      ? (returns.json as { field?: unknown } | null)?.field
      : serializerOf(returns)?.resource.field;
  // A wrapped list (`listWithin`) is checked by its members, and a list in place of one row is checked by the handler.
  const isList = Array.isArray(told.json);
  if (!field || (Array.isArray(returns) && !isList) || ('table' in returns && isList)) return;
  const tellings = Array.isArray(told.json)
    ? told.json
    : 'wrapped' in returns
      ? (lookUp(told.json as Record<string, unknown[]>, returns.wrapped) ?? [])
      : [told.json];
  for (const telling of tellings) {
    if (telling === null) continue;
    const difference = mismatch(field, telling);
    if (difference) throw new Problem(599, { oracle: `${endpoint.method} ${endpoint.path}: ${difference}` });
  }
}
