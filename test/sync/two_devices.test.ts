// Own files on two devices and a server between them, simulated: changes on both, crashes, outdated listings. A failure prints its seed.

import { type LocalName, type Node, nameAll } from '@carrel/desktop/engine/model/local_paths';
import type { Ledger, LedgerRow, Source, Stamp } from '@carrel/desktop/engine/model/ports';
import { type Key, lastOf, type Path, parentOf, type Wanted } from '@carrel/desktop/engine/model/trees';
import type { Note } from '@carrel/desktop/engine/planner/commit';
import { type PushStep, pushPlan } from '@carrel/desktop/engine/planner/push_plan';
import { runCycle } from '@carrel/desktop/engine/sync/cycle';
import { pushRules } from '@carrel/desktop/engine/sync/uploads/push_up';
import { expect, test } from 'vitest';
import { MemoryDisk, type Quirks } from './support/memory_disk';
import { noteIn } from './support/memory_ledger';
import { type Random, randomFrom } from './support/random';

class Crash extends Error {}

const home = 'My files';
const names = ['a.txt', 'b.txt', 'x/a.txt', 'x/caf\u00e9.txt', 'y/b.txt', 'A.txt'];

/** Files by path: like the server, it keeps ids over renames, and gives a new one to an overwritten file. */
class Shelf {
  readonly files = new Map<number, { path: Path; bytes: string }>();
  readonly gone = new Set<Key>();
  #ids = 1;

  at = (path: Path) => [...this.files].find(([, file]) => file.path === path)?.[0];
  remove(id: number): void {
    if (this.files.delete(id)) this.gone.add(`file:${id}`);
  }
  put(path: Path, bytes: string, overwrites: boolean): void {
    const twin = this.at(path);
    if (twin !== undefined && overwrites) this.remove(twin);
    this.files.set(this.#ids++, { path: twin === undefined || overwrites ? path : this.free(path), bytes });
  }
  free(path: Path): Path {
    for (let nth = 1; ; nth++) {
      const next = path.replace(/(\.txt)?$/, `-${nth}$1`);
      if (this.at(next) === undefined) return next;
    }
  }
  /** With the local names of one device: names that are equal on some disks get a number. */
  listing(names: Map<Key, LocalName>): Map<Key, Wanted> {
    const folder = (path: Path) => parentOf(path).slice(home.length + 1);
    const folders = [...new Set([...this.files.values()].map(({ path }) => folder(path)).filter((name) => name !== ''))].sort();
    const nodes: Node[] = [
      { key: 'mine:1', parent: null, name: home, kind: 'mine' },
      ...folders.map((name): Node => ({ key: `folder:${name}`, parent: 'mine:1', name, kind: 'folder' })),
      ...[...this.files].map(([id, { path }]): Node => {
        const parent = folder(path);
        return { key: `file:${id}`, parent: parent === '' ? 'mine:1' : `folder:${parent}`, name: lastOf(path), kind: 'leaf' };
      }),
    ];
    const { paths, fresh } = nameAll(nodes, names);
    for (const name of fresh) names.set(name.key, name);
    return new Map(
      [...this.files].map(([id, { bytes }]) => [
        `file:${id}`,
        { path: paths.get(`file:${id}`) as Path, hash: bytes, size: bytes.length, available: true, generated: false },
      ]),
    );
  }
}

/** What a device knew of the server when it started a sync. */
interface Listed {
  readonly remote: ReadonlyMap<Key, Wanted>;
  readonly paths: ReadonlyMap<Key, Path>;
}

const idOf = (key: Key) => Number(key.slice(5));

class Device {
  readonly disk: MemoryDisk;
  readonly rows = new Map<Key, LedgerRow>();
  readonly unwanted = new Set<Key>();
  readonly names = new Map<Key, LocalName>();
  #untilCrash = Number.POSITIVE_INFINITY;

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly shelf: Shelf,
    private readonly happen: () => void,
    quirks: Quirks,
  ) {
    this.disk = new MemoryDisk(random, quirks);
  }

  /** Downloads, then uploads; repeated as long as something was uploaded, like the engine. */
  async sync({ crashWithin, isQuiet = false }: { crashWithin?: number; isQuiet?: boolean }): Promise<void> {
    this.#untilCrash = crashWithin === undefined ? Number.POSITIVE_INFINITY : this.random.below(crashWithin);
    const moment = async (): Promise<void> => {
      await undefined;
      if (this.#untilCrash-- <= 0) throw new Crash();
      if (!isQuiet && this.random.chance(0.05)) this.happen();
    };
    try {
      for (let nth = 0; nth < 5; nth++) if ((await this.#once(moment)) === 0) return;
    } catch (problem) {
      if (!(problem instanceof Crash)) throw problem;
    }
  }

  async #once(moment: () => Promise<void>): Promise<number> {
    this.disk.staging.clear();
    const remote = this.shelf.listing(this.names);
    const listed: Listed = { remote, paths: new Map([...this.shelf.files].map(([id, { path }]) => [`file:${id}`, path])) };
    const keys = new Set(remote.keys());
    const ending = await runCycle({
      disk: this.disk.port(moment),
      ledger: this.#ledger(),
      source: this.#source(remote, keys, moment),
      today: () => '2026-11-20',
      lanes: 2,
      isConfirmed: true,
      isFatal: (problem) => problem instanceof Crash,
    });
    if (ending.kind !== 'settled' || !ending.last) return 0;
    let sent = 0;
    for (const step of pushPlan(ending.last.trees, { home, keys }, pushRules)) {
      await moment();
      if (this.#push(step, listed)) sent++;
    }
    return sent;
  }

  #source(remote: ReadonlyMap<Key, Wanted>, keys: ReadonlySet<Key>, moment: () => Promise<void>): Source {
    const withdrawn = new Set([...this.shelf.gone].filter((key) => !remote.has(key)));
    return {
      remote: () => remote,
      withdrawn: () => withdrawn,
      mine: () => keys,
      deselected: () => new Set<Key>(),
      stage: async (key, wanted) => {
        await moment();
        const file = this.shelf.files.get(idOf(key));
        if (file?.bytes !== wanted.hash) throw new Error('not the bytes that were promised');
        return this.disk.stage(file.bytes);
      },
    };
  }

  #ledger(): Ledger {
    return {
      rows: () => new Map(this.rows),
      unwanted: () => new Set(this.unwanted),
      note: (notes: readonly Note<Stamp>[]) => {
        for (const note of notes) noteIn(this, note, this.disk.now());
      },
    };
  }

  /** Uploads a step as the server does it, and returns whether it did. What has changed there since it was listed is left unchanged. */
  #push(step: PushStep, { remote, paths }: Listed): boolean {
    if (step.do === 'refuse') return false;
    if (step.do === 'add') return this.#upload(step.path, plain(step.path), false);
    const id = idOf(step.key);
    const file = this.shelf.files.get(id);
    const known = remote.get(step.key);
    if (known && (file?.bytes !== known.hash || file.path !== paths.get(step.key))) return false;
    if (step.do === 'replace') return this.#upload(step.path, file?.path ?? step.path, true);
    if (step.do === 'delete') this.shelf.remove(id);
    else {
      const to = plain(step.to);
      this.shelf.files.set(id, { path: this.shelf.at(to) === undefined ? to : this.shelf.free(to), bytes: file?.bytes ?? '' });
    }
    return true;
  }

  #upload(path: Path, to: Path, overwrites: boolean): boolean {
    const bytes = this.disk.read(path)?.bytes;
    if (bytes !== undefined) this.shelf.put(to, bytes, overwrites);
    return bytes !== undefined;
  }
}

/** The form in which names are uploaded. */
const plain = (path: Path): Path => path.normalize('NFC');

const bytesIn = (line: string): string => line.slice(line.lastIndexOf(': ') + 2);

async function simulate(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const log: string[] = [];
  const shelf = new Shelf();
  const mine = new Set<string>();
  let texts = 0;
  const devices: Device[] = [];
  const forgetUnlessElsewhere = (text: string) => {
    const lies = devices.some(({ disk }) => [...disk.files.values()].some(({ bytes }) => bytes === text));
    if (!lies && ![...shelf.files.values()].some(({ bytes }) => bytes === text)) mine.delete(text);
  };
  const happen = (): void => {
    const device = random.pick(devices);
    const paths = [...device.disk.files.values()]
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`${home}/`) && !path.includes('Deleted elsewhere'));
    const path = paths.length > 0 ? random.pick(paths) : undefined;
    const what = random.below(6);
    const to = `${home}/${random.pick(names)}`;
    if (path === undefined || what < 3) {
      const target = path !== undefined && what > 0 ? path : to;
      const old = device.disk.read(target)?.bytes;
      const text = `mine ${texts++}`;
      if (!device.disk.write(target, text, random.chance(0.3))) return;
      mine.add(text);
      // Overwritten on purpose: the user who edits it has seen it.
      if (old !== undefined) mine.delete(old);
      log.push(`${device.name} writes ${target}: ${text}`);
    } else if (what === 3) {
      const text = device.disk.read(path)?.bytes as string;
      device.disk.remove(path);
      mine.delete(text);
      log.push(`${device.name} deletes ${path}: ${text}`);
      forgetUnlessElsewhere(text);
    } else if (device.disk.move(path, to)) log.push(`${device.name} moves ${path} to ${to}`);
  };
  const odd = { decomposes: seed % 3 === 0, isCoarse: seed % 2 === 1, isCaseBlind: seed % 5 === 0 };
  devices.push(new Device('one', random, shelf, happen, {}), new Device('two', random, shelf, happen, odd));
  const shown = (device: Device) =>
    [...device.disk.files.values()]
      .filter(({ path }) => !path.startsWith('.carrel') && !path.includes('Deleted elsewhere'))
      .map(({ path, bytes }) => `${path}: ${bytes}`)
      .sort();
  try {
    for (let turn = 0; turn < 8; turn++) {
      for (let nth = random.below(3); nth > 0; nth--) happen();
      // Sometimes both at once: what one device knows of the server is outdated when it sends.
      const syncing = random.chance(0.5) ? devices : [random.pick(devices)];
      log.push(`${syncing.map(({ name }) => name).join(' and ')} sync`);
      await Promise.all(syncing.map((device) => device.sync({ crashWithin: random.pick([10, 40, undefined]) })));
    }
    for (let nth = 0; nth < 4; nth++) for (const device of devices) await device.sync({ isQuiet: true });
    const there = [...shelf.files.values()].map(({ path, bytes }) => `${path}: ${bytes}`).sort();
    const before = JSON.stringify([there, ...devices.map(shown)]);
    for (const device of devices) await device.sync({ isQuiet: true });
    const after = [...shelf.files.values()].map(({ path, bytes }) => `${path}: ${bytes}`).sort();
    expect(JSON.stringify([after, ...devices.map(shown)]), 'no more changes').toBe(before);
    const everywhere = new Set(
      [...shelf.files.values(), ...devices.flatMap(({ disk }) => [...disk.files.values()])].map(({ bytes }) => bytes),
    );
    expect(
      [...mine].filter((text) => !everywhere.has(text)),
      'lost texts of the user',
    ).toEqual([]);
    for (const device of devices) expect(device.unwanted.size, `${device.name} takes nothing for unwanted`).toBe(0);
    for (const device of devices)
      expect(shown(device).map(bytesIn), `${device.name} has what the server has`).toEqual(expect.arrayContaining(there.map(bytesIn)));
  } catch (problem) {
    const state = [
      ...devices.map((device) => `${device.name}\n  ${shown(device).join('\n  ')}`),
      `server\n  ${[...shelf.files].map(([id, { path, bytes }]) => `${id} ${path}: ${bytes}`).join('\n  ')}`,
    ];
    throw new Error(`seed ${seed}\n${log.join('\n')}\n${state.join('\n')}\n${(problem as Error).message}`, { cause: problem });
  }
}

const count = Number(process.env.CARREL_SEEDS ?? 250);
const from = Number(process.env.CARREL_SEED ?? 1);

test(`${count} seeds from ${from}: both devices and the server converge, and no text of the user is lost`, {
  timeout: 120_000,
}, async () => {
  for (let seed = from; seed < from + count; seed++) await simulate(seed);
});
