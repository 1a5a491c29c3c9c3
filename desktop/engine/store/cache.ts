// `cache.db`: the state of the server according to the feed, with the cursor up to which it is complete. Disposable.

import type { Change, ChangesPage, Kind } from '@carrel/shared/sync/protocol';
import { placeIdOf } from '../model/places';
import { type NewsDraft, newsOf, paired, shutNews } from '../news/of_change';
import { answersIn } from '../news/of_texts';
import { isWorded } from '../text/wording';
import { cacheMigrations } from './cache_tables';
import { CachedItems, type CachedJson } from './cached_items';
import { isDamage, isSound, removeDatabase, stored } from './damage';
import { openDatabase, transaction } from './driver';
import { FileWords, type PageWords } from './file_words';
import { KeptDocuments } from './kept_documents';
import { KeptNews } from './kept_news';
import { type KeptThread, KeptThreads } from './kept_threads';
import { Lately } from './lately';
import { type Findings, indexVersion, SearchIndex, type SearchRequest } from './search';
import { documentOf } from './search_entries';
import { KeptStudentWork, type StudentChange } from './student_work';
import { Tombstones } from './tombstones';
import { KeptVersions } from './versions';

const refetchNote = 'refetched';

/** A damaged cache is discarded: the feed fills it again, and files on disk are not affected. */
export function openCache(path: string, readOnly = false): Cache {
  try {
    return new Cache(path, { readOnly });
  } catch (problem) {
    if (!isDamage(problem) || readOnly) throw problem;
    removeDatabase(path);
    return new Cache(path);
  }
}

export class Cache extends CachedItems {
  readonly #search: SearchIndex;
  /** The words of files. */
  readonly words: FileWords;
  /** Changes that the user has not seen. */
  readonly news: KeptNews;
  /** Earlier texts of items. */
  readonly versions: KeptVersions;
  /** Discussions and conversations, which the feed sends without their text. */
  readonly threads: KeptThreads;
  /** The texts that were written as files. */
  readonly documents: KeptDocuments;
  /** What the feed has reported as deleted. */
  readonly gone: Tombstones;
  /** Of the courses chosen for grading. */
  readonly students: KeptStudentWork;
  readonly lately = new Lately();
  /** The user of the account. */
  owner = 0;
  /** The courses chosen for grading: what the feed sends of other users there is their students'. */
  graded: ReadonlySet<number> = new Set();
  /** Courses that are read for the first time: their contents are not news. */
  readonly #arriving = new Set<number>();

  constructor(path: string, { readOnly = false } = {}) {
    super(openDatabase({ path, migrations: cacheMigrations, readOnly }));
    this.words = new FileWords(this.database);
    this.news = new KeptNews(this.database);
    this.versions = new KeptVersions(this.database);
    this.threads = new KeptThreads(this.database);
    this.documents = new KeptDocuments(this.database);
    this.gone = new Tombstones(this.database);
    this.students = new KeptStudentWork(this.database);
    this.#search = new SearchIndex(this.database, this.words);
    for (const place of JSON.parse(this.meta('arriving') ?? '[]') as number[]) this.#arriving.add(place);
    if (!readOnly && this.meta('indexed') !== indexVersion) transaction(this.database, () => this.#indexAll());
    if (!readOnly) this.students.renewCells();
  }

  close(): void {
    this.database.close();
  }

  /** Whether the disk still has the bytes that were stored. */
  isSound(): boolean {
    return isSound(this.database, [
      ['resources', 'json'],
      ['threads', 'json'],
      ['news', 'json'],
      ['student_enrollments', 'json'],
      ['student_submissions', 'json'],
      ['gradebook_cells', 'cell'],
    ]);
  }

  cursor(): string | undefined {
    return this.meta('cursor');
  }

  /** One page: its changes and its cursor in one transaction. Returns the kinds that changed. */
  apply(page: ChangesPage, at = new Date()): ReadonlySet<Kind> {
    if (page.changes.length === 0 && page.cursor === this.cursor() && page.epoch === this.meta('epoch')) return new Set();
    const own = page.changes.filter((change) => !this.#isOfStudent(change));
    transaction(this.database, () => {
      // The first complete download is not news.
      if (this.meta('whole') === undefined) {
        for (const change of page.changes) this.#store(change, at);
      } else this.news.keep(paired(page.changes.flatMap((change) => this.#noticed(change, at))), at);
      if (!page.has_more) {
        if (this.#arriving.size > 0) this.setMeta('arriving', '[]');
        if (this.meta('whole') === undefined || page.changes.some(({ op, kind }) => op === 'delete' && isWorded(kind)))
          this.versions.sweep(at);
        this.#arriving.clear();
        this.setMeta('whole', '1');
      }
      this.setMeta('cursor', page.cursor);
      this.setMeta('epoch', page.epoch);
    });
    if (own.length > 0) this.lately.grow(own);
    return new Set(page.changes.map(({ kind }) => kind));
  }

  /** The server's response to an edit from here: known before the feed repeats it. */
  put(kind: Kind, id: number, resource: CachedJson | undefined, course_id?: number, at = new Date()): void {
    const where = course_id === undefined ? {} : { course_id };
    const change: Change = resource ? { kind, id, op: 'upsert', resource, ...where } : { kind, id, op: 'delete' };
    transaction(this.database, () => this.#store(change, at));
    this.lately.grow([{ kind, id }]);
  }

  /**
   * Everything stored so far is void, tombstones too. Read marks stay.
   * @param why the reason that the server gave: it is applied to the folder when everything has been stored
   */
  reset(at = new Date(), why?: string): void {
    const reason = this.#sureOf(why);
    transaction(this.database, () => {
      for (const { kind, id, json } of this.prepare('SELECT kind, id, json FROM resources').all())
        this.versions.hold(kind as Kind, Number(id), stored<CachedJson>(json), at.toISOString());
      this.database.exec(
        'DELETE FROM resources; DELETE FROM gone; DELETE FROM threads; DELETE FROM news; DELETE FROM revisions; DELETE FROM meta;',
      );
      this.students.clear();
      if (reason !== undefined) this.setMeta(`note ${refetchNote}`, reason);
      this.#indexAll();
    });
    this.lately.grow(undefined);
  }

  /** `expired` only counts if the cache was complete before and no other reason waits to be applied. */
  #sureOf(why: string | undefined): string | undefined {
    const earlier = this.refetched();
    if (earlier !== undefined && earlier !== 'expired') return earlier;
    return why === 'expired' && this.meta('whole') === undefined ? 'unknown' : (why ?? earlier);
  }

  /** The reason of the last reset, until it is applied. */
  refetched(): string | undefined {
    return this.noted(refetchNote);
  }

  /** @param gone the missing items that were deleted */
  settleRefetch(gone: readonly { readonly kind: 'file' | 'folder'; readonly id: number }[]): void {
    transaction(this.database, () => {
      for (const { kind, id } of gone) this.gone.put(kind, id);
      this.note(refetchNote, undefined);
    });
  }

  /** Undefined: the user has no access; it is not requested again until the feed reports a change. */
  keepThread(thread: KeptThread, words: CachedJson | undefined, at = new Date()): void {
    const { kind, id } = thread;
    transaction(this.database, () => {
      const resource = this.get<CachedJson>(kind, id);
      const course_id = this.courseIdOf(kind, id);
      if (kind === 'discussion_topic' && resource) {
        const seeing = { kind, id, course_id, before: resource, after: resource, me: this.owner, titleOf: this.#titleOf };
        this.news.keep(answersIn(this.threads.of(kind, id), words, seeing), at);
      }
      this.threads.keep(thread, words);
      if (resource) this.#index(kind, id, course_id, resource);
    });
    this.lately.grow([]);
  }

  /** Stores the revisions of a page; undefined: the user has no access to them. */
  tellRevisions(page: number, revisions: Parameters<KeptVersions['tellRevisions']>[1] | undefined): void {
    transaction(this.database, () => (revisions ? this.versions.tellRevisions(page, revisions) : this.versions.forgetRevisions(page)));
  }

  find(wanted: SearchRequest): Findings {
    return this.#search.find(wanted);
  }

  /** The words of a file, some pages at a time. */
  keepWords(file: number, pages: readonly PageWords[], isFirst: boolean): void {
    transaction(this.database, () => this.words.put(file, pages, isFirst));
  }

  /** For files that are no longer here. */
  forgetWords(files: readonly number[]): void {
    if (files.length === 0) return;
    transaction(this.database, () => {
      for (const file of files) this.words.remove(file);
    });
  }

  /** Stores a change and returns the news for the user. For a course that arrives for the first time, only the course itself is news. */
  #noticed(change: Change, at: Date): NewsDraft[] {
    const { kind, id } = change;
    if (this.#isOfStudent(change)) {
      this.#store(change, at);
      return [];
    }
    const before = this.get<CachedJson>(kind, id);
    const courseBefore = this.courseIdOf(kind, id);
    this.#store(change, at);
    const course_id = courseBefore ?? this.courseIdOf(kind, id);
    const isPlace = kind === 'course' || kind === 'group';
    if (isPlace && !before?.name) this.#arrive(kind === 'group' ? -id : id);
    if (!isPlace && course_id !== null && (this.#arriving.has(course_id) || !this.#isKnownPlace(course_id))) return [];
    const seeing = {
      kind,
      id,
      course_id,
      before,
      after: change.op === 'upsert' ? change.resource : undefined,
      me: this.owner,
      titleOf: this.#titleOf,
    };
    return change.op === 'delete' && change.withheld ? shutNews(seeing, change.withheld) : newsOf(seeing);
  }

  /** Stored until the course has arrived completely, so that a restart in between does not matter. */
  #arrive(place: number): void {
    this.#arriving.add(place);
    this.setMeta('arriving', JSON.stringify([...this.#arriving]));
  }

  #titleOf = (kind: Kind, id: number): string | undefined => {
    const { title, name } = this.get<{ title?: string; name?: string }>(kind, id) ?? {};
    return title ?? name;
  };

  #isKnownPlace = (place: number): boolean => this.get(place < 0 ? 'group' : 'course', Math.abs(place)) !== undefined;

  #store(change: Change, at: Date): void {
    const { kind, id } = change;
    if (this.#isOfStudent(change)) return void this.students.apply(change);
    if (change.op === 'upsert') {
      if (isWorded(kind)) this.versions.replace(kind, id, this.get<CachedJson>(kind, id), change.resource, at.toISOString());
      const courseId = placeIdOf(change) ?? (typeof change.resource.course_id === 'number' ? change.resource.course_id : null);
      this.#write(kind, id, kind === 'course' ? id : courseId, change.resource);
      this.gone.remove(kind, id);
      this.threads.touch(kind, id, courseId, change.resource);
      return;
    }
    if (change.withheld) {
      // An item that is only locked keeps its place; one that was never stored has none.
      const known = this.get<CachedJson>(kind, id);
      if (known) this.#write(kind, id, this.courseIdOf(kind, id), { ...known, url: '', withheld: change.withheld });
      return;
    }
    if (kind === 'course' || kind === 'group') {
      const place = kind === 'group' ? -id : id;
      this.gone.putPlace(place);
      this.versions.removePlace(place);
      this.prepare('DELETE FROM resources WHERE course_id = ?').run(place);
      this.threads.removePlace(place);
      this.students.removeCourse(place);
      this.#search.removeCourse(place);
    }
    this.gone.put(kind, id);
    this.versions.leave(kind, id, this.get<CachedJson>(kind, id), at.toISOString());
    this.prepare('DELETE FROM resources WHERE kind = ? AND id = ?').run(kind, id);
    this.#search.remove(kind, id);
    this.threads.remove(kind, id);
  }

  #isOfStudent = (change: Change): change is StudentChange =>
    this.students.areAbout(change, this, (kind, id) => this.get(kind, id) !== undefined);

  #write(kind: Kind, id: number, courseId: number | null, resource: CachedJson): void {
    const insert = this.prepare('INSERT OR REPLACE INTO resources (kind, id, course_id, json) VALUES (?, ?, ?, ?)');
    insert.run(kind, id, courseId, JSON.stringify(resource));
    this.#index(kind, id, courseId, resource);
  }

  #index(kind: Kind, id: number, courseId: number | null, resource: CachedJson): void {
    this.#search.put(kind, id, courseId, documentOf(kind, resource, this.threads.of(kind, id)));
  }

  /** Rows of an older version of the program, or of another version of the index. */
  #indexAll(): void {
    this.#search.clear();
    for (const { kind, id, course_id, json } of this.prepare('SELECT kind, id, course_id, json FROM resources').all())
      this.#index(kind as Kind, Number(id), course_id === null ? null : Number(course_id), stored(json));
    this.setMeta('indexed', indexVersion);
  }
}
