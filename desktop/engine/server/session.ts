// The session with the server: the token of one account, retries, and a count of all requests.

import { t } from '../../language/texts';
import type { ServerRequest } from './asking';
import { NewestBookmark } from './bookmark';
import {
  isAnswer,
  isElsewhere,
  isEmptyObject,
  isFileDownload,
  isRateLimited,
  isTemporary,
  isTokenRefused,
  jsonIn,
  reasonOf,
  retryAfter,
  saysToken,
} from './responses';

/** The token that a session sends. */
export interface Bearing {
  readonly token: string;
  /** Replaces a refused token; false if there is no other. */
  renew?(refused: string): Promise<boolean>;
}

export interface Clock {
  now(): Date;
  sleep(milliseconds: number): Promise<void>;
  /** 0 ≤ x < 1 */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  random: Math.random,
};

/** The token is missing, wrong or expired: nothing continues until the user signs in again. */
export class SignInRequired extends Error {
  override readonly name = 'SignIn';
  /** The server says that it has expired; otherwise it was revoked or is invalid. */
  get isExpired(): boolean {
    return /expired/i.test(this.message);
  }
}

/** The server cannot be reached at all. */
export class Offline extends Error {
  override readonly name = 'Offline';
  /** @param isUnheard the request did not reach the server */
  constructor(
    message: string,
    readonly isUnheard = false,
  ) {
    super(message);
  }
}

/** The server refused this request, and a retry would not change that. */
export class Declined extends Error {
  override readonly name = 'Declined';
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(reasonOf(status, body));
  }
}

/** Files have to wait: running transfers end, and continue later where they stopped. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Tried several times; the server failed each time. */
export class Troubled extends Error {
  override readonly name = 'Troubled';
  /** @param isUnheard the server refused the request before it had any effect */
  constructor(
    message: string,
    readonly isUnheard = false,
  ) {
    super(message);
  }
}

/** The response does not come from the API: a login page, or the page of a firewall. */
export class NoAnswer extends Troubled {}

interface Attempt {
  readonly address: URL;
  readonly asking: ServerRequest;
  /** Sent with the token. */
  readonly isOwn: boolean;
  /** The token was renewed for this request. */
  readonly isRenewed: boolean;
  readonly isLast: boolean;
}

type Attempted =
  | { readonly response: Response }
  | { readonly again: 'with the new token' }
  | { readonly again: 'after a pause'; readonly pause?: number };

/** The server counts no page views of desks that read what has changed (`page_views/view.ts`). */
const userAgent = 'Carrel-Desk';
const usualTries = 5;
const bodyTries = 3;
const longestPause = 60_000;
const silence = 60_000;
/** Requests in a row without a connection: then the network is down, not a single item. */
const unreachableAtMost = 4;

export class Session {
  requests = 0;
  /** How many responses were no failure of the server. */
  answers = 0;
  /** The server knows no idempotency keys: a repeated request repeats its effect. */
  isForgetful = false;
  readonly #closing = new AbortController();
  readonly #closed = new Promise<void>((resolve) => this.#closing.signal.addEventListener('abort', () => resolve(), { once: true }));
  #unreachable = 0;

  readonly #bearing: Bearing;
  readonly bookmark: NewestBookmark;

  /** @param token empty: without authorization */
  constructor(
    readonly url: string,
    token: string | Bearing,
    private readonly clock: Clock = systemClock,
    private readonly http: typeof fetch = fetch,
  ) {
    this.bookmark = new NewestBookmark(() => clock.now());
    this.#bearing = typeof token === 'string' ? { token } : token;
  }

  async json<T>(path: string, { mayBeEmpty = false, ...asking }: ServerRequest & { readonly mayBeEmpty?: boolean } = {}): Promise<T> {
    const headers = { accept: 'application/json', ...asking.headers };
    for (let nth = 1; ; nth++) {
      const response = await this.ask(path, { ...asking, headers });
      const text = await response.text().catch((problem: unknown) => problem);
      if (typeof text === 'string') {
        const read = readJson(text, mayBeEmpty);
        if (read) return read.value as T;
      } else if (this.isClosed || asking.signal?.aborted) throw text;
      // Only reading requests can be repeated.
      if ((asking.method ?? 'GET') !== 'GET' || nth === bodyTries) throw new Troubled(t('why.cutShort'));
      await this.pause(nth);
    }
  }

  /** Returns a 2xx response, or throws the error that the response means. */
  async ask(path: string, asking: ServerRequest = {}): Promise<Response> {
    const { tries = usualTries, isBare = false } = asking;
    const address = new URL(path, this.url);
    const isOwn = address.origin === new URL(this.url).origin && !isBare;
    this.#expectOpen();
    let isRenewed = false;
    for (let nth = 1; ; nth++) {
      const result = await this.#attempt({ address, asking, isOwn, isRenewed, isLast: nth >= tries });
      if ('response' in result) return result.response;
      if (result.again === 'with the new token') isRenewed = true;
      else await this.pause(nth, result.pause);
    }
  }

  async #attempt(attempt: Attempt): Promise<Attempted> {
    const { address, asking, isOwn } = attempt;
    const { token } = this.#bearing;
    const sent = asking.sending?.();
    try {
      // The token is sent to its own server only, wherever a download address points.
      const own = isOwn ? { ...this.bookmark.headers, ...this.authorization } : {};
      const headers = { 'user-agent': userAgent, ...own, ...asking.headers, ...sent?.headers };
      const response = await this.#once(address, { ...asking, headers }, sent?.body);
      this.#unreachable = 0;
      if (response.status < 500) this.answers++;
      if (isOwn) this.bookmark.noteResponse(response);
      return isAnswer(response, asking.stays) ? { response } : await this.#refused(response, token, attempt);
    } catch (problem) {
      if (isTold(problem) || this.isClosed) throw problem;
      // The file could not be read; the network is not the problem.
      if (sent?.problem) throw sent.problem;
      if (asking.signal?.reason instanceof Interrupted) throw asking.signal.reason;
      if (!this.#mayRepeat(attempt, isNobody(problem))) throw this.#gone(problem);
      return { again: 'after a pause' };
    }
  }

  /** @param token the one that was sent; it may have been renewed meanwhile */
  async #refused(response: Response, token: string, attempt: Attempt): Promise<Attempted> {
    const { status } = response;
    const body = await response.text();
    // A response of another host after a redirect does not show whether the token is valid.
    if (attempt.isOwn && status === 401 && !isElsewhere(response, this.url) && isTokenRefused(response, body)) {
      await this.#renewToken(token, body, attempt);
      return { again: 'with the new token' };
    }
    if (!isTemporary(status, body)) throw new Declined(status, body);
    const isUnheard = isRateLimited(status, body);
    if (!this.#mayRepeat(attempt, isUnheard)) throw this.#troubled(reasonOf(status, body), isUnheard);
    return { again: 'after a pause', pause: retryAfter(response, this.clock.now()) };
  }

  /** A refused request had no effect, so it is repeated, once. */
  async #renewToken(token: string, body: string, { address, isRenewed }: Attempt): Promise<void> {
    if (!isRenewed && (await this.#bearing.renew?.(token))) return;
    if (!isFileDownload(address) || saysToken.test(body)) throw new SignInRequired(reasonOf(401, body));
    // A download address may be refused on its own: a plain request shows whether the token is, too.
    await this.ask('/api/v1/users/self');
    throw new Declined(401, body);
  }

  #mayRepeat({ asking, isLast }: Attempt, isUnheard: boolean): boolean {
    return !isLast && (isUnheard || !(asking.once && this.isForgetful));
  }

  /** Exponential backoff with jitter, so that many clients do not return at once. */
  async pause(nth: number, asked?: number): Promise<void> {
    const usual = 250 * 2 ** (nth - 1) * (0.5 + this.clock.random());
    await Promise.race([this.clock.sleep(Math.min(longestPause, asked === undefined ? usual : asked + usual / 2)), this.#closed]);
    this.#expectOpen();
  }

  /** Ends running requests; downloads continue later where they stopped. */
  close(): void {
    this.#closing.abort(new Offline(t('why.closed')));
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #expectOpen(): void {
    if (this.isClosed) throw new Offline(t('why.closed'));
  }

  get authorization(): Readonly<Record<string, string>> {
    const { token } = this.#bearing;
    // An invalid token is not sent, and never shown.
    if (!/^[\x21-\x7e]*$/.test(token)) throw new SignInRequired(t('why.tokenDamaged'));
    return token === '' ? {} : { authorization: `Bearer ${token}` };
  }

  async #once(
    address: URL,
    { method = 'GET', headers, json, form, signal, patience = silence, stays }: ServerRequest,
    body?: ReadableStream<Uint8Array>,
  ): Promise<Response> {
    this.requests++;
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(new Error(t('why.silent'))), patience);
    try {
      return await this.http(address, {
        method,
        headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(stays && { redirect: 'manual' }),
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        ...(form && { body: form }),
        ...(body && { body, duplex: 'half' as const }),
        signal: AbortSignal.any([waiting.signal, this.#closing.signal, ...(signal ? [signal] : [])]),
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #gone(problem: unknown): Error {
    this.#unreachable++;
    const why = causeOf(problem);
    const isUnheard = isNobody(problem);
    return this.#unreachable >= unreachableAtMost || isUnheard ? new Offline(why, isUnheard) : this.#troubled(why);
  }

  /** Without any response so far the server is unreachable, whatever proxy has answered. */
  #troubled(why: string, isUnheard = false): Error {
    return this.answers === 0 ? new Offline(why, isUnheard) : new Troubled(why, isUnheard);
  }
}

/** Undefined: it was cut short. */
function readJson(text: string, mayBeEmpty: boolean): { readonly value: unknown } | undefined {
  const read = jsonIn(text);
  if (read === 'no JSON') throw new NoAnswer(t('why.noJson'));
  if (read === 'cut short') return undefined;
  // None of these responses can be empty: a proxy has answered in place of the server.
  if (!mayBeEmpty && isEmptyObject(read.value)) throw new NoAnswer(t('why.emptyAnswer'));
  return read;
}

/** Errors that the session itself throws. */
const isTold = (problem: unknown): boolean =>
  problem instanceof SignInRequired || problem instanceof Declined || problem instanceof Troubled || problem instanceof Offline;

/** No server is at that address, so the next request would fail, too. */
const isNobody = (problem: unknown): boolean => /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH/.test(causeOf(problem));

export function causeOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { cause } = problem;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return cause instanceof Error ? `${cause.message || problem.message}${code}` : problem.message;
}
