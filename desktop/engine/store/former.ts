// Earlier agreed versions and paths of the user's own files. If a restored server has one of them again, no other person has changed the
// file, and the local file is newer.

import type { Agreed, Key, Wanted } from '../model/trees';
import type { Prepare } from './driver';

/** As long as the server keeps earlier versions. */
const days = 30;

export const formerTable = `CREATE TABLE former (
     uuid TEXT NOT NULL, sha256 TEXT NOT NULL, place TEXT NOT NULL, until TEXT NOT NULL, next_uuid TEXT, PRIMARY KEY (uuid, sha256, place)
   ) STRICT, WITHOUT ROWID;`;

export class FormerVersions {
  #tidied = '';

  constructor(
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  /** To be called before another version, or none, is agreed under the key. */
  keep(key: Key, next?: Pick<Agreed, 'hash' | 'uuid' | 'wanted'>): void {
    const until = this.now().toISOString();
    const [today = ''] = until.split('T');
    if (today !== this.#tidied) {
      const oldest = new Date(this.now().getTime() - days * 24 * 3_600_000).toISOString();
      this.prepare('DELETE FROM former WHERE until < ?').run(oldest);
      this.#tidied = today;
    }
    this.prepare(
      `INSERT OR REPLACE INTO former (uuid, sha256, place, until, next_uuid)
       SELECT uuid, sha256, wanted, ?2, nullif(?3, '') FROM agreed WHERE key = ?1 AND uuid IS NOT NULL AND (uuid <> ?3 OR sha256 <> ?4 OR wanted <> ?5)`,
    ).run(key, until, next?.uuid ?? '', next?.hash ?? '', next?.wanted ?? '');
  }

  has({ uuid, hash, path }: Pick<Wanted, 'uuid' | 'hash' | 'path'>): boolean {
    const asked = 'SELECT 1 FROM former WHERE uuid = ? AND sha256 = ? AND place = ?';
    return uuid !== undefined && this.prepare(asked).get(uuid, hash, path) !== undefined;
  }

  /** The uuids of the files that replaced a file one after the other, the oldest first. */
  heirsOf(uuid: string): readonly string[] {
    const next = this.prepare('SELECT next_uuid FROM former WHERE uuid = ?1 AND next_uuid <> ?1 ORDER BY until DESC LIMIT 1');
    const heirs = new Set([uuid]);
    for (const heir of heirs) {
      const found = next.get(heir)?.next_uuid;
      if (found != null) heirs.add(String(found));
    }
    heirs.delete(uuid);
    return [...heirs];
  }
}
