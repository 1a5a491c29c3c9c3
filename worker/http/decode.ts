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

/** The runtime warns about `text()` on a form, so the bytes are decoded here. */
const textOf = async (request: Request) => new TextDecoder().decode(await request.arrayBuffer());

async function pairsOfBody(request: Request, type: string): Promise<Iterable<readonly [string, unknown]>> {
  if (type.startsWith(formTypes[1] as string)) {
    const form = await request.formData().catch(() => {
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

export const inQuery = (url: URL): FormTree => named(url.searchParams);

/**
 * Parameters in the body, which a GET may have as well.
 * @throws Problem 400 for a body that is invalid in its encoding
 */
export async function inBody(request: Request): Promise<Omit<DecodedRequest, 'query'>> {
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
