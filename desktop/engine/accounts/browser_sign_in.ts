// Signing in in the system's browser (RFC 8252): the server shows its own sign-in page, and redirects to a port of this computer that is
// open for this one response. The desk never sees the password.

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { displayLanguage, languages, t } from '../../language/texts';
import type { StoredCredential } from '../server/bearer';
import { type Clock, Declined, NoAnswer, Session } from '../server/session';
import { serviceAddressOf } from './sign_in';

export interface Browsing {
  /** The address to open in the browser. */
  readonly address: string;
  readonly url: string;
  /** The credential that the server issues after the user agrees. */
  readonly credential: Promise<StoredCredential>;
  readonly stop: () => void;
}

export interface ToBrowse {
  readonly url: string;
  /** The developer key of the user, on a server that does not publish a key for the desk. */
  readonly client_id?: string;
  readonly clock: Clock;
  readonly http?: typeof fetch;
}

interface Metadata {
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  /** The key of this desk, on a server that publishes one. */
  readonly carrel_desk_client_id?: string;
}

/** The server has no key for the desk: the user has to enter a token. */
export class NoKey extends Error {
  override readonly name = 'NoKey';
  constructor(host: string) {
    super(t('why.noKey', { host }));
  }
}

/** The user or the server refused. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const patience = 10 * 60_000;
const back = '/back';

export async function startBrowserSignIn({ url, client_id: given, clock, http }: ToBrowse): Promise<Browsing> {
  const session = new Session(serviceAddressOf(url), '', clock, http);
  const about = await metadataOf(session);
  const client_id = given?.trim() || about.carrel_desk_client_id;
  if (!client_id) throw new NoKey(new URL(session.url).host);

  const state = randomBytes(16).toString('base64url');
  const code_verifier = randomBytes(32).toString('base64url');
  const { promise, resolve, reject } = Promise.withResolvers<StoredCredential>();
  // The caller may no longer wait for it; a rejection must not crash the process.
  promise.catch(() => {});
  const server = createServer((request, response) => {
    const asked = URL.parse(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || asked?.pathname !== back || request.headers.host !== new URL(redirect_uri).host)
      return page(response, 404, t('back.nothing'), t('back.nothingMeans'));
    const answer = Object.fromEntries(asked.searchParams);
    // Another page of the browser may have called this port: a request without the right state does not come from this sign-in.
    if (answer.state !== state) return page(response, 400, t('back.stranger'), t('back.strangerMeans'));
    if (answer.code === undefined) {
      page(response, 200, t('back.not'), t('back.close'));
      return end(() => reject(new NotAllowed(refusalOf(answer))));
    }
    const json = { grant_type: 'authorization_code', client_id, redirect_uri, code: answer.code, code_verifier };
    session
      .json<{ access_token: string; refresh_token?: string }>(pathOf(about.token_endpoint, '/login/oauth2/token', session), {
        method: 'POST',
        json,
        tries: 2,
      })
      .then(
        ({ access_token: token, refresh_token }) => {
          page(response, 200, t('back.done'), t('back.close'));
          end(() => resolve({ token, ...(refresh_token && { refresh: { token: refresh_token, client_id } }) }));
        },
        (problem: Error) => {
          page(response, 502, t('back.failed'), problem.message);
          end(() => reject(problem));
        },
      );
  });
  await new Promise<void>((ready, failed) => server.once('error', failed).listen(0, '127.0.0.1', ready));
  const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}${back}`;
  const timer = setTimeout(() => end(() => reject(new NotAllowed(t('why.nobodyAnswered')))), patience);
  let isEnded = false;
  const end = (settle: () => void): void => {
    if (isEnded) return;
    isEnded = true;
    clearTimeout(timer);
    // The page that is being sent is completed first.
    server.close();
    settle();
  };

  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri,
    state,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    purpose: 'Carrel on this computer',
  });
  return {
    url: session.url,
    address: `${new URL(pathOf(about.authorization_endpoint, '/login/oauth2/auth', session), session.url)}?${query}`,
    credential: promise,
    stop: () =>
      end(() => {
        server.closeAllConnections();
        reject(new NotAllowed(t('why.signInStopped')));
      }),
  };
}

/** Canvas has no such document; it uses the usual paths. */
async function metadataOf(session: Session): Promise<Metadata> {
  try {
    return (await session.json<Metadata | null>('/.well-known/oauth-authorization-server', { tries: 3, mayBeEmpty: true })) ?? {};
  } catch (problem) {
    if (problem instanceof Declined || problem instanceof NoAnswer) return {};
    throw problem;
  }
}

/** Only on the server's own host, whatever its document says: no other host may receive the code. */
function pathOf(result: string | undefined, usual: string, { url }: Session): string {
  const address = result === undefined ? null : URL.parse(result, url);
  return address?.host === new URL(url).host ? address.pathname : usual;
}

/** The server's own description, if it sent one with the code of RFC 6749. */
function refusalOf({ error, error_description }: Readonly<Record<string, string>>): string {
  return error_description || (error && error !== 'access_denied' ? error : t('why.notAllowed'));
}

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (message) => `&#${message.charCodeAt(0)};`);

function page(response: ServerResponse, status: number, title: string, words: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><html lang="${displayLanguage()}" dir="${languages[displayLanguage()].direction}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)} · Carrel</title>
<style>:root{color-scheme:light dark}body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:18vh auto;padding:0 1.5rem;text-align:center}</style>
<h1>${escaped(title)}</h1><p>${escaped(words)}</p></html>`);
}
