// The server as a model: one user's own files, uploads in three steps, the changes feed, conditional requests, and earlier versions.
// A request is one atomic step; its state can be copied and restored, like a database.

import { createHash } from 'node:crypto';
import type { Random } from '../support/random';

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly json: Json;
  /** For an upload. */
  readonly bytes?: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;
type Kind = 'file' | 'folder';

interface Held {
  readonly id: number;
  readonly uuid: string;
  readonly parent: number | null;
  readonly name: string;
  readonly version: number;
  readonly at: string;
}
interface HeldFile extends Held {
  readonly parent: number;
  readonly text: string;
}

interface Ticket {
  readonly folder: number;
  readonly name: string;
  readonly overwrites: boolean;
  readonly ifMatch: string | null;
  readonly ifNoneMatch: string | null;
  readonly conflictName?: string;
  answer?: Answer;
}

interface Logged {
  readonly seq: number;
  readonly kind: Kind;
  readonly id: number;
  readonly isGone: boolean;
}

interface State {
  epoch: string;
  ids: number;
  seq: number;
  files: Map<number, HeldFile>;
  folders: Map<number, Held>;
  /** By item: only its latest change, as the feed sends it. */
  log: Map<string, Logged>;
  /** A random value for each change: a forked history has different ones. */
  marks: Map<number, string>;
  tickets: Map<string, Ticket>;
  answers: Map<string, Answer>;
  /** Replaced bytes, which the server keeps for 30 days. */
  earlier: string[];
  /** The ids of replaced files, with the files that replaced them: their addresses redirect. */
  heirs: Map<number, number>;
}

const root = 1;
const missing: Answer = { status: 404, body: { message: 'The specified resource does not exist.' } };

export class ModelServer {
  readonly url = 'http://model.test';
  /** The server checks no condition, keeps no earlier version, and notices no restore. */
  isCareless = false;
  /** Never assigned twice, not even by a restored server. */
  #versions = 0;
  #state: State = {
    epoch: 'epoch 1',
    ids: 1,
    seq: 0,
    files: new Map(),
    folders: new Map(),
    log: new Map(),
    marks: new Map(),
    tickets: new Map(),
    answers: new Map(),
    earlier: [],
    heirs: new Map(),
  };

  /** @param now the time of the simulation */
  constructor(
    private readonly random: Random,
    private readonly now: () => Date,
  ) {
    this.folder('my files', null);
  }

  /** Like a backup. */
  copy = (): State => structuredClone(this.#state);
  /** From here on, ids and positions of the log are assigned again. */
  restore(state: State, epoch?: string): void {
    this.#state = structuredClone(state);
    if (epoch !== undefined) this.#state.epoch = epoch;
  }

  /** For each id that an earlier state has not assigned yet, the file that has it now; undefined: a folder, or deleted. */
  since(state: State): (Pick<HeldFile, 'uuid' | 'text'> | undefined)[] {
    return Array.from({ length: this.#state.ids - state.ids }, (_, nth) => this.#file(state.ids + nth));
  }

  /** The files by path. */
  tree(): Map<string, string> {
    return new Map([...this.#state.files.values()].map((file) => [this.#pathOf(file), file.text]));
  }
  folders = (): string[] =>
    [...this.#state.folders.values()]
      .filter(({ parent }) => parent !== null)
      .map((one) => this.#pathOf(one))
      .sort();
  /** Every text on the server, including earlier versions. */
  texts = (): ReadonlySet<string> => new Set([...[...this.#state.files.values()].map(({ text }) => text), ...this.#state.earlier]);

  folder(name: string, parent: number | null = root): number {
    const id = this.#id();
    this.#putFolder({ id, uuid: this.#word(), parent, name: parent === null ? name : this.#freeFolder(name, parent), version: 1, at: '' });
    return id;
  }
  file(name: string, text: string, parent = root, uuid = this.#word()): number {
    const id = this.#id();
    this.#putFile({ id, uuid, parent, name, text, version: 1, at: '' });
    return id;
  }

  answer(asked: Asked): Answer {
    const key = asked.headers.get('idempotency-key');
    const known = key === null ? undefined : this.#state.answers.get(key);
    if (known) return known;
    const answer = this.#answer(asked);
    if (key !== null && answer.status < 300) this.#state.answers.set(key, answer);
    return answer;
  }

  #answer({ method, url, headers, json, bytes }: Asked): Answer {
    const { pathname } = url;
    if (pathname === '/api/sync/v1/changes') return this.#changes(url.searchParams);
    if (pathname === '/files_api') return this.#upload(String(json.uuid), bytes ?? '');
    const [, download] = /^\/files\/(\d+)\/download$/.exec(pathname) ?? [];
    if (download !== undefined) return this.#download(Number(download), url.searchParams.get('verifier'));
    if (pathname.endsWith('/users/self/folders/root')) return ok(this.#folderJson(this.#folder(root) as Held));
    if (pathname.endsWith('/users/self/folders') && method === 'POST') return this.#makeFolder(json, headers);
    const [, kind, at, files] = /^\/api\/v1\/(files|folders)\/(\d+)(\/files)?$/.exec(pathname) ?? [];
    const id = Number(at);
    if (files !== undefined && method === 'POST') return this.#ticket(id, json, headers);
    if (kind === 'files') return this.#ofFile(method, id, json, headers);
    if (kind === 'folders') return this.#ofFolder(method, id, json, headers);
    return pathname === '/api/v1/users/self' ? ok({ id: 7, name: 'Ada' }) : missing;
  }

  #changes(query: URLSearchParams): Answer {
    const { epoch, seq, marks, log } = this.#state;
    const cursor = query.get('cursor');
    const [at = '0', mark = '', ...rest] = cursor?.split(' ') ?? [];
    const after = Number(at);
    if (cursor !== null && !this.isCareless) {
      if (rest.join(' ') !== epoch) return { status: 409, body: { error: 'must_refetch', reason: 'epoch' } };
      const isForked = after > seq || (after > 0 && marks.get(after) !== mark);
      if (isForked) return { status: 409, body: { error: 'must_refetch', reason: 'forked' } };
    }
    const changes = [...log.values()]
      .filter((one) => one.seq > after && (cursor !== null || !one.isGone))
      .sort((a, b) => a.seq - b.seq)
      .map(({ kind, id, isGone }) =>
        isGone
          ? { kind, id, op: 'delete' }
          : {
              kind,
              id,
              op: 'upsert',
              resource: kind === 'file' ? this.#fileJson(this.#file(id) as HeldFile) : this.#folderJson(this.#folder(id) as Held),
            },
      );
    return ok({ epoch, cursor: `${seq} ${marks.get(seq) ?? ''} ${epoch}`, has_more: false, changes });
  }

  #ticket(folder: number, { name, on_duplicate, conflict_name }: Json, headers: Headers): Answer {
    if (!this.#folder(folder)) return missing;
    const uuid = this.#word();
    this.#state.tickets.set(uuid, {
      folder,
      name: String(name),
      overwrites: on_duplicate !== 'rename',
      ifMatch: this.isCareless ? null : headers.get('if-match'),
      ifNoneMatch: this.isCareless ? null : headers.get('if-none-match'),
      ...(conflict_name !== undefined && { conflictName: String(conflict_name) }),
    });
    return ok({ upload_url: `${this.url}/files_api`, upload_params: { uuid }, file_param: 'file' });
  }

  /** An upload creates one file, however often its bytes are sent. */
  #upload(uuid: string, text: string): Answer {
    const ticket = this.#state.tickets.get(uuid);
    if (!ticket) return missing;
    ticket.answer ??= this.#complete(ticket, uuid, text);
    return ticket.answer;
  }

  #complete({ folder, name, overwrites, ifMatch, ifNoneMatch, conflictName }: Ticket, uuid: string, text: string): Answer {
    if (!this.#folder(folder)) return missing;
    const twin = this.#named(name, folder);
    const isMet = (ifMatch === null || ifMatch === tagOf(twin)) && (ifNoneMatch === null || !twin);
    const make = (called: string): Json => {
      const id = this.#id();
      this.#putFile({ id, uuid, parent: folder, name: called, text, version: 1, at: '' });
      return this.#fileJson(this.#file(id) as HeldFile);
    };
    if (!isMet) {
      const copy = conflictName === undefined ? null : make(this.#freeFile(conflictName, folder));
      return { status: 412, body: { message: 'The file has changed', current: twin ? this.#fileJson(twin) : null, copy } };
    }
    if (!twin) return { status: 201, body: make(name) };
    if (!overwrites) return { status: 201, body: make(this.#freeFile(name, folder)) };
    const at = this.#state.ids;
    this.#drop('file', twin.id, at);
    return { status: 201, body: make(name) };
  }

  #ofFile(method: string, given: number, json: Json, headers: Headers): Answer {
    const id = this.#state.heirs.get(given) ?? given;
    const file = this.#file(method === 'GET' ? id : given);
    if (!file) return missing;
    if (method === 'GET') return ok(this.#fileJson(file));
    const refused = unmet(headers, file, () => this.#fileJson(file));
    if (refused) return refused;
    if (method === 'DELETE') {
      this.#drop('file', file.id);
      return ok(this.#fileJson(file));
    }
    const parent = Number(json.parent_folder_id ?? file.parent);
    const name = String(json.name ?? file.name);
    if (!this.#folder(parent)) return missing;
    const twin = this.#named(name, parent, file.id);
    if (twin && json.on_duplicate === undefined) return { status: 409, body: { message: 'file already exists' } };
    if (twin && json.on_duplicate === 'overwrite') this.#drop('file', twin.id, file.id);
    this.#putFile({ ...file, parent, name: twin && json.on_duplicate !== 'overwrite' ? this.#freeFile(name, parent) : name });
    return ok(this.#fileJson(this.#file(file.id) as HeldFile));
  }

  #ofFolder(method: string, id: number, json: Json, headers: Headers): Answer {
    const folder = this.#folder(id);
    if (!folder) return missing;
    if (method === 'GET') return ok(this.#folderJson(folder));
    const refused = unmet(headers, folder, () => this.#folderJson(folder));
    if (refused) return refused;
    if (method === 'DELETE') {
      const isFull = [...this.#state.files.values(), ...this.#state.folders.values()].some(({ parent }) => parent === id);
      if (isFull) return { status: 400, body: { message: 'the folder is not empty' } };
      this.#drop('folder', id);
      return ok(this.#folderJson(folder));
    }
    const parent = Number(json.parent_folder_id ?? folder.parent);
    for (let at: number | null = parent; at !== null; at = this.#folder(at)?.parent ?? null)
      if (at === id) return { status: 400, body: { message: 'A folder cannot be moved into itself' } };
    if (!this.#folder(parent)) return missing;
    this.#putFolder({ ...folder, parent, name: this.#freeFolder(String(json.name ?? folder.name), parent, id) });
    return ok(this.#folderJson(this.#folder(id) as Held));
  }

  #makeFolder({ name, parent_folder_id }: Json, headers: Headers): Answer {
    const parent = Number(parent_folder_id ?? root);
    if (!this.#folder(parent)) return missing;
    const twin = [...this.#state.folders.values()].find((one) => one.parent === parent && one.name === name);
    if (twin && headers.has('if-none-match'))
      return { status: 412, body: { message: 'The name is taken', current: this.#folderJson(twin) } };
    return ok(this.#folderJson(this.#folder(this.folder(String(name), parent)) as Held));
  }

  #download(id: number, verifier: string | null): Answer {
    const file = this.#file(id);
    return file && file.uuid === verifier ? { status: 200, body: Buffer.from(file.text) } : missing;
  }

  #fileJson({ id, uuid, parent, name, text, version, at }: HeldFile): Json {
    const sha256 = createHash('sha256').update(text).digest('hex');
    const url = `${this.url}/files/${id}/download?download_frd=1&verifier=${uuid}`;
    const what = { id, uuid, folder_id: parent, display_name: name, filename: name, 'content-type': 'text/plain' };
    return { ...what, size: Buffer.byteLength(text), sha256, url, version, updated_at: at, modified_at: at, upload_status: 'success' };
  }

  #folderJson({ id, uuid, parent, name, version }: Held): Json {
    const count = (all: Iterable<Held>) => [...all].filter((one) => one.parent === id).length;
    const counts = { files_count: count(this.#state.files.values()), folders_count: count(this.#state.folders.values()) };
    return { id, uuid, name, parent_folder_id: parent, context_type: 'User', context_id: 7, version, ...counts };
  }

  #pathOf({ name, parent }: Held): string {
    const above = parent === null ? undefined : this.#folder(parent);
    return !above || above.parent === null ? name : `${this.#pathOf(above)}/${name}`;
  }

  #file = (id: number) => this.#state.files.get(id);
  #folder = (id: number) => this.#state.folders.get(id);
  #named = (name: string, parent: number, but?: number) =>
    [...this.#state.files.values()].find((file) => file.parent === parent && file.name === name && file.id !== but);
  #freeFile(name: string, parent: number): string {
    const [, stem = '', extension = ''] = /^(.+?)(\.[^.]+)?$/.exec(name) ?? [];
    for (let nth = 0; ; nth++) {
      const free = nth === 0 ? name : `${stem}-${nth}${extension}`;
      if (!this.#named(free, parent)) return free;
    }
  }
  #freeFolder(name: string, parent: number, but?: number): string {
    const isTaken = (free: string) =>
      [...this.#state.folders.values()].some((one) => one.parent === parent && one.name === free && one.id !== but);
    for (let nth = 1; ; nth++) {
      const free = nth === 1 ? name : `${name} ${nth}`;
      if (!isTaken(free)) return free;
    }
  }

  #id = (): number => this.#state.ids++;
  #word = (): string => `${this.random.next()}`.slice(2);

  #note(kind: Kind, id: number, isGone: boolean): void {
    const seq = ++this.#state.seq;
    this.#state.log.set(`${kind}:${id}`, { seq, kind, id, isGone });
    this.#state.marks.set(seq, this.#word());
  }
  #putFile(file: HeldFile): void {
    this.#state.files.set(file.id, { ...file, version: ++this.#versions, at: this.now().toISOString() });
    this.#note('file', file.id, false);
  }
  #putFolder(folder: Held): void {
    this.#state.folders.set(folder.id, { ...folder, version: ++this.#versions, at: this.now().toISOString() });
    this.#note('folder', folder.id, false);
  }
  /** @param heir the file that replaces it: only then its bytes are kept */
  #drop(kind: Kind, id: number, heir?: number): void {
    if (heir !== undefined) {
      for (const [old, now] of this.#state.heirs) if (now === id) this.#state.heirs.set(old, heir);
      this.#state.heirs.set(id, heir);
      if (!this.isCareless) this.#state.earlier.push(this.#file(id)?.text ?? '');
    }
    (kind === 'file' ? this.#state.files : this.#state.folders).delete(id);
    this.#note(kind, id, true);
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const tagOf = (held: Held | undefined): string | undefined => held && `"${held.version}"`;

function unmet(headers: Headers, held: Held, current: () => Json): Answer | undefined {
  const expected = headers.get('if-match');
  return expected === null || expected === tagOf(held)
    ? undefined
    : { status: 412, body: { message: 'It has changed', current: current() } };
}
