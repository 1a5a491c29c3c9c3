// View models of files.

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
  /** The folder path below the course, `/`-separated; `''` for the root. */
  readonly folder: string;
  readonly size: number;
  readonly content_type: string;
  readonly updated_at: string | null;
  readonly state: FileState;
  readonly reason: string | null;
  /** Why it is locked at present. */
  readonly lock: FileLock | null;
  /** Why it is not kept here: removed individually, or by the choice of courses, kinds and sizes. */
  readonly against: 'file' | Against | null;
  /** The person may ask the server for its earlier versions. */
  readonly has_versions: boolean;
}

export interface FileLock {
  /** `unlisted`: the course hides its Files page. */
  readonly why: 'locked' | 'hidden' | 'unlisted';
  readonly until: string | null;
  /** The name of the module that locks it. */
  readonly module: string | null;
}
