// The Model Context Protocol at /mcp (streamable HTTP without sessions): assistants read courses, and act for their user, through the REST interface.

import { assistantServer } from '@carrel/shared/assistants/server';
import { type Tool, untrustedTexts } from '@carrel/shared/assistants/tool';
import { createMcpHandler, readRequestBody } from '@modelcontextprotocol/server';
import { addressOfRequest } from '../http/address';
import { cors } from '../http/headers';
import { insufficientScopes } from '../http/problem';
import { readByAssistant, writeByAssistant } from '../http/scope_bundles';
import type { Platform } from '../platform';
import { type Rest, RestRefusal, refusalText, restOf } from './ask';
import { gradingTools } from './tools/grading';
import { ownWorkTools } from './tools/own_work';
import { readingTools } from './tools/reading';

const tools: readonly Tool<Rest>[] = [...readingTools, ...ownWorkTools, ...gradingTools];

const instructions = `Carrel is a learning-management service. Begin with list_courses.
${untrustedTexts}
Tools that write do nothing until their argument "confirmed" is true: show the user what would be sent, and ask.`;

const metadataPath = '/.well-known/oauth-protected-resource';

/** A response that asks the client for a token, or for one with more scopes (RFC 9728, RFC 6750). */
const challenge = (origin: string, status: 401 | 403, error: string, scope: string) =>
  new Response(JSON.stringify({ error }), {
    status,
    headers: {
      ...cors,
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'WWW-Authenticate': `Bearer error="${error}", scope="${scope}", resource_metadata="${origin}${metadataPath}/mcp"`,
    },
  });

/** What a client needs to know to get a token (RFC 9728). It is offered the scope for reading; a tool that writes asks for the other. */
const metadata = (origin: string) =>
  Response.json(
    {
      resource: `${origin}/mcp`,
      resource_name: 'Carrel',
      authorization_servers: [origin],
      scopes_supported: [readByAssistant],
      bearer_methods_supported: ['header'],
      resource_documentation: `${origin}/docs`,
    },
    { headers: { ...cors, 'Cache-Control': 'public, max-age=300' } },
  );

const missingScopes = refusalText(insufficientScopes().body);

/** Whether a response has said that the token is unknown, or that its scopes do not suffice. */
function witness() {
  const seen = { isUnknown: false, isInsufficient: false };
  const look = (response: Response, message: string) => {
    if (response.status === 401 && response.headers.has('WWW-Authenticate')) seen.isUnknown = true;
    if (message === missingScopes) seen.isInsufficient = true;
  };
  return { seen, look };
}

/** Enough for the longest text that can be handed in, as JSON. */
const mostBytes = 4_000_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const rpcError = (status: number, code: number, message: string) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers: cors });

/** Why the token cannot be used: `unknown` to this service, or an answer such as that of the rate limit. */
const faultOf = (rest: Rest): Promise<'unknown' | RestRefusal | undefined> =>
  rest.get('/users/self').then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof RestRefusal)) throw error;
      return error.status === 401 ? 'unknown' : error;
    },
  );

const methodOf = (message: unknown): unknown => (message as { method?: unknown } | undefined)?.method;

/**
 * Serves a request of an assistant. Only a token in the header counts: a browser's session does not, so other sites cannot use it.
 * @param rest serves a request of the REST interface
 */
export async function serveMcp(request: Request, env: Platform, rest: (request: Request) => Promise<Response>): Promise<Response> {
  const { url, origin } = addressOfRequest(request, env);
  if (url.pathname !== '/mcp') return metadata(origin);
  const token = request.headers.get('Authorization') ?? '';
  const unknown = () => challenge(origin, 401, 'invalid_token', readByAssistant);
  if (!/^bearer\s+\S/i.test(token)) return unknown();
  const { seen, look } = witness();
  const ask = restOf(origin, token, rest, look);
  const read = request.method === 'POST' ? await readRequestBody(request, mostBytes) : undefined;
  if (read?.tooLarge) return rpcError(413, -32600, `The request exceeds ${mostBytes} bytes`);
  const parsedBody = read && parse(read.text);
  if (read && parsedBody === undefined) return rpcError(400, -32700, 'The request is not JSON');
  const fault = read && (await faultOf(ask));
  if (fault === 'unknown') return unknown();
  if (fault) return rpcError(fault.status, -32603, fault.message);
  const response = await createMcpHandler(() => assistantServer(tools, ask, instructions)).fetch(request, { parsedBody });
  // The status depends on what the tool was answered, so the answer is complete before it is sent.
  const body = methodOf(parsedBody) === 'tools/call' ? await response.text() : response.body;
  if (seen.isUnknown) return unknown();
  if (seen.isInsufficient) return challenge(origin, 403, 'insufficient_scope', `${readByAssistant} ${writeByAssistant}`);
  return new Response(body, { status: response.status, headers: { ...Object.fromEntries(response.headers), ...cors } });
}
