// The statements of one request: sent by Carrel in the local runtime, with their plans, the rows that they read, and their sizes.

import type { Recorded } from '../test/bench/recording_worker/worker.ts';
import { build, carrelWorker, type Runtime, startRuntime } from '../test/bench/runtime.ts';
import { scratchFolder } from '../test/bench/scratch.ts';
import { formatted } from './sql_format.ts';

interface Wanted {
  readonly method: string;
  /** Below `/api/v1`, or a whole path. */
  readonly path: string;
  /** A parameter list or JSON. */
  readonly body: string | undefined;
  /** Absent for a request without a caller. */
  readonly token: string | undefined;
}

interface Step {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** Carrel, recording its statements, on a folder of state. */
export async function recordingRuntime(persist: string): Promise<{ runtime: Runtime; url: URL }> {
  const modules = await build(scratchFolder(), 'test/bench/recording_worker/worker.ts');
  const runtime = await startRuntime(persist, [await carrelWorker('carrel', modules)]);
  return { runtime, url: await runtime.unsafeGetDirectURL('carrel') };
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length;
const counted = (count: number, noun: string) => `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
const indented = (text: string, by: string) => text.replaceAll(/^/gm, by);

/** The plan as a tree. */
function treeOf(steps: readonly Step[], parent = 0, indent = ''): string[] {
  return steps
    .filter((step) => step.parent === parent)
    .flatMap((step) => [`${indent}${step.detail}`, ...treeOf(steps, step.id, `${indent}  `)]);
}

async function planOf(url: URL, { sql, params }: Recorded): Promise<string> {
  if (!/^\s*(?:select|with|insert|update|delete)/i.test(sql)) return '';
  const response = await fetch(new URL('/bench/plan', url), { method: 'POST', body: JSON.stringify({ sql, params }) });
  return treeOf((await response.json()) as Step[]).join('\n');
}

async function toldOf(url: URL, statement: Recorded, title: string): Promise<string> {
  const { sql, params, rows, rows_read, bytes } = statement;
  const figures = `${counted(rows_read, 'row')} read, ${counted(rows, 'row')} returned (${counted(bytes, 'byte')}), statement of ${counted(bytesOf(sql), 'byte')}`;
  const values = params.map((value, at) => `?${at + 1} = ${JSON.stringify(value)}`);
  return [
    `${title}: ${figures}`,
    indented(formatted(sql), '  '),
    ...values.map((one) => `  ${one}`),
    '  Plan',
    indented(await planOf(url, statement), '    '),
  ].join('\n');
}

const bodyOf = (body: string | undefined): { body: string; type: string } | undefined =>
  body === undefined ? undefined : { body, type: /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded' };

/** Makes the request and reports it. */
export async function reportOf(url: URL, { method, path, body, token }: Wanted): Promise<string> {
  const sent = bodyOf(body);
  const headers = { ...(token && { Authorization: `Bearer ${token}` }), ...(sent && { 'Content-Type': sent.type }) };
  const address = new URL(/^\/(?:api|login|oauth2|feeds)\//.test(path) ? path : `/api/v1${path}`, url);
  const send = () => fetch(address, { method, headers, redirect: 'manual', ...(sent && { body: sent.body }) });
  // A read is made twice: the first use of a token is noted, which later requests do not pay for.
  if (method === 'GET') await (await send()).arrayBuffer();
  const response = await send();
  const answer = await response.text();
  const trips = (await (await fetch(new URL('/bench/trips', url))).json()) as Recorded[][];
  const statements = trips.flatMap((trip, at) =>
    trip.map((statement, place) => ({ statement, title: `Trip ${at + 1}, statement ${place + 1}` })),
  );
  const read = statements.reduce((sum, { statement }) => sum + statement.rows_read, 0);
  const parts: string[] = [];
  for (const { statement, title } of statements) parts.push(await toldOf(url, statement, title));
  const summary = `${method} ${address.pathname}${address.search}: ${response.status}, ${counted(bytesOf(answer), 'byte')}, ${counted(trips.length, 'trip')}, ${counted(statements.length, 'statement')}, ${counted(read, 'row')} read`;
  return [summary, ...(response.status >= 400 ? [answer] : []), ...parts].join('\n\n');
}
