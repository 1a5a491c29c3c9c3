// The preview of what a teacher's local folder would change in a course.

export interface PublishChange {
  readonly do: 'add' | 'replace' | 'rename' | 'delete' | 'refuse';
  /** Path in the course folder. */
  readonly path: string;
  /** Its current path in the course, when it moves. */
  readonly from: string | null;
  readonly size: number | null;
  /** Modules that link to it, so that students would notice the change. */
  readonly modules: readonly string[];
  readonly why: 'name' | 'twin' | null;
}

export interface PublishPlan {
  /** Identifies exactly these changes; another plan has another id. */
  readonly id: string;
  readonly changes: readonly PublishChange[];
}

export interface Published {
  /** The plan was out of date and nothing was done: this is the current one. */
  readonly instead: PublishPlan | null;
  readonly sent: number;
  readonly issues: readonly { readonly where: string; readonly why: string }[];
}
