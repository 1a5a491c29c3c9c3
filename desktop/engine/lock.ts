// One program at a time on one store. The system lets go of the lock when the program dies, however it dies.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { t } from '../ui/words/texts';
import { openingProblem } from './store/driver';

export class InUse extends Error {
  override readonly name = 'InUse';
  constructor() {
    super(t('why.inUse'));
  }
}

/** As SQLite counts. */
const busy = 5;

/** Returns how to let go. */
export function lock(store: string): () => void {
  mkdirSync(store, { recursive: true, mode: 0o700 });
  const path = join(store, 'lock.db');
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path, { timeout: 500 });
  } catch (problem) {
    throw openingProblem(problem, path);
  }
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (problem) {
    database.close();
    // A full or failing disk is not another program.
    throw problem instanceof Error && 'errcode' in problem && Number(problem.errcode) % 256 === busy
      ? new InUse()
      : openingProblem(problem, path);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
