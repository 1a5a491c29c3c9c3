// Allows only one program in a store. The system releases the lock when the process ends for any reason.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { t } from '../../language/texts';
import { openingProblem } from './driver';

export class InUse extends Error {
  override readonly name = 'InUse';
  constructor() {
    super(t('why.inUse'));
  }
}

/** The error code of SQLite. */
const busy = 5;

/** Returns a function that releases the lock. */
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
    // A full or failing disk does not mean that another program holds it.
    throw problem instanceof Error && 'errcode' in problem && Number(problem.errcode) % 256 === busy
      ? new InUse()
      : openingProblem(problem, path);
  }
  return () => {
    if (database.isOpen) database.close();
  };
}
