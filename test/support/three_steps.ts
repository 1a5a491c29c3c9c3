// The three steps of a file upload, as Canvas clients perform them.

import type { Client, Fetch } from './client';

// biome-ignore lint/suspicious/noExplicitAny: tests read responses untyped.
type Body = any;

interface Upload {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly content_type?: string;
  readonly parent_folder_path?: string;
  readonly parent_folder_id?: number;
  readonly on_duplicate?: string;
}

/**
 * @param at where files are created: `/courses/1/files`
 * @returns the File
 * @throws Error with the service's message when a step is refused
 */
export async function uploadInThreeSteps(client: Client, fetch: Fetch, at: string, { bytes, ...given }: Upload): Promise<Body> {
  const ticket = await client.post(at, { ...given, size: bytes.length });
  if (ticket.status !== 200) throw new Error(`${at}: ${ticket.status} ${JSON.stringify(ticket.body)}`);
  const form = new FormData();
  for (const [name, value] of Object.entries(ticket.body.upload_params as Record<string, unknown>)) form.append(name, String(value));
  form.append(ticket.body.file_param ?? 'file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: given.content_type }), given.name);
  const stored = await fetch(ticket.body.upload_url, { method: 'POST', body: form as never, headers: {}, redirect: 'manual' });
  const text = await stored.text();
  if (stored.status === 201) return JSON.parse(text);
  const location = stored.headers.get('location');
  if (stored.status < 300 || stored.status >= 400 || !location) throw new Error(`${ticket.body.upload_url}: ${stored.status} ${text}`);
  return (await client.get(location)).body;
}
