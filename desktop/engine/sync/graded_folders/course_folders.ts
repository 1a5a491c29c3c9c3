// What the writing of students' work into folders is given: of all courses, and of one.

import type { Net } from '../../disk/disk';
import type { Disk } from '../../model/ports';
import type { OpenCourse } from '../../server/grading_course';
import type { Session } from '../../server/session';
import type { Transfers } from '../../server/transfer_rules';
import type { Cache } from '../../store/cache';
import type { UserStore } from '../../store/user';
import type { SyncProblem } from '../reason';
import type { Derived } from '../wanted/derive';
import type { SyncAccount } from '../wanted/wanted';
import type { FolderPaths } from './folder_paths';

export interface WritingFolders {
  readonly cache: Cache;
  readonly user: UserStore;
  readonly session: Session;
  readonly account: SyncAccount;
  readonly wanted: Pick<Derived, 'paths' | 'homes'>;
  readonly root: string;
  readonly now: () => Date;
  readonly transfers?: Transfers | undefined;
  readonly diskOf: (net?: Net) => Disk;
  /** Called before anything is changed. */
  readonly enter: () => Promise<void>;
  readonly issues: SyncProblem[];
}

export interface CourseFolders extends WritingFolders {
  readonly graded: OpenCourse;
  readonly paths: FolderPaths;
  readonly disk: Disk;
  /** Keeps what it replaces. */
  readonly careful: Disk;
  /** Pieces that were written before. */
  readonly written: Set<string>;
}
