// How the UI reaches its host: Electron's bridge if there is one, else HTTP on loopback.

import type { ChangeNotice, Channel, ChannelParams, ChannelResult } from '../contract/channels.ts';
import type { MessageFile } from '../contract/conversations.ts';
import { t } from '../language/texts.ts';

export interface Bridge {
  readonly call: <C extends Channel>(channel: C, given?: ChannelParams<C>) => Promise<ChannelResult<C>>;
  readonly onNotice: (listener: (notice: ChangeNotice) => void) => () => void;
  /** Copies a file that the user has chosen into a submission draft. */
  readonly attach: (to: { readonly course_id: number; readonly id: number }, file: File) => Promise<void>;
  /** Copies a file that the user has chosen, to attach it to a message or reply. */
  readonly attachToLetter: (file: File) => Promise<MessageFile>;
  /** The host opens the browser for a sign-in itself. */
  readonly opensBrowser?: boolean;
  /** The origin that serves readings apart from the UI; undefined where the UI frames them itself. */
  readonly readingsAt?: string;
}

declare global {
  interface Window {
    readonly carrel?: Bridge;
  }
}

/** The host rejects this visitor: the address was opened without the key that the program printed. */
export class Locked extends Error {}
/** The host itself, not the course server, does not respond. */
export class Unreachable extends Error {}

const everything: ChangeNotice = { changed: ['status', 'planner', 'courses', 'files', 'announcements', 'inbox', 'account', 'news'] };

const unreachable = () => {
  throw new Unreachable(t('host.silent'));
};

/** Sent while the page closes: browsers deliver such requests (`keepalive`) up to this many bytes. */
let isLeaving = false;
window.addEventListener('pagehide', () => {
  isLeaving = true;
});
window.addEventListener('pageshow', () => {
  isLeaving = false;
});
const heardAtMost = 60_000;

function post(path: string, given: unknown) {
  const body = JSON.stringify(given ?? null);
  const keepalive = isLeaving && body.length < heardAtMost;
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body, keepalive }).catch(unreachable);
}

async function answered(response: Response) {
  if (response.status === 401) throw new Locked(t('host.needsKey'));
  const body = await response.json().catch(() => ({ error: t('host.answered', { status: response.status }) }));
  if (!response.ok) throw new Error(body.error);
  return body.answer;
}

async function send(place: string, file: File) {
  const address = `/attach/${place}?${new URLSearchParams({ name: file.name })}`;
  const headers = { 'content-type': 'application/octet-stream' };
  return answered(await fetch(address, { method: 'POST', headers, body: file }).catch(unreachable));
}

const overHttp: Bridge = {
  async attach({ course_id, id }, file) {
    await send(`${course_id}/${id}`, file);
  },
  attachToLetter: (file) => send('letter', file),
  async call(channel, given) {
    return answered(await post(`/channel/${channel}`, given));
  },
  onNotice(listener) {
    const events = new EventSource('/notices');
    events.onmessage = (event) => listener(JSON.parse(event.data));
    // Notices may have been missed while disconnected, so everything is read again.
    let openedBefore = false;
    events.onopen = () => {
      if (openedBefore) listener(everything);
      openedBefore = true;
    };
    events.onerror = () => listener({ changed: ['status'] });
    return () => events.close();
  },
};

export const host: Bridge = window.carrel ?? overHttp;
export const call = host.call;

/** Exchanges the key in the address (`#key=…`) for a session cookie and removes it from the address. */
export async function enterWithKey(): Promise<void> {
  const key = /^#key=([\w-]+)/.exec(location.hash)?.[1];
  if (!key || window.carrel) return;
  history.replaceState(null, '', `${location.pathname}#/today`);
  await post('/session', { key });
}
