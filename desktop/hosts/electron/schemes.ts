// The two schemes: `app:` for the UI and the files of the study folder, `course:` for course texts.

import { createReadStream, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { net, protocol } from 'electron';
import type { Reference } from '../../contract/reading.ts';
import type { VersionKey } from '../../contract/versions.ts';
import { readingDocument, readingPolicy } from '../../ui/reader/document.ts';
import { byteRangeOf, localFile } from '../localFile.ts';
import { isOfUi, uiTypes } from '../uiFiles.ts';
import { policyFor } from '../web/walls.ts';
import type { EngineProcess } from './engine.ts';
import { deskAddress, policy, schemes } from './rules.ts';

/** Must run before the app is ready. */
export const declareSchemes = () => protocol.registerSchemesAsPrivileged([...schemes]);

const nothing = () => new Response('There is nothing here.', { status: 404 });

const asDesk = (engine: EngineProcess): Parameters<typeof localFile>[0] => ({
  'file.open': (given) => engine.call('file.open', given),
  'sync.status': (given) => engine.call('sync.status', given),
});

export const localFileOf = (engine: EngineProcess, id: number) => localFile(asDesk(engine), id);

export function serveSchemes({ engine, ui }: { engine: EngineProcess; ui: string }) {
  const built = readdirSync(join(ui, 'assets'));
  const sheet = (name: string) => `${deskAddress}assets/${built.find((one) => new RegExp(`^${name}-.*\\.css$`).test(one))}`;

  protocol.handle('app', async (request) => {
    const { host, pathname } = new URL(request.url);
    if (host !== 'desk' || request.method !== 'GET') return nothing();
    const id = /^\/files\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
    if (id) return courseFile(Number(id), request);
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const type = uiTypes[extname(name)];
    if (!type || !isOfUi(name)) return nothing();
    const found = await net.fetch(pathToFileURL(join(ui, name)).href).catch(nothing);
    return new Response(found.body, {
      status: found.status,
      // A reading has its own origin and loads its fonts and style sheet from here.
      headers: {
        'content-type': type,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
      },
    });
  });

  async function courseFile(id: number, request: Request) {
    const file = await localFileOf(engine, id);
    if (!file) return nothing();
    // Read directly, because `net` does not report which range of a file it returns.
    const range = byteRangeOf(request.headers.get('range'), file.size);
    return new Response(Readable.toWeb(createReadStream(file.path, range)) as ReadableStream, {
      status: range ? 206 : 200,
      headers: {
        'accept-ranges': 'bytes',
        'content-length': String(range ? range.end - range.start + 1 : file.size),
        ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
        'content-type': file.type ?? 'application/octet-stream',
        'content-security-policy': policyFor(file.type),
        'x-content-type-options': 'nosniff',
      },
    });
  }

  /** The current file, or an earlier version. */
  async function readingAt(engine: EngineProcess, reference: Reference, asked: URLSearchParams) {
    const key = asked.get('version');
    if (key === null) return engine.call('reader.open', reference);
    const version = await engine.call('versions.open', { reference, key: key as VersionKey });
    return asked.has('compared') ? version?.compared : version?.as_it_was;
  }

  protocol.handle('course', async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const [, kind, course_id, id] = /^\/(page|assignment|discussion_topic|syllabus|file)\/(-?\d+)\/(\d+)$/.exec(pathname) ?? [];
    if (!kind) return nothing();
    const reference: Reference = { kind: kind as 'page', course_id: Number(course_id), id: Number(id) };
    const reading = await readingAt(engine, reference, searchParams);
    if (!reading) return nothing();
    const html = readingDocument(reading, {
      styleSheet: sheet('reading'),
      scripts: sheet('scripts'),
      theme: searchParams.get('theme') || undefined,
      letters: Number(searchParams.get('letters')) || 1,
      base: deskAddress,
    });
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `${readingPolicy('app:')}; sandbox allow-top-navigation-by-user-activation allow-popups`,
        'x-content-type-options': 'nosniff',
      },
    });
  });
}
