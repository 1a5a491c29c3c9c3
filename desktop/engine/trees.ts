// The three trees the planner compares, the steps it may ask for, and the fold by which two paths count as one.

/** `file:12`, `page:5`, `assignment:3`: the server's identity of one local file, whatever its name is today. */
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
  /** False while locked: an existing copy stays, a missing one cannot come. */
  readonly available: boolean;
  /** Of a file: a number may be given again by a server that was restored, this is not. */
  readonly uuid?: string | undefined;
  /** Written here from the cache (a page, an assignment), not downloaded. */
  readonly generated: boolean;
  /** The date the file gets on disk. */
  readonly modified?: Date;
}

/** What both sides last agreed on. */
export interface Agreed {
  /** Where the server wanted it then. */
  readonly wanted: Path;
  /** Where it lies on disk; differs when the person moved it. */
  readonly path: Path;
  readonly hash: Hash;
  /** Which file it was; unknown of what older programs noted. */
  readonly uuid?: string | undefined;
  /** Where it was being moved to when nothing more was heard. */
  readonly going?: Path;
}

/** What lies on disk. */
export interface Found {
  readonly path: Path;
  readonly hash: Hash;
}

export interface Trees {
  readonly remote: ReadonlyMap<Key, Wanted>;
  /** Keys the feed has said to be gone. Absence from `remote` alone means nothing. */
  readonly withdrawn: Pick<ReadonlySet<Key>, 'has'>;
  readonly base: ReadonlyMap<Key, Agreed>;
  /** `unseen`: its folder or its bytes could not be read, so nothing may be concluded. */
  readonly local: ReadonlyMap<Key, Found | 'unseen'>;
  /** Files nobody here put there, by folded path. */
  readonly strangers: ReadonlyMap<Path, Found>;
  /** Keys that are kept both ways: what the person deletes is deleted on the server, not merely unwanted here. */
  readonly mine?: ReadonlySet<Key>;
  /** Keys the person does not want on this device: put away one by one, or left out by their choice. */
  readonly unwanted: ReadonlySet<Key>;
}

/** What lies where a step wants to write and must first step aside; with its key when it is one of ours. */
export interface InTheWay extends Found {
  readonly key?: Key;
  /** It lies in a folder where a file has to be; the folder is what gets another name. */
  readonly below?: Path;
}

/** Every step names what the planner saw; whoever carries it out refuses when that is no longer true. */
export type Step =
  /** Both sides are as `agreed` says: note it. */
  | { readonly do: 'agree'; readonly key: Key; readonly agreed: Agreed; readonly seen: Found }
  /** Bring the server's bytes to `path`: over the unedited copy `over`, or with what lies there put `aside`. */
  | {
      readonly do: 'pull';
      readonly key: Key;
      readonly path: Path;
      readonly wanted: Wanted;
      readonly over?: Found;
      readonly aside: readonly InTheWay[];
    }
  | {
      readonly do: 'move';
      readonly key: Key;
      readonly from: Found;
      readonly to: Path;
      readonly agreed: Agreed;
      readonly aside: readonly InTheWay[];
    }
  /** One of a ring of moves waits outside the course folders, so that the others can pass. */
  | { readonly do: 'park'; readonly key: Key; readonly from: Found; readonly agreed: Agreed }
  /** The server withdrew it: the person's copy goes to the folder of removed things. */
  | {
      readonly do: 'withdraw';
      readonly key: Key;
      readonly from: Found;
      readonly to: Path;
      /** The person has not changed it. */
      readonly isAsItCame?: boolean;
    }
  /** The person said they do not want it, and it holds nothing of theirs. */
  | { readonly do: 'discard'; readonly key: Key; readonly from: Found }
  /** Stop following it; `unwanted` when the person deleted it. */
  | { readonly do: 'forget'; readonly key: Key; readonly unwanted: boolean }
  /** A new id took the old one's place (an upload over it): it takes over the copy on disk. */
  | { readonly do: 'inherit'; readonly key: Key; readonly from: Key; readonly agreed: Agreed };

/** Two paths with one fold are one file on some disk: NFC and NFD, upper and lower case. */
export const fold = (path: Path): Path =>
  plain.test(path) ? path.toLowerCase() : path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Most paths; for them the long way leads to the same. */
const plain = /^[ -~]*$/;

export const parentOf = (path: Path): Path => path.slice(0, Math.max(0, path.lastIndexOf('/')));
export const lastOf = (path: Path): string => path.slice(path.lastIndexOf('/') + 1);

/** The date a file gets; a server may tell none, or one that is none. */
export const dateOf = (time: string | null | undefined): Date | undefined =>
  time && !Number.isNaN(Date.parse(time)) ? new Date(time) : undefined;
