// The way from the ui to its host: Electron's bridge where there is one, else HTTP on loopback.

import type { Answer, Channel, Given, Notice } from './channels.ts';
import type { LetterFile } from './views/letters.ts';
import { t } from './words/texts.ts';

export interface Bridge {
  readonly call: <C extends Channel>(channel: C, given?: Given<C>) => Promise<Answer<C>>;
  readonly onNotice: (listener: (notice: Notice) => void) => () => void;
  /** Copies a file that the person has chosen to their work for an assignment. */
  readonly attach: (to: { readonly course_id: number; readonly id: number }, file: File) => Promise<void>;
  /** Copies a file that the person has chosen, to go with a letter or a reply. */
  readonly attachToLetter: (file: File) => Promise<LetterFile>;
  /** The host itself leads the browser to where a sign-in begins. */
  readonly opensBrowser?: boolean;
  /** Where readings are served apart from the ui; undefined where the ui frames them itself. */
  readonly readingsAt?: string;
}

declare global {
  interface Window {
    readonly carrel?: Bridge;
  }
}

/** The host knows no such visitor: the address was opened without the key that the program printed. */
export class Locked extends Error {}
/** Nothing answers: the desk's own program, not the course server, is gone. */
export class Unreachable extends Error {}

const everything: Notice = { changed: ['status', 'planner', 'courses', 'files', 'announcements', 'inbox', 'account', 'news'] };

const unreachable = () => {
  throw new Unreachable(t('host.silent'));
};

/** The page goes: what it still says is to be heard all the same. Browsers do that for so many bytes. */
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
    // A reconnection may have missed notices: read everything again.
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

/** Trades the key in the address (`#key=…`) for a session cookie, and takes it out of the address. */
export async function enterWithKey(): Promise<void> {
  const key = /^#key=([\w-]+)/.exec(location.hash)?.[1];
  if (!key || window.carrel) return;
  history.replaceState(null, '', `${location.pathname}#/today`);
  await post('/session', { key });
}
