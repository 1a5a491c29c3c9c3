// Which files are kept on this computer, and what a changed choice would do.

export type FileGroup = 'documents' | 'slides' | 'tables' | 'images' | 'sound' | 'video' | 'archives' | 'code' | 'other';

/** The user's choice. By default everything is kept. */
export interface Choices {
  /** By key of a course, folder or file: kept or not. The nearest ancestor decides. */
  readonly marks: Readonly<Record<string, boolean>>;
  /** Kinds of files that stay on the server. */
  readonly without: readonly FileGroup[];
  /** In bytes; larger files stay on the server. */
  readonly largest: number | null;
}

/** Why a file stays on the server: its course or folder, its kind, or its size. */
export type Against = 'course' | 'folder' | 'kind' | 'size';

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** A course or folder, in the order of a tree read from the top. */
export interface ChoiceNode {
  readonly key: string;
  readonly name: string;
  /** 0 for a course. */
  readonly depth: number;
  readonly has_folders: boolean;
  readonly state: 'on' | 'part' | 'off';
  readonly all: Amount;
  /** What is kept of it, with kinds and sizes applied. */
  readonly kept: Amount;
}

export interface ChoicesView {
  readonly choices: Choices;
  /** Files removed one by one below a folder that is now kept; they are downloaded again. */
  readonly again: readonly string[];
  readonly nodes: readonly ChoiceNode[];
  readonly groups: readonly { readonly group: FileGroup; readonly all: Amount; readonly wanted: boolean }[];
  readonly all: Amount;
  readonly kept: Amount;
  /** Removed from this computer compared with the current choice; stays on the server. */
  readonly leaves: Amount;
  /** How many of them the server does not currently allow to download. */
  readonly leaves_locked: number;
  /** Edited by the user: no longer synced, and left in place. */
  readonly stays: number;
  /** To be downloaded. */
  readonly comes: Amount;
}

/** A choice that is not applied yet: it is previewed first. */
export interface ChoicesDraft {
  readonly choices: Choices;
  readonly again: readonly string[];
}
