// The simulated world: a server whose courses change, a user who works in the folder, a program that may crash at any moment.

import { type LocalName, type Node, nameAll } from '@carrel/desktop/engine/model/local_paths';
import type { Ledger, LedgerRow, Source, Stamp } from '@carrel/desktop/engine/model/ports';
import { fold, type Key, type Path, type Wanted } from '@carrel/desktop/engine/model/trees';
import type { Note } from '@carrel/desktop/engine/planner/commit';
import { type CycleEnding, runCycle } from '@carrel/desktop/engine/sync/cycle';
import type { Focus } from '@carrel/desktop/engine/sync/partial_scan';
import { MemoryDisk, type Quirks } from './memory_disk';
import { noteIn } from './memory_ledger';
import { type Random, randomFrom } from './random';

export class Crash extends Error {}
const isFull = (problem: unknown): boolean => problem instanceof Error && 'code' in problem && problem.code === 'ENOSPC';

interface ServerFile {
  readonly folder: number;
  readonly name: string;
  readonly bytes: string;
  readonly locked: boolean;
}

const fileNames = ['a.txt', 'A.txt', 'b.txt', 'caf\u00e9', 'cafe\u0301', 'x', 'CON', '../b.txt', 'Pages'];
const folderNames = ['x', 'X', 'y', 'a.txt', 'Removed by teacher'];

export interface Habits {
  /** What the user does: nothing, edits only, everything, or edits and choices of what to keep. */
  readonly person: 'absent' | 'edits' | 'everything' | 'chooses';
  readonly isCaseBlind: boolean;
  readonly quirks?: Quirks;
  /** The disk reports the user's changes, and the program scans only those paths. */
  readonly isWatched?: boolean;
}

/** The state when the folder was last in sync. */
interface InLine {
  readonly listing: ReadonlyMap<Key, Wanted>;
  readonly tombstones: ReadonlySet<Key>;
  readonly deselected: string;
}

export class World {
  readonly random: Random;
  readonly disk: MemoryDisk;
  readonly files = new Map<number, ServerFile>();
  readonly folders = new Map<number, { parent: number | null; name: string }>([[1, { parent: null, name: 'x' }]]);
  readonly tombstones = new Set<Key>();
  readonly rows = new Map<Key, LedgerRow>();
  readonly unwanted = new Set<Key>();
  /** Deselected by the user, who may change it at any moment. */
  readonly deselected = new Set<Key>();
  readonly names = new Map<Key, LocalName>();
  /** Everything that the user wrote and did not overwrite or delete themselves. */
  readonly mine = new Set<string>();
  readonly log: string[] = [];
  fetched = 0;
  glances = 0;
  #heard = new Set<Path>();
  #touched = new Set<Key>();
  #inLine: InLine | undefined;
  #ids = 10;
  #texts = 0;
  #untilCrash = Number.POSITIVE_INFINITY;
  #isDead = false;
  #isQuiet = false;

  constructor(
    seed: number,
    private readonly habits: Habits,
  ) {
    this.random = randomFrom(seed);
    this.disk = new MemoryDisk(this.random, { ...habits.quirks, isCaseBlind: habits.isCaseBlind });
  }

  /** One start of the program. Resolves to its result; undefined if it crashed. */
  async run({
    crashWithin,
    isQuiet = false,
    isThorough = false,
  }: {
    crashWithin?: number;
    isQuiet?: boolean;
    isThorough?: boolean;
  }): Promise<CycleEnding | undefined> {
    this.#isDead = false;
    this.#isQuiet = isQuiet;
    this.disk.isQuiet = isQuiet;
    this.#untilCrash = crashWithin === undefined ? Number.POSITIVE_INFINITY : this.random.below(crashWithin);
    const source = this.#source();
    const now: InLine = { listing: source.remote(), tombstones: new Set(this.tombstones), deselected: [...this.deselected].join() };
    const focus = isThorough ? undefined : this.#focus(now);
    if (focus) this.glances++;
    this.#heard = new Set();
    this.#inLine = undefined;
    const disk = this.disk.port(this.#moment);
    try {
      this.disk.staging.clear();
      const ending = await runCycle({
        disk: {
          ...disk,
          scan: () => {
            this.#heard = new Set();
            return disk.scan();
          },
        },
        ledger: this.#ledger(),
        source,
        focus,
        today: () => '2026-11-20',
        lanes: 3,
        isConfirmed: true,
        isFatal: (problem) => problem instanceof Crash || isFull(problem),
      });
      if (ending.kind === 'settled' && ending.failed.size === 0 && ending.last) this.#inLine = now;
      return ending;
    } catch (problem) {
      if (!(problem instanceof Crash) && !isFull(problem)) throw problem;
      this.log.push(problem instanceof Crash ? 'crash' : 'no room');
      return undefined;
    }
  }

  #focus({ listing, tombstones, deselected }: InLine): Focus | undefined {
    const then = this.#inLine;
    if (!this.habits.isWatched || !then || then.deselected !== deselected) return undefined;
    const keys = new Set(this.#touched);
    for (const key of new Set([...listing.keys(), ...then.listing.keys(), ...tombstones, ...then.tombstones]))
      if (JSON.stringify(listing.get(key)) !== JSON.stringify(then.listing.get(key)) || tombstones.has(key) !== then.tombstones.has(key))
        keys.add(key);
    return { keys, paths: this.#heard };
  }

  #moment = async (): Promise<void> => {
    await undefined;
    this.#tick();
    if (!this.#isQuiet && this.random.chance(0.06)) this.happen();
  };

  #tick(): void {
    if (this.#isDead || this.#untilCrash-- <= 0) {
      this.#isDead = true;
      throw new Crash();
    }
  }

  #ledger(): Ledger {
    return {
      rows: () => new Map(this.rows),
      unwanted: () => new Set(this.unwanted),
      at: (folded) => [...this.rows].flatMap(([key, { path }]) => (fold(path) === folded ? [key] : [])),
      takeTouched: () => {
        const touched = this.#touched;
        this.#touched = new Set();
        return touched;
      },
      note: (notes: readonly Note<Stamp>[]) => {
        this.#tick();
        for (const note of notes) {
          this.#touched.add('put' in note ? note.put : 'going' in note ? note.going : 'drop' in note ? note.drop : note.unwant);
          noteIn(this, note, this.disk.now());
        }
        this.#tick();
      },
    };
  }

  /** What the feed sent when the program requested it; the server may have changed by the time the program acts. */
  #source(): Source {
    const remote = this.listing();
    const deselected = new Set(this.deselected);
    const withdrawn = new Set([...this.tombstones].filter((key) => !remote.has(key)));
    return {
      remote: () => remote,
      at: (folded) => [...remote].flatMap(([key, { path }]) => (fold(path) === folded ? [key] : [])),
      withdrawn: () => withdrawn,
      deselected: () => deselected,
      stage: async (key, wanted) => {
        await this.#moment();
        const file = this.files.get(Number(key.slice(5)));
        if (!file || file.locked || file.bytes !== wanted.hash) throw new Error('not the bytes that were promised');
        if (!this.#isQuiet && this.random.chance(0.1)) throw new Error('the network failed');
        this.fetched++;
        const staged = this.disk.stage(file.bytes);
        await this.#moment();
        return staged;
      },
    };
  }

  listing(): Map<Key, Wanted> {
    const nodes: Node[] = [
      { key: 'institution:1', parent: null, name: 'Carrel', kind: 'level' },
      { key: 'course:1', parent: 'institution:1', name: 'Course', kind: 'course' },
      ...[...this.folders].map(([id, { parent, name }]) => ({
        key: `folder:${id}`,
        parent: parent === null ? 'course:1' : `folder:${parent}`,
        name,
        kind: 'folder' as const,
      })),
      ...[...this.files].map(([id, { folder, name }]) => ({
        key: `file:${id}`,
        parent: folder === 0 ? 'course:1' : `folder:${folder}`,
        name,
        kind: 'leaf' as const,
      })),
    ];
    const { paths, fresh } = nameAll(nodes, this.names);
    for (const name of fresh) this.names.set(name.key, name);
    return new Map(
      [...this.files].map(([id, { bytes, locked }]) => [
        `file:${id}`,
        { path: paths.get(`file:${id}`) as Path, hash: bytes, size: bytes.length, available: !locked, generated: false },
      ]),
    );
  }

  describe(): string {
    const lines = (title: string, entries: Iterable<readonly [string, unknown]>) => [
      title,
      ...[...entries].map(([key, value]) => `  ${key} ${JSON.stringify(value)}`),
    ];
    return [
      ...lines('server', this.listing()),
      ...lines('agreed', this.rows),
      ...lines('disk', this.disk.files),
      `unwanted ${[...this.unwanted]}`,
    ].join('\n');
  }

  /** A random change on the server or on the desk. */
  happen(): void {
    const { random } = this;
    const isServers = this.habits.person === 'absent' || random.chance(0.5);
    this.log.push(isServers ? this.#server() : this.#person());
  }

  #server(): string {
    const { random, files } = this;
    const id = files.size > 0 ? random.pick([...files.keys()]) : undefined;
    const file = id === undefined ? undefined : files.get(id);
    const change = this.#serverChanges[random.below(10)];
    return id === undefined || !file || !change ? this.upload() : change(id, file);
  }

  /** Changes of a file on the server, and of what is around it. Every other number is an upload. */
  readonly #serverChanges: Readonly<Record<number, (id: number, file: ServerFile) => string>> = {
    3: (id, file) => this.#put(id, { ...file, bytes: this.#text('server') }, 'changes'),
    4: (id, file) => this.#put(id, { ...file, name: this.random.pick(fileNames) }, 'renames'),
    5: (id, file) => this.#put(id, { ...file, folder: this.random.pick([0, ...this.folders.keys()]) }, 'moves'),
    6: () => {
      const { random, folders } = this;
      const folder = random.pick([...folders.keys()]);
      folders.set(folder, { parent: null, name: random.pick(folderNames) });
      if (folders.size < 3) folders.set(this.#ids++, { parent: folder, name: random.pick(folderNames) });
      return `server renames folder ${folder}`;
    },
    7: (id, file) => {
      this.#take(id);
      if (this.random.chance(0.2)) this.files.set(id, file);
      return `server deletes ${id}`;
    },
    8: (id, file) => {
      this.#take(id);
      const heir = this.#ids++;
      this.files.set(heir, { ...file, bytes: this.random.chance(0.3) ? file.bytes : this.#text('server') });
      return `server replaces ${id} by ${heir}`;
    },
    9: (id, file) => {
      if (!this.random.chance(0.3)) return this.#put(id, { ...file, locked: !file.locked }, 'locks');
      this.tombstones.clear();
      return 'server forgets its tombstones';
    },
  };

  #put(id: number, file: ServerFile, does: string): string {
    this.files.set(id, file);
    return `server ${does} ${id}`;
  }
  #take(id: number): void {
    this.files.delete(id);
    this.tombstones.add(`file:${id}`);
  }

  upload(): string {
    const id = this.#ids++;
    const isSameBytes = this.files.size > 0 && this.random.chance(0.2);
    const bytes = isSameBytes ? this.random.pick([...this.files.values()]).bytes : this.#text('server');
    this.files.set(id, { folder: this.random.pick([0, ...this.folders.keys()]), name: this.random.pick(fileNames), bytes, locked: false });
    return `server adds ${id}`;
  }

  #person(): string {
    const { random, disk } = this;
    const paths = [...disk.files.values()].map(({ path }) => path);
    const path = paths.length > 0 ? random.pick(paths) : undefined;
    if (this.habits.person === 'chooses' && this.files.size > 0 && random.chance(0.4)) {
      const key = `file:${random.pick([...this.files.keys()])}`;
      return this.deselected.delete(key) ? `person chooses ${key}` : this.deselected.add(key) && `person leaves out ${key}`;
    }
    const what = random.below(this.habits.person === 'everything' ? 8 : 4);
    if (path === undefined || what === 0) {
      const fresh = `Carrel/Course/${random.pick(['', 'x/', 'y/'])}${random.pick(fileNames.filter((name) => !name.includes('/')))}`;
      return disk.read(fresh) ? 'nothing' : this.#save(fresh, false);
    }
    if (what < 4) return this.#save(path, what === 3);
    const text = disk.read(path)?.bytes as string;
    if (what < 6) {
      disk.remove(path);
      this.#heard.add(path);
      this.#unlessElsewhere(text);
      return `person deletes ${path}`;
    }
    const to = `Carrel/Course/${random.pick(['', 'x/', 'z/'])}${random.pick(['a.txt', 'b.txt', 'mine.txt'])}`;
    if (!disk.move(path, to)) return 'nothing';
    this.#heard.add(path).add(to);
    return `person moves ${path} to ${to}`;
  }

  #save(path: Path, replacing: boolean): string {
    const old = this.disk.read(path)?.bytes;
    const text = this.#text('person');
    if (!this.disk.write(path, text, replacing)) return 'nothing';
    this.#heard.add(path);
    this.mine.add(text);
    if (old !== undefined) this.#unlessElsewhere(old);
    return `person writes ${path}: ${text}`;
  }

  #unlessElsewhere(text: string): void {
    if (![...this.disk.files.values()].some(({ bytes }) => bytes === text)) this.mine.delete(text);
  }

  /** All of the same length, so that only their date distinguishes them. */
  #text = (whose: 'server' | 'person'): string => `${whose} ${`${this.#texts++}`.padStart(4, '0')}`;
}
