// What was read out of a file.

export interface Read {
  /** The words, page by page where it has pages. */
  readonly pages: readonly string[];
  /** What each page shows besides, as a hash; none where it is not known. */
  readonly drawn?: readonly string[];
}
