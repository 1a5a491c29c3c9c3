// The responses of the web host: the UI's files, the channels, and the files of the study folder.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { callByName, type Desk, isChannel } from '../desk.ts';
import { byteRangeOf, localFile } from '../localFile.ts';
import { isOfUi, uiTypes } from '../uiFiles.ts';
import { reveal } from './reveal.ts';
import { policyFor, uiPolicy } from './walls.ts';

const bodyLimit = 1_000_000;

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }).end(JSON.stringify(body));
}

/** A JSON request body; pages of other origins cannot send this content type without a CORS preflight. */
export async function requestBodyOf(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json')) throw new Error('The request body must be JSON.');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > bodyLimit) throw new Error('The request is too large.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null');
}

export async function answerChannel(desk: Desk, name: string, request: IncomingMessage, response: ServerResponse) {
  if (!isChannel(name)) return sendJson(response, 404, { error: `There is no channel ${name}.` });
  try {
    const given = (await requestBodyOf(request)) ?? undefined;
    sendJson(response, 200, { answer: (await answerOf(desk, name, given)) ?? null });
  } catch (failure) {
    sendJson(response, 400, { error: failure instanceof Error ? failure.message : String(failure) });
  }
}

async function answerOf(desk: Desk, name: Parameters<typeof callByName>[1], given: unknown) {
  // A page knows no local paths, so it uploads the bytes.
  if (name === 'work.attach' || name === 'letter.attach') throw new Error('Send the file itself.');
  if (name === 'folders.reveal') return revealFolder(desk, given);
  if (name !== 'file.open' && name !== 'file.reveal') return callByName(desk, name, given);
  const { id } = given as { id: number };
  const file = await localFile(desk, id);
  if (!file) return null;
  if (name === 'file.reveal') return reveal(file.path);
  return { path: file.path, url: `/files/${id}/${encodeURIComponent(basename(file.path))}` };
}

/** Only the engine says which folder it is. */
async function revealFolder(desk: Desk, given: unknown) {
  const { folder } = await desk['folders.state']({ course_id: Number((given as { course_id?: unknown }).course_id) });
  return folder === null ? null : reveal(folder);
}

/** Streams a file that the user has chosen into the engine's storage. */
export async function answerAttached(desk: Desk, store: string, place: string, request: IncomingMessage, response: ServerResponse) {
  const [, course_id, id] = /^(\d+)\/(\d+)$/.exec(place) ?? [];
  const name = basename(new URL(request.url ?? '/', 'http://desk').searchParams.get('name') ?? '');
  const isLetter = place === 'letter';
  if ((!id && !isLetter) || name === '') return sendJson(response, 404, { error: 'Not found.' });
  const path = join(store, `arriving-${randomUUID()}`);
  try {
    await pipeline(request, createWriteStream(path, { mode: 0o600 }));
    const answer = isLetter
      ? await desk['letter.attach']({ name, path })
      : await desk['work.attach']({ course_id: Number(course_id), id: Number(id), name, path });
    sendJson(response, 200, { answer });
  } catch (failure) {
    sendJson(response, 400, { error: failure instanceof Error ? failure.message : String(failure) });
  } finally {
    await rm(path, { force: true });
  }
}

export async function answerFile(desk: Desk, id: number, request: IncomingMessage, response: ServerResponse) {
  const file = await localFile(desk, id);
  if (!file) return sendJson(response, 404, { error: 'This file is not on this computer.' });
  const range = byteRangeOf(request.headers.range, file.size);
  response.writeHead(range ? 206 : 200, {
    'content-type': file.type ?? 'application/octet-stream',
    'content-length': range ? range.end - range.start + 1 : file.size,
    'content-disposition': `${file.type ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(basename(file.path))}`,
    'content-security-policy': policyFor(file.type),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  });
  const bytes = createReadStream(file.path, range);
  // The client or the file may be gone by now; there is no one left to report it to.
  bytes.on('error', () => undefined);
  // A client that closes the connection is not an error.
  await pipeline(bytes, response).catch(() => undefined);
}

/** The UI contains no secrets: it is served to any local user, and shows nothing without the cookie. */
export async function answerUi(ui: string, path: string, response: ServerResponse) {
  const name = path === '/' ? 'index.html' : path.slice(1);
  const type = uiTypes[extname(name)];
  const content = type && isOfUi(name) ? await readFile(join(ui, name)).catch(() => undefined) : undefined;
  if (!content || !type) return sendJson(response, 404, { error: 'Not found.' });
  response.writeHead(200, {
    'content-type': type,
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(name === 'index.html' ? { 'content-security-policy': uiPolicy } : {}),
  });
  response.end(content);
}
