// Owns every await of the simulated desks: each request, each call of the disk and each pause waits at a gate until it is let through.
// Between two gates nothing else runs, so that a list of choices says all that happens, and the same list does it again.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { vi } from 'vitest';

/** Thrown where a program that has died touches its store. Awaits of a dead program never return. */
export class Died extends Error {
  override readonly name = 'Died';
}

export interface Gate {
  /** Whose. */
  readonly desk: string;
  readonly label: string;
  readonly open: () => void;
}

/** What the runtime calls files that are read, written or closed, and what runs in the next turn. */
const underWay = /^(FSReq|FileHandle|CloseReq|Immediate)/;
/** Milliseconds, for what takes a fraction of one. */
const longest = 10_000;

export class Schedule {
  /** Whoever waits, in the order of arrival. */
  readonly waiting: Gate[] = [];
  /** What is read outside the gates: bodies of requests. */
  #busy = 0;

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

  /** Until all that runs waits at a gate or has ended. */
  async settle(): Promise<void> {
    const since = performance.now();
    do {
      await setImmediate();
      if (performance.now() - since > longest) throw new Error('what is under way neither ends nor waits at a gate');
    } while (this.#busy > 0 || process.getActiveResourcesInfo().some((what) => underWay.test(what)));
  }

  /** Lets the nth through, and waits until all is quiet again. */
  async open(nth: number): Promise<void> {
    this.waiting.splice(nth, 1)[0]?.open();
    await this.settle();
  }

  /** What the dead wait for never comes. */
  forget(desk: string): void {
    const others = this.waiting.filter((gate) => gate.desk !== desk);
    this.waiting.splice(0, this.waiting.length, ...others);
  }
}

/** `used`: a store is touched. `committed`: something was stored. True where the program that owns the store is dead. */
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

/** Each commit of each store becomes a point at which its program may die, and timers stand still. Returns how to end that. */
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
  const spies = [
    vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
      return guarded(
        this,
        () => exec.call(this, sql),
        () => sql === 'COMMIT' || !(reads.test(sql) || this.isTransaction),
      );
    }),
    vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
      const statement: StatementSync = prepare.call(this, sql);
      if (reads.test(sql)) return statement;
      const { run } = statement;
      statement.run = ((...given: Parameters<typeof run>) => guarded(this, () => run.apply(statement, given))) as typeof run;
      return statement;
    }),
  ];
  return () => {
    for (const spy of spies) spy.mockRestore();
    vi.useRealTimers();
  };
}
