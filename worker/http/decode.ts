// A request's parameters, whatever encoding they came in, as one tree (reference 01 A2). Query beats body.

import { MixedName, settle, type Tree, treeOf } from '@carrel/shared/wire/form';
import { badParameter, refused } from './problem';

export interface Decoded {
  readonly tree: Tree;
  /** A JSON array that was the whole body. */
  readonly array: unknown[] | undefined;
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The runtime warns of `text()` on a form, so the bytes are decoded here. */
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

/**
 * @param wantsList whether a scalar name given several times is read as a list
 * @throws Problem 400 for a body that its encoding does not allow, or a name that is both value and object
 */
export async function decode(request: Request, url: URL, wantsList: (name: string) => boolean): Promise<Decoded> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase();
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null;
  try {
    const query = treeOf(url.searchParams);
    if (!hasBody) return { tree: settle(query, wantsList), array: undefined };
    if (type.includes('json')) {
      const body = await jsonOfBody(request);
      if (Array.isArray(body)) return { tree: settle(query, wantsList), array: body };
      if (typeof body !== 'object' || body === null) throw refused(400, 'the body is not a JSON object');
      return { tree: { ...body, ...settle(query, wantsList) }, array: undefined };
    }
    if (type !== '' && !formTypes.some((known) => type.startsWith(known))) return { tree: settle(query, wantsList), array: undefined };
    const body = treeOf(await pairsOfBody(request, type || (formTypes[0] as string)));
    return { tree: { ...settle(body, wantsList), ...settle(query, wantsList) }, array: undefined };
  } catch (error) {
    if (error instanceof MixedName) throw badParameter(error.parameter, 'is given both as a value and as an object');
    throw error;
  }
}
