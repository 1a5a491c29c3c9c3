// Problems of single items, in `user.db`, each with the time when it began.

import type { Issue } from '../../contract/state';
import { stored } from './damage';
import { type Database, type Prepare, prepareOnce, transaction } from './driver';

export const issuesTable = `
  CREATE TABLE issues (
    place TEXT PRIMARY KEY, what TEXT NOT NULL, why TEXT NOT NULL, since TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;`;

export class KeptIssues {
  readonly #prepare: Prepare;

  constructor(
    private readonly database: Database,
    private readonly now: () => Date,
  ) {
    this.#prepare = prepareOnce(database);
  }

  /** The oldest first. */
  all(): readonly Issue[] {
    return this.#prepare('SELECT what, place AS "where", why, reason, since FROM issues ORDER BY since, place')
      .all()
      .map(({ reason, ...row }) => ({ ...row, ...(reason !== null && { reason: stored(reason) }) }) as unknown as Issue);
  }

  /** Replaces all issues; one that continues keeps its time. */
  keep(issues: readonly Omit<Issue, 'since'>[]): void {
    const known = this.all();
    const isSame =
      issues.length === known.length && issues.every(({ where, why }) => known.some((old) => old.where === where && old.why === why));
    if (isSame) return;
    const insert = this.#prepare('INSERT OR REPLACE INTO issues (place, what, why, reason, since) VALUES (?, ?, ?, ?, ?)');
    transaction(this.database, () => {
      this.database.exec('DELETE FROM issues');
      for (const { what, where, why, reason } of issues) {
        const since = known.find((old) => old.where === where)?.since ?? this.now().toISOString();
        insert.run(where, what, why, reason === undefined ? null : JSON.stringify(reason), since);
      }
    });
  }
}
