// The text of a file.

export interface ExtractedText {
  /** The words, page by page if it has pages. */
  readonly pages: readonly string[];
  /** A hash of what each page shows besides its words, if known. */
  readonly drawn?: readonly string[];
}
