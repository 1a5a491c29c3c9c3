// What the desk shows of a file's earlier versions, which are on the server.

import type { VersionsAvailability } from './versions';

export interface FileVersionCard {
  readonly id: number;
  /** What the file was called then. */
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly saved_at: string | null;
  readonly replaced_at: string | null;
}

export interface FileVersionsView {
  readonly id: number;
  readonly course_id: number;
  readonly title: string;
  readonly course_name: string;
  readonly asked: VersionsAvailability;
  /** `version` is the condition of a restore. */
  readonly current: { readonly version: number | null; readonly size: number; readonly saved_at: string | null };
  /** The file here has changes that the server does not have yet. */
  readonly is_edited: boolean;
  /** Newest first. */
  readonly earlier: readonly FileVersionCard[];
}
