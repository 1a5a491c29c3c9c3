// The desk in a browser: UI and engine on loopback, for computers without Electron, for development and for tests.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDesk } from '../../engine/desk.ts';
import type { Desk } from '../desk.ts';
import { answerAttached, answerChannel, answerFile, answerUi, requestBodyOf, sendJson } from './answers.ts';
import { buildUi, builtUi } from './build.ts';
import { openNotices } from './notices.ts';
import { openWebSession } from './session.ts';
import { everywhere, refusalReason } from './walls.ts';

export const usualPort = 8788;

interface Served {
  /** The address with its key, for the user to open. */
  readonly url: string;
  readonly port: number;
  readonly desk: Desk;
  readonly close: () => Promise<void>;
}

export interface Serving {
  /** 0: any free port. */
  readonly port?: number;
  /** The folder for the databases and the key. */
  readonly store: string;
  /** The study folder; the user may choose another one at sign-in. */
  readonly folder?: string;
  /** Signs in at the start if no account is signed in: for the demo. */
  readonly account?: { readonly url: string; readonly token: string };
  /** Replaces the engine in tests. */
  readonly desk?: Desk;
  /** A UI built elsewhere; by default the host builds its own when it is missing or older than its sources. */
  readonly ui?: string;
}

/** What is at an address below its name, for requests that the session admits. */
interface Area {
  /** Any, if missing. */
  readonly method?: 'GET' | 'POST';
  readonly answer: (request: IncomingMessage, response: ServerResponse, rest: string) => unknown;
}

export async function serveDesk({ port = usualPort, store, folder, account, desk: given, ui }: Serving): Promise<Served> {
  if (!ui) await buildUi();
  const desk = given ?? (await openDesk({ store, folder }));
  const session = openWebSession(store);
  const notices = openNotices(desk);
  let listening = port;

  const open = async (request: IncomingMessage, response: ServerResponse) => {
    const { key } = ((await requestBodyOf(request)) ?? {}) as { key?: unknown };
    if (request.method !== 'POST' || !session.isKey(key)) return sendJson(response, 401, { error: 'The key is wrong.' });
    return sendJson(response, 200, {}, { 'set-cookie': session.cookie(listening) });
  };
  const areas: ReadonlyMap<string, Area> = new Map<string, Area>([
    ['notices', { answer: (_, response) => notices.join(response) }],
    ['files', { method: 'GET', answer: (request, response, id) => answerFile(desk, Number.parseInt(id, 10), request, response) }],
    ['attach', { method: 'POST', answer: (request, response, name) => answerAttached(desk, store, name, request, response) }],
    ['channel', { method: 'POST', answer: (request, response, name) => answerChannel(desk, name, request, response) }],
  ]);
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(everywhere)) response.setHeader(name, value);
    const refused = refusalReason(request, listening);
    if (refused) return sendJson(response, 403, { error: refused });
    const { pathname } = new URL(request.url ?? '/', 'http://desk');
    const [, name = '', rest = ''] = /^\/(session|channel|notices|files|attach)(?:\/(.*))?$/.exec(pathname) ?? [];
    if (name === 'session') return open(request, response);
    const area = areas.get(name);
    if (!area) return answerUi(ui ?? builtUi, pathname, response);
    if (!session.admits(request, listening)) return sendJson(response, 401, { error: 'This desk is locked.' });
    if (area.method && area.method !== request.method) return sendJson(response, 405, { error: 'This method is not allowed.' });
    return area.answer(request, response, rest);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: failure instanceof Error ? failure.message : String(failure) });
    });
  });
  listening = await listen(server, port);

  if (account && !(await desk['account.current'](undefined)))
    await desk['account.login']({ ...account, folder }).catch((failure: Error) => {
      // The desk still opens, with its sign-in screen.
      console.error(`The desk could not sign in: ${failure.message}`);
    });

  return {
    url: `http://127.0.0.1:${listening}/#key=${session.key}`,
    port: listening,
    desk,
    async close() {
      notices.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await desk.close();
    },
  };
}

/** Returns the port. */
async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) =>
      reject(
        failure.code === 'EADDRINUSE' ? new Error(`Port ${port} is taken. Choose another for the desk: DESK_PORT=${port + 1}`) : failure,
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}
