// The three trees the planner compares, the steps it may return, and the fold by which two paths count as one.

/** `file:12`, `page:5`, `assignment:3`: the server's identity of one local file, which does not change with its name. */
export type Key = string;
/** Below the root, `/`-separated, never absolute. */
export type Path = string;
/** Lower-case hex sha256. */
export type Hash = string;

/** What the server wants to exist. */
export interface Wanted {
  readonly path: Path;
  readonly hash: Hash;
  /** Declared length; orders downloads and is verified. */
  readonly size: number;
  /** False while locked: an existing copy stays, a missing one cannot be downloaded. */
  readonly available: boolean;
  /** Of a file: a restored server may reuse an id, but never a uuid. */
  readonly uuid?: string | undefined;
  /** Written here from the cache (a page, an assignment), not downloaded. */
  readonly generated: boolean;
  /** The date the file gets on disk. */
  readonly modified?: Date;
}

/** What both sides last agreed on. */
export interface Agreed {
  /** The path that the server wanted then. */
  readonly wanted: Path;
  /** Its path on disk; differs if the user moved it. */
  readonly path: Path;
  readonly hash: Hash;
  /** The uuid of the file; unknown in rows of older versions of the desk. */
  readonly uuid?: string | undefined;
  /** The target of a move that was not noted as finished. */
  readonly going?: Path;
}

/** A file on disk. */
export interface FoundFile {
  readonly path: Path;
  readonly hash: Hash;
}

export interface Trees {
  readonly remote: ReadonlyMap<Key, Wanted>;
  /** Keys that the feed has reported as deleted. Absence from `remote` alone means nothing. */
  readonly withdrawn: Pick<ReadonlySet<Key>, 'has'>;
  readonly base: ReadonlyMap<Key, Agreed>;
  /** `unseen`: its folder or its bytes could not be read, so nothing may be concluded. */
  readonly local: ReadonlyMap<Key, FoundFile | 'unseen'>;
  /** Files that the desk did not put there, by folded path. */
  readonly strangers: ReadonlyMap<Path, FoundFile>;
  /** Keys that are synced both ways: what the user deletes is deleted on the server, not only unwanted here. */
  readonly mine?: ReadonlySet<Key>;
  /** Keys the user does not want on this device: removed one by one, or not selected. */
  readonly unwanted: ReadonlySet<Key>;
}

/** A file in the way of a step, which must be moved aside first; with its key if it is synced. */
export interface InTheWay extends FoundFile {
  readonly key?: Key;
  /** The file is in a folder whose path is needed for a file; the folder gets another name. */
  readonly below?: Path;
}

/** Every step contains the state that the planner saw; carrying it out is refused if that has changed. */
export type Step =
  /** Both sides are as in `agreed`: note it. */
  | { readonly do: 'agree'; readonly key: Key; readonly agreed: Agreed; readonly seen: FoundFile }
  /** Download the server's bytes to `path`: over the unedited copy `over`, or after moving what is there `aside`. */
  | {
      readonly do: 'pull';
      readonly key: Key;
      readonly path: Path;
      readonly wanted: Wanted;
      readonly over?: FoundFile;
      readonly aside: readonly InTheWay[];
    }
  | {
      readonly do: 'move';
      readonly key: Key;
      readonly from: FoundFile;
      readonly to: Path;
      readonly agreed: Agreed;
      readonly aside: readonly InTheWay[];
    }
  /** One of a ring of moves waits outside the course folders, so that the others can proceed. */
  | { readonly do: 'park'; readonly key: Key; readonly from: FoundFile; readonly agreed: Agreed }
  /** The server withdrew it: the local copy goes to the folder for removed files. */
  | {
      readonly do: 'withdraw';
      readonly key: Key;
      readonly from: FoundFile;
      readonly to: Path;
      /** The user has not changed it. */
      readonly isAsItCame?: boolean;
    }
  /** The user does not want it, and it is unedited. */
  | { readonly do: 'discard'; readonly key: Key; readonly from: FoundFile }
  /** Stop tracking it; `unwanted` if the user deleted it. */
  | { readonly do: 'forget'; readonly key: Key; readonly unwanted: boolean }
  /** A new id has replaced the old one (an upload over it): it takes over the copy on disk. */
  | { readonly do: 'inherit'; readonly key: Key; readonly from: Key; readonly agreed: Agreed };

/** Two paths with one fold are one file on some disks: NFC and NFD, upper and lower case. */
export const fold = (path: Path): Path =>
  plain.test(path) ? path.toLowerCase() : path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Most paths are ASCII, for which this gives the same result faster. */
const plain = /^[ -~]*$/;

export const parentOf = (path: Path): Path => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const lastOf = (path: Path): string => path.slice(path.lastIndexOf('/') + 1);

/** The date of a file; a server may send none, or an invalid one. */
export const parsedDate = (time: string | null | undefined): Date | undefined =>
  time && !Number.isNaN(Date.parse(time)) ? new Date(time) : undefined;
