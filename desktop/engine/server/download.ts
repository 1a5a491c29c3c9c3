// One download: to the staging folder, verified before it becomes visible, and continued after an interruption.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../disk/durable';
import type { Wanted } from '../model/trees';
import { isVersion } from './canvas/version';
import { Declined, type Session, Troubled } from './session';
import type { Transfers } from './transfer_rules';

/** The server sent other bytes than announced. */
export class WrongBytes extends Error {
  override readonly name = 'WrongBytes';
}

/** Small enough to hold in memory and to verify before a byte is written. */
const small = 256 * 1024;
const tries = 4;
const silence = 60_000;

export interface Transfer {
  readonly session: Session;
  /** The staging folder; it exists. */
  readonly folder: string;
  /** Its name in the folder; another version of the file has another name. */
  readonly name: string;
  readonly url: string;
  /** Requested without a token. */
  readonly isBare?: boolean;
  readonly wanted: Wanted;
  readonly onBytes?: (count: number) => void;
  /** Limits the speed, and aborts the download. */
  readonly transfers?: Pick<Transfers, 'pass' | 'signal'>;
}

/** Returns the hash of the bytes. */
export async function downloadFile(transfer: Transfer): Promise<string> {
  const { session, wanted } = transfer;
  for (let nth = 1; ; nth++) {
    try {
      return await (wanted.size <= small ? whole(transfer) : resumed(transfer));
    } catch (problem) {
      // The session has already retried refused requests; here only the body is retried.
      const isBody = problem instanceof WrongBytes || isCutOff(problem);
      if (!isBody || nth === (problem instanceof WrongBytes ? 2 : tries)) throw problem;
      await session.pause(nth);
    }
  }
}

async function whole({ session, folder, name, url, isBare, wanted, onBytes, transfers }: Transfer): Promise<string> {
  await transfers?.pass(wanted.size);
  const response = await session.ask(url, { isBare, signal: also(AbortSignal.timeout(silence), transfers) });
  const size = sizeOf(response, wanted);
  const bytes = await response.bytes();
  const digest = verified(createHash('sha256').update(bytes), bytes.length, size ?? bytes.length, wanted);
  onBytes?.(bytes.length);
  writeDurably(join(folder, name), bytes, wanted.modified);
  return digest;
}

async function resumed(transfer: Transfer): Promise<string> {
  const { session, folder, name, url, isBare, wanted, transfers } = transfer;
  const path = join(folder, name);
  const begun = await begunAt(path, wanted);
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('the server stopped sending')), silence);
  const headers = begun && { range: `bytes=${begun.length}-`, 'if-range': begun.etag };
  try {
    const response = await session.ask(url, { headers, isBare, signal: also(stalled.signal, transfers) });
    const size = sizeOf(response, wanted);
    const isContinued = response.status === 206 && begun !== undefined && startOf(response) === begun.length;
    const given = response.headers.get('etag');
    // A weak ETag does not guarantee equal bytes.
    if (given && !given.startsWith('W/')) await writeFile(`${path}.etag`, given);
    const file = await open(path, isContinued ? 'r+' : 'w+');
    let digest: string;
    try {
      digest = await receive(response, file, { transfer, size, from: isContinued ? begun.length : 0, onChunk: () => timer.refresh() });
      // The server's date makes a later edit visible even if the disk's clock is coarse.
      if (wanted.modified) await file.utimes(wanted.modified, wanted.modified);
    } finally {
      await file.close();
    }
    await rm(`${path}.etag`, { force: true });
    return digest;
  } catch (problem) {
    if (problem instanceof WrongBytes || (problem instanceof Declined && problem.status === 416)) {
      await rm(path, { force: true });
      await rm(`${path}.etag`, { force: true });
    }
    throw problem;
  } finally {
    clearTimeout(timer);
  }
}

/** An interrupted download that can be continued. */
async function begunAt(path: string, wanted: Wanted): Promise<{ readonly etag: string; readonly length: number } | undefined> {
  const etag = await readFile(`${path}.etag`, 'utf8').catch(() => undefined);
  if (etag === undefined) return undefined;
  const length = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  return length > 0 && length < wanted.size ? { etag, length } : undefined;
}

interface Receiving {
  readonly transfer: Transfer;
  /** The expected number of bytes; undefined: any. */
  readonly size: number | undefined;
  /** Bytes that are there already. */
  readonly from: number;
  readonly onChunk: () => void;
}

/** Returns the hash of the whole file. */
async function receive(response: Response, file: FileHandle, { transfer, size, from, onChunk }: Receiving): Promise<string> {
  const { wanted, onBytes, transfers } = transfer;
  const hash = createHash('sha256');
  let length = from === 0 ? 0 : await hashStart(file, from, hash);
  for await (const chunk of response.body ?? []) {
    await transfers?.pass(chunk.length);
    onChunk();
    if (size !== undefined && length + chunk.length > size) throw new WrongBytes('more bytes than the server announced');
    await writeWhole(file, chunk, length);
    hash.update(chunk);
    length += chunk.length;
    onBytes?.(chunk.length);
  }
  return verified(hash, length, size ?? length, wanted);
}

const also = (signal: AbortSignal, transfers: Transfer['transfers']): AbortSignal =>
  transfers ? AbortSignal.any([signal, transfers.signal]) : signal;

/** The hash starts again with every try: continued across a retry it would cover bytes twice. */
async function hashStart(file: FileHandle, length: number, hash: Hash): Promise<number> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  let at = 0;
  while (at < length) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), at);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
  return at;
}

/** A disk that is nearly full accepts part of a write, and refuses only the rest. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, at + written);
    written += bytesWritten;
  }
}

/**
 * The expected number of bytes; undefined: any. A server without hashes may report a wrong or no size: then the length of the
 * response counts, unless it is an HTML page in place of the file.
 */
function sizeOf({ headers, status }: Response, { hash, path, size }: Wanted): number | undefined {
  if (!isVersion(hash)) return size;
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && !/\.html?$/i.test(path)) throw new WrongBytes('the server sent a web page instead of the file');
  const whole = status === 206 ? headers.get('content-range')?.split('/')[1] : headers.get('content-length');
  if (isPage || !whole || headers.has('content-encoding')) return size || undefined;
  return Number(whole);
}

function verified(hash: Hash, length: number, size: number, wanted: Wanted): string {
  if (length !== size) throw new WrongBytes(`received ${length} bytes instead of ${size}`);
  const digest = hash.digest('hex');
  if (digest !== wanted.hash && !isVersion(wanted.hash)) throw new WrongBytes('the bytes are not those the server announced');
  return digest;
}

const startOf = (response: Response): number =>
  Number(/^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN);

/** fetch reports a connection that ends too early as a TypeError, or aborts with the reason of the timer. */
const isCutOff = (problem: unknown): boolean =>
  !(problem instanceof Declined || problem instanceof Troubled) &&
  problem instanceof Error &&
  (problem.name === 'TypeError' ||
    problem.name === 'TimeoutError' ||
    problem.name === 'AbortError' ||
    problem.message === 'the server stopped sending');
