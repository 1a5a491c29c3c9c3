// Entry point for requests: finds the endpoint, runs it, and adds the common headers to every response.

import { wireTime } from '@carrel/shared/wire/fields';
import { newMeter } from '../database/open';
import type { Platform } from '../platform';
import { addressOfRequest } from './address';
import type { Call } from './call';
import { inBody, inQuery, methodMeant, overridable } from './decode';
import type { Endpoint } from './endpoint';
import { cors, preflight, serverTiming } from './headers';
import { log } from './log';
import { notFound, Problem } from './problem';
import { type Match, routerOf } from './router';
import { run } from './run';
import { isThrottled, tollOf } from './throttle';

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
  /** After a successful response. */
  answered(endpoint: Endpoint, call: Call, request_id: string, ms: number): void;
  /** After every response. */
  counted(served: { readonly route: string; readonly status: number; readonly ms: number }, env: Platform, later: Call['later']): void;
}

export function doorTo(endpoints: readonly Endpoint[], witnesses: Witnesses): Door {
  const find = routerOf(endpoints);

  /** Whether a POST to this path may stand for another method: only then is the body of an unknown POST read. */
  const isOverridable = async (pathname: string) =>
    (await Promise.all(overridable.map((method) => find(method, pathname)))).some((match) => match !== undefined);

  return {
    async fetch(request, env, context) {
      if (request.method === 'OPTIONS') return preflight();
      const started = Date.now();
      const { url, origin } = addressOfRequest(request, env);
      const meter = newMeter();
      if (env.ORACLE === '1') meter.named = new Set();
      const toll = tollOf(env, request);
      const requestId = crypto.randomUUID();
      const later = (work: Promise<unknown>) =>
        context.waitUntil(work.catch((error) => console.error(JSON.stringify({ request_id: requestId, later: String(error) }))));
      let failure: unknown;
      let heard: Call | undefined;
      let match: Match | undefined;
      const answering = async () => {
        const query = inQuery(url);
        match = await find(methodMeant(request, query), url.pathname);
        if (!match && !(request.method === 'POST' && (await isOverridable(url.pathname)))) throw notFound();
        const sent = { query, ...(match?.endpoint.options.rawBody ? { body: {} } : await inBody(request)) };
        if (query._method === undefined) match = await find(methodMeant(request, sent.body), url.pathname);
        if (!match) throw notFound();
        return run(match.endpoint, match.path, request, sent, {
          url,
          origin,
          env,
          meter,
          toll,
          endpoints,
          now: wireTime(started),
          requestId,
          later,
          heard: (call) => {
            heard = call;
          },
          written: witnesses.written,
        });
      };
      const answered = await answering().catch((error: unknown) => {
        failure = error;
        return answerTo(error, requestId);
      });
      const response = new Response(request.method === 'HEAD' ? null : answered.body, answered);
      for (const [name, value] of Object.entries(cors)) response.headers.set(name, value);
      response.headers.set('X-Request-Context-Id', requestId);
      response.headers.set('Server-Timing', serverTiming(meter));
      if (!isThrottled(failure)) for (const [name, value] of Object.entries(toll.leave(meter))) response.headers.set(name, value);
      if (match && heard && response.status < 400) witnesses.answered(match.endpoint, heard, requestId, Date.now() - started);
      const route = match ? `${match.endpoint.method} ${match.endpoint.path}` : 'none';
      witnesses.counted({ route, status: response.status, ms: Date.now() - started }, env, later);
      if (meter.named) {
        response.headers.set('X-Carrel-Route', route);
        response.headers.set('X-Carrel-Tables', [...meter.named].join(' '));
      }
      if (env.ORACLE !== '1' || response.status >= 500)
        log({
          request_id: requestId,
          method: request.method,
          route,
          status: response.status,
          ms: Date.now() - started,
          meter,
          ...(response.status >= 500 && {
            error: failure instanceof Error ? `${failure.stack ?? failure.message} ${failure.cause ?? ''}` : String(failure),
          }),
        });
      return response;
    },
  };
}
