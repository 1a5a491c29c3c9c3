// The people and courses of the replayed day, and what all actions share.

import { type Answer, type Client, clientOf, type Fetch } from '../../support/client';
import { crowdTokenOf } from '../crowd';
import { type Built, content, measuredCourses, tokenOf } from '../measured';

export interface Action {
  /** Done once before, and not counted. */
  readonly prepare?: () => Promise<unknown>;
  readonly run: (nth: number) => Promise<unknown>;
  /** How often; 8 by default. */
  readonly times?: number;
  /** Creates notifications: the ticks that send them are part of it. */
  readonly notifies?: true;
  /** Takes no part in the pace of requests. */
  readonly isUnpaced?: true;
}

export interface ActionScene {
  readonly url: URL;
  readonly built: Built;
  /** The users behind `crowdTokenOf`. */
  readonly ids: readonly number[];
  readonly password: string;
  /** Observes the requests. */
  readonly fetching?: Fetch;
  readonly openSocket: (token: string) => Promise<unknown>;
  readonly tick: (at: number) => Promise<void>;
}

export const accepted = (answer: Answer): Answer['body'] => {
  if (answer.status >= 400) throw new Error(`${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`);
  return answer.body;
};

export const megabyte = 1_000_000;

/** The three steps of an upload. */
export async function uploadMegabyte(client: Client, path: string, name: string): Promise<number> {
  const ticket = accepted(await client.post(path, { name, size: megabyte, content_type: 'application/pdf' }));
  const form = new FormData();
  for (const [key, value] of Object.entries(ticket.upload_params as Record<string, string>)) form.append(key, value);
  form.append('file', new Blob([crypto.getRandomValues(new Uint8Array(65_536)), new Uint8Array(megabyte - 65_536)]), name);
  const response = await fetch(ticket.upload_url, { method: 'POST', body: form });
  const file = (await response.json()) as { id: number };
  if (response.status !== 201) throw new Error(`${response.status} ${JSON.stringify(file)}`);
  return file.id;
}

export function sceneOf(scene: ActionScene) {
  const at = (table: string) => scene.built.firsts[table] ?? 0;
  const client = (token: string) => clientOf(scene.fetching ?? ((to, init) => fetch(to, init)), scene.url.origin, token);
  const clients = scene.ids.map((_, nth) => client(crowdTokenOf(nth)));
  const courseOf = (nth: number) => at('courses') + (nth % measuredCourses);
  return {
    ...scene,
    at,
    courseOf,
    student: (nth: number) => clients[nth % clients.length] as Client,
    teacher: client(tokenOf('teacher')),
    admin: client(tokenOf('admin')),
    /** The nth row of a table in the course of the nth call. */
    inCourse: (nth: number, table: keyof typeof content, from: string) => at(from) + (nth % measuredCourses) * content[table],
    idOf: (nth: number): number => scene.ids[nth % scene.ids.length] ?? 0,
  };
}
export type BillScene = ReturnType<typeof sceneOf>;
