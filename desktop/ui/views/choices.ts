// What is to be kept on this computer, and what the choice would change.

export type FileGroup = 'documents' | 'slides' | 'tables' | 'images' | 'sound' | 'video' | 'archives' | 'code' | 'other';

/** What the person has chosen. Where nothing is said, everything is kept. */
export interface Choices {
  /** Of courses, folders and single files, by key: kept or not. The nearest mark above a file decides. */
  readonly marks: Readonly<Record<string, boolean>>;
  /** Kinds of files that are left on the server. */
  readonly without: readonly FileGroup[];
  /** In bytes; larger files are left on the server. */
  readonly largest: number | null;
}

/** Why a file is left on the server: a mark on its course or a folder, its kind, or its size. */
export type Against = 'course' | 'folder' | 'kind' | 'size';

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

/** A course or one of its folders, in the order of a tree that is read from the top. */
export interface ChoiceNode {
  readonly key: string;
  readonly name: string;
  /** 0 for a course. */
  readonly depth: number;
  readonly has_folders: boolean;
  readonly state: 'on' | 'part' | 'off';
  readonly all: Amount;
  /** What of it is kept here, kinds and sizes counted in. */
  readonly kept: Amount;
}

export interface ChoicesView {
  readonly choices: Choices;
  /** What was put away one by one below what is now switched on, and comes back with it. */
  readonly again: readonly string[];
  readonly nodes: readonly ChoiceNode[];
  readonly groups: readonly { readonly group: FileGroup; readonly all: Amount; readonly wanted: boolean }[];
  readonly all: Amount;
  readonly kept: Amount;
  /** Against what is chosen now: goes from this computer, and stays on the server. */
  readonly leaves: Amount;
  /** Of these the server gives no copy at present. */
  readonly leaves_locked: number;
  /** Changed by the person: no longer followed, and left where they are. */
  readonly stays: number;
  /** Is fetched. */
  readonly comes: Amount;
}

/** A choice that is being made: nothing is done before it is confirmed. */
export interface ChoicesDraft {
  readonly choices: Choices;
  readonly again: readonly string[];
}
