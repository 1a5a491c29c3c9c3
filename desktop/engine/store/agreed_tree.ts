// The agreed tree: one row for each file that is on both sides. A copy in memory is updated after each commit.

import { isInMyFiles } from '../model/names';
import { PathIndex } from '../model/path_index';
import { inSlices } from '../model/pauses';
import type { LedgerRow, Stamp } from '../model/ports';
import { slice } from '../model/slices';
import type { Hash, Key, Path } from '../model/trees';
import type { Note } from '../planner/commit';
import type { Prepare } from './driver';
import type { FormerVersions } from './former';

/** A change of the tree, and not of what the user wants. */
type RowNote = Exclude<Note<Stamp>, { readonly unwant: Key }>;

export const isRowNote = (note: Note<Stamp>): note is RowNote => !('unwant' in note);

export class AgreedTree {
  #rows: Map<Key, LedgerRow> | undefined;
  /** How often the tree has changed. */
  #changes = 0;
  #places: PathIndex | undefined;
  /** A key by the bytes that it had here. */
  #twins: Map<Hash, Key> | undefined;

  /** @param former keeps the versions that are replaced */
  constructor(
    private readonly prepare: Prepare,
    private readonly former: FormerVersions,
  ) {}

  rows(): ReadonlyMap<Key, LedgerRow> {
    this.#rows ??= new Map(
      this.prepare('SELECT * FROM agreed')
        .all()
        .map((row) => [String(row.key), rowOf(row)]),
    );
    return this.#rows;
  }

  /** Reads the rows in slices, unless they are in memory already. */
  async read(): Promise<void> {
    if (!this.#rows) await inSlices(this.#reading());
  }

  *#reading(): Generator<void, void> {
    const before = this.#changes;
    const rows = new Map<Key, LedgerRow>();
    const some = this.prepare('SELECT * FROM agreed WHERE key > ? ORDER BY key LIMIT ?');
    for (let last = '', count = slice; count === slice; ) {
      const read = some.all(last, slice);
      for (const row of read) rows.set(String(row.key), rowOf(row));
      last = String(read.at(-1)?.key);
      count = read.length;
      if (count === slice) yield;
    }
    // The rows that were read may lack what was noted meanwhile.
    if (this.#changes === before) this.#rows ??= rows;
  }

  /** The keys of the files at a folded path. */
  at(folded: Path): readonly Key[] {
    if (!this.#places) {
      this.#places = new PathIndex();
      for (const [key, { path }] of this.rows()) this.#places.add(path, key);
    }
    return this.#places.at(folded);
  }

  twin(hash: Hash): Path | undefined {
    this.#twins ??= new Map([...this.rows()].map(([key, { seen }]) => [seen.hash, key]));
    const row = this.rows().get(this.#twins.get(hash) ?? '');
    return row?.seen.hash === hash ? row.path : undefined;
  }

  /** @param together all notes of the transaction */
  write(note: RowNote, together: readonly Note<Stamp>[]): void {
    if ('put' in note) this.#put(note);
    else if ('going' in note) this.prepare('UPDATE agreed SET path = ?, going = ? WHERE key = ?').run(note.from, note.to, note.going);
    else this.#drop(note, together);
  }

  #put({ put, agreed, seen }: Extract<RowNote, { readonly put: Key }>): void {
    const { inode, size, mtime } = seen.stamp;
    if (isInMyFiles(agreed.path)) this.former.keep(put, agreed);
    this.prepare('INSERT OR REPLACE INTO agreed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      put,
      agreed.wanted,
      agreed.path,
      agreed.hash,
      agreed.going ?? null,
      seen.path,
      seen.hash,
      inode,
      size,
      mtime,
      agreed.uuid ?? null,
    );
  }

  #drop({ drop, removed }: Extract<RowNote, { readonly drop: Key }>, together: readonly Note<Stamp>[]): void {
    const path = this.rows().get(drop)?.path ?? '';
    // The file that is agreed under another id at the same path has replaced it.
    const heir = together.flatMap((other) => ('put' in other && other.agreed.path === path ? [other.agreed] : []))[0];
    if (isInMyFiles(path)) this.former.keep(drop, heir);
    this.prepare('DELETE FROM agreed WHERE key = ?').run(drop);
    if (removed !== undefined) this.prepare('INSERT OR REPLACE INTO removed (key, path) VALUES (?, ?)').run(drop, removed);
  }

  /** To be called after the commit. */
  follow(notes: readonly RowNote[]): void {
    this.#changes++;
    if (this.#rows) for (const note of notes) this.#follow(note, this.#rows);
  }

  #follow(note: RowNote, rows: Map<Key, LedgerRow>): void {
    const key = keyOfNote(note);
    const before = rows.get(key);
    const row = rowAfter(note, before);
    if (row) rows.set(key, row);
    else rows.delete(key);
    if (before && before.path !== row?.path) this.#places?.remove(before.path, key);
    if (row) this.#places?.add(row.path, key);
    if (row) this.#twins?.set(row.seen.hash, key);
  }

  /** After many changes everything is read again. */
  forget(): void {
    this.#changes++;
    this.#rows = undefined;
    this.#places = undefined;
    this.#twins = undefined;
  }
}

export const keyOfNote = (note: Note<Stamp>): Key =>
  'put' in note ? note.put : 'going' in note ? note.going : 'drop' in note ? note.drop : note.unwant;

function rowAfter(note: RowNote, before: LedgerRow | undefined): LedgerRow | undefined {
  if ('put' in note) return { ...note.agreed, seen: note.seen };
  return 'going' in note ? before && { ...before, path: note.from, going: note.to } : undefined;
}

const rowOf = (row: Record<string, unknown>): LedgerRow => ({
  wanted: String(row.wanted),
  path: String(row.path),
  hash: String(row.sha256),
  ...(row.uuid == null ? {} : { uuid: String(row.uuid) }),
  ...(row.going == null ? {} : { going: String(row.going) }),
  seen: {
    path: String(row.seen_path),
    hash: String(row.seen_sha256),
    stamp: { inode: String(row.inode), size: Number(row.size), mtime: String(row.mtime) },
  },
});
