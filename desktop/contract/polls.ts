// View models of polls, for those who vote.

/** A poll that is open now. */
export interface OpenPoll {
  /** Of the session. */
  readonly id: number;
  readonly course_id: number;
  readonly course_name: string;
  readonly has_voted: boolean;
}

export interface PollView {
  readonly id: number;
  readonly question: string;
  readonly choices: readonly {
    readonly id: number;
    readonly text: string;
    /** Null where the results are not shown. */
    readonly votes: number | null;
  }[];
  /** Who has voted cannot vote again. */
  readonly chosen: number | null;
}
