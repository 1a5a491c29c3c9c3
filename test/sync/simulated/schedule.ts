// Controls every await of the simulated desks: each request, disk call and pause waits at a gate until it is opened.
// Nothing else runs between two gates, so that a list of choices determines the run, and the same list repeats it.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';

/** Thrown when a crashed program uses its store. Awaits of a crashed program never return. */
export class Died extends Error {
  override readonly name = 'Died';
}

export interface Gate {
  /** The desk that waits. */
  readonly desk: string;
  readonly label: string;
  readonly open: () => void;
}

/** Node's names for files that are being read, written or closed, and for callbacks of the next turn. */
const underWay = /^(FSReq|FileHandle|CloseReq|Immediate)/;
const countUnderWay = () => process.getActiveResourcesInfo().filter((what) => underWay.test(what)).length;
/** Milliseconds, for what takes a fraction of one. */
const longest = 10_000;

export class Schedule {
  /** The gates that wait, in the order of arrival. */
  readonly waiting: Gate[] = [];
  /** Reads outside the gates: bodies of requests. */
  #busy = 0;
  /** What other test files of this process have left open. */
  #foreign = countUnderWay();

  gate(desk: string, label: string): Promise<void> {
    return new Promise((open) => this.waiting.push({ desk, label, open }));
  }

  async busily<T>(work: () => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      return await work();
    } finally {
      this.#busy--;
    }
  }

  /** Resolves when everything that runs waits at a gate or has ended. */
  async settle(): Promise<void> {
    const since = performance.now();
    do {
      await setImmediate();
      if (performance.now() - since > longest) throw new Error('a call neither ends nor waits at a gate');
    } while (this.#busy > 0 || this.#isUnderWay());
  }

  #isUnderWay(): boolean {
    const count = countUnderWay();
    this.#foreign = Math.min(this.#foreign, count);
    return count > this.#foreign;
  }

  /** Opens the nth gate, and waits until everything waits again. */
  async open(nth: number): Promise<void> {
    this.waiting.splice(nth, 1)[0]?.open();
    await this.settle();
  }

  /** The awaits of a crashed program never return. */
  forget(desk: string): void {
    const others = this.waiting.filter((gate) => gate.desk !== desk);
    this.waiting.splice(0, this.waiting.length, ...others);
  }
}

/** `used`: a store is used. `committed`: something was stored. Returns true if the program that owns the store has crashed. */
type Asking = (what: 'used' | 'committed') => boolean;

const owners = new Map<string, Asking>();
const owner = new WeakMap<DatabaseSync, string>();

/** @param home the folder of the stores */
export function watchCommits(home: string, isDead: Asking): () => void {
  owners.set(home, isDead);
  return () => void owners.delete(home);
}

function ownerOf(store: DatabaseSync): Asking | undefined {
  let home = owner.get(store);
  if (home === undefined) {
    const at = store.isOpen ? (store.location() ?? '') : '';
    home = [...owners.keys()].find((one) => at.startsWith(one)) ?? '';
    owner.set(store, home);
  }
  return owners.get(home);
}

const reads = /^\s*(SELECT|WITH|PRAGMA|BEGIN|ROLLBACK)/i;

/** Makes each commit of each store a point at which its program may crash, and stops timers. Returns a function that undoes this. */
export function takeOver(): () => void {
  // Nothing happens because time passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { exec, prepare } = DatabaseSync.prototype;
  const guarded = <T>(store: DatabaseSync, work: () => T, isCommit = () => !store.isTransaction): T => {
    const isDead = ownerOf(store);
    if (!isDead) return work();
    if (isDead('used')) throw new Died();
    const result = work();
    if (isCommit() && isDead('committed')) throw new Died();
    return result;
  };
  // Not spies, which remember every call and with it every store.
  DatabaseSync.prototype.exec = function (sql) {
    return guarded(
      this,
      () => exec.call(this, sql),
      () => sql === 'COMMIT' || !(reads.test(sql) || this.isTransaction),
    );
  };
  DatabaseSync.prototype.prepare = function (sql) {
    const statement: StatementSync = prepare.call(this, sql);
    if (reads.test(sql)) return statement;
    const { run } = statement;
    statement.run = ((...given: Parameters<typeof run>) => guarded(this, () => run.apply(statement, given))) as typeof run;
    return statement;
  };
  return () => {
    Object.assign(DatabaseSync.prototype, { exec, prepare });
    vi.useRealTimers();
  };
}
