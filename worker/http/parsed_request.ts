// The first step of a request: what it asks for and with which credential, before the database knows of it.

import { isList } from '@carrel/shared/wire/fields';
import type { FormTree } from '@carrel/shared/wire/form';
import { lookUp } from '@carrel/shared/wire/look_up';
import { sessionOf } from '../contexts/session';
import type { Idempotency } from './call';
import { type DecodedRequest, parametersOf, withParameters } from './decode';
import type { Endpoint } from './endpoint';
import { sha256 } from './idempotency';
import { Problem, refused } from './problem';
import type { ThrottledCredential } from './throttle';

/** A request as it was sent. */
interface Incoming {
  readonly request: Request;
  readonly url: URL;
  readonly origin: string;
  readonly path: Readonly<Record<string, string>>;
  readonly sent: DecodedRequest;
}

/** A request as it was read. */
export interface ParsedRequest {
  readonly request: Request;
  /** With the parameters of a read that came in its body. */
  readonly url: URL;
  readonly origin: string;
  readonly path: Readonly<Record<string, string>>;
  readonly isRead: boolean;
  readonly tree: FormTree;
  /** The body, if it was a JSON array. */
  readonly array: readonly unknown[] | undefined;
  readonly credential: ThrottledCredential | undefined;
  /** The user whom the caller wants to act as. */
  readonly asUser: string | undefined;
  readonly idempotency: Idempotency | undefined;
}

/** A header of another scheme, or without a token, counts as absent, as in Canvas. */
const bearer = (request: Request, tree: FormTree): string | undefined => {
  const token = /^bearer\s+(\S.*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]?.trim();
  if (token) return token;
  return typeof tree.access_token === 'string' && tree.access_token !== '' ? tree.access_token : undefined;
};

/** @throws Problem 401 unless it is a reference to a user */
function actedAs({ as_user_id }: FormTree): string | undefined {
  if (as_user_id === undefined || typeof as_user_id === 'string') return as_user_id;
  if (typeof as_user_id === 'number') return String(as_user_id);
  throw new Problem(401, { errors: 'Invalid as_user_id' });
}

/** @throws Problem for a token that the endpoint refuses */
async function credentialOf(
  { options }: Endpoint,
  { request, origin }: Incoming,
  isRead: boolean,
  tree: FormTree,
): Promise<ThrottledCredential | undefined> {
  if (options.withoutCaller) return undefined;
  const token = bearer(request, tree);
  if (token !== undefined) {
    options.refuseToken?.(token);
    return { kind: 'token', hash: await sha256(token) };
  }
  const session = await sessionOf(request, origin, isRead, tree.authenticity_token);
  return session && { kind: 'session', hash: session.hash };
}

/** The headers of a conditional write: they belong to what a request asks for. */
const conditionsOf = ({ headers }: Request) => ['if-match', 'if-none-match'].flatMap((name) => headers.get(name) ?? []);

/** @throws Problem 400 for a key that is empty or too long */
async function idempotencyOf({
  request,
  url,
  tree,
  array,
}: Pick<ParsedRequest, 'request' | 'url' | 'tree' | 'array'>): Promise<Idempotency | undefined> {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (key.length === 0 || key.length > 255) throw refused(400, 'Idempotency-Key must be 1 to 255 characters long');
  const asked = JSON.stringify([request.method, url.pathname, tree, array ?? null, ...conditionsOf(request)]);
  return { key, fingerprint: await sha256(asked) };
}

/**
 * @param enter reserves the request's part of the rate limit
 * @throws Problem for what cannot be read, and where too much has been asked already
 */
export async function readRequest(
  endpoint: Endpoint,
  incoming: Incoming,
  enter: (credential: ThrottledCredential | undefined) => Promise<void>,
): Promise<ParsedRequest> {
  const { options } = endpoint;
  const { request, sent, origin, path } = incoming;
  const fields = options.params ?? {};
  const isRead = endpoint.method === 'GET';
  const tree = parametersOf(sent, (name) => isList(lookUp(fields, name)));
  const url = isRead ? withParameters(incoming.url, sent) : incoming.url;
  const { array } = sent;
  const credential = await credentialOf(endpoint, incoming, isRead && !options.changes, tree);
  await enter(credential);
  const idempotency = isRead || options.withoutCaller ? undefined : await idempotencyOf({ request, url, tree, array });
  const asUser = options.withoutCaller ? undefined : actedAs(tree);
  return { request, url, origin, path, isRead, tree, array, credential, asUser, idempotency };
}
