// Versions of one's own files that this computer had agreed on before others took their place. A server that was restored may have one of
// them again: then no other person has changed the file, and what is here is newer.

import type { Hash, Key } from '../trees';
import type { Prepare } from './driver';

/** As long as the server keeps earlier versions. */
const days = 30;

export const formerTable = `CREATE TABLE former (
     uuid TEXT NOT NULL, sha256 TEXT NOT NULL, until TEXT NOT NULL, PRIMARY KEY (uuid, sha256)
   ) STRICT, WITHOUT ROWID;`;

export class FormerVersions {
  #tidied = '';

  constructor(
    private readonly prepare: Prepare,
    private readonly now: () => Date,
  ) {}

  /** To be called before another version is agreed on under the key, or none. */
  keep(key: Key, next?: { readonly hash: Hash; readonly uuid?: string | undefined }): void {
    const until = this.now().toISOString();
    const [today = ''] = until.split('T');
    if (today !== this.#tidied) {
      const oldest = new Date(this.now().getTime() - days * 24 * 3_600_000).toISOString();
      this.prepare('DELETE FROM former WHERE until < ?').run(oldest);
      this.#tidied = today;
    }
    this.prepare(
      `INSERT OR REPLACE INTO former (uuid, sha256, until)
       SELECT uuid, sha256, ?2 FROM agreed WHERE key = ?1 AND uuid IS NOT NULL AND (uuid <> ?3 OR sha256 <> ?4)`,
    ).run(key, until, next?.uuid ?? '', next?.hash ?? '');
  }

  has(uuid: string | undefined, hash: Hash): boolean {
    return uuid !== undefined && this.prepare('SELECT 1 FROM former WHERE uuid = ? AND sha256 = ?').get(uuid, hash) !== undefined;
  }
}
