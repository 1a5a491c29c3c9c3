// Whether what is here is what the server has: every byte read again.

export interface VerdictView {
  readonly checked: number;
  /** The person's own versions, and rightly so. */
  readonly edited: number;
  readonly issues: readonly { readonly what: 'missing' | 'damaged' | 'outdated'; readonly where: string; readonly key: string }[];
  /** By course: the hash that both sides make of all that is in it. */
  readonly courses: readonly {
    readonly name: string;
    readonly files: number;
    /** Of these lie here. */
    readonly here: number;
    readonly is_identical: boolean;
    readonly as_of: string;
  }[];
  readonly as_of: string | null;
  /** Whether the server could be asked. */
  readonly is_asked: boolean;
  /** The server tells hashes of its files; else they were held against what came from it. */
  readonly has_hashes: boolean;
}
