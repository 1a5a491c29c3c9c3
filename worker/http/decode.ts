// Decodes parameters in any encoding into one tree (reference 01 A2). The query takes precedence over the body.

import { type FormTree, formTreeOf, MixedName, pairsOf, settleLists } from '@carrel/shared/wire/form';
import { badParameter, refused } from './problem';

/** Parameters as sent, before the endpoint defines which are lists. */
export interface DecodedRequest {
  readonly query: FormTree;
  readonly body: FormTree;
  /** The body, if it was a JSON array. */
  readonly array?: unknown[];
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const megabyte = 1_000_000;
/** Bodies are decoded in memory, which an isolate shares among its requests. A form may contain attachments. */
const mostBytes = { parameters: 8 * megabyte, form: 32 * megabyte };
/** D1 stores at most two megabytes in a row. */
const longestText = megabyte;

/** @throws Problem 413 as soon as the body is longer */
async function bytesOf(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => refused(413, `the request body is larger than ${most / megabyte} MB`);
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of (request.body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += part.length;
    if (size > most) throw tooLarge();
    parts.push(part);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const textOf = async (request: Request) => new TextDecoder().decode(await bytesOf(request, mostBytes.parameters));

/** Parameters are read recursively, and the stack of an isolate is small. */
const mostLevels = 100;

/** @throws Problem 400 that names a text which the database cannot store, or a parameter that is nested too deeply */
function refuseExcess(value: unknown, name: string, level = 0): void {
  if (typeof value === 'string') {
    // No character has more than three bytes per unit.
    if (value.length * 3 > longestText && new TextEncoder().encode(value).length > longestText)
      throw badParameter(name, `is longer than ${longestText.toLocaleString('en-US')} bytes`);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Blob)) {
    if (level > mostLevels) throw badParameter(name.split('[')[0] ?? '', `has more than ${mostLevels} levels`);
    for (const [key, part] of Object.entries(value)) refuseExcess(part, name === '' ? key : `${name}[${key}]`, level + 1);
  }
}

async function pairsOfBody(request: Request, type: string): Promise<Iterable<readonly [string, unknown]>> {
  if (type.startsWith(formTypes[1] as string)) {
    const bytes = await bytesOf(request, mostBytes.form);
    // The boundary is case-sensitive.
    const headers = { 'Content-Type': request.headers.get('content-type') ?? '' };
    const form = await new Response(bytes, { headers }).formData().catch(() => {
      throw refused(400, 'the multipart body cannot be read');
    });
    return form.entries() as Iterable<readonly [string, unknown]>;
  }
  return new URLSearchParams(await textOf(request));
}

async function jsonOfBody(request: Request): Promise<unknown> {
  const written = await textOf(request);
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written);
  } catch {
    throw refused(400, 'the body is not valid JSON');
  }
}

/** @throws Problem 400 for a name that is both value and object */
function named(pairs: Iterable<readonly [string, unknown]>): FormTree {
  try {
    return formTreeOf(pairs);
  } catch (error) {
    if (error instanceof MixedName) throw badParameter(error.parameter, 'is both a value and an object');
    throw error;
  }
}

/** @throws Problem 400 for a text that is too long, or too many levels */
export function inQuery(url: URL): FormTree {
  const query = named(url.searchParams);
  refuseExcess(query, '');
  return query;
}

/**
 * Parameters in the body, which a GET may have as well.
 * @throws Problem 400 for a body that is invalid in its encoding, a text that is too long, or too many levels; 413 for a body that is too large
 */
export async function inBody(request: Request): Promise<Omit<DecodedRequest, 'query'>> {
  const sent = await decoded(request);
  refuseExcess(sent.array ?? sent.body, '');
  return sent;
}

async function decoded(request: Request): Promise<Omit<DecodedRequest, 'query'>> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase();
  if (request.body === null) return { body: {} };
  if (type.includes('json')) {
    const body = await jsonOfBody(request);
    if (Array.isArray(body)) return { body: {}, array: body };
    if (typeof body !== 'object' || body === null) throw refused(400, 'the body is not a JSON object');
    return { body: body as FormTree };
  }
  if (type !== '' && !formTypes.some((known) => type.startsWith(known))) return { body: {} };
  return { body: named(await pairsOfBody(request, type || (formTypes[0] as string))) };
}

/** @param wantsList whether a repeated name without brackets is a list */
export const parametersOf = ({ query, body }: DecodedRequest, wantsList: (name: string) => boolean): FormTree => ({
  ...settleLists(body, wantsList),
  ...settleLists(query, wantsList),
});

/** The request URL with body parameters moved to the query, so that Link headers lead to pages of the same list. */
export function withParameters(url: URL, { query, body }: DecodedRequest): URL {
  const pairs = pairsOf(body).filter(([name]) => !Object.hasOwn(query, namePart(name)));
  if (pairs.length === 0) return url;
  const whole = new URL(url);
  for (const [name, value] of pairs) whole.searchParams.append(name, value);
  return whole;
}

const namePart = (name: string) => name.replace(/\[.*/s, '');

export const overridable: readonly string[] = ['PUT', 'PATCH', 'DELETE'];

/** The effective method: clients that only support POST send it as `_method`, in query or body. */
export function methodMeant({ method }: Request, { _method: given }: FormTree): string {
  const meant = typeof given === 'string' ? given.toUpperCase() : '';
  return method === 'POST' && overridable.includes(meant) ? meant : method;
}
