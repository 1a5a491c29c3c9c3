// `user.db`: what only this device knows. The program never deletes it.

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { t } from '../../language/texts';
import type { LocalName } from '../model/local_paths';
import { asNoted, type Ledger, type LedgerRow, type Stamp } from '../model/ports';
import type { Hash, Key, Path, Wanted } from '../model/trees';
import type { Note } from '../planner/commit';
import { AgreedTree, isRowNote, keyOfNote } from './agreed_tree';
import { Damaged, isDamage, isSound, salvage } from './damage';
import { type Database, durably, openDatabase, type Prepare, prepareOnce, transaction } from './driver';
import { FormerVersions, formerTable } from './former';
import { GradedFolders, gradedTable } from './graded_folders';
import { issuesTable, KeptIssues } from './kept_issues';
import { OwnSteps, ownStepsTable } from './own_steps';
import { attemptTables } from './quiz_tables';
import { Unwanted, unwantedByUuid } from './unwanted';

const migrations = [
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE names (
     key TEXT PRIMARY KEY, parent TEXT, server_name TEXT NOT NULL, local_name TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE agreed (
     key TEXT PRIMARY KEY, wanted TEXT NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL, going TEXT,
     seen_path TEXT NOT NULL, seen_sha256 TEXT NOT NULL, inode TEXT NOT NULL, size INTEGER NOT NULL, mtime TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE unwanted (key TEXT PRIMARY KEY, since TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE removed (key TEXT PRIMARY KEY, path TEXT NOT NULL) STRICT, WITHOUT ROWID;
   CREATE TABLE outbox (
     seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, entity TEXT NOT NULL, verb TEXT NOT NULL, body TEXT NOT NULL,
     state TEXT NOT NULL DEFAULT 'queued', attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, created_at TEXT NOT NULL
   ) STRICT;
   CREATE INDEX outbox_of_entity ON outbox (entity, seq);
   CREATE TABLE server_ids (local_id INTEGER PRIMARY KEY, server_id INTEGER NOT NULL) STRICT;
   ${issuesTable}`,
  `ALTER TABLE outbox ADD COLUMN hold TEXT;
   CREATE TABLE drafts (
     assignment_id INTEGER PRIMARY KEY, course_id INTEGER NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL, url TEXT NOT NULL,
     files TEXT NOT NULL, changed_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE receipts (
     id TEXT PRIMARY KEY, course_id INTEGER NOT NULL, assignment_id INTEGER NOT NULL, submission_id INTEGER NOT NULL,
     attempt INTEGER NOT NULL, submitted_at TEXT NOT NULL, work TEXT NOT NULL, sha256 TEXT,
     standing TEXT NOT NULL, token TEXT, sent_at TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX receipts_of_assignment ON receipts (assignment_id, attempt);`,
  `CREATE TABLE bookmarks (
     kind TEXT NOT NULL, id INTEGER NOT NULL, course_id INTEGER NOT NULL, title TEXT NOT NULL, note TEXT NOT NULL,
     is_marked INTEGER NOT NULL, highlights TEXT NOT NULL, changed_at TEXT NOT NULL, PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;`,
  'ALTER TABLE issues ADD COLUMN reason TEXT;',
  'CREATE TABLE written (place TEXT PRIMARY KEY, words TEXT NOT NULL, changed_at TEXT NOT NULL) STRICT, WITHOUT ROWID;',
  `${ownStepsTable}
   ALTER TABLE agreed ADD COLUMN uuid TEXT;`,
  `${formerTable}
   ${unwantedByUuid}`,
  attemptTables,
  gradedTable,
];

/** A damaged one is moved aside, and what can be read of it is saved. */
export function openUser(path: string, now: () => Date, readOnly = false): UserStore {
  // There is nothing to read, and opening it read-only must not create it.
  if (readOnly && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) throw new Error(t('why.recordsLost', { path }));
  try {
    return new UserStore(path, now, { readOnly });
  } catch (problem) {
    if (!isDamage(problem)) throw problem;
    if (readOnly) throw new Damaged(t('why.storeDamaged'));
    return saveUser(path, now);
  }
}

export function saveUser(path: string, now: () => Date): UserStore {
  const aside = salvage(path, migrations, now());
  const user = new UserStore(path, now);
  user.set('salvaged', JSON.stringify({ at: now().toISOString(), aside } satisfies Salvaged));
  return user;
}

export interface Salvaged {
  readonly at: string;
  /** The path of the damaged database. */
  readonly aside: string;
}

export class UserStore implements Ledger {
  readonly database: Database;
  readonly prepare: Prepare;
  /** Current problems. */
  readonly issues: KeptIssues;
  /** The steps sent to the server, until the feed has shown their effect. */
  readonly steps: OwnSteps;
  /** Earlier agreed versions of the user's own files. */
  readonly former: FormerVersions;
  /** The folders of students' work. */
  readonly graded: GradedFolders;
  /** The files of drafts and unsent work, by their hash. */
  readonly workFolder: string;
  readonly #agreed: AgreedTree;
  readonly #unwanted: Unwanted;
  #names: Map<Key, LocalName> | undefined;
  #touched: Set<Key> | undefined = new Set();

  constructor(
    path: string,
    readonly now: () => Date,
    { readOnly = false } = {},
  ) {
    this.workFolder = join(dirname(path), 'work');
    this.database = openDatabase({ path, migrations, readOnly });
    this.prepare = prepareOnce(this.database);
    this.issues = new KeptIssues(this.database, now);
    this.steps = new OwnSteps(this.database, this.prepare, now);
    this.former = new FormerVersions(this.prepare, now);
    this.graded = new GradedFolders(this.prepare, now);
    this.#agreed = new AgreedTree(this.prepare, this.former);
    this.#unwanted = new Unwanted(this.prepare, now);
  }

  close(): void {
    this.database.close();
  }

  /** Whether the disk still has the bytes that were stored. */
  isSound(): boolean {
    return isSound(this.database, [
      ['outbox', 'body'],
      ['drafts', 'files'],
      ['receipts', 'work'],
      ['bookmarks', 'highlights'],
      ['written', 'words'],
      ['own_steps', 'step'],
      ['quiz_attempts', 'questions'],
      ['quiz_answers', 'answer'],
      ['graded', 'value'],
      ['settings', "iif(substr(value, 1, 1) IN ('{', '['), value, NULL)"],
    ]);
  }

  rows(): ReadonlyMap<Key, LedgerRow> {
    return this.#agreed.rows();
  }

  /** Reads the rows in slices, unless they are in memory already. */
  readRows(): Promise<void> {
    return this.#agreed.read();
  }

  /** The agreed files at a folded path. */
  at(folded: Path): readonly Key[] {
    return this.#agreed.at(folded);
  }

  twin(hash: Hash): Path | undefined {
    return this.#agreed.twin(hash);
  }

  /** Keys that were noted, or whose choice changed, since the last call; undefined: all. */
  touched(): ReadonlySet<Key> | undefined {
    return this.#touched;
  }

  takeTouched(): ReadonlySet<Key> | undefined {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  unwanted(): ReadonlySet<Key> {
    return this.#unwanted.keys();
  }

  /** The server may have another file under the id of an unwanted one: that file is wanted. */
  checkUnwanted(tree: ReadonlyMap<Key, Wanted>): void {
    for (const key of this.#unwanted.check(tree)) this.want(key, true);
  }

  note(given: readonly Note<Stamp>[]): void {
    if (given.length === 0) return;
    const now = this.now();
    const notes = given.map((note) => ('put' in note ? { ...note, seen: { ...note.seen, stamp: asNoted(note.seen.stamp, now) } } : note));
    transaction(this.database, () => {
      for (const note of notes) this.#write(note, notes);
    });
    // What is in memory is only updated after the commit.
    this.#agreed.follow(notes.filter(isRowNote));
    for (const note of notes) this.#touched?.add(keyOfNote(note));
    if (notes.some((note) => 'unwant' in note)) this.#unwanted.forget();
  }

  /** After many changes everything is read again. */
  #forgetRows(): void {
    this.#agreed.forget();
    this.#touched = undefined;
  }

  /** The paths of the copies of withdrawn files, by their earlier keys. */
  removed(): ReadonlyMap<Key, Path> {
    return new Map(
      this.prepare('SELECT key, path FROM removed')
        .all()
        .map(({ key, path }) => [String(key), String(path)]),
    );
  }

  names(): ReadonlyMap<Key, LocalName> {
    this.#names ??= new Map(
      this.prepare('SELECT key, parent, server_name, local_name FROM names')
        .all()
        .map((row) => [String(row.key), row as unknown as LocalName]),
    );
    return this.#names;
  }

  keepNames(names: readonly LocalName[]): void {
    if (names.length === 0) return;
    const insert = this.prepare('INSERT OR REPLACE INTO names (key, parent, server_name, local_name) VALUES (?, ?, ?, ?)');
    transaction(this.database, () => {
      for (const { key, parent, server_name, local_name } of names) insert.run(key, parent, server_name, local_name);
    });
    for (const name of names) this.#names?.set(name.key, name);
  }

  want(key: Key, isWanted: boolean): void {
    durably(this.database, () => {
      if (isWanted) this.#unwanted.drop(key);
      else this.#write({ unwant: key });
    });
    this.#unwanted.forget();
    this.#touched?.add(key);
  }

  /** Removes the unwanted marks and stores the new choice, in one transaction. */
  wantAgain(keys: readonly Key[], name: string, value: string): void {
    durably(this.database, () => {
      for (const key of keys) this.#unwanted.drop(key);
      this.set(name, value);
    });
    this.#unwanted.forget();
    for (const key of keys) this.#touched?.add(key);
  }

  /** In another folder nothing is agreed yet, and nothing is unwanted. */
  forgetFolder(): void {
    const agreed = "DELETE FROM agreed; DELETE FROM own_steps; DELETE FROM settings WHERE name IN ('my folders', 'held deletions');";
    const others =
      "DELETE FROM unwanted; DELETE FROM removed; DELETE FROM former; DELETE FROM graded WHERE place LIKE '%\tfile\t%' OR place LIKE '%\trow\t%';";
    transaction(this.database, () => this.database.exec(`${agreed} ${others}`));
    this.#forgetRows();
    this.#unwanted.forget();
  }

  /** A folder was moved as a whole; nothing in it has changed. `name`: a setting that is no longer needed after that. */
  relocate(from: Path, to: Path, name?: string): void {
    const moved = (table: string, column: string) =>
      this.prepare(
        `UPDATE ${table} SET ${column} = ?2 || substr(${column}, length(?1) + 1) WHERE substr(${column}, 1, length(?1) + 1) = ?1 || '/'`,
      );
    transaction(this.database, () => {
      for (const column of ['wanted', 'path', 'seen_path', 'going']) moved('agreed', column).run(from, to);
      moved('removed', 'path').run(from, to);
      if (name !== undefined) this.set(name, undefined);
    });
    this.#forgetRows();
  }

  setting(name: string): string | undefined {
    const row = this.prepare('SELECT value FROM settings WHERE name = ?').get(name);
    return row && String(row.value);
  }

  set(name: string, value: string | undefined): void {
    if (value === undefined) this.prepare('DELETE FROM settings WHERE name = ?').run(name);
    else this.prepare('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)').run(name, value);
  }

  #write(note: Note<Stamp>, together: readonly Note<Stamp>[] = [note]): void {
    // The copy in memory still has what is dropped in the same transaction.
    if ('unwant' in note) this.#unwanted.add(note.unwant, this.rows().get(note.unwant)?.uuid);
    else this.#agreed.write(note, together);
  }
}
