// Uploads: in three steps, as Canvas has them, and in parts where a file is large and the server offers it.

import type { FileJson } from '../model/resources';
import type { UserStore } from '../store/user';
import { multipart } from './multipart';
import type { Session } from './session';
import { patienceFor, type Transfers } from './transfer_rules';
import { isInParts, sendInParts } from './upload_parts';

export interface Ticket {
  readonly upload_url: string;
  readonly upload_params: Readonly<Record<string, string>>;
  readonly file_param?: string;
  /** The server takes the file in parts, too. */
  readonly parts_url?: string;
}

export interface Carrying {
  readonly session: Session;
  /** The local path of the bytes. */
  readonly file: string;
  readonly name: string;
  readonly size: number;
  /** Only these bytes are sent; a file that changes meanwhile is refused as `Unsteady`. */
  readonly sha256: string;
  readonly transfers?: Transfers | undefined;
  readonly once?: boolean;
}

interface Sending extends Carrying {
  /** Where it is kept which upload in parts has begun. */
  readonly user: UserStore;
  /** Where a new file is announced: the address of a folder, a course or a user. */
  readonly address: string;
  /** The same for every attempt with the same bytes for the same target. */
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
  /** Called before the first byte is sent. */
  readonly onTicket?: (ticket: Ticket) => void;
  /** Called with the bytes of a large file that have arrived so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** Asks for a ticket and sends the bytes. Large files continue where an earlier attempt has stopped. */
export async function uploadBytes(given: Sending): Promise<Carried> {
  const { session, name, size, address, more, headers, onTicket } = given;
  const inParts = isInParts(size, session);
  const ask = async () => {
    const json = { name, size, ...(inParts && { in_parts: true }), ...more };
    const answered = await session.json<Ticket & { readonly attachments?: readonly Ticket[] }>(address, {
      method: 'POST',
      ...(headers && { headers }),
      json,
    });
    // Canvas wraps the ticket for an answer to a quiz question.
    const ticket = answered.attachments?.[0] ?? answered;
    onTicket?.(ticket);
    return ticket;
  };
  if (!inParts) return carry(await ask(), given);
  // A server without parts takes the file in one request.
  let whole: Ticket | undefined;
  const params = async () => {
    const ticket = await ask();
    if (ticket.parts_url !== undefined) return ticket.upload_params;
    whole = ticket;
    return undefined;
  };
  const sent = await sendInParts(params, { ...given, target: `${address}/${name}` });
  return sent ?? carry(whole ?? (await ask()), given);
}

/** For requests that may be repeated: the key makes the server answer with the same ticket. */
export async function uploadFile({ headers, ...given }: Sending): Promise<FileJson> {
  const result = await uploadBytes({ ...given, once: true, headers: { 'idempotency-key': given.key, ...headers } });
  return result.size === undefined ? given.session.json<FileJson>(`/api/v1/files/${result.id}`) : result;
}

/** Some servers return the id only. */
type Carried = FileJson | { readonly id: number; readonly size?: undefined };

/** Sends the bytes to the address in the ticket, and returns the file that the server made of them. */
async function carry(ticket: Ticket, { session, file, name, size, sha256, transfers, once }: Carrying): Promise<Carried> {
  const sending = multipart(ticket.upload_params, ticket.file_param ?? 'file', { file, name, size, sha256 });
  await transfers?.pass(size);
  const patience = patienceFor(size, transfers);
  const signal = transfers?.signal;
  const answer = await session.ask(ticket.upload_url, { method: 'POST', sending, tries: 2, once, patience, signal, stays: true });
  const told = (await answer.json().catch(() => ({}))) as Partial<FileJson>;
  if (told.id !== undefined) return told as Carried;
  // A storage service redirects back to the server, which only then has the file: with the token, and under the address by which the server
  // is known here.
  const next = new URL(answer.headers.get('location') ?? answer.url, new URL(ticket.upload_url, session.url));
  return session.json<Carried>(next.pathname.startsWith('/api/v1/') ? `${next.pathname}${next.search}` : next.href);
}
