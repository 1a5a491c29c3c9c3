// Entry point for requests: finds the endpoint, runs it, and adds the common headers to every response.

import { wireTime } from '@carrel/shared/wire/fields';
import { type Meter, newMeter } from '../database/open';
import type { Platform } from '../platform';
import { type Address, addressOfRequest } from './address';
import { refuseLargeBody } from './body_limit';
import type { Call } from './call';
import { inBody, inQuery, methodMeant, overridable } from './decode';
import type { Endpoint } from './endpoint';
import { cors, preflight, serverTiming } from './headers';
import { log } from './log';
import { notFound, Problem } from './problem';
import { type EndpointFile, type Match, routerOf } from './router';
import { runEndpoint } from './run';
import { isThrottled, type RateLimiter, rateLimiterOf, unlimited } from './throttle';

export interface Door {
  fetch(request: Request, env: Platform, context: ExecutionContext): Promise<Response>;
}

const bodyOf = (problem: Problem) => (typeof problem.body === 'string' ? problem.body : JSON.stringify(problem.body));

function answerTo(error: unknown, requestId: string): Response {
  const problem =
    error instanceof Problem
      ? error
      : new Problem(500, { errors: [{ message: 'An error occurred.', error_code: 'internal_server_error' }], error_report_id: requestId });
  return new Response(bodyOf(problem), {
    status: problem.status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...problem.headers },
  });
}

/** Observers of requests. */
export interface Witnesses {
  /** After a write. */
  written(call: Call): Promise<unknown>;
  /** After a successful response; one that says that nothing has changed is not counted. */
  answered(endpoint: Endpoint, call: Call, request_id: string, ms: number): void;
  /** After every response. */
  counted(served: { readonly route: string; readonly status: number; readonly ms: number }, env: Platform, later: Call['later']): void;
}

/** One request on its way, and what is known of it so far. */
interface Passage {
  readonly request: Request;
  readonly env: Platform;
  readonly address: Address;
  readonly meter: Meter;
  readonly toll: RateLimiter;
  readonly requestId: string;
  readonly started: number;
  match?: Match;
  readonly isWithin?: true;
  heard?: Call;
  failure?: unknown;
}

const routeOf = ({ match }: Passage) => (match ? `${match.endpoint.method} ${match.endpoint.path}` : 'none');

/** What every answer carries. */
function addHeaders(headers: Headers, callResult: Passage): void {
  const { meter, toll, requestId, failure } = callResult;
  const left = isThrottled(failure) ? {} : toll.leave(meter);
  const ours = { ...cors, 'X-Request-Context-Id': requestId, 'Server-Timing': serverTiming(meter), ...left };
  for (const [name, value] of Object.entries(ours)) headers.set(name, value);
  if (!meter.named) return;
  headers.set('X-Carrel-Route', routeOf(callResult));
  headers.set('X-Carrel-Tables', [...meter.named].join(' '));
}

function logAnswer(status: number, passage: Passage): void {
  const { request, env, meter, requestId, started, failure } = passage;
  if (env.ORACLE === '1' && status < 500) return;
  const error = failure instanceof Error ? `${failure.stack ?? failure.message} ${failure.cause ?? ''}` : String(failure);
  log({
    request_id: requestId,
    method: request.method,
    route: routeOf(passage),
    status,
    ms: Date.now() - started,
    meter,
    ...(status >= 500 && { error }),
  });
}

export function serverFor(files: readonly EndpointFile[], witnesses: Witnesses): Door {
  const find = routerOf(files);
  const operations = async () => [...new Set((await Promise.all(files.map((file) => file.load()))).flat())];

  /** Whether a POST to this path may override the method: only then is the body of an unknown POST read. */
  const isOverridable = async (pathname: string) =>
    (await Promise.all(overridable.map((method) => find(method, pathname)))).some((match) => match !== undefined);

  /** @throws Problem for any error of the client */
  async function answer(passage: Passage, later: Call['later']): Promise<Response> {
    const { request, env, meter, toll, requestId, started } = passage;
    const { url, origin } = passage.address;
    const query = inQuery(url);
    passage.match = await (await find(methodMeant(request, query), url.pathname))?.load();
    if (!passage.match && !(request.method === 'POST' && (await isOverridable(url.pathname)))) throw notFound();
    refuseLargeBody(request, env);
    const sent = { query, ...(passage.match?.endpoint.options.rawBody ? { body: {} } : await inBody(request)) };
    if (query._method === undefined) passage.match = await (await find(methodMeant(request, sent.body), url.pathname))?.load();
    if (!passage.match) throw notFound();
    return runEndpoint(passage.match.endpoint, passage.match.path, request, sent, {
      url,
      origin,
      env,
      meter,
      toll,
      operations,
      now: wireTime(started),
      requestId,
      later,
      isWithin: passage.isWithin,
      within: (inner, innerEnv) => answerWithin(passage, inner, innerEnv, later),
      heard: (call) => {
        passage.heard = call;
      },
      written: witnesses.written,
    });
  }

  /** A request that an endpoint makes for its caller: the outer one is throttled, counted and logged. */
  async function answerWithin(outer: Passage, request: Request, env: Platform, later: Call['later']): Promise<Response> {
    const meter: Meter = { ...newMeter(), named: outer.meter.named };
    const passage: Passage = {
      ...outer,
      request,
      env,
      meter,
      toll: unlimited,
      address: addressOfRequest(request, env),
      match: undefined,
      isWithin: true,
    };
    const response = await answer(passage, later).catch((error: unknown) => {
      passage.failure = error;
      return answerTo(error, outer.requestId);
    });
    outer.meter.object_calls += meter.object_calls;
    outer.meter.r2_calls += meter.r2_calls;
    if (response.status >= 500) logAnswer(response.status, passage);
    return response;
  }

  return {
    async fetch(request, env, context) {
      if (request.method === 'OPTIONS') return preflight();
      const meter = newMeter();
      if (env.ORACLE === '1') meter.named = new Set();
      const requestId = crypto.randomUUID();
      const address = addressOfRequest(request, env);
      const passage: Passage = { request, env, address, meter, toll: rateLimiterOf(env, request), requestId, started: Date.now() };
      const later = (work: Promise<unknown>) =>
        context.waitUntil(work.catch((error) => console.error(JSON.stringify({ request_id: requestId, later: String(error) }))));
      const answered = await answer(passage, later).catch((error: unknown) => {
        passage.failure = error;
        return answerTo(error, requestId);
      });
      const response = new Response(request.method === 'HEAD' ? null : answered.body, answered);
      addHeaders(response.headers, passage);
      const { match, heard } = passage;
      const ms = Date.now() - passage.started;
      if (match && heard && response.status < 400 && response.status !== 304) witnesses.answered(match.endpoint, heard, requestId, ms);
      witnesses.counted({ route: routeOf(passage), status: response.status, ms }, env, later);
      logAnswer(response.status, passage);
      return response;
    },
  };
}
