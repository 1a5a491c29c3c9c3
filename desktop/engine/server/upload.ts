// The three steps of an upload, for a file in the study folder.

import type { FileJson } from '../model/resources';
import { multipart } from './multipart';
import type { Session } from './session';
import type { Transfers } from './transfer_rules';

export interface Ticket {
  readonly upload_url: string;
  readonly upload_params: Readonly<Record<string, string>>;
  readonly file_param?: string;
}

interface Upload {
  readonly session: Session;
  /** The local path of the bytes. */
  readonly file: string;
  readonly name: string;
  readonly size: number;
  /** Only these bytes are sent; a file that changes meanwhile is refused as `Unsteady`. */
  readonly sha256?: string | undefined;
  /** Where a new file is announced: the address of a folder, a course or a user. */
  readonly address: string;
  readonly more: Readonly<Record<string, unknown>>;
  /** The same for every attempt with the same bytes for the same target. */
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called before the first byte is sent. */
  readonly onTicket?: (ticket: Ticket) => void;
  readonly transfers?: Transfers;
}

export interface Carrying extends Pick<Upload, 'session' | 'file' | 'name' | 'size' | 'sha256' | 'transfers'> {
  readonly once?: boolean;
}

/** The slowest speed before the connection counts as dead. */
const bytesPerMillisecond = 20;
export const patienceFor = (size: number): number => 60_000 + size / bytesPerMillisecond;

export async function uploadFile({
  session,
  file,
  name,
  size,
  sha256,
  address,
  more,
  key,
  transfers,
  ...given
}: Upload): Promise<FileJson> {
  const headers = { 'idempotency-key': key, ...given.headers };
  const ticket = await session.json<Ticket>(address, { method: 'POST', headers, json: { name, size, ...more } });
  given.onTicket?.(ticket);
  const result = await carry(ticket, { session, file, name, size, sha256, transfers, once: true });
  return result.size === undefined ? session.json<FileJson>(`/api/v1/files/${result.id}`) : result;
}

/** Some servers return the id only. */
type Carried = FileJson | { readonly id: number; readonly size?: undefined };

/** Sends the bytes to the address in the ticket, and returns the file that the server made of them. */
export async function carry(ticket: Ticket, { session, file, name, size, sha256, transfers, once }: Carrying): Promise<Carried> {
  const sending = multipart(ticket.upload_params, ticket.file_param ?? 'file', { file, name, size, sha256 });
  await transfers?.pass(size);
  const patience = patienceFor(size) + (size / (transfers?.rules().bandwidth ?? Number.POSITIVE_INFINITY)) * 1000;
  const signal = transfers?.signal;
  const answer = await session.ask(ticket.upload_url, { method: 'POST', sending, tries: 2, once, patience, signal, stays: true });
  const told = (await answer.json().catch(() => ({}))) as Partial<FileJson>;
  if (told.id !== undefined) return told as Carried;
  // A storage service redirects back to the server, which only then has the file: with the token, and under the address by which the server
  // is known here.
  const next = new URL(answer.headers.get('location') ?? answer.url, new URL(ticket.upload_url, session.url));
  return session.json<Carried>(next.pathname.startsWith('/api/v1/') ? `${next.pathname}${next.search}` : next.href);
}
