// A file in the body of a request: as a form part named `attachment`, or as the whole body.

import { problem } from './problem';

export interface AttachedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The form of which the file is a part. */
  readonly form: FormData | undefined;
}

/**
 * @param largest in bytes
 * @param missing the message when there is no file
 * @throws Problem 400
 */
export async function attachedFile(request: Request, largest: number, missing: string): Promise<AttachedFile> {
  const tooLarge = () => problem(400, 'The file is too large');
  if (Number(request.headers.get('content-length') ?? 0) > largest) throw tooLarge();
  const isForm = (request.headers.get('content-type') ?? '').toLowerCase().startsWith('multipart/form-data');
  const form = isForm ? await request.formData().catch(() => undefined) : undefined;
  const sent = isForm ? (form?.get('attachment') ?? null) : request.body ? request : null;
  if (sent === null || typeof sent === 'string') throw problem(400, missing);
  const bytes = new Uint8Array(await sent.arrayBuffer());
  if (bytes.length > largest) throw tooLarge();
  return { name: 'name' in sent ? sent.name : '', bytes, form };
}
