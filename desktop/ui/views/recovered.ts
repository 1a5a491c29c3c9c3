// Files that a sync replaced or removed in the study folder, kept for 30 days.

export interface RecoveredFile {
  /** What `carrel restore` calls it. */
  readonly number: number;
  /** Where it was in the study folder. */
  readonly path: string;
  readonly at: string;
  readonly size: number;
  readonly why: 'replaced' | 'removed';
  readonly sha256: string | null;
}
