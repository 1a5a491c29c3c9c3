// Whether a grade is shown to its student yet (reference 03 §4.8).

export interface GradeTimes {
  readonly graded_at: string | null;
  readonly posted_at: string | null;
}

/** Whether a grade is kept from its student: nothing is shown before it is posted, where posting is done by hand or was undone. */
export const isHidden = ({ graded_at, posted_at }: GradeTimes, post_manually: boolean): boolean =>
  posted_at === null && (post_manually || graded_at !== null);
