// The fuzz run against a running service: the order of requests, what counts as broken, and new scenes when a request has destroyed one.

import type { Endpoint } from '@carrel/worker/http/endpoint';
import { endpoints, titleOf } from './every_endpoint';
import { aFuzzScene, type FuzzScene } from './fuzz_scene';
import { seeded } from './garbage';
import type { Person } from './ground';
import { deletesLast, type Issued, type Shot, shotHeaders, shotsAt } from './shots';

export interface Service {
  readonly url: string;
  /** The first token is an administrator's. */
  readonly tokens: readonly string[];
  /** The end of the service's output, if it can be read. */
  printed?(): string;
}

interface Found {
  readonly what: string;
  readonly curl: string;
}

export interface FuzzReport {
  readonly requests: number;
  readonly scenes: number;
  readonly seconds: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** By endpoint and kind. */
  readonly broken: ReadonlyMap<string, readonly Found[]>;
}

interface Wanted {
  readonly requests: number;
  readonly seed: number;
  readonly parallel: number;
  readonly only?: string;
  service(): Service;
  restart(): Promise<boolean>;
  say(text: string): void;
  /** Whether the run should end before all requests are sent. */
  isOver(): boolean;
}

const patience = 10_000;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const shorten = (text: string, to: number) => (text.length > to ? `${text.slice(0, to)}…` : text);

/** A shell command that repeats the request. */
function curlOf(url: string, shot: Shot): string {
  const headers = Object.entries(shotHeaders(shot)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = shot.body === undefined ? [] : ['--data-binary', quoted(shorten(shot.body, 2000))];
  return ['curl -i -g -X', shot.method, ...headers, ...body, quoted(`${url}${shorten(shot.address, 4000)}`)].join(' ');
}

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly link: string;
}

async function send(url: string, shot: Shot): Promise<Answered | undefined> {
  const request = () =>
    fetch(`${url}${shot.address}`, {
      method: shot.method,
      redirect: 'manual',
      headers: shotHeaders(shot),
      signal: AbortSignal.timeout(patience),
      ...(shot.body !== undefined && { body: shot.body }),
    });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await request();
      const text = new TextDecoder().decode(await response.arrayBuffer());
      // The local runtime's proxy returns its own error when the connection behind it breaks.
      if (response.status !== 500 || attempt === 3 || !text.includes('Network connection lost'))
        return { status: response.status, text, link: response.headers.get('link') ?? '' };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') return { status: 0, text: `no answer in ${patience / 1000} s`, link: '' };
      // Requests that a client cannot send say nothing about the service, nor does a Link header that is too long for this client.
      const { message, cause } = error as Error;
      if (/invalid|is not a legal|must be|Cannot convert|forbidden/i.test(message) || /HeadersOverflow/.test(String(cause)))
        return undefined;
      if (attempt === 3) return { status: 0, text: `no answer: ${String((error as Error).cause ?? error)}`, link: '' };
      await new Promise((resume) => setTimeout(resume, 200 * attempt));
    }
  }
}

/** The newest bookmarks and cursors from responses. */
function gather(issued: { bookmarks: string[]; cursors: string[] }, { text, link }: Answered): void {
  const bookmark = /[?&]page=(bookmark:[^&>]+)[^>]*>; rel="next"/.exec(link)?.[1];
  if (bookmark) issued.bookmarks.push(decodeURIComponent(bookmark));
  const cursor = /"cursor":"([\w-]+)"/.exec(text)?.[1];
  if (cursor) issued.cursors.push(cursor);
  for (const texts of [issued.bookmarks, issued.cursors]) if (texts.length > 50) texts.splice(0, texts.length - 50);
}

/** What the service has logged about an internal error. */
function causeOf({ text }: Answered, { printed }: Service): string {
  const id = /"error_report_id":"([\w-]+)"/.exec(text)?.[1];
  const line =
    id === undefined
      ? undefined
      : printed?.()
          .split('\n')
          .findLast((one) => one.includes(id));
  return /"error":"(.*)"/.exec(line ?? '')?.[1]?.replaceAll('\\n', '\n') ?? text;
}

const isUsable = async (url: string, scene: FuzzScene): Promise<boolean> => {
  const looks: readonly (readonly [Person, string])[] = [
    [scene.root, `/api/v1/accounts/1`],
    [scene.teacher, `/api/v1/courses/${scene.course.id}`],
    [scene.student, `/api/v1/courses/${scene.course.id}`],
  ];
  const answers = await Promise.all(looks.map(([person, address]) => send(url, { method: 'GET', address, person })));
  return answers.every((answer) => answer?.status === 200);
};

/** A new scene. A second failure restarts the service, a third ends the run. */
async function newScene({ service, restart, say }: Wanted): Promise<FuzzScene> {
  for (let attempt = 1; ; attempt += 1) {
    const { url, tokens } = service();
    try {
      return await aFuzzScene({ fetch: fetch as never, url, token: tokens[0] as string });
    } catch (error) {
      if (attempt > 2) throw error;
      say(String(error));
      if (attempt === 2 && !(await restart())) throw error;
    }
  }
}

/** What a run has sent and found so far. */
class Tally {
  sent = 0;
  readonly statuses = new Map<number, number>();
  readonly broken = new Map<string, Found[]>();
  readonly issued = { bookmarks: [] as string[], cursors: [] as string[] } satisfies Issued;

  constructor(
    private readonly service: Wanted['service'],
    private readonly say: Wanted['say'],
  ) {}

  add(endpoint: Endpoint, shot: Shot, answer: Answered, url: string): void {
    this.sent += 1;
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    gather(this.issued, answer);
    if (answer.status !== 0 && answer.status < 500) return;
    const kind = `${titleOf(endpoint)} ${answer.status === 0 ? 'no answer' : answer.status}`;
    const found = this.broken.get(kind) ?? [];
    found.push({ what: shorten(causeOf(answer, this.service()), 800), curl: curlOf(url, shot) });
    this.broken.set(kind, found);
    if (found.length === 1) this.say(`${kind} by ${shot.person.name}\n  ${found[0]?.what}\n  ${shorten(found[0]?.curl ?? '', 1500)}`);
  }
}

/** Sends this many requests, cycling through all endpoints. */
export async function fuzz(wanted: Wanted): Promise<FuzzReport> {
  const { requests, seed, parallel, only, service, say, isOver } = wanted;
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const dice = seeded(seed);
  const chosen = deletesLast(endpoints.filter((endpoint) => only === undefined || titleOf(endpoint).includes(only)));
  if (chosen.length === 0) throw new Error(`no endpoint is called ${only}`);
  const tally = new Tally(service, say);
  const isDone = () => tally.sent >= requests || isOver();
  let scenes = 1;
  let scene = await newScene(wanted);

  /** The requests to an endpoint; some of them with other tokens than those of the scene. */
  const shotsTo = (endpoint: Endpoint): Shot[] => {
    const others = service()
      .tokens.slice(1)
      .map((token): Person => ({ ...scene.stranger, name: 'caller', token }));
    return [...shotsAt(endpoint, scene, 1, dice, tally.issued)].map((shot) =>
      others.length > 0 && dice.chance(0.05) ? { ...shot, person: dice.pick(others) } : shot,
    );
  };
  const shoot = async (endpoint: Endpoint, url: string): Promise<void> => {
    const shots = shotsTo(endpoint);
    for (let at = 0; at < shots.length && !isDone(); at += parallel) {
      const some = shots.slice(at, at + parallel);
      const answers = await Promise.all(some.map((shot) => send(url, shot)));
      for (const [nth, answer] of answers.entries()) if (answer) tally.add(endpoint, some[nth] as Shot, answer, url);
    }
  };

  let said = started;
  for (let round = 1; !isDone(); round += 1)
    for (const endpoint of chosen) {
      if (isDone()) break;
      const { url } = service();
      await shoot(endpoint, url);
      // Reads destroy nothing.
      if (endpoint.method !== 'GET' && !(await isUsable(url, scene))) {
        scene = await newScene(wanted);
        scenes += 1;
      }
      if (Date.now() - said < 60_000) continue;
      said = Date.now();
      say(`round ${round}: ${tally.sent} requests, ${scenes} scenes, ${seconds()} s`);
    }
  return { requests: tally.sent, scenes, seconds: seconds(), statuses: tally.statuses, broken: tally.broken };
}
