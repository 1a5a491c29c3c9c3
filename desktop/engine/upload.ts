// The three steps of an upload, for bytes that lie in the study folder.

import { openAsBlob } from 'node:fs';
import type { Session } from './remote';
import type { FileJson } from './resources';
import type { Transfers } from './transfers';

interface Ticket {
  readonly upload_url: string;
  readonly upload_params: Readonly<Record<string, string>>;
  readonly file_param?: string;
}

export interface Upload {
  readonly session: Session;
  /** Of the bytes, on this computer. */
  readonly file: string;
  readonly name: string;
  readonly size: number;
  /** Where a new file is announced: of a folder, a course or a person. */
  readonly address: string;
  readonly more: Readonly<Record<string, unknown>>;
  /** The same for every try of the same bytes for the same place. */
  readonly key: string;
  readonly transfers?: Transfers;
}

/** As slow as a line may be before it counts as dead. */
const bytesPerMillisecond = 20;
export const patienceFor = (size: number): number => 60_000 + size / bytesPerMillisecond;

export async function upload({ session, file, name, size, address, more, key, transfers }: Upload): Promise<FileJson> {
  const headers = { 'idempotency-key': key };
  const ticket = await session.json<Ticket>(address, { method: 'POST', headers, json: { name, size, ...more } });
  const form = new FormData();
  for (const [param, value] of Object.entries(ticket.upload_params)) form.append(param, value);
  form.append(ticket.file_param ?? 'file', await openAsBlob(file), name);
  await transfers?.pass(size);
  const patience = patienceFor(size) + (size / (transfers?.rules().bandwidth ?? Number.POSITIVE_INFINITY)) * 1000;
  const answer = await session.ask(ticket.upload_url, { method: 'POST', form, tries: 2, once: true, patience, signal: transfers?.signal });
  const told = (await answer.json().catch(() => ({}))) as Partial<FileJson>;
  if (told.id !== undefined && told.size !== undefined) return told as FileJson;
  return session.json<FileJson>(answer.headers.get('location') ?? answer.url);
}
