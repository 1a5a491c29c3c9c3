// What a teacher would change in a course by what lies in its folder here.

export interface PublishChange {
  readonly do: 'add' | 'replace' | 'rename' | 'delete' | 'refuse';
  /** Below the course. */
  readonly path: string;
  /** Where the course has it, when it moves. */
  readonly from: string | null;
  readonly size: number | null;
  /** Modules that lead to it: students find there what comes of it. */
  readonly modules: readonly string[];
  readonly why: 'name' | 'twin' | null;
}

export interface PublishPlan {
  /** Names exactly these changes: another plan has another one. */
  readonly id: string;
  readonly changes: readonly PublishChange[];
}

export interface Published {
  /** The plan was no longer true, and nothing was done: this is the one that is. */
  readonly instead: PublishPlan | null;
  readonly sent: number;
  readonly issues: readonly { readonly where: string; readonly why: string }[];
}
