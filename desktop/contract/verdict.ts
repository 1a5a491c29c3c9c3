// Whether the local files match the server: every byte is read again.

export interface VerdictView {
  readonly checked: number;
  /** Files that the user has edited, which therefore may differ. */
  readonly edited: number;
  readonly issues: readonly { readonly what: 'missing' | 'damaged' | 'outdated'; readonly where: string; readonly key: string }[];
  /** By course: whether the hash over all its files matches on both sides. */
  readonly courses: readonly {
    readonly name: string;
    readonly files: number;
    /** How many of them are on this computer. */
    readonly here: number;
    readonly is_identical: boolean;
    readonly as_of: string;
  }[];
  readonly as_of: string | null;
  /** Whether the server could be reached. */
  readonly is_asked: boolean;
  /** Whether the server provides file hashes; otherwise files are compared with what was downloaded. */
  readonly has_hashes: boolean;
}
