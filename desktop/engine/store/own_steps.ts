// What this computer has asked the server to do with files and folders, in `user.db`: written down before the request leaves, so that
// what the feed reports later is recognised as this computer's own, whatever has changed here since.

import { randomUUID } from 'node:crypto';
import type { Seen } from '../ports';
import { Stale } from '../pushing';
import { Declined } from '../remote';
import type { Key, Path } from '../trees';
import { stored } from './damage';
import { type Database, durably, type Prepare } from './driver';

export const ownStepsTable = `CREATE TABLE own_steps (
     nth INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, path TEXT NOT NULL, step TEXT NOT NULL, begun_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX own_steps_at ON own_steps (path);
   DELETE FROM settings WHERE name LIKE 'sending %' OR name LIKE 'making %';`;

/** Which file or folder it is about, as the server had it when the step was planned. */
interface About {
  readonly key: Key;
  readonly uuid?: string | undefined;
}

/** Where the server is to have it. */
interface Placed {
  readonly folder: number | null;
  readonly name: string;
}

/** The bytes, and what they depend on: an idempotency key stands for one request, condition and all. */
interface Load {
  readonly seen: Seen;
  /** Of what they replace. */
  readonly version?: number | string | undefined;
  /** The name for them where the server has something else by then. */
  readonly conflict: string;
}

/** `path`: where it is on this computer; `there`: where the name and folder on the server are on this computer. */
export type Intended =
  | (Placed & Load & { readonly do: 'add'; readonly path: Path; readonly there: Path })
  | (Placed & About & Load & { readonly do: 'replace'; readonly path: Path; readonly there: Path })
  /** `by`: where the name and folder are for now; it goes on to `path` with the next plan. */
  | (Placed & About & { readonly do: 'rename'; readonly path: Path; readonly by?: Path })
  | (About & { readonly do: 'delete'; readonly path: Path })
  | (Placed & { readonly do: 'make folder'; readonly path: Path; readonly inode: string })
  | (Placed & { readonly do: 'rename folder'; readonly id: number; readonly from: Path; readonly path: Path; readonly inode: string })
  | { readonly do: 'delete folder'; readonly id: number; readonly path: Path };

/** What is known so far of what came of it. */
export interface Outcome {
  /** Of the file, from the ticket: known before its first byte leaves. */
  readonly made_uuid?: string | undefined;
  /** The server has done it; what it made has this number. */
  readonly done?: { readonly id?: number | undefined; readonly uuid?: string | undefined; readonly isCopy?: boolean } | undefined;
}

export interface OwnStep {
  /** The idempotency key of its request. */
  readonly id: string;
  readonly intended: Intended;
  readonly outcome: Outcome;
  readonly begun_at: string;
}

export class OwnSteps {
  constructor(
    private readonly database: Database,
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  /** In the order in which they were begun. */
  all(): OwnStep[] {
    return this.prepare('SELECT id, step, begun_at FROM own_steps ORDER BY nth').all().map(stepOf);
  }

  /** The same step that was begun before, and of which no answer came, continues under its key. */
  begin(intended: Intended): { readonly id: string; readonly isAgain: boolean } {
    const there = this.prepare('SELECT id, step, begun_at FROM own_steps WHERE path = ? ORDER BY nth').all(intended.path).map(stepOf);
    const known = there.find(({ outcome, intended: one }) => !outcome.done && isSameStep(one, intended));
    if (known) return { id: known.id, isAgain: true };
    const id = randomUUID();
    const insert = this.prepare('INSERT INTO own_steps (id, path, step, begun_at) VALUES (?, ?, ?, ?)');
    durably(this.database, () => insert.run(id, intended.path, JSON.stringify({ intended, outcome: {} }), this.now().toISOString()));
    return { id, isAgain: false };
  }

  /** Must not be lost in a power cut: the bytes leave right after it. */
  expect(id: string, made_uuid: string): void {
    durably(this.database, () => this.#tell(id, { made_uuid }));
  }

  done(id: string, made: NonNullable<Outcome['done']> = {}): void {
    this.#tell(id, { done: made });
  }

  /** What may have reached the server shows later. So may what it refuses because it has done the same before, and the answer was lost. */
  async during<T>(id: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (problem) {
      const isRefused = problem instanceof Declined && problem.status !== 404 && problem.status !== 412;
      if (isRefused || problem instanceof Stale) this.drop(id);
      throw problem;
    }
  }

  drop(id: string): void {
    this.prepare('DELETE FROM own_steps WHERE id = ?').run(id);
  }

  #tell(id: string, more: Outcome): void {
    this.prepare('UPDATE own_steps SET step = json_patch(step, ?) WHERE id = ?').run(JSON.stringify({ outcome: more }), id);
  }
}

const stepOf = ({ id, step, begun_at }: Record<string, unknown>): OwnStep => ({
  id: String(id),
  ...stored<Pick<OwnStep, 'intended' | 'outcome'>>(step),
  begun_at: String(begun_at),
});

const isSameStep = (one: Intended, other: Intended): boolean => sameness(one) === sameness(other);

/** The bytes count, not when they were looked at. */
function sameness(step: Intended): string {
  const seen = 'seen' in step ? { seen: step.seen.hash } : {};
  const inode = 'inode' in step ? { inode: '' } : {};
  const told = Object.entries({ ...step, ...seen, ...inode }).filter(([, value]) => value !== undefined);
  return JSON.stringify(told.sort(([a], [b]) => (a < b ? -1 : 1)));
}
