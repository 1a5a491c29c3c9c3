// A desk of the simulation: the real engine with its real stores and the real disk, in a folder in memory, with a gate at every await.

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storeOf } from '@carrel/desktop/engine/accounts/account';
import { Workspace } from '@carrel/desktop/engine/accounts/workspace';
import { diskAt } from '@carrel/desktop/engine/disk/disk';
import { chooseFolder } from '@carrel/desktop/engine/disk/folder';
import type { Disk } from '@carrel/desktop/engine/model/ports';
import { openCache } from '@carrel/desktop/engine/store/cache';
import { openUser } from '@carrel/desktop/engine/store/user';
import type { SyncReport } from '@carrel/desktop/engine/sync/engine';
import { type Schedule, watchCommits } from './schedule';
import type { ModelServer } from './server';

/** What goes wrong with one request: it never arrives, its response never arrives, or it arrives twice. */
export type SimulatedFault = 'unsent' | 'unanswered' | 'twice';

interface Around {
  readonly schedule: Schedule;
  readonly server: ModelServer;
  readonly now: () => Date;
  readonly fault: (desk: string, method: string, path: string) => SimulatedFault | undefined;
}

const ground = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'carrel-simulated-'));
process.once('exit', () => rmSync(ground, { recursive: true, force: true }));
let made = 0;

/** Calls that wait at a gate; all others return at once. */
const awaited: ReadonlySet<PropertyKey> = new Set<keyof Disk>([
  'scan',
  'below',
  'hash',
  'copy',
  'place',
  'move',
  'remove',
  'trash',
  'tidy',
  'moveFolder',
  'makeFolder',
  'dropFolder',
  'room',
]);
/** A new one each time: what waits for a promise is kept in memory as long as the promise is. */
const never = () => new Promise<never>(() => {});

export class SimulatedDesk {
  readonly home = join(ground, `${made++}`);
  readonly folder = join(this.home, 'study');
  readonly #store = join(this.home, 'stores');
  readonly #stopWatching: () => void;
  #study: Workspace | undefined;
  #untilDeath = Number.POSITIVE_INFINITY;
  /** Increases with each start of the program: calls of an earlier one never return. */
  #life = 0;
  #running = false;
  #isDead = false;
  /** Points at which the program could have crashed, in the current or last sync. */
  points = 0;
  report: SyncReport | undefined;
  /** An error that the engine threw, which must never happen. */
  problem: unknown;

  constructor(
    readonly name: string,
    private readonly around: Around,
  ) {
    const signedIn = this.#signedIn();
    mkdirSync(this.#store, { recursive: true });
    cpSync(pristine(), storeOf(this.#store, signedIn), { recursive: true });
    const user = openUser(join(storeOf(this.#store, signedIn), 'user.db'), around.now);
    chooseFolder(user, this.folder, 'one person');
    user.close();
    mkdirSync(join(this.folder, 'My files'));
    this.#stopWatching = watchCommits(this.#store, (what) => this.#point(what === 'committed'));
  }

  #signedIn = () => ({ url: this.around.server.url, user_id: 7, name: 'Ada', institution: 'Model' });

  get isDead(): boolean {
    return this.#isDead;
  }
  get isRunning(): boolean {
    return this.#running;
  }

  /**
   * Starts the program if it is not running, and a sync in it.
   * @param untilDeath the point at which it crashes
   * @param isConfirmed the user has confirmed what the last sync asked
   */
  begin({
    untilDeath = Number.POSITIVE_INFINITY,
    isConfirmed = false,
  }: {
    untilDeath?: number | undefined;
    isConfirmed?: boolean;
  } = {}): void {
    const { now } = this.around;
    this.#untilDeath = untilDeath;
    this.points = 0;
    this.report = undefined;
    const life = this.#life;
    this.#study ??= new Workspace({
      store: this.#store,
      signedIn: this.#signedIn(),
      token: 'a-token',
      clock: { now, sleep: () => this.#gate(life, 'pause'), random: () => 0 },
      http: this.#http(life),
      // With the recovery store below every change of the disk, as in the engine.
      diskOf: (root: string, net?: unknown) => this.#disk((diskAt as (root: string, having: object) => Disk)(root, { net }), life),
    });
    this.#running = true;
    const ended = (then: () => void) => {
      if (life !== this.#life) return;
      then();
      this.#running = false;
    };
    this.#study.sync({ isConfirmed }).then(
      (report) =>
        ended(() => {
          this.report = report;
        }),
      (problem: unknown) =>
        ended(() => {
          this.problem = problem;
        }),
    );
  }

  /** True if the program has crashed, or crashes now. */
  #point(counts: boolean): boolean {
    if (counts && this.#running) {
      this.points++;
      if (this.#untilDeath-- <= 0) this.#die();
    }
    return this.#isDead;
  }

  #die(): void {
    this.#isDead = true;
    this.#life++;
    this.#running = false;
    this.around.schedule.forget(this.name);
  }

  /** As after a restart of the machine: the stores contain what was committed. */
  restart(): void {
    if (!this.#isDead) this.#die();
    for (const store of [this.#study?.cache, this.#study?.user]) store?.close();
    this.#study = undefined;
    // A crashed program's lock is taken over because its process is gone; here that process is the test's.
    rmSync(join(this.folder, '.carrel/lock'), { force: true });
    this.#isDead = false;
  }

  async #gate(life: number, label: string): Promise<void> {
    if (life !== this.#life || this.#point(true)) return never();
    await this.around.schedule.gate(this.name, label);
    if (life !== this.#life) return never();
  }

  #disk(disk: Disk, life: number): Disk {
    return new Proxy(disk, {
      get: (target, name: keyof Disk) => {
        const act = target[name] as ((...given: unknown[]) => unknown) | undefined;
        if (typeof act !== 'function' || !awaited.has(name)) return act;
        return async (...given: unknown[]) => {
          await this.#gate(life, `${name} ${typeof given[0] === 'string' ? given[0] : ''}`);
          const result = await (act.apply(target, given) as Promise<unknown>).then(
            (value) => () => value,
            (problem: unknown) => () => {
              throw problem;
            },
          );
          await this.#gate(life, `${name} is done`);
          return result();
        };
      },
    });
  }

  #http(life: number): typeof fetch {
    return async (input, init = {}) => {
      const { schedule, server, fault } = this.around;
      const url = new URL(String(input));
      const { signal: _, ...rest } = init;
      const method = init.method ?? 'GET';
      const label = `${method} ${url.pathname}`;
      await this.#gate(life, label);
      const { json, bytes, headers } = await schedule.busily(() => bodyOf(url, rest));
      // Its bytes are being sent: the file may change from now on without the program seeing it.
      if (bytes !== undefined) await this.#gate(life, `${label} is sent`);
      const wrong = fault(this.name, method, url.pathname);
      if (wrong === 'unsent') throw lost();
      const asked = { method, url, headers, json, ...(bytes !== undefined && { bytes }) };
      const first = server.answer(asked);
      const { status, body } = wrong === 'twice' ? server.answer(asked) : first;
      await this.#gate(life, `${label}: ${status}`);
      if (wrong === 'unanswered') throw lost();
      const bytesBack = body instanceof Uint8Array ? new Uint8Array(body) : undefined;
      if (bytesBack) return new Response(bytesBack, { status, headers: { 'content-length': `${bytesBack.length}` } });
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    };
  }

  /** The files in “My files”, by path. */
  tree = (): Map<string, string> => textsBelow(join(this.folder, 'My files'));

  folders = (): string[] =>
    readdirSync(join(this.folder, 'My files'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(this.folder, 'My files').length + 1))
      .filter((path) => !path.startsWith('Deleted elsewhere'))
      .sort();

  places = (text: string): string[] => [...textsBelow(this.home)].flatMap(([path, there]) => (there === text ? [path] : []));

  /** Every text on this desk: in the study folder, and next to the stores, where the engine keeps what it removed. */
  texts = (): ReadonlySet<string> =>
    new Set([
      ...[...textsBelow(this.folder)].filter(([path]) => !path.startsWith('.carrel/staging')).map(([, text]) => text),
      ...[...textsBelow(this.#store)].filter(([path]) => !/\.db(-wal|-shm)?$/.test(path)).map(([, text]) => text),
    ]);

  leave(): void {
    this.restart();
    this.#stopWatching();
    rmSync(this.home, { recursive: true, force: true });
  }
}

let template: string | undefined;

/** Empty stores, created once, because copying them is faster. */
function pristine(): string {
  if (template === undefined) {
    template = join(ground, 'pristine');
    openCache(join(template, 'cache.db')).close();
    openUser(join(template, 'user.db'), () => new Date()).close();
  }
  return template;
}

export function textsBelow(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry): [string, string] => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const lost = () => new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });

async function bodyOf(url: URL, init: RequestInit) {
  const request = new Request(url, { ...init, duplex: 'half' } as RequestInit);
  const { headers } = request;
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) {
    const text = await request.text();
    return { headers, json: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown> };
  }
  const form = await request.formData();
  const file = [...form.values()].find((value) => typeof value !== 'string');
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  return { headers, json: fields, bytes: file ? await (file as File).text() : '' };
}
