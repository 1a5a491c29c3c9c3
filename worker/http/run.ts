// Runs a request: decode, load contexts, authorise, call the handler, perform, serialise (DESIGN in ARCHITECTURE.md).

import { read } from '@carrel/shared/wire/fields';
import { type FormTree, withoutBlanks } from '@carrel/shared/wire/form';
import type { ContextQuery } from '../contexts/context_query';
import { mayNotInclude } from '../contexts/developer_key';
import { type Contexts, loadContexts } from '../contexts/load';
import { noteMasquerade } from '../contexts/masquerade';
import { readId } from '../contexts/references';
import { noteSession, noteUse } from '../contexts/token_use';
import { type Database, type Meter, open } from '../database/open';
import type { Platform } from '../platform';
import type { Address } from './address';
import { authorise } from './authorise';
import type { Call } from './call';
import type { DecodedRequest } from './decode';
import type { Endpoint } from './endpoint';
import { foreseen, isReplay } from './idempotency';
import { Contested, once } from './once';
import { readPage, sealFor } from './page';
import { type ParsedRequest, readRequest } from './parsed_request';
import { type PreparedResponse, performReply } from './perform';
import { badParameter, Problem } from './problem';
import { isAtPrimary, lastWriteOf, noteLaterWrite, noteWrite, PerhapsBehind, readConfirmed, startOfRead } from './replicas';
import type { Reply } from './reply';
import { respond } from './respond';
import { withoutIncludes } from './scopes';
import type { RateLimiter } from './throttle';

interface Surroundings extends Address {
  readonly env: Platform;
  readonly meter: Meter;
  readonly toll: RateLimiter;
  readonly operations: Call['operations'];
  readonly now: string;
  readonly requestId: string;
  later(work: Promise<unknown>): void;
  readonly within: Call['within'];
  /** Served for another request: its reads do not count as views. */
  readonly isWithin?: boolean;
  /** Called with the authorised request before its handler. */
  heard(call: Call): void;
  /** Called after a write. */
  written(call: Call): Promise<unknown>;
}

type Work = () => Promise<unknown>;

/** Who calls, which the database is asked about. */
const callerOf = ({ credential, asUser, idempotency }: ParsedRequest, { now }: Surroundings) => ({
  tokenHash: credential?.kind === 'token' ? credential.hash : undefined,
  sessionHash: credential?.kind === 'session' ? credential.hash : undefined,
  asUser,
  idempotencyKey: idempotency?.key,
  now,
});

/** Everything that trip 1 reads for a request. */
const soughtBy = ({ options }: Endpoint, asked: ParsedRequest, around: Surroundings): ContextQuery => ({
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
const keyOf = async (db: Database, asked: ParsedRequest, around: Surroundings) =>
  (await loadContexts(db, { ...callerOf(asked, around), path: {}, bySisId: false, within: {} })).replay;

const wordsOf = (tree: FormTree): string[] =>
  [tree.include, tree.includes]
    .flatMap((given): unknown[] => (Array.isArray(given) ? given : [given]))
    .filter((word) => typeof word === 'string');

/** @throws Problem 401 unless it is a reference to a user */
async function callOf(
  endpoint: Endpoint,
  asked: ParsedRequest,
  contexts: Contexts,
  db: Database,
  around: Surroundings,
  afterwards: Work[],
): Promise<Call> {
  const { options } = endpoint;
  const { request, url, origin, path, array, idempotency } = asked;
  const { env, meter, operations, now, later, within } = around;
  const filled = asked.isRead ? withoutBlanks(asked.tree) : asked.tree;
  const tree = mayNotInclude(contexts.me) ? withoutIncludes(filled) : filled;
  return {
    ...contexts,
    db,
    env,
    meter,
    operations,
    now,
    origin,
    url,
    request,
    path,
    id: path.id === undefined ? undefined : (readId(path.id) ?? contexts.named_id),
    params: {},
    conditional: options.conditional,
    tree,
    array: options.takesArray ? array : undefined,
    include: new Set(wordsOf(tree).filter((word) => options.include?.includes(word))),
    page: await readPage(asked.tree, options.per_page ?? 10, sealFor(env.SIGNING_SECRET, url, asked.tree)),
    idempotency,
    later,
    within,
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
async function handle(endpoint: Endpoint, call: Call, sent: unknown): Promise<PreparedResponse | Response> {
  let reply: Reply | undefined;
  try {
    reply = await endpoint.handler(call);
    return reply.kind === 'response' ? reply.response : await performReply(reply, endpoint.options.returns, call);
  } catch (error) {
    const refusal = await foreseen(reply, error, sent);
    throw refusal || isReplay(error) || isFailedPrecondition(error) ? new Contested(refusal ?? error) : error;
  }
}

/** Starts what follows from a request that has succeeded. */
function follow(endpoint: Endpoint, call: Call, around: Surroundings, afterwards: readonly Work[]): void {
  const { env, me, now, url, later } = call;
  const isRead = endpoint.method === 'GET';
  const works = isRead && around.isWithin ? [] : afterwards.map((work) => work());
  for (const work of works) later(work);
  const action = `${endpoint.method} ${endpoint.path}`;
  if (!isRead && me.real_user_id !== me.id)
    later(noteMasquerade(env.DB, me, { action, path: url.pathname, request_id: around.requestId, now }));
  // Those who are notified of a write must see what follows from it; a read that leaves work behind counts as a write.
  if (isRead && works.length === 0) return;
  const written = Promise.allSettled(works).then(async () => {
    if (works.length > 0) await noteLaterWrite(me, env);
    await around.written(call);
  });
  later(written);
}

/**
 * Trip 1. Where a replica answers it that lags behind the caller's last write, it is repeated from that write on.
 * @throws PerhapsBehind where a replica does not know the credential
 */
async function contextsFor(endpoint: Endpoint, asked: ParsedRequest, start: string, db: Database, around: Surroundings): Promise<Contexts> {
  const { env, meter, toll } = around;
  const load = () => loadContexts(db, soughtBy(endpoint, asked, around));
  const known = asked.isRead ? toll.person() : undefined;
  const [contexts, early] = await Promise.all([load(), known === undefined ? undefined : lastWriteOf(known, start, env, meter)]);
  if (!asked.isRead || !asked.credential) return contexts;
  const { me } = contexts;
  // At the primary, a session that is unknown has ended.
  if (!me.isKnown && !isAtPrimary(start)) throw new PerhapsBehind();
  const written = known === undefined ? await lastWriteOf(me.real_user_id, start, env, meter) : early;
  if (!written || written <= (db.bookmark() ?? '')) return contexts;
  db.continueFrom(written);
  return load();
}

/** @throws Problem for any error of the client */
export async function runEndpoint(
  endpoint: Endpoint,
  path: Record<string, string>,
  request: Request,
  sent: DecodedRequest,
  around: Surroundings,
): Promise<Response> {
  const { url, origin, env, toll } = around;
  const asked = await readRequest(endpoint, { request, url, origin, path, sent }, (credential) =>
    toll.enter(credential, endpoint.options.cost),
  );
  const start = asked.isRead && !endpoint.options.fresh ? startOfRead(request, env) : 'first-primary';
  return readConfirmed(start, (from) => answerFrom(from, endpoint, asked, around));
}

/** @param start a bookmark, `first-primary` or `first-unconstrained` */
async function answerFrom(start: string, endpoint: Endpoint, asked: ParsedRequest, around: Surroundings): Promise<Response> {
  const { env, meter } = around;
  const db = open(env.DB, meter, start);
  const contexts = await contextsFor(endpoint, asked, start, db, around);
  const afterwards: Work[] = [];
  const unread = await callOf(endpoint, asked, contexts, db, around, afterwards);
  noteCredential(unread);
  authorise(endpoint, unread, contexts);
  const call: Call = { ...unread, params: paramsOf(endpoint, unread) };
  around.heard(call);
  const answered = await once(endpoint, call, { known: contexts.replay, readAgain: () => keyOf(db, asked, around) }, async () => {
    const result = await handle(endpoint, call, asked.array ?? asked.tree);
    follow(endpoint, call, around, afterwards);
    return result;
  });
  if (!asked.isRead || endpoint.options.fresh) await noteWrite(call.me, db.bookmark(), env, meter);
  return answered instanceof Response ? answered : respond(answered, endpoint, call);
}
