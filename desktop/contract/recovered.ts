// Files that a sync replaced or removed in the study folder, kept for 30 days.

export interface RecoveredFile {
  /** The number that `carrel restore` takes. */
  readonly number: number;
  /** Its old path in the study folder. */
  readonly path: string;
  readonly at: string;
  readonly size: number;
  readonly why: 'replaced' | 'removed';
  readonly sha256: string | null;
}
