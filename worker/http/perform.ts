// Runs a handler's reply and serialises the result: one round trip for a read or a write with everything in its response.

import type { Statement } from '../database/open';
import type { Call } from './call';
import type { Returns } from './endpoint';
import { claimFor } from './idempotency';
import { marksOf } from './listing';
import { found, notFound, Problem } from './problem';
import { type Beyond, type Reply, write } from './reply';
import { seenOf } from './scan_window';
import { type AnySerializer, type Plan, planListing, planRows } from './serializer';

export interface PreparedResponse {
  readonly json: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For pages: the bookmark of the next one, null on the last. */
  readonly next?: readonly unknown[] | null;
  /** The next page is found by its bookmark only, also when this one was asked for by number. */
  readonly isNextBookmarked?: boolean;
}

export const serializerOf = (returns: Returns): AnySerializer | undefined =>
  Array.isArray(returns)
    ? (returns as readonly [AnySerializer])[0]
    : 'of' in returns
      ? returns.of
      : 'json' in returns && 'resource' in returns
        ? (returns as AnySerializer)
        : undefined;

const wrap = (returns: Returns, list: readonly unknown[]): unknown => ('wrapped' in returns ? { [returns.wrapped]: list } : list);

const envelop = (returns: Returns, json: object): unknown => ('enveloped' in returns ? { [returns.enveloped]: json } : json);

interface Prepared {
  readonly statements: readonly Statement[];
  tell(results: readonly unknown[]): PreparedResponse;
}

const ready = (result: PreparedResponse): Prepared => ({ statements: [], tell: () => result });
const jsons = (plan: Plan<unknown>, results: readonly unknown[]) => plan.tell(results).map(({ json }) => json);

function prepare(reply: Reply, returns: Returns, call: Call): Prepared {
  const of = serializerOf(returns);
  const need = () => {
    if (!of) throw new Error('the endpoint returns rows but declares no serializer');
    return of;
  };
  switch (reply.kind) {
    case 'list': {
      const { per_page, after, number } = call.page;
      const span = { limit: per_page + 1, offset: number === undefined ? 0 : (number - 1) * per_page, after };
      const plan = planListing(reply.of ?? need(), reply.listing, call, span);
      return {
        statements: plan.statements,
        tell(results) {
          const told = plan.tell(results);
          const page = told.slice(0, per_page);
          const last = page.at(-1)?.row as Record<string, unknown> | undefined;
          const place = told.length > per_page || seenOf(last).isStop ? last : plan.lastPlace?.(results);
          const next = place ? marksOf(reply.listing, place) : null;
          const body = page.filter(({ row }) => !seenOf(row).isPassed).map(({ json }) => json);
          return { json: reply.wrap ? reply.wrap(body) : wrap(returns, body), next };
        },
      };
    }
    case 'all': {
      const plan = planListing(need(), reply.listing, call);
      return { statements: plan.statements, tell: (results) => ({ json: wrap(returns, jsons(plan, results)) }) };
    }
    case 'one': {
      const plan = planListing(need(), { ...reply.listing, limit: 1 }, call, undefined);
      return {
        statements: plan.statements,
        tell(results) {
          const [json] = jsons(plan, results) as object[];
          if (!json && reply.otherwise) throw reply.otherwise();
          const version = reply.isVersioned ? (json as { version?: number } | undefined)?.version : undefined;
          const headers = { ...reply.headers, ...(version !== undefined && { ETag: `"${version}"` }) };
          return { json: envelop(returns, { ...found(json), ...reply.beside }), headers };
        },
      };
    }
    case 'row': {
      if (!reply.row) throw notFound();
      const plan = planRows(need(), [reply.row], call);
      return {
        statements: plan.statements,
        tell: (results) => ({ json: envelop(returns, { ...found(jsons(plan, results)[0]), ...reply.beside }) }),
      };
    }
    case 'page':
      return ready({ json: wrap(returns, reply.page), next: reply.next });
    case 'answer':
      return ready({ json: reply.json, status: reply.status, headers: reply.headers });
    case 'write': {
      const then = prepare(reply.then, returns, call);
      const claim = call.idempotency && !reply.settled ? [claimFor(call.db, call.me.id, call.idempotency, reply.then, call.now)] : [];
      const before = reply.statements.length;
      // The claim comes last: it is an insert, and the response may still use last_insert_rowid().
      return {
        statements: [...reply.statements, ...then.statements, ...claim],
        tell: (results) => then.tell(results.slice(before, before + then.statements.length)),
      };
    }
    case 'judged': {
      const then = prepare(reply.then, returns, call);
      return {
        statements: [reply.statement, ...then.statements],
        tell([result, ...results]) {
          reply.decide(result);
          return then.tell(results);
        },
      };
    }
    case 'made':
    case 'response':
      throw new Error(`a reply of kind ${reply.kind} cannot be planned`);
  }
}

const isNothing = ({ json }: PreparedResponse) => Array.isArray(json) && json.length === 0;
const isMissing = (error: unknown) => error instanceof Problem && error.status === 404;

/** Sends the statements of a reply in one batch and serialises their results. */
export async function performReply(reply: Reply, returns: Returns, call: Call): Promise<PreparedResponse> {
  if (reply.kind === 'made') {
    const told = await performReply(reply.reply, returns, call).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    if (told && !isNothing(told)) return told;
    return performReply(write(reply.statements, reply.reply), returns, call);
  }
  const prepared = prepare(reply, returns, call);
  // The statement that judges comes before those of the page.
  const [listed, at] = reply.kind === 'judged' ? [reply.then, 1] : [reply, 0];
  if (listed.kind === 'list' && listed.beyond) return performBeyond(prepared, listed.beyond, call, at);
  return prepared.tell(await call.db.perform(prepared.statements));
}

/** @param at the place of the page's rows among the results */
async function performBeyond(
  { statements, tell }: Prepared,
  { statements: more, follow }: Beyond,
  call: Call,
  at: number,
): Promise<PreparedResponse> {
  const results: readonly unknown[] = await call.db.perform([...statements, ...more]);
  const page = tell(results.slice(0, statements.length));
  const followed = page.next === null && (await follow(results[at] as readonly unknown[], results.slice(statements.length)));
  return followed ? { ...page, json: followed.body ?? page.json, next: followed.next, isNextBookmarked: true } : page;
}
