// Runs a request: decode, load contexts, authorise, call the handler, perform, serialise (DESIGN in ARCHITECTURE.md).

import { read } from '@carrel/shared/wire/fields';
import { type Tree, withoutBlanks } from '@carrel/shared/wire/form';
import { mayNotInclude } from '../contexts/developer_key';
import { type Contexts, loadContexts } from '../contexts/load';
import { noteMasquerade } from '../contexts/masquerade';
import { readId } from '../contexts/references';
import type { Sought } from '../contexts/seek';
import { noteSession, noteUse } from '../contexts/token_use';
import { type Database, type Meter, open } from '../database/open';
import type { Platform } from '../platform';
import type { Address } from './address';
import { type Asked, readRequest } from './asked';
import { authorise } from './authorise';
import { startOf } from './bookmarks';
import type { Call } from './call';
import type { Sent } from './decode';
import type { Endpoint } from './endpoint';
import { foreseen, isReplay } from './idempotency';
import { Contested, once } from './once';
import { readPage, sealFor } from './page';
import { perform, type Told } from './perform';
import { badParameter, Problem } from './problem';
import type { Reply } from './reply';
import { respond } from './respond';
import { withoutIncludes } from './scopes';
import type { Toll } from './throttle';

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

type Work = () => Promise<unknown>;

/** Who calls, which the database is asked about. */
const callerOf = ({ credential, asUser, idempotency }: Asked, { now }: Surroundings) => ({
  tokenHash: credential?.kind === 'token' ? credential.hash : undefined,
  sessionHash: credential?.kind === 'session' ? credential.hash : undefined,
  asUser,
  idempotencyKey: idempotency?.key,
  now,
});

/** Everything that trip 1 reads for a request. */
const soughtBy = ({ options }: Endpoint, asked: Asked, around: Surroundings): Sought => ({
  ...callerOf(asked, around),
  path: asked.path,
  bySisId: asked.tree.use_sis_id === true || asked.tree.use_sis_id === 'true',
  within: options.within?.({ ...asked.path }, asked.tree) ?? {},
  speaksFor: options.speaksFor?.({ ...asked.path }),
  deletedToo: options.deletedToo,
  ranks: !asked.isRead,
  recognise: around.toll.recognise,
});

/** Reads the key again, and nothing of the path. */
const keyOf = async (db: Database, asked: Asked, around: Surroundings) =>
  (await loadContexts(db, { ...callerOf(asked, around), path: {}, bySisId: false, within: {} })).replay;

const wordsOf = (tree: Tree): string[] =>
  [tree.include, tree.includes]
    .flatMap((given): unknown[] => (Array.isArray(given) ? given : [given]))
    .filter((word) => typeof word === 'string');

/** @throws Problem 401 unless it is a reference to a user */
async function callOf(
  endpoint: Endpoint,
  asked: Asked,
  contexts: Contexts,
  db: Database,
  around: Surroundings,
  afterwards: Work[],
): Promise<Call> {
  const { options } = endpoint;
  const { request, url, origin, path, array, idempotency } = asked;
  const { env, meter, endpoints, now, later } = around;
  const filled = asked.isRead ? withoutBlanks(asked.tree) : asked.tree;
  const tree = mayNotInclude(contexts.me) ? withoutIncludes(filled) : filled;
  return {
    ...contexts,
    db,
    env,
    meter,
    endpoints,
    now,
    origin,
    url,
    request,
    path,
    id: path.id === undefined ? undefined : (readId(path.id) ?? contexts.named_id),
    params: {},
    tree,
    array,
    include: new Set(wordsOf(tree).filter((word) => options.include?.includes(word))),
    page: await readPage(asked.tree, options.per_page ?? 10, sealFor(env.SIGNING_SECRET, url, asked.tree)),
    idempotency,
    later,
    afterwards: (work) => afterwards.push(work),
  };
}

function noteCredential({ me, env, now, later }: Call): void {
  const noted = me.token ? noteUse(env.DB, me.token, now) : me.session && noteSession(env.DB, me.session, now);
  if (noted) later(noted);
}

/** @throws Problem 400 that names a malformed parameter */
function paramsOf({ options }: Endpoint, { tree, me, institution }: Call): object {
  const params = read(options.params ?? {}, tree, me.user.time_zone ?? institution.root.default_time_zone);
  if (!params.ok) throw badParameter(params.refusal.parameter, params.refusal.message);
  return params.value;
}

/** A concurrent request with the same key may have met the precondition that this one fails. */
const isFailedPrecondition = (error: unknown): boolean => error instanceof Problem && error.status === 412;

/** @throws Contested where the database refused, else whatever the handler has thrown */
async function handle(endpoint: Endpoint, call: Call, sent: unknown): Promise<Told | Response> {
  let reply: Reply | undefined;
  try {
    reply = await endpoint.handler(call);
    return reply.kind === 'response' ? reply.response : await perform(reply, endpoint.options.returns, call);
  } catch (error) {
    const refusal = await foreseen(reply, error, sent);
    throw refusal || isReplay(error) || isFailedPrecondition(error) ? new Contested(refusal ?? error) : error;
  }
}

/** Starts what follows from a request that has succeeded. */
function follow(endpoint: Endpoint, call: Call, around: Surroundings, afterwards: readonly Work[]): void {
  const { env, me, now, url, later } = call;
  const isRead = endpoint.method === 'GET';
  const works = afterwards.map((work) => work());
  for (const work of works) later(work);
  const action = `${endpoint.method} ${endpoint.path}`;
  if (!isRead && me.real_user_id !== me.id)
    later(noteMasquerade(env.DB, me, { action, path: url.pathname, request_id: around.requestId, now }));
  // Those who are notified of a write must see what follows from it; a read that leaves work behind counts as a write.
  if (!isRead || works.length > 0) later(Promise.allSettled(works).then(() => around.written(call)));
}

/** @throws Problem for any error of the client */
export async function run(
  endpoint: Endpoint,
  path: Record<string, string>,
  request: Request,
  sent: Sent,
  around: Surroundings,
): Promise<Response> {
  const { url, origin, env, meter, toll } = around;
  const asked = await readRequest(endpoint, { request, url, origin, path, sent }, (credential) =>
    toll.enter(credential, endpoint.options.cost),
  );
  const keyHash = asked.credential?.hash;
  const db = open(env.DB, meter, await startOf(request, asked.isRead, keyHash, env));
  const contexts = await loadContexts(db, soughtBy(endpoint, asked, around));
  const afterwards: Work[] = [];
  const unread = await callOf(endpoint, asked, contexts, db, around, afterwards);
  noteCredential(unread);
  authorise(endpoint, unread, contexts);
  const call: Call = { ...unread, params: paramsOf(endpoint, unread) };
  around.heard(call);
  const answered = await once(endpoint, call, { known: contexts.replay, readAgain: () => keyOf(db, asked, around) }, async () => {
    const told = await handle(endpoint, call, asked.array ?? asked.tree);
    follow(endpoint, call, around, afterwards);
    return told;
  });
  const { me } = contexts;
  const filled = isRead ? withoutBlanks(tree) : tree;
  const heard = mayNotInclude(me) ? withoutIncludes(filled) : filled;
  const afterwards: (() => Promise<unknown>)[] = [];
  const call: Call = {
    ...contexts,
    conditional: options.conditional,
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
  // Who may not know of an account is told the same of one that there is not.
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
    reply = await endpoint.handler(ready as never);
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
    // What follows from a write is to be seen by those who are told of it; a read after which something is written down is one.
    if (!isRead || works.length > 0) around.later(Promise.allSettled(works).then(() => around.written(ready)));
    if (!told) return (reply as Extract<Reply, { kind: 'response' }>).response;
    return await respond(told, endpoint, ready, keyHash, around);
  } catch (error) {
    const refusal = (await foreseen(reply, error, array ?? tree)) ?? (isFailedPrecondition(error) ? error : undefined);
    if (!idempotency || !(refusal || isReplay(error))) throw refusal ?? error;
    // Another request with the same key has made the change meanwhile: answer as it did.
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
  // An endpoint that tells one row may tell many where a parameter asks for it.
  const reply: Reply =
    ids.length > 1 || Array.isArray(endpoint.options.returns) || 'wrapped' in endpoint.options.returns ? all(listing) : one(listing);
  return perform(reply, endpoint.options.returns, call);
}

async function respond(told: Told, endpoint: Endpoint, call: Call, keyHash: string | undefined, around: Surroundings): Promise<Response> {
  if (call.env.ORACLE === '1') holdToResource(told, endpoint);
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8', ...told.headers });
  if (told.next !== undefined && endpoint.method === 'GET') {
    const sealed = sealFor(call.env.SIGNING_SECRET, call.url, call.tree as Tree);
    headers.set('Link', await linkHeader(call.url, call.origin, call.page as never, told.next, sealed, endpoint.options.unlinked));
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
  // Lists are what clients ask for again and again; whoever is told the same is spared its body.
  const isList = endpoint.method === 'GET' && status === 200 && Array.isArray(json);
  if (isList && !headers.has('Cache-Control')) headers.set('Cache-Control', 'max-age=0, private, must-revalidate');
  if (!isList && !endpoint.options.tagged) return new Response(body, { status, headers });
  headers.set('ETag', `W/"${(await sha256(body)).slice(0, 32)}"`);
  const isKnown = call.request.headers.get('if-none-match')?.includes(headers.get('ETag') ?? '') ?? false;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}

/** Columns that no interface tells: where one stands, a row has been told as it lies. */
const column =
  /"(same_id|feed_code|blob_id|graded_attempt|is_submitted|attachment_ids|copied_from_id|\w+_hash|sort_(course|due|email|integration_id|last_login|name|sis_id))":/;

/** In tests an answer that differs from its declared resource is an error of ours. */
function holdToResource(told: Told, endpoint: Endpoint): void {
  const { returns } = endpoint.options;
  if (told.json === null || (told.status ?? 200) >= 300 || typeof told.json !== 'object') return;
  // Also where a resource declares nothing of what is inside.
  const [, leaked] = column.exec(JSON.stringify(told.json)) ?? [];
  if (leaked) throw new Problem(599, { oracle: `${endpoint.method} ${endpoint.path}: ${leaked} is a column` });
  const field =
    'json' in returns && !('table' in returns)
      ? (returns.json as { field?: unknown } | null)?.field
      : serializerOf(returns)?.resource.field;
  // A list inside a body of its own (`listWithin`) is told by its members elsewhere, and a list where one is told by whoever made it.
  const isList = Array.isArray(told.json);
  if (!field || (Array.isArray(returns) && !isList) || ('table' in returns && isList)) return;
  const tellings = Array.isArray(told.json)
    ? told.json
    : 'wrapped' in returns
      ? (lookUp(told.json as Record<string, unknown[]>, returns.wrapped) ?? [])
      : [told.json];
  for (const telling of tellings) {
    if (telling === null) continue;
    const difference = mismatch(field as never, telling);
    if (difference) throw new Problem(599, { oracle: `${endpoint.method} ${endpoint.path}: ${difference}` });
  }
}
