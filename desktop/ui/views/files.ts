// What the desk shows of files.

import type { Against } from './choices.ts';

export type FileState =
  | 'synced'
  | 'queued'
  | 'downloading'
  | 'edited'
  | 'conflict'
  | 'locked'
  | 'kept'
  | 'failed'
  | 'removed by teacher'
  | 'not wanted';

export interface FileView {
  readonly id: number;
  readonly name: string;
  /** Folder path below the course, `/`-separated, `''` for the root. */
  readonly folder: string;
  readonly size: number;
  readonly content_type: string;
  readonly updated_at: string | null;
  readonly state: FileState;
  readonly reason: string | null;
  /** What keeps it out of reach for now. */
  readonly lock: FileLock | null;
  /** Why it is not wanted here: put away by itself, or by what was chosen. */
  readonly against: 'file' | Against | null;
}

export interface FileLock {
  /** `unlisted`: the course shows none of its files. */
  readonly why: 'locked' | 'hidden' | 'unlisted';
  readonly until: string | null;
  /** The name of the module that holds it back. */
  readonly module: string | null;
}
