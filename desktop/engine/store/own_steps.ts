// The steps for files and folders that this computer has sent to the server, in `user.db`: stored before the request, so that their effect
// in the feed is recognised as this computer's own, whatever has changed here since.

import { randomUUID } from 'node:crypto';
import type { SeenFile } from '../model/ports';
import type { Key, Path } from '../model/trees';
import { stored } from './damage';
import { type Database, durably, type Prepare } from './driver';

export const ownStepsTable = `CREATE TABLE own_steps (
     nth INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, path TEXT NOT NULL, step TEXT NOT NULL, begun_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX own_steps_at ON own_steps (path);
   DELETE FROM settings WHERE name LIKE 'sending %' OR name LIKE 'making %';`;

/** The file or folder of the step, as the server had it when the step was planned. */
interface About {
  readonly key: Key;
  readonly uuid?: string | undefined;
}

/** Its target on the server. */
interface Placed {
  readonly folder: number | null;
  readonly name: string;
}

/** The bytes and the condition: an idempotency key belongs to one request, including its condition. */
interface Load {
  readonly seen: SeenFile;
  /** The version of the file that they replace. */
  readonly version?: number | string | undefined;
  /** The name of the conflict copy if the server has another version by then. */
  readonly conflict: string;
}

/** `path`: its path on this computer; `there`: the local path that matches its name and folder on the server. */
export type Intended =
  | (Placed & Load & { readonly do: 'add'; readonly path: Path; readonly there: Path })
  | (Placed & About & Load & { readonly do: 'replace'; readonly path: Path; readonly there: Path })
  /** `by`: a temporary name and folder; the next plan renames it to `path`. */
  | (Placed & About & { readonly do: 'rename'; readonly path: Path; readonly by?: Path })
  | (About & { readonly do: 'delete'; readonly path: Path })
  | (Placed & { readonly do: 'make folder'; readonly path: Path; readonly inode: string })
  | (Placed & { readonly do: 'rename folder'; readonly id: number; readonly from: Path; readonly path: Path; readonly inode: string })
  | { readonly do: 'delete folder'; readonly id: number; readonly path: Path };

/** The result, as far as it is known. */
interface Outcome {
  /** The uuid of the file, from the upload ticket: known before the first byte is sent. */
  readonly made_uuid?: string | undefined;
  /** The server has carried it out; `id` is the id of what it created. */
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

  /** A step that was begun before and had no response continues with its key, and with the name of its conflict copy, which contains a date. */
  begin<I extends Intended>(intended: I): { readonly id: string; readonly isAgain: boolean; readonly intended: I } {
    const there = this.prepare('SELECT id, step, begun_at FROM own_steps WHERE path = ? ORDER BY nth').all(intended.path).map(stepOf);
    const known = there.find(({ outcome, intended: one }) => !outcome.done && isSameStep(one, intended));
    if (known) return { id: known.id, isAgain: true, intended: known.intended as I };
    const id = randomUUID();
    const insert = this.prepare('INSERT INTO own_steps (id, path, step, begun_at) VALUES (?, ?, ?, ?)');
    durably(this.database, () => insert.run(id, intended.path, JSON.stringify({ intended, outcome: {} }), this.now().toISOString()));
    return { id, isAgain: false, intended };
  }

  /** Durable, because the bytes are sent right after it. */
  expect(id: string, made_uuid: string): void {
    durably(this.database, () => this.#tell(id, { made_uuid }));
  }

  done(id: string, made: NonNullable<Outcome['done']> = {}): void {
    this.#tell(id, { done: made });
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

/** The content identifies a file, not the time of the scan. */
function sameness(step: Intended): string {
  const seen = 'seen' in step ? { seen: step.seen.hash } : {};
  const inode = 'inode' in step ? { inode: '' } : {};
  const conflict = 'conflict' in step ? { conflict: '' } : {};
  const result = Object.entries({ ...step, ...seen, ...inode, ...conflict }).filter(([, value]) => value !== undefined);
  return JSON.stringify(result.sort(([a], [b]) => (a < b ? -1 : 1)));
}
