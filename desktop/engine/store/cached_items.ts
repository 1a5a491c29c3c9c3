// The items that the server has sent, by kind and id: the queries on the cache.

import type { Kind } from '@carrel/shared/sync/protocol';
import { stored } from './damage';
import { type Database, type Prepare, prepareOnce } from './driver';

/** NULL for a row with damaged JSON, so that the row can still be replaced. */
export const sha256Sql = "CASE WHEN json_valid(json) THEN json ->> 'sha256' END";

const ownToo: ReadonlySet<Kind> = new Set(['calendar_event', 'file', 'folder']);

export type CachedJson = Readonly<Record<string, unknown>>;

export class CachedItems {
  protected readonly prepare: Prepare;

  constructor(protected readonly database: Database) {
    this.prepare = prepareOnce(database);
  }

  get<T>(kind: Kind, id: number): T | undefined {
    const row = this.prepare('SELECT json FROM resources WHERE kind = ? AND id = ?').get(kind, id);
    return row && stored<T>(row.json);
  }

  /** Whether the server lists a file with these bytes now. */
  hasBytes(sha256: string): boolean {
    const sql = `SELECT 1 FROM resources INDEXED BY files_by_sha256 WHERE kind = 'file' AND ${sha256Sql} = ?`;
    return this.prepare(sql).get(sha256) !== undefined;
  }

  all<T>(kind: Kind): T[] {
    return this.prepare('SELECT json FROM resources WHERE kind = ? ORDER BY id')
      .all(kind)
      .map(({ json }) => stored<T>(json));
  }

  ofCourse<T>(kind: Kind, courseId: number): T[] {
    const rows = this.prepare('SELECT json FROM resources WHERE course_id = ? AND kind = ? ORDER BY id').all(courseId, kind);
    return rows.map(({ json }) => stored<T>(json));
  }

  /** The user's own items, outside courses and groups. */
  own<T>(kind: Kind): T[] {
    return this.prepare('SELECT json FROM resources WHERE course_id IS NULL AND kind = ? ORDER BY id')
      .all(kind)
      .map(({ json }) => stored<T>(json));
  }

  countOfCourse(kind: Kind, courseId: number): number {
    return Number(this.prepare('SELECT count(*) AS count FROM resources WHERE course_id = ? AND kind = ?').get(courseId, kind)?.count);
  }

  /** Whether an item of the course has this field. */
  hasInCourse(kind: Kind, courseId: number, field: string): boolean {
    const sql = 'SELECT 1 FROM resources WHERE course_id = ? AND kind = ? AND json_valid(json) AND json ->> ? IS NOT NULL LIMIT 1';
    return this.prepare(sql).get(courseId, kind, field) !== undefined;
  }

  courseIdOf(kind: Kind, id: number): number | null {
    const row = this.prepare('SELECT course_id FROM resources WHERE kind = ? AND id = ?').get(kind, id);
    return row?.course_id == null ? null : Number(row.course_id);
  }

  /** Ids of files, by their uuids. */
  filesByUuid(uuids: readonly string[]): ReadonlyMap<string, number> {
    if (uuids.length === 0) return new Map();
    const sql = `SELECT id, json ->> '$.uuid' AS uuid FROM resources WHERE kind = 'file' AND uuid IN (SELECT value FROM json_each(?))`;
    return new Map(
      this.prepare(sql)
        .all(JSON.stringify(uuids))
        .map(({ id, uuid }) => [String(uuid), Number(id)]),
    );
  }

  /** The items of one kind in one place; null: all of them, but for kinds that courses have as well only the user's own. */
  held(kind: Kind, place: number | null): Map<number, CachedJson> {
    const stands = place !== null ? 'AND course_id = ?' : ownToo.has(kind) ? 'AND course_id IS NULL' : '';
    const sql = `SELECT id, json FROM resources WHERE kind = ? ${stands}`;
    const rows = this.prepare(sql).all(...(place === null ? [kind] : [kind, place]));
    return new Map(rows.map(({ id, json }) => [Number(id), stored<CachedJson>(json)]));
  }

  /** A note of the code that fills the cache, as disposable as the rest. */
  noted(name: string): string | undefined {
    return this.meta(`note ${name}`);
  }

  note(name: string, value: string | undefined): void {
    if (value === this.noted(name)) return;
    if (value === undefined) this.prepare('DELETE FROM meta WHERE name = ?').run(`note ${name}`);
    else this.setMeta(`note ${name}`, value);
  }

  protected meta(name: string): string | undefined {
    const row = this.prepare('SELECT value FROM meta WHERE name = ?').get(name);
    return row && String(row.value);
  }

  protected setMeta(name: string, value: string): void {
    this.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
  }
}
